//! Findings about a glTF file: each names a place in its JSON, the value found there, and what to do.

use std::fmt;

use super::cursor::Cursor;
use super::json::Value;
use rigy_base::diag::{self, Category, Code, Diagnosed, Diagnostic, Place, Warned, shortened};
use rigy_base::meter::Overspent;

/// Longest quotation of a value in a message, in characters.
const LONGEST_VALUE: usize = 60;

/// A reason to refuse a glTF file, or to warn about it.
///
/// The category is `ParseError` if a part cannot be read (container, JSON syntax, a field that is missing or of the wrong
/// JSON type, a buffer that cannot be loaded) and `ValidationError` if a part that can be read breaks a rule (an index
/// beyond a list, a view beyond its buffer, a cycle of nodes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `ParseError` or `ValidationError`, as above.
    pub category: Category,
    /// Its code, if it has one.
    pub code: Option<Code>,
    /// Its path in the JSON, such as `accessors[3].sparse.indices.byteOffset`; empty for the file as a whole.
    pub path: String,
    /// A plain sentence that names the value.
    pub message: String,
    /// Advice to the user, if there is any.
    pub help: Option<String>,
    /// Offset in bytes in the file, or in the buffer that the path names, if the problem is about binary data.
    pub offset: Option<u64>,
    /// True if it may be gone in the next run over the same files ([`is_transient`](rigy_base::transient::is_transient)).
    pub transient: bool,
}

/// A value, or the problem because of which there is none.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

impl Problem {
    /// A fault of structure: a part of the file cannot be read at all (ParseError).
    pub(crate) fn structure(path: &dyn fmt::Display, message: impl Into<String>) -> Self {
        Self {
            category: Category::ParseError,
            code: None,
            path: path.to_string(),
            message: message.into(),
            help: None,
            offset: None,
            transient: false,
        }
    }

    /// A broken rule (ValidationError).
    pub fn rule(path: &dyn fmt::Display, message: impl Into<String>) -> Self {
        Self {
            category: Category::ValidationError,
            ..Self::structure(path, message)
        }
    }

    /// Adds advice.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: Some(help.into()),
            ..self
        }
    }

    /// Sets the code, and the category to that of the code.
    pub fn code(self, code: Code) -> Self {
        Self {
            category: code.category(),
            code: Some(code),
            ..self
        }
    }

    /// Sets the offset.
    pub(super) fn at_byte(self, offset: u64) -> Self {
        Self {
            offset: Some(offset),
            ..self
        }
    }

    /// Converts the problem to a diagnostic about the file of this name.
    pub fn into_diagnostic(self, file: &str) -> Diagnostic {
        let place = self
            .offset
            .map_or(String::new(), |at| format!(" (byte {at})"));
        let mut diagnostic =
            Diagnostic::without_code(self.category, format!("{}{place}", self.message));
        diagnostic.code = self.code;
        diagnostic.transient = self.transient;
        diagnostic.place = Some(Box::new(Place {
            file: file.to_owned(),
            path: shortened(self.path),
            position: None,
            excerpt: None,
        }));
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// A result that may be a problem of a file.
pub trait AboutFile<T> {
    /// Returns the same with the problem as a diagnostic about the file of this name.
    ///
    /// # Errors
    /// That one.
    fn about_file(self, name: &str) -> Diagnosed<T>;
}

impl<T, P: Into<Problem>> AboutFile<T> for Result<T, P> {
    fn about_file(self, name: &str) -> Diagnosed<T> {
        self.map_err(|problem| vec![problem.into().into_diagnostic(name)])
    }
}

impl From<Overspent> for Problem {
    fn from(
        Overspent {
            path,
            message,
            help,
        }: Overspent,
    ) -> Self {
        Self::rule(&path, message).code(Code::U17).help(help)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.clone().into_diagnostic("").message_with_path())
    }
}

impl std::error::Error for Problem {}

/// The findings about one file, from its problems.
pub struct Findings<'n> {
    file: &'n str,
    findings: diag::Findings,
}

impl<'n> Findings<'n> {
    /// Returns an empty list for the file of this name.
    pub fn new(file: &'n str) -> Self {
        Self {
            file,
            findings: diag::Findings::default(),
        }
    }

    /// Returns the value of a check; its problem is reported as an error.
    pub fn keep<T>(&mut self, checked: Result<T>) -> Option<T> {
        checked.map_err(|problem| self.error(problem)).ok()
    }

    /// Reads the elements of the list `key`. Those with problems, which are reported as errors, are left out.
    pub fn read_list<T>(
        &mut self,
        root: &Cursor,
        key: &str,
        mut read: impl FnMut(&Cursor, usize, &mut Self) -> Result<T>,
    ) -> Vec<T> {
        let Some(list) = self.keep(root.list(key)) else {
            return Vec::new();
        };
        let mut elements = Vec::with_capacity(list.items().len());
        for (index, item) in list.items().enumerate() {
            let element = read(&item, index, self);
            elements.extend(self.keep(element));
        }
        elements
    }

    /// Reports an error.
    pub fn error(&mut self, problem: Problem) {
        self.findings.report(problem.into_diagnostic(self.file));
    }

    /// Adds findings of another list.
    pub fn add(&mut self, found: Vec<Diagnostic>) {
        found.into_iter().for_each(|one| self.findings.report(one));
    }

    /// Reports a fault that this reader accepts, as other readers do, as a warning (W07).
    pub fn warn(&mut self, problem: Problem) {
        self.error(problem.code(Code::W07));
    }

    /// Ends a stage; see [`diag::Findings::stop`].
    pub fn stop(&mut self) -> Diagnosed<()> {
        self.findings.stop()
    }

    /// Ends the last stage; see [`diag::Findings::conclude`].
    pub fn conclude<T>(self, value: T) -> Diagnosed<Warned<T>> {
        self.findings.conclude(value)
    }
}

/// Quotes text of a file for a message, and shortens it.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Longest list of names in a message, in bytes.
const LONGEST_LIST: usize = 200;

/// The first of some names, as many as a message holds, and how many more there are.
pub fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let (count, mut text) = (names.len(), String::new());
    for (index, name) in names.enumerate() {
        if index > 0 && text.len() + name.len() > LONGEST_LIST {
            return format!("{text}{} more", count - index);
        }
        text += &name;
        text += ", ";
    }
    text.trim_end_matches(", ").to_owned()
}

/// Shows a JSON value for a message.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) => match text.char_indices().nth(LONGEST_VALUE) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_string(),
        },
        Value::String(text) => quoted(text),
        Value::Array(elements) => format!("an array of {}", elements.len()),
        Value::Object(_) => "an object".into(),
    }
}
