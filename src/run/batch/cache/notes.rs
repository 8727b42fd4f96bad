//! All notes of an output root, as pruning needs them: with absolute paths, and whatever the options of the runs were.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

use super::entry::{Entry, NotedFile, Product};
use super::{Cache, NAME};
use crate::base::loader::Stamp;
use crate::io::{IoError, Journal, Sink, is_link};
use crate::run::batch::outcome::RecordMoment;
use crate::run::batch::work::format::OutputFormat;

/// A note about one input.
pub(crate) struct Note {
    /// The absolute path of the input.
    pub input: PathBuf,
    /// The outputs that the last run with the same options has made, and what an earlier such run has left.
    pub outputs: Vec<NotedOutput>,
    /// The number by which the journal finds the note.
    pub number: u64,
}

/// An output of a note.
#[derive(Clone, Debug)]
pub(crate) struct NotedOutput {
    /// The absolute path.
    pub path: PathBuf,
    /// The path for messages and reports: as the run named it, if that was in the present directory.
    pub shown: PathBuf,
    pub pose: Option<String>,
    pub moment: Option<RecordMoment>,
    pub format: OutputFormat,
    pub is_beside: bool,
    /// The facts by which the file is recognised.
    file: NotedFile,
}

impl NotedOutput {
    /// Returns the stamp that the file had when it was noted.
    pub fn stamp(&self) -> &Stamp {
        &self.file.stamp
    }

    /// Returns true if the file itself, no link, is there and has not changed.
    pub fn is_there(&self) -> bool {
        !is_link(&self.path) && self.file.is_unchanged(&self.path)
    }
}

impl Note {
    /// Converts an entry; `None` if it does not say where its relative paths start.
    fn of(entry: &Entry<'_>, present: &Path) -> Option<Self> {
        let directory = &entry.directory;
        if directory.as_os_str().is_empty() {
            return None;
        }
        let output = |product: &Product| {
            let path = directory.join(&product.path);
            let is_here = directory == present;
            NotedOutput {
                shown: if is_here {
                    product.path.clone()
                } else {
                    path.clone()
                },
                path: std::path::absolute(&path).unwrap_or(path),
                pose: product.pose.clone(),
                moment: product.moment.clone(),
                format: product.format,
                is_beside: product.is_beside,
                file: product.file(entry),
            }
        };
        Some(Self {
            input: entry.key.input.clone(),
            outputs: entry.outputs().map(output).collect(),
            number: entry.key.number(),
        })
    }
}

impl Cache {
    /// Calls `visit` with each note of the journal that may have outputs which this run has not made, those of this run included as soon
    /// as [`keep`](Self::keep) has written them. The other notes are not read.
    pub fn for_each_note(&self, mut visit: impl FnMut(Note)) {
        let complete = self.complete();
        let may_have_left = |number: u64| !complete.contains(&number);
        let now = (!self.journal.is_current()).then(|| Journal::open(&self.private.join(NAME)));
        let journal = now.as_ref().unwrap_or(&self.journal);
        journal.for_each_of(may_have_left, |text| {
            let entry = serde_json::from_str::<Entry<'_>>(text).ok();
            if let Some(note) = entry.and_then(|entry| Note::of(&entry, &self.directory)) {
                visit(note);
            }
        });
    }

    /// Returns false if [`for_each_note`](Self::for_each_note) would visit none, as after a run that has found everything up to date.
    pub fn may_have_left(&self) -> bool {
        let complete = self.complete();
        let mut numbers = self.journal.keys();
        !self.journal.is_current() || numbers.any(|number| !complete.contains(&number))
    }

    /// Returns the numbers of complete notes.
    pub(super) fn complete(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.complete.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the journal forget the notes with these numbers.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn forget(&self, numbers: &[u64], sink: &Sink) -> Result<(), IoError> {
        let journal = Journal::open(&self.private.join(NAME));
        // A line without a note replaces the one with it.
        numbers.iter().for_each(|number| journal.add(*number, ""));
        journal.finish(sink, |text| serde_json::from_str::<Entry<'_>>(text).is_ok())
    }
}
