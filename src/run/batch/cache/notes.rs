//! All notes of an output root, as pruning needs them: with absolute paths, and whatever the options of the runs were.

use std::path::{Path, PathBuf};

use super::entry::{Entry, Product};
use super::{Cache, NAME, is_still_absent};
use crate::base::loader::{FileRead, Stamp};
use crate::io::{IoError, Journal, Sink};
use crate::run::batch::outcome::RecordMoment;
use crate::run::batch::work::format::OutputFormat;

/// A note about one input.
pub(crate) struct Note {
    /// The absolute path of the input.
    pub input: PathBuf,
    /// Is the same for runs with the same options and the same kind of work.
    pub job: String,
    /// The outputs that the last such run has made.
    pub outputs: Vec<NotedOutput>,
    /// Those that an earlier such run has made and the last one has not.
    pub former: Vec<NotedOutput>,
    /// The number by which the journal finds the note.
    number: u64,
    made_of: Vec<FileRead>,
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
    /// The stamp that the file had when it was noted.
    pub stamp: Stamp,
}

impl NotedOutput {
    /// Returns true if the file itself, no link, is there and has not changed.
    pub fn is_there(&self) -> bool {
        Stamp::of_file(&self.path).is_some_and(|stamp| stamp == self.stamp)
    }
}

impl Note {
    /// Returns the outputs, former ones included.
    pub fn all(&self) -> impl Iterator<Item = &NotedOutput> {
        self.outputs.iter().chain(&self.former)
    }

    /// Converts an entry; `None` if it does not say where its relative paths start.
    fn of(entry: Entry<'_>, present: &Path) -> Option<Self> {
        let directory = entry.directory;
        if directory.as_os_str().is_empty() {
            return None;
        }
        let output = |product: Product| {
            let path = directory.join(&product.path);
            let is_here = directory == present;
            NotedOutput {
                shown: if is_here { product.path } else { path.clone() },
                path: std::path::absolute(&path).unwrap_or(path),
                pose: product.pose,
                moment: product.moment,
                format: product.format,
                is_beside: product.is_beside,
                stamp: product.stamp,
            }
        };
        let absolute = |file: &FileRead| FileRead {
            route: directory.join(&file.route),
            ..file.clone()
        };
        Some(Self {
            number: entry.key.number(),
            input: entry.key.input,
            job: entry.key.job,
            outputs: entry.products.into_iter().map(output).collect(),
            former: entry.former.into_iter().map(output).collect(),
            made_of: entry.made_of.iter().map(absolute).collect(),
        })
    }
}

impl Cache {
    /// Reads all notes of the journal, those of this run included as soon as [`keep`](Self::keep) has written them.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        Journal::open(&self.private.join(NAME)).for_each(|text| {
            let entry = serde_json::from_str::<Entry<'_>>(text).ok();
            notes.extend(entry.and_then(|entry| Note::of(entry, &self.directory)));
        });
        notes
    }

    /// Returns true if nothing has changed since a note: neither the files that the input is made of, nor the outputs.
    pub fn is_valid(&self, note: &Note) -> bool {
        let is_same = |file: &FileRead| match file.is_absent {
            true => is_still_absent(file),
            false => self.unchanged(file).is_some(),
        };
        note.outputs.iter().all(NotedOutput::is_there) && note.made_of.iter().all(is_same)
    }

    /// Makes the journal forget notes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn forget<'n>(
        &self,
        notes: impl Iterator<Item = &'n Note>,
        sink: &Sink,
    ) -> Result<(), IoError> {
        let journal = Journal::open(&self.private.join(NAME));
        // A line without a note replaces the one with it.
        notes.for_each(|note| journal.add(note.number, ""));
        journal.finish(sink, |text| serde_json::from_str::<Entry<'_>>(text).is_ok())
    }
}
