//! From the bytes of a file to a place that is shown: line, column and document path.

use crate::base::diag::{Diagnostic, Lines, MOST_FINDINGS, Place, Span};
use crate::language::yaml::{Paths, Tree};

/// Finds the places of spans in one file.
pub(super) struct Locator<'f> {
    lines: Lines<'f>,
    path_of: Box<dyn Fn(Span) -> String + 'f>,
}

impl<'f> Locator<'f> {
    /// Returns a locator for the lines of a file and its tree. Without a tree, document paths are empty.
    pub fn new(lines: Lines<'f>, tree: Option<&'f Tree<'_>>) -> Self {
        let path_of: Box<dyn Fn(Span) -> String + 'f> = match tree.map(Paths::new) {
            Some(paths) => Box::new(move |span| paths.of(span)),
            None => Box::new(|_| String::new()),
        };
        Self { lines, path_of }
    }

    /// Returns a locator for findings whose document path is known.
    pub fn with_path(lines: Lines<'f>, path: &'f str) -> Self {
        let path_of = Box::new(|_| path.to_owned());
        Self { lines, path_of }
    }

    /// Returns the place of a span.
    pub fn place(&self, span: Span) -> Place {
        self.lines.place(span, (self.path_of)(span))
    }

    /// Gives a finding about the file its place, unless it has one.
    pub fn locate(&self, finding: &mut Diagnostic) {
        if finding.place.is_none() {
            finding.set_place(match finding.span {
                Some(span) => self.place(span),
                None => self.lines.source().whole(),
            });
        }
    }

    /// Returns the first [`MOST_FINDINGS`] findings with their places.
    pub fn locate_all(&self, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        findings.truncate(MOST_FINDINGS);
        findings.iter_mut().for_each(|finding| self.locate(finding));
        findings
    }
}
