//! Findings about a document and the files that it imports, with their places: line, column, document path, and the imports that lead
//! to the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::unit::{File, Unit};
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Lines, MOST_FINDINGS, Place, Span};
use rigy_base::maps::HashMap;
use rigy_language::yaml::{Origins, Paths, Step, Tree, as_written};

/// A span of a file: the bytes that a finding is about, or those that import another file.
#[derive(Clone)]
pub struct FileSpan {
    pub file: Arc<File>,
    pub span: Span,
}

/// Findings about several files, at most [`MOST_FINDINGS`], in the order in which they are added.
///
/// Places are worked out at the end, when all findings are known, so that each file is composed and searched for lines
/// only once.
#[derive(Default)]
pub struct FileFindings {
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
    /// The files in which places are needed.
    fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        let own = self.diagnostic.place.is_none().then_some(&self.file);
        let importers = self.importers.iter().map(|(at, _)| &at.file);
        own.into_iter().chain(importers)
    }

    /// Works out the places in one file.
    fn locate_in(&mut self, file: &Arc<File>, locator: &Locator) {
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

/// Returns an error of a file with its place.
pub fn located(file: &Arc<File>, error: Diagnostic, importers: &[FileSpan]) -> Vec<Diagnostic> {
    let mut errors = FileFindings::default();
    errors.add(file, [error], importers);
    errors.located()
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
        self.list.extend(
            diagnostics
                .into_iter()
                .take(free)
                .map(|diagnostic| FileFinding {
                    diagnostic: match diagnostic.span {
                        None if diagnostic.place.is_none() => diagnostic.about_file(&file.name),
                        _ => diagnostic,
                    },
                    file: file.clone(),
                    importers: importers.iter().map(|at| (at.clone(), None)).collect(),
                }),
        );
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
    pub fn check_none(self) -> Diagnosed<()> {
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
    pub fn located_with(mut self, known: Option<(&Arc<File>, &Tree)>) -> Vec<Diagnostic> {
        let files: HashMap<*const File, Arc<File>> = self
            .list
            .iter()
            .flat_map(FileFinding::files)
            .map(|file| (Arc::as_ptr(file), file.clone()))
            .collect();
        for file in files.values() {
            let known = known.filter(|(known, _)| Arc::ptr_eq(known, file));
            let composed = known.is_none().then(|| file.compose_again()).flatten();
            let tree = known.map(|(_, tree)| tree).or(composed.as_ref());
            let locator = file.locator(tree);
            self.list
                .iter_mut()
                .for_each(|finding| finding.locate_in(file, &locator));
        }
        self.list
            .into_iter()
            .map(FileFinding::into_diagnostic)
            .collect()
    }
}

/// Finds the places of spans in one file.
pub struct Locator<'f> {
    lines: Lines<'f>,
    path_of: Box<dyn Fn(Span) -> String + 'f>,
    origins: Option<&'f Origins>,
}

impl<'f> Locator<'f> {
    /// Returns a locator for the lines of a file, its tree and the origins of its nodes. Without a tree, document paths are
    /// empty.
    pub fn new(lines: Lines<'f>, tree: Option<&'f Tree>, origins: Option<&'f Origins>) -> Self {
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

    /// Returns the place of a span.
    fn place(&self, span: Span) -> Place {
        let span = self.origins.map_or(span, |origins| origins.source(span));
        self.lines.place(span, (self.path_of)(span))
    }

    /// A sentence that says how preprocessing made the node of a span.
    fn origin(&self, span: Span) -> Option<String> {
        self.origins?.describe(span, |at| {
            self.lines
                .place(at, String::new())
                .position
                .map_or(0, |(line, _)| line)
        })
    }

    /// Puts numbers into a message as the file has them, at a span and in the param that it names.
    fn quote_numbers(&self, message: &mut String, span: Span) {
        let params = self
            .origins
            .into_iter()
            .flat_map(|all| all.steps(span))
            .filter_map(|step| match step {
                Step::Param { at, .. } => Some(*at),
                _ => None,
            });
        let text = self.lines.source().text;
        for part in params.chain([span]) {
            let part = text.get(part.start as usize..part.end as usize);
            as_written(message, part.unwrap_or_default());
        }
    }

    /// Gives a finding about the file its place, unless it has one.
    fn locate(&self, finding: &mut Diagnostic) {
        if finding.place.is_none() {
            finding.set_place(match finding.span {
                Some(span) => self.place(span),
                None => self.lines.source().whole(),
            });
            if let Some(span) = finding.span {
                self.quote_numbers(&mut finding.message, span);
            }
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

/// A chain of documents, which begins with the root document.
#[derive(Default)]
pub struct Chain {
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
        let way: Vec<String> = self.links[start..]
            .iter()
            .map(|link| &*link.unit.file.name)
            .map(|name| format!("`{name}`"))
            .collect();
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
        self.links
            .iter()
            .rev()
            .skip(skipped)
            .map(|link| FileSpan {
                file: link.unit.file.clone(),
                span: link.reference,
            })
            .collect()
    }
}
