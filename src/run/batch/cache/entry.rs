//! The note about one input, as a line of the journal has it, and all notes of an output root, as pruning reads them.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::key::Key;
use super::{Cache, NAME};
use crate::io::{IoError, Journal, Sink, Target, is_link, stamp_of};
use crate::run::batch::outcome::RecordMoment;
use crate::run::batch::work::content::OutputFormat;
use rigy_base::diag::Diagnostic;
use rigy_base::hash::sha256_of;
use rigy_base::loader::{FileRead, Stamp};

/// An output that was written or was up to date.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Product {
    pub path: PathBuf,
    pub pose: Option<String>,
    pub moment: Option<RecordMoment>,
    pub format: OutputFormat,
    pub is_beside: bool,
    pub stamp: Stamp,
    pub sha256: Option<String>,
}

impl Product {
    /// Returns the facts by which the file is recognised.
    pub fn file(&self, entry: &Entry) -> NotedFile {
        NotedFile {
            stamp: self.stamp,
            is_uncertain: entry.is_uncertain,
            sha256: self.sha256.clone().filter(|_| entry.is_uncertain),
        }
    }
}

/// The facts by which an output of a note is recognised.
#[derive(Clone)]
pub struct NotedFile {
    stamp: Stamp,
    /// True if the stamp alone does not tell whether the file has changed.
    is_uncertain: bool,
    /// The hash of its bytes, if it is needed and known.
    sha256: Option<String>,
}

impl NotedFile {
    /// Returns true if the file at `path` is the one that was noted and has not changed. If its stamp does not tell for certain, its
    /// bytes are read.
    pub fn is_unchanged(&self, path: &Path) -> bool {
        let has_stamp = || stamp_of(path).is_ok_and(|stamp| stamp == self.stamp);
        has_stamp() && (!self.is_uncertain || (self.has_hash(path) && has_stamp()))
    }

    fn has_hash(&self, path: &Path) -> bool {
        let read = || sha256_of(Target::new(path).open().ok()?).ok();
        self.sha256.is_some() && read() == self.sha256
    }
}

/// The note about one input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry<'o> {
    pub key: Key,
    /// The directory that relative paths start from; empty if it was unknown.
    pub directory: PathBuf,
    /// True if the stamps in this note do not tell for certain whether a file has changed.
    #[serde(
        default,
        rename = "uncertain",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub is_uncertain: bool,
    /// The input itself and the files that it refers to, those that were absent included.
    pub made_of: Cow<'o, [FileRead]>,
    /// The outputs.
    pub products: Vec<Product>,
    /// Outputs of earlier runs that were not made again, and were left unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<Product>,
    pub names: Cow<'o, [String]>,
    pub warnings: Cow<'o, [Diagnostic]>,
}

impl Entry<'_> {
    /// Returns the outputs, former ones included.
    pub fn outputs(&self) -> impl Iterator<Item = &Product> {
        self.products.iter().chain(&self.former)
    }

    /// Returns the path of an output, which does not depend on the present directory.
    pub fn path_of(&self, product: &Product) -> PathBuf {
        self.directory.join(&product.path)
    }
}

/// A note about one input.
pub struct Note {
    /// The absolute path of the input.
    pub input: PathBuf,
    /// The outputs that the last run with the same options has made, and what an earlier such run has left.
    pub outputs: Vec<NotedOutput>,
    /// The number by which the journal finds the note.
    pub number: u64,
}

/// An output of a note.
#[derive(Clone)]
pub struct NotedOutput {
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
    fn of(entry: &Entry, present: &Path) -> Option<Self> {
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
        let complete = self.complete.lock();
        let may_have_left = |number: u64| !complete.contains(&number);
        let now = (!self.journal.is_current()).then(|| Journal::open(&self.private.join(NAME)));
        let journal = now.as_ref().unwrap_or(&self.journal);
        journal.for_each_of(may_have_left, |text| {
            let entry = serde_json::from_str::<Entry>(text).ok();
            if let Some(note) = entry.and_then(|entry| Note::of(&entry, &self.directory)) {
                visit(note);
            }
        });
    }

    /// Returns false if [`for_each_note`](Self::for_each_note) would visit none, as after a run that has found everything up to date.
    pub fn may_have_left(&self) -> bool {
        let complete = self.complete.lock();
        let mut numbers = self.journal.keys();
        !self.journal.is_current() || numbers.any(|number| !complete.contains(&number))
    }

    /// Makes the journal forget the notes with these numbers.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn forget(&self, numbers: &[u64], sink: &Sink) -> Result<(), IoError> {
        let journal = Journal::open(&self.private.join(NAME));
        // A line without a note replaces the one with it.
        numbers.iter().for_each(|number| journal.add(*number, ""));
        journal.finish(sink, |text| serde_json::from_str::<Entry>(text).is_ok())
    }
}
