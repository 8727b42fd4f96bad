//! What went wrong, where, and what to do about it.
//!
//! In: byte spans and plain sentences from every stage. Out: diagnostics that a person or a machine can
//! read. This room knows nothing of YAML, of files on disk or of terminals: it only holds facts.

mod codes;
mod display;
mod findings;
mod source;
mod suggest;

use serde::{Deserialize, Serialize};
use std::collections::HashSet;

pub use codes::{Category, Code};
pub use findings::Findings;
pub use source::{Lines, Place, Source};
pub use suggest::{Suggestions, nearest};

/// Most findings that are kept of one document and stage; a file with more is beyond mending one by one.
pub const MOST_FINDINGS: usize = 1000;

/// Longest message and document path, in characters; what a document says may be longer than anyone reads.
const LONGEST_TEXT: usize = 400;

/// A half-open range of byte offsets into the text of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What the bytes are reached through, where they are written once and used elsewhere; 0 where they are used as
    /// they stand. Only who made the span knows what the number means.
    pub via: u32,
    /// Whether this is not what the bytes say, but its mirrored copy.
    pub mirrored: bool,
}

impl Span {
    /// Bytes that are used where they stand, and as they stand.
    pub fn new(start: u32, end: u32) -> Self {
        Self {
            start,
            end,
            ..Self::default()
        }
    }

    /// The same bytes, mirrored.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let mirrored = true;
        Self { mirrored, ..self }
    }
}

/// A value together with the place it was written at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value itself.
    pub value: T,
    /// Where the document says so.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs a value with its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// A result together with the warnings met on the way to it. Warnings never change output.
#[derive(Clone, Debug)]
pub struct Warned<T> {
    /// The result.
    pub value: T,
    /// Warnings in the order of the checks that raised them.
    pub warnings: Vec<Diagnostic>,
}

/// One finding: an error when its code says so; a warning when the code begins with `W`, unless it was promoted.
///
/// `span` is relative to the text of the file the finding is about; [`Diagnostic::located`] turns it into
/// a [`Place`] once that file is at hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// One of the six categories of the specification.
    pub category: Category,
    /// The stable code; `None` where the contract gives none (input and output failures).
    pub code: Option<Code>,
    /// A plain sentence that names the offending value.
    pub message: String,
    /// What to try, where that helps.
    pub help: Option<String>,
    /// Bytes of the document that the finding is about.
    pub span: Option<Span>,
    /// File, document path, line and column, filled in by [`Diagnostic::located`].
    pub place: Option<Box<Place>>,
    /// The imports that led to that file, the nearest first; empty for the document itself.
    pub importers: Vec<Place>,
    /// Whether a warning was asked to count as an error.
    pub promoted: bool,
}

impl Diagnostic {
    /// A finding with a code, at a place in the document.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            category: code.category(),
            code: Some(code),
            message: shortened(message.into()),
            help: None,
            span: Some(span),
            place: None,
            importers: Vec::new(),
            promoted: false,
        }
    }

    /// A finding that has a category but no code and no place in a document.
    pub fn without_code(category: Category, message: impl Into<String>) -> Self {
        Self {
            category,
            code: None,
            message: shortened(message.into()),
            help: None,
            span: None,
            place: None,
            importers: Vec::new(),
            promoted: false,
        }
    }

    /// The same finding with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }

    /// Sets the place of the span. The help of a finding about a mirrored copy then says so, because the place is that of
    /// the original.
    pub fn set_place(&mut self, place: Place) {
        const NOTE: &str =
            "this is about the mirrored copy that `symmetry` makes of what is underlined";
        self.place = Some(Box::new(place));
        if self.span.is_some_and(|span| span.mirrored) {
            self.help = Some(match self.help.take() {
                Some(help) => format!("{help}; {NOTE}"),
                None => NOTE.to_owned(),
            });
        }
    }

    /// The same finding, about a file as a whole.
    #[must_use]
    pub fn about_file(mut self, name: &str) -> Self {
        self.span = None;
        self.place = Some(Box::new(Source { name, text: "" }.whole()));
        self
    }

    /// Whether the finding is only a warning.
    pub fn is_warning(&self) -> bool {
        self.code.is_some_and(Code::is_warning) && !self.promoted
    }
}

/// What becomes of warnings: by their codes, some are silenced and some count as errors.
#[derive(Clone, Debug, Default)]
pub struct WarningPolicy {
    /// Neither shown nor counted, even if they would count as errors.
    pub allowed: Vec<Code>,
    /// Counted as errors.
    pub errors: Vec<Code>,
}

impl WarningPolicy {
    /// The warnings that remain, and the errors that some of them have become.
    pub fn apply(&self, warnings: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let named = |codes: &[Code], w: &Diagnostic| w.code.is_some_and(|c| codes.contains(&c));
        let shown = warnings.into_iter().filter(|w| !named(&self.allowed, w));
        let (mut errors, rest): (Vec<_>, Vec<_>) = shown.partition(|w| named(&self.errors, w));
        errors.iter_mut().for_each(|error| error.promoted = true);
        (rest, errors)
    }
}

/// Findings without those about mirrored copies that only repeat what is wrong with the original: what people
/// need to see.
pub fn without_echoes<'f>(findings: &[&'f Diagnostic]) -> Vec<&'f Diagnostic> {
    let mirrored = |f: &Diagnostic| f.span.is_some_and(|span| span.mirrored);
    let place = |f: &Diagnostic| (f.code, f.span.map(|s| (s.start, s.end, s.via)));
    let originals = findings.iter().filter(|f| !mirrored(f));
    let known: HashSet<_> = originals.map(|f| place(f)).collect();
    let shown = findings
        .iter()
        .filter(|f| !mirrored(f) || !known.contains(&place(f)));
    shown.copied().collect()
}

/// A text cut to a length that people read.
pub(crate) fn shortened(text: impl Into<String> + AsRef<str>) -> String {
    match text.as_ref().char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text.as_ref()[..end]),
        None => text.into(),
    }
}
