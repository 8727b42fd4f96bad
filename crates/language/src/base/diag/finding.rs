//! A finding as machines read it, in JSON and in the bindings.

use serde::{Deserialize, Serialize};

use super::{Category, Code, Diagnostic, Place};

/// An error or a warning, as reports and descriptions have it in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// A finding with advice and importers in fields of their own, as Python and JavaScript have it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FullFinding {
    /// The finding with its bare message.
    #[serde(flatten)]
    pub finding: Finding,
    /// Advice, if there is any.
    pub help: Option<String>,
    /// The places where the file was imported, as `FILE:LINE:COLUMN`, the nearest first.
    pub importers: Vec<String>,
    /// True for a warning that does not count as an error.
    pub is_warning: bool,
}

impl Finding {
    /// Returns a diagnostic with all that it says in its message.
    pub fn new(diagnostic: &Diagnostic) -> Self {
        Self::with_message(diagnostic, diagnostic.sentence())
    }

    fn with_message(diagnostic: &Diagnostic, message: String) -> Self {
        let place = diagnostic.place.as_deref();
        let (line, column) = place.and_then(|place| place.position).unzip();
        Self {
            category: diagnostic.category,
            code: diagnostic.code,
            message,
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
            finding: Finding::with_message(diagnostic, diagnostic.message.clone()),
            help: diagnostic.help.clone(),
            importers: importers(diagnostic).collect(),
            is_warning: diagnostic.is_warning(),
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
