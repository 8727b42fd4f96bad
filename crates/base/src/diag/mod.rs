//! Diagnostics: errors and warnings with their places and advice.
//!
//! In: byte spans and plain sentences from every stage. Out: diagnostics that a person or a machine can
//! read. This module does not depend on YAML, disks or terminals.

mod codes;
mod finding;
mod mend;
mod source;
mod suggest;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;

pub use codes::{Category, Code};
pub use finding::quoted;
pub use finding::{Finding, Findings, FullFinding};
pub use mend::Mend;
pub use source::{Lines, Place, Source};
pub use suggest::{Suggestions, nearest};

use super::transient::is_transient;
use crate::maps::{HashMap, HashSet};

/// Most findings that are kept of one document and stage.
pub const MOST_FINDINGS: usize = 1000;

/// Longest message and document path, in characters. Longer ones, which quote long texts of a document, are cut.
const LONGEST_TEXT: usize = 400;

/// A half-open range of byte offsets into the text of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// A number for the alias through which the bytes are used in another place of the document, or for what preprocessing
    /// has made of them; 0 where they are used as they stand. Its meaning is known to the module that makes spans, `rigy_language::yaml`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub via: u32,
    /// True for the mirrored copy that `symmetry` makes of the element at these bytes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mirrored: bool,
}

impl Span {
    /// Returns the span of bytes that are used where they stand, and not mirrored.
    pub fn new(start: u32, end: u32) -> Self {
        Self {
            start,
            end,
            ..Self::default()
        }
    }

    /// Returns the same span, marked as mirrored.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let mirrored = true;
        Self { mirrored, ..self }
    }
}

/// A value and its span.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spanned<T> {
    /// The value itself.
    pub value: T,
    /// The bytes of the value in the document.
    pub span: Span,
}

/// A text of a document, such as a name or a path, with its span.
pub type Text = Spanned<String>;

impl<T> Spanned<T> {
    /// Returns a value with its span.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// A result and the warnings that were found with it. Warnings never change output.
#[derive(Clone, Debug)]
pub struct Warned<T> {
    /// The result.
    pub value: T,
    /// Warnings in the order of the checks that raised them.
    pub warnings: Vec<Diagnostic>,
}

/// A result, or the errors because of which there is none.
pub type Diagnosed<T> = Result<T, Vec<Diagnostic>>;

/// One finding: an error when its code says so; a warning when the code begins with `W`, unless it was promoted.
///
/// `span` is an offset into the text of the file that the finding is about. The stage that has the file turns it into a
/// [`Place`] and calls [`Diagnostic::set_place`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// One of the six categories of the specification.
    pub category: Category,
    /// The stable code; `None` for failures that have none (of input and output).
    pub code: Option<Code>,
    /// A plain sentence that names the offending value.
    pub message: String,
    /// Advice, if there is any.
    pub help: Option<String>,
    /// A change of the text that removes the finding, if one is known. It is not stored with reports and caches.
    #[serde(skip)]
    pub mend: Option<Box<Mend>>,
    /// Bytes of the document that the finding is about.
    pub span: Option<Span>,
    /// File, document path, line and column; set by [`Diagnostic::set_place`].
    pub place: Option<Box<Place>>,
    /// The imports that led to that file, the nearest first; empty for the document itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub importers: Vec<Place>,
    /// True for a warning that counts as an error because the user wishes it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub promoted: bool,
    /// True for an error that may be gone in the next run over the same files ([`is_transient`]).
    #[serde(default, skip_serializing_if = "is_default")]
    pub transient: bool,
    /// The first output that it concerns; `None` if it concerns the input as a whole.
    #[serde(default, skip_serializing_if = "is_default")]
    pub concern: Option<Box<Concern>>,
}

/// The output of an input that a finding concerns. Where it concerns several, it names the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concern {
    /// The outputs of the pose with this id.
    Pose(String),
    /// The output with this index.
    Output(usize),
}

/// Returns true for a value that notes leave out: a batch writes thousands of warnings, and most have it.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Diagnostic {
    /// Returns a finding with a code, about a span of the document.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let span = Some(span);
        Self {
            span,
            ..Self::whole(code, message)
        }
    }

    /// Returns a finding with a code, about a document, a file or an output as a whole.
    pub fn whole(code: Code, message: impl Into<String>) -> Self {
        let category = code.category();
        Self {
            code: Some(code),
            ..Self::without_code(category, message)
        }
    }

    /// Returns a finding that has a category but no code and no span.
    pub fn without_code(category: Category, message: impl Into<String>) -> Self {
        Self {
            category,
            code: None,
            message: shortened(message.into()),
            help: None,
            mend: None,
            span: None,
            place: None,
            importers: Vec::new(),
            promoted: false,
            transient: false,
            concern: None,
        }
    }

    /// Returns the error that this program has panicked on a file, which has this name.
    pub fn panicked(name: &str) -> Self {
        let message = "rigy-batch panicked on this input; that is a bug in rigy-batch";
        Self::without_code(Category::ExportError, message)
            .help("please report it with the input")
            .about_file(name)
    }

    /// Returns the same finding with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }

    /// Returns the same finding, which an error of the system has caused.
    #[must_use]
    pub fn caused_by(self, error: &io::Error) -> Self {
        let transient = is_transient(error);
        Self { transient, ..self }
    }

    /// Returns the same finding, which concerns one pose.
    #[must_use]
    pub fn of_pose(mut self, id: &str) -> Self {
        self.concern = Some(Box::new(Concern::Pose(id.to_owned())));
        self
    }

    /// Returns the same finding, of which an output is the first that it concerns.
    #[must_use]
    pub fn of_output(self, index: usize) -> Self {
        let concern = Some(Box::new(Concern::Output(index)));
        Self { concern, ..self }
    }

    /// Sets the place of the span. The help of a finding about a mirrored copy then says so, because the place is that of
    /// the original.
    pub fn set_place(&mut self, place: Place) {
        const NOTE: &str =
            "this is about the mirrored copy that `symmetry` makes of what is underlined";
        self.place = Some(Box::new(place));
        if self.span.is_some_and(|span| span.mirrored) {
            self.add_help(NOTE);
        }
    }

    /// Appends a sentence to the advice.
    pub fn add_help(&mut self, note: &str) {
        self.help = Some(match self.help.take() {
            Some(help) => format!("{help}; {note}"),
            None => note.to_owned(),
        });
    }

    /// Returns the same finding, about a file as a whole.
    #[must_use]
    pub fn about_file(mut self, name: &str) -> Self {
        self.span = None;
        self.place = Some(Box::new(Source { name, text: "" }.whole()));
        self
    }

    /// Returns the message, after the path in the file if the finding has a path and no line, as those about glTF files have.
    pub fn message_with_path(&self) -> Cow<'_, str> {
        match self.place.as_deref() {
            Some(place) if place.position.is_none() && !place.path.is_empty() => {
                format!("`{}`: {}", place.path, self.message).into()
            }
            _ => (&*self.message).into(),
        }
    }

    /// Returns true if the finding is a warning that does not count as an error.
    pub fn is_warning(&self) -> bool {
        self.code.is_some_and(Code::is_warning) && !self.promoted
    }
}

/// The codes of warnings that are dropped, and of those that count as errors.
#[derive(Clone, Debug, Default)]
pub struct WarningPolicy {
    /// Dropped, even if they are among `errors`.
    pub allowed: Vec<Code>,
    /// Counted as errors.
    pub errors: Vec<Code>,
}

impl WarningPolicy {
    /// Returns the warnings that remain, and those that count as errors.
    pub fn apply(&self, warnings: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let named = |codes: &[Code], w: &Diagnostic| w.code.is_some_and(|c| codes.contains(&c));
        let shown = warnings.into_iter().filter(|w| !named(&self.allowed, w));
        let (mut errors, rest): (Vec<_>, Vec<_>) = shown.partition(|w| named(&self.errors, w));
        errors.iter_mut().for_each(|error| error.promoted = true);
        (rest, errors)
    }
}

/// Adds findings to a list, each once: a finding may be the same in several parts of a work.
pub fn keep(list: &mut Vec<Diagnostic>, found: Vec<Diagnostic>) {
    for finding in found {
        if !list.contains(&finding) {
            list.push(finding);
        }
    }
}

/// Fails with the errors, if there are any.
///
/// # Errors
/// All of them.
pub fn check_none<E>(errors: Vec<E>) -> Result<(), Vec<E>> {
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// Returns findings to show to people, without those about mirrored copies that repeat a finding about the original, and with one for the
/// copies that a repeat, a macro or an alias makes of the same text. Its advice counts the others.
pub fn without_repeats(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let bytes = |f: &Diagnostic| f.span.map(|span| (span.start, span.end));
    let is_mirrored = |f: &Diagnostic| f.span.is_some_and(|span| span.mirrored);
    let via = |f: &Diagnostic| f.span.map_or(0, |span| span.via);
    if findings.iter().any(is_mirrored) {
        let known: HashSet<_> = findings
            .iter()
            .filter(|f| !is_mirrored(f))
            .map(|f| (f.code, bytes(f), via(f)))
            .collect();
        findings.retain(|f| !is_mirrored(f) || !known.contains(&(f.code, bytes(f), via(f))));
    }
    // The findings that are shown by their index, each with the number of its copies.
    let mut shown: Vec<(usize, usize)> = Vec::with_capacity(findings.len());
    let mut first: HashMap<_, usize> = HashMap::default();
    for (at, finding) in findings.iter().enumerate() {
        let file = finding.place.as_ref().map(|place| &*place.file);
        let key = (finding.code, bytes(finding), is_mirrored(finding), file);
        let index = *first.entry(key).or_insert(shown.len());
        match shown.get_mut(index) {
            Some((other, copies)) if via(&findings[*other]) != via(finding) => *copies += 1,
            _ => shown.push((at, 0)),
        }
    }
    let mut shown = shown.into_iter().peekable();
    let with_count = findings
        .into_iter()
        .enumerate()
        .filter_map(|(at, mut finding)| {
            let (_, copies) = shown.next_if(|(index, _)| *index == at)?;
            match copies {
                0 => {}
                1 => finding.add_help("one more copy has the same fault"),
                _ => finding.add_help(&format!("{copies} more copies have the same fault")),
            }
            Some(finding)
        });
    with_count.collect()
}

/// Returns a text, cut to 400 characters.
pub fn shortened(text: impl Into<String> + AsRef<str>) -> String {
    match text.as_ref().char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text.as_ref()[..end]),
        None => text.into(),
    }
}
