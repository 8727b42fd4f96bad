//! The documents that are being loaded, each imported by the one before, and what is found wrong on the way.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::findings::{FileFindings, FileSpan};
use super::unit::{File, Unit};
use crate::base::diag::{Code, Diagnostic, Span};

/// The root document first.
#[derive(Default)]
pub(super) struct Chain {
    links: Vec<Link>,
    pub errors: FileFindings,
}

struct Link {
    unit: Arc<Unit>,
    identity: PathBuf,
    /// The reference it is looking into.
    reference: Span,
}

impl Chain {
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// A document begins to load what it imports.
    pub fn push(&mut self, unit: Arc<Unit>, identity: PathBuf) {
        let reference = Span::default();
        self.links.push(Link {
            unit,
            identity,
            reference,
        });
    }

    /// The last document is done.
    pub fn pop(&mut self) {
        self.links.pop();
    }

    /// The last document looks into a reference.
    pub fn turn_to(&mut self, reference: Span) {
        if let Some(link) = self.links.last_mut() {
            link.reference = reference;
        }
    }

    /// Which of the documents a file is.
    pub fn position(&self, identity: &Path) -> Option<usize> {
        self.links.iter().position(|link| link.identity == identity)
    }

    /// U05, with the way round that begins with a document.
    pub fn circular<T>(&mut self, start: usize, reference: Span) -> Option<T> {
        let names = self.links[start..].iter().map(|link| &*link.unit.file.name);
        let way: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let message = match &*way {
            [_] => "a document cannot import itself".to_owned(),
            _ => format!(
                "these files import each other: {}, {}",
                way.join(", "),
                way[0]
            ),
        };
        self.fail(Code::U05, reference, message)
    }

    /// Reports an error of the last document.
    pub fn fail<T>(&mut self, code: Code, reference: Span, message: String) -> Option<T> {
        self.report_here(Diagnostic::new(code, reference, message))
    }

    /// Reports a finding about the last document.
    pub fn report_here<T>(&mut self, finding: Diagnostic) -> Option<T> {
        let file = self.links.last()?.unit.file.clone();
        let importers = self.importers(1);
        self.errors.add(&file, [finding], &importers);
        None
    }

    /// Reports findings about a file that the last document imports.
    pub fn report_below(&mut self, file: &Arc<File>, findings: Vec<Diagnostic>) {
        let importers = self.importers(0);
        self.errors.add(file, findings, &importers);
    }

    /// Where the documents refer to the next, the nearest first, without the last `but`.
    pub fn importers(&self, but: usize) -> Vec<FileSpan> {
        let links = self.links.iter().rev().skip(but);
        links
            .map(|link| FileSpan {
                file: link.unit.file.clone(),
                span: link.reference,
            })
            .collect()
    }
}
