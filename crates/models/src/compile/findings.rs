//! Findings about a document and the files that it imports, with their places.

use std::collections::HashMap;
use std::sync::Arc;

use super::locator::Locator;
use super::unit::File;
use rigy_language::base::diag::{Diagnostic, MOST_FINDINGS, Place, Span};
use rigy_language::yaml::Tree;

/// A span of a file: the bytes that a finding is about, or those that import another file.
#[derive(Clone)]
pub(super) struct FileSpan {
    pub file: Arc<File>,
    pub span: Span,
}

/// Findings about several files, at most [`MOST_FINDINGS`], in the order in which they are added.
///
/// Places are worked out at the end, when all findings are known, so that each file is composed and searched for lines
/// only once.
#[derive(Default)]
pub(super) struct FileFindings {
    list: Vec<FileFinding>,
}

struct FileFinding {
    diagnostic: Diagnostic,
    /// The file that it is about.
    file: Arc<File>,
    /// The imports that lead to the file, the nearest first, with their places once these are known.
    importers: Vec<(FileSpan, Option<Place>)>,
}

impl FileFinding {
    /// Returns the files in which places are needed.
    fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        let own = self.diagnostic.place.is_none().then_some(&self.file);
        let importers = self.importers.iter().map(|(at, _)| &at.file);
        own.into_iter().chain(importers)
    }

    /// Works out the places in one file.
    fn locate_in(&mut self, file: &Arc<File>, locator: &Locator<'_>) {
        if Arc::ptr_eq(&self.file, file) {
            locator.locate(&mut self.diagnostic);
        }
        for (at, place) in &mut self.importers {
            if Arc::ptr_eq(&at.file, file) {
                *place = Some(locator.place(at.span));
            }
        }
    }

    fn into_diagnostic(self) -> Diagnostic {
        let mut diagnostic = self.diagnostic;
        let importers = self.importers.into_iter();
        diagnostic
            .importers
            .extend(importers.filter_map(|(_, place)| place));
        diagnostic
    }
}

impl FileFindings {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns true if further findings are dropped.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST_FINDINGS
    }

    /// Adds findings about one file; findings that have a place keep it.
    pub fn add(
        &mut self,
        file: &Arc<File>,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
        importers: &[FileSpan],
    ) {
        let free = MOST_FINDINGS - self.list.len();
        let finding = |diagnostic: Diagnostic| FileFinding {
            diagnostic: match diagnostic.span {
                None if diagnostic.place.is_none() => diagnostic.about_file(&file.name),
                _ => diagnostic,
            },
            file: file.clone(),
            importers: importers.iter().map(|at| (at.clone(), None)).collect(),
        };
        self.list
            .extend(diagnostics.into_iter().take(free).map(finding));
    }

    /// Adds the findings of another list.
    pub fn append(&mut self, mut other: Self) {
        other.list.truncate(MOST_FINDINGS - self.list.len());
        self.list.append(&mut other.list);
    }

    /// Returns `Ok` if nothing was found.
    ///
    /// # Errors
    /// All findings with their places.
    pub fn none(self) -> Result<(), Vec<Diagnostic>> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(self.located())
        }
    }

    /// Returns all findings with their places, as [`located_with`](Self::located_with) does if no tree is at hand.
    pub fn located(self) -> Vec<Diagnostic> {
        self.located_with(None)
    }

    /// Returns all findings with their places. `known` is a file whose tree is at hand. The text of each other file is
    /// composed again, which happens only to documents that have findings; one such tree at a time is in memory.
    pub fn located_with(mut self, known: Option<(&Arc<File>, &Tree<'_>)>) -> Vec<Diagnostic> {
        let files = self.list.iter().flat_map(FileFinding::files);
        let files: HashMap<*const File, Arc<File>> = files
            .map(|file| (Arc::as_ptr(file), file.clone()))
            .collect();
        for file in files.values() {
            let known = known.filter(|(known, _)| Arc::ptr_eq(known, file));
            let composed = known.is_none().then(|| file.compose_again()).flatten();
            let tree = known.map(|(_, tree)| tree).or(composed.as_ref());
            let locator = file.locator(tree);
            let findings = self.list.iter_mut();
            findings.for_each(|finding| finding.locate_in(file, &locator));
        }
        let findings = self.list.into_iter();
        findings.map(FileFinding::into_diagnostic).collect()
    }
}
