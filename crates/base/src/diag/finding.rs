//! A finding as machines read it, a list of findings of bounded length, and findings as text.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use super::{
    Category, Code, Diagnosed, Diagnostic, MOST_FINDINGS, Place, Span, Suggestions, Text, Warned,
};

/// An error or a warning, as reports and descriptions have it in JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The category.
    pub category: Category,
    /// The code; null if the contract defines none.
    pub code: Option<Code>,
    /// The message: [`Diagnostic::sentence`], or where advice and importers have fields of their own, only [`Diagnostic::message`].
    pub message: String,
    /// The path inside the document, or in the JSON of the glTF file; null if the finding is about the whole file.
    pub path: Option<String>,
    /// The file that the finding is about.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column in characters, from 1.
    pub column: Option<u32>,
    /// True for an error that may be gone in the next run over the same files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transient: bool,
}

/// A finding with advice and importers in fields of their own, as Python and JavaScript have it: no field is ever left out. Its fields
/// are those of `finding` in `docs/src/reference/schemas/bindings.json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FullFinding {
    /// The finding with its bare message, and without `transient`, which it leaves out where it is false.
    #[serde(flatten)]
    pub finding: Finding,
    /// Advice, if there is any.
    pub help: Option<String>,
    /// The places where the file was imported, as `FILE:LINE:COLUMN`, the nearest first.
    pub importers: Vec<String>,
    /// True for a warning that does not count as an error.
    pub is_warning: bool,
    /// True for an error that may be gone in the next run over the same files.
    pub is_transient: bool,
}

impl Finding {
    /// Returns a diagnostic with all that it says in its message.
    pub fn new(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.place.as_deref();
        let (line, column) = place.and_then(|place| place.position).unzip();
        Self {
            category: diagnostic.category,
            code: diagnostic.code,
            message: diagnostic.sentence(),
            path: place.and_then(Place::known_path).map(str::to_owned),
            file: place.map(|place| place.file.clone()),
            line,
            column,
            transient: diagnostic.transient,
        }
    }
}

impl FullFinding {
    /// Converts a diagnostic.
    pub fn new(diagnostic: &Diagnostic) -> Self {
        Self {
            finding: Finding {
                message: diagnostic.message.clone(),
                transient: false,
                ..Finding::new(diagnostic)
            },
            help: diagnostic.help.clone(),
            importers: importers(diagnostic).collect(),
            is_warning: diagnostic.is_warning(),
            is_transient: diagnostic.transient,
        }
    }
}

fn importers(diagnostic: &Diagnostic) -> impl Iterator<Item = String> {
    diagnostic.importers.iter().map(|importer| {
        let (line, column) = importer.position.unwrap_or_default();
        format!("{}:{line}:{column}", importer.file)
    })
}

impl Diagnostic {
    /// Returns the message with the advice, if there is any.
    pub fn advised(&self) -> String {
        match &self.help {
            Some(help) => format!("{}; {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns the message with the advice and the places where the file was imported, in one line.
    pub fn sentence(&self) -> String {
        let mut text = self.advised();
        for importer in importers(self) {
            text.push_str(&format!(" (imported at {importer})"));
        }
        text
    }
}

/// Errors and warnings in the order in which they are reported, at most [`MOST_FINDINGS`] of each.
#[derive(Debug, Default)]
pub struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    suggestions: Suggestions,
}

/// Most names that exist of which a finding tells how many there are.
const MOST_COUNTED: usize = 256;

/// Errors of a stage that are explained by a search through the document.
const MOST_THOROUGH: usize = 64;

/// Most names that a finding lists.
const MOST_LISTED: usize = 8;

/// Returns names in backticks, with commas between them.
pub fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("`{}`", names.join("`, `"))
    }
}

/// Returns which names there are, as advice.
fn listed(known: &[&str]) -> String {
    let shown = quoted(known.iter().copied().take(MOST_LISTED));
    match known.len() {
        0 => "there are none".to_owned(),
        1 => format!("there is {shown}"),
        count if count <= MOST_LISTED => format!("there are {shown}"),
        count if count < MOST_COUNTED => {
            format!("there are {shown} and {} more", count - MOST_LISTED)
        }
        _ => format!("there are {shown} and many more"),
    }
}

impl Findings {
    /// Adds a finding with this code, which is a warning if the code begins with `W`.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message));
    }

    /// Adds a finding to the errors or, if it is a warning, to the warnings.
    pub fn report(&mut self, finding: Diagnostic) {
        let list = if finding.is_warning() {
            &mut self.warnings
        } else {
            &mut self.errors
        };
        if list.len() < MOST_FINDINGS {
            list.push(finding);
        }
    }

    /// Adds an error about a name that does not exist, with the likeliest candidate as advice ([`Suggestions`] says for
    /// how many findings), or with the names that exist.
    pub fn unknown<'a>(
        &mut self,
        code: Code,
        name: &Text,
        message: String,
        candidates: impl IntoIterator<Item = &'a str>,
    ) {
        if self.is_full() {
            return; // the error would be dropped
        }
        let finding = Diagnostic::new(code, name.span, message);
        let known: Vec<&str> = candidates.into_iter().take(MOST_COUNTED).collect();
        self.report(match self.nearest(&name.value, known.iter().copied()) {
            Some(near) => finding.did_you_mean(&name.value, near),
            None if self.is_thorough() => finding.help(listed(&known)),
            None => finding,
        });
    }

    /// Returns the candidate nearest to a misspelt word, within the limits of [`Suggestions`].
    pub fn nearest<'a>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        self.suggestions.nearest(word, candidates)
    }

    /// Returns true if there are so few errors that the next one is worth a search through the document.
    pub fn is_thorough(&self) -> bool {
        self.errors.len() < MOST_THOROUGH
    }

    /// Returns true if further errors are dropped.
    pub fn is_full(&self) -> bool {
        self.errors.len() >= MOST_FINDINGS
    }

    /// Returns true if further warnings are dropped.
    pub fn is_full_of_warnings(&self) -> bool {
        self.warnings.len() >= MOST_FINDINGS
    }

    /// Ends a stage; the warnings stay.
    ///
    /// # Errors
    /// The errors so far, if there are any.
    pub fn stop(&mut self) -> Diagnosed<()> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(std::mem::take(&mut self.errors))
        }
    }

    /// Returns a value with the warnings.
    ///
    /// # Errors
    /// The errors, if there are any.
    pub fn conclude<T>(mut self, value: T) -> Diagnosed<Warned<T>> {
        self.stop()?;
        let warnings = self.warnings;
        Ok(Warned { value, warnings })
    }

    /// Returns the warnings.
    pub fn into_warnings(self) -> Vec<Diagnostic> {
        self.warnings
    }

    /// Returns the errors.
    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.errors
    }
}

impl Display for Place {
    /// Writes `file:line:column`, or only the file if the whole file is meant.
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str(&self.file)?;
        match self.position {
            Some((line, column)) => write!(formatter, ":{line}:{column}"),
            None => Ok(()),
        }
    }
}

impl Display for Diagnostic {
    /// Writes place, code, message and help in one line: `a.rigy.yaml:3:7: V07: … (help: …)`. Text that comes from a file is
    /// not escaped; escape it before a terminal or a page shows it.
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(formatter, "{place}: ")?;
        }
        let kind = self.code.map_or(self.category.name(), |code| code.name());
        write!(formatter, "{kind}: {}", self.message_with_path())?;
        match &self.help {
            Some(help) => write!(formatter, " (help: {help})"),
            None => Ok(()),
        }
    }
}

impl Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use crate::diag::{Category, Code, Diagnostic, Place, Span};

    #[test]
    fn a_diagnostic_is_one_line() {
        let mut error = Diagnostic::new(Code::V07, Span::default(), "it is 0").help("try 1");
        assert_eq!(error.to_string(), "V07: it is 0 (help: try 1)");
        error.place = Some(Box::new(Place {
            file: "a.rigy.yaml".into(),
            path: "meshes[0]".into(),
            position: Some((3, 7)),
            excerpt: None,
        }));
        let text = "a.rigy.yaml:3:7: V07: it is 0 (help: try 1)";
        assert_eq!(error.to_string(), text);
        let error = Diagnostic::without_code(Category::ExportError, "the disk is full");
        assert_eq!(error.to_string(), "ExportError: the disk is full");
    }
}
