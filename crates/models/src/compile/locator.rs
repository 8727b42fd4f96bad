//! From the bytes of a file to a place that is shown: line, column and document path.

use rigy_language::base::diag::{Diagnostic, Lines, MOST_FINDINGS, Place, Span};
use rigy_language::yaml::{Origins, Paths, Tree};

/// Finds the places of spans in one file.
pub(super) struct Locator<'f> {
    lines: Lines<'f>,
    path_of: Box<dyn Fn(Span) -> String + 'f>,
    origins: Option<&'f Origins>,
}

impl<'f> Locator<'f> {
    /// Returns a locator for the lines of a file, its tree and the origins of its nodes. Without a tree, document paths are
    /// empty.
    pub fn new(lines: Lines<'f>, tree: Option<&'f Tree<'_>>, origins: Option<&'f Origins>) -> Self {
        let path_of: Box<dyn Fn(Span) -> String + 'f> = match tree.map(Paths::new) {
            Some(paths) => Box::new(move |span| paths.of(span)),
            None => Box::new(|_| String::new()),
        };
        Self {
            lines,
            path_of,
            origins,
        }
    }

    /// Returns a locator for findings whose document path is known.
    pub fn with_path(lines: Lines<'f>, path: &'f str) -> Self {
        let path_of = Box::new(|_| path.to_owned());
        Self {
            lines,
            path_of,
            origins: None,
        }
    }

    /// Returns the place of a span.
    pub fn place(&self, span: Span) -> Place {
        let span = self.origins.map_or(span, |origins| origins.source(span));
        self.lines.place(span, (self.path_of)(span))
    }

    /// Returns a sentence that says how preprocessing made the node of a span.
    fn origin(&self, span: Span) -> Option<String> {
        let line = |at: Span| {
            self.lines
                .place(at, String::new())
                .position
                .map_or(0, |(line, _)| line)
        };
        self.origins?.describe(span, line)
    }

    /// Gives a finding about the file its place, unless it has one.
    pub fn locate(&self, finding: &mut Diagnostic) {
        if finding.place.is_none() {
            finding.set_place(match finding.span {
                Some(span) => self.place(span),
                None => self.lines.source().whole(),
            });
            if let Some(origin) = finding.span.and_then(|span| self.origin(span)) {
                finding.add_help(&origin);
            }
        }
    }

    /// Returns the first [`MOST_FINDINGS`] findings with their places.
    pub fn locate_all(&self, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        findings.truncate(MOST_FINDINGS);
        findings.iter_mut().for_each(|finding| self.locate(finding));
        findings
    }
}
