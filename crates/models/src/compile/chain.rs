//! The chain of documents that are being loaded, each imported by the one before, and their errors.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::findings::{FileFindings, FileSpan};
use super::unit::{File, Unit};
use rigy_language::base::diag::{Code, Diagnostic, Span};

/// A chain of documents, which begins with the root document.
#[derive(Default)]
pub(super) struct Chain {
    links: Vec<Link>,
    pub errors: FileFindings,
}

struct Link {
    unit: Arc<Unit>,
    identity: PathBuf,
    /// The reference that it is loading.
    reference: Span,
}

impl Chain {
    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Adds a document, whose imports are loaded next.
    pub fn push(&mut self, unit: Arc<Unit>, identity: PathBuf) {
        let reference = Span::default();
        self.links.push(Link {
            unit,
            identity,
            reference,
        });
    }

    /// Removes the last document.
    pub fn pop(&mut self) {
        self.links.pop();
    }

    /// Sets the reference that the last document is loading.
    pub fn set_reference(&mut self, reference: Span) {
        if let Some(link) = self.links.last_mut() {
            link.reference = reference;
        }
    }

    /// Returns the index of the document with this identity.
    pub fn position(&self, identity: &Path) -> Option<usize> {
        self.links.iter().position(|link| link.identity == identity)
    }

    /// Reports a circular import (U05), with the cycle that begins at the document `start`.
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

    /// Returns the references that lead to the next document, the nearest first, without those of the last `skipped`
    /// documents.
    pub fn importers(&self, skipped: usize) -> Vec<FileSpan> {
        let links = self.links.iter().rev().skip(skipped);
        links
            .map(|link| FileSpan {
                file: link.unit.file.clone(),
                span: link.reference,
            })
            .collect()
    }
}
