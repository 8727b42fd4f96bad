//! Pruning: which outputs of earlier runs are leftovers, which this run has not made. Files that were made are kept as digests, and
//! places as paths without links.
//!
//! The notes of the cache say which outputs each input has had. A note offers those that this run has not made, if
//!
//! * this run has processed its input without an error, with whatever options, or
//! * its input is gone, and lay below a PATH where this run has found other inputs.
//!
//! Every other note keeps its outputs. A leftover is removed unless a note keeps it, it has changed since it was noted, the run reads
//! it, or it does not lie in the output root ([`places`]). A file beside other outputs, such as an image, stays as long as one of
//! these does.

use std::path::{Component, Path, PathBuf};

use super::cache::entry::{Note, NotedOutput};
use super::shard::Shard;
use crate::io::{Found, PRIVATE, identity, is_missing};
use crate::run::batch::outcome::Outcome;
use rigy_base::loader::{Stamp, digest};
use rigy_base::maps::HashSet;
use rigy_base::paths::parent_of;

/// A PATH of the run.
pub struct SearchedPath {
    /// As the user gave it.
    pub shown: PathBuf,
    absolute: PathBuf,
    has_inputs: bool,
}

impl SearchedPath {
    /// Takes a PATH, relative to `directory`, and the inputs of the run, other shards included.
    pub fn new<'f>(
        path: &Path,
        directory: &Path,
        mut found: impl Iterator<Item = &'f Found>,
    ) -> Self {
        let absolute = directory.join(path);
        let (place, mut places) = (identity(path), Places::default());
        Self {
            shown: path.to_owned(),
            absolute: std::path::absolute(&absolute).unwrap_or(absolute),
            has_inputs: found.any(|input| places.of(&input.path).starts_with(&place)),
        }
    }
}

/// The facts, besides the notes, by which it is decided which outputs are leftovers.
pub struct Judge<'a> {
    pub made: &'a Made,
    /// The inputs of this run: the digest of the absolute path of each, sorted, and its index in `found`.
    pub inputs: &'a [(u64, u32)],
    pub found: &'a [Found],
    pub searched: &'a [SearchedPath],
    pub shard: Option<Shard>,
}

/// The outputs that a note offers.
pub struct Offer {
    /// The path of the input for reports.
    pub input: PathBuf,
    /// The number by which the journal finds the note.
    pub number: u64,
    /// True if this run has made an output of the note, so that the note stays.
    pub has_made: bool,
    pub main: Vec<NotedOutput>,
    /// The files beside those, which they refer to.
    pub beside: Vec<NotedOutput>,
}

/// The decisions about all notes of an output root.
#[derive(Default)]
pub struct Judged {
    pub offers: Vec<Offer>,
    /// Digests of the places of outputs that other notes keep.
    kept: HashSet<u64>,
    /// The indices of the PATHs without an input whose notes keep outputs for that reason.
    pub spared: HashSet<usize>,
    places: Places,
}

/// The fate of the outputs of a note.
enum Fate {
    Kept,
    /// Kept because the PATH with this index has no inputs.
    Spared(usize),
    /// Offered; with the path of the input for reports.
    Offered(PathBuf),
}

impl Judged {
    /// Takes one note after the other.
    pub fn add(&mut self, note: Note, judge: &Judge) {
        let input = match judge.fate(&note) {
            Fate::Offered(input) => input,
            Fate::Kept => return self.keep(&note.outputs),
            Fate::Spared(index) => {
                self.spared.insert(index);
                return self.keep(&note.outputs);
            }
        };
        let (made, outputs): (Vec<_>, Vec<_>) = note.outputs.into_iter().partition(|output| {
            let place = self.places.of(&output.path);
            judge.made.has(&place, output.stamp())
        });
        if outputs.is_empty() {
            return;
        }
        let (beside, main) = outputs.into_iter().partition(|output| output.is_beside);
        self.offers.push(Offer {
            input,
            number: note.number,
            has_made: !made.is_empty(),
            main,
            beside,
        });
    }

    /// Keeps files that are offered, or may be.
    pub fn keep(&mut self, outputs: &[NotedOutput]) {
        for output in outputs {
            self.kept.insert(digest_of(&self.places.of(&output.path)));
        }
    }

    /// Returns true if a note keeps the file at a place.
    pub fn keeps(&self, place: &Path) -> bool {
        self.kept.contains(&digest_of(place))
    }
}

impl Judge<'_> {
    fn fate(&self, note: &Note) -> Fate {
        if let Some(input) = self.processed(&note.input) {
            return if self.made.has_failed(&note.input) {
                Fate::Kept
            } else {
                Fate::Offered(input.path.clone())
            };
        }
        // Of nested PATHs, the innermost says whether its inputs can be seen.
        let around = self
            .searched
            .iter()
            .enumerate()
            .filter(|(_, path)| note.input.starts_with(&path.absolute));
        let Some((index, path)) = around.max_by_key(|(_, path)| path.absolute.components().count())
        else {
            return Fate::Kept;
        };
        match self.gone_below(&path.absolute, &note.input) {
            None => Fate::Kept,
            Some(_) if !path.has_inputs => Fate::Spared(index),
            Some(below) => Fate::Offered(path.shown.join(below)),
        }
    }

    /// Returns the input of this run at an absolute path.
    fn processed(&self, path: &Path) -> Option<&Found> {
        let digest = digest_of(path);
        let index = self
            .inputs
            .binary_search_by_key(&digest, |(digest, _)| *digest)
            .ok()?;
        Some(&self.found[self.inputs[index].1 as usize])
    }

    /// Returns the path of an input below a PATH, if the input is gone and would have been one of this run.
    fn gone_below<'n>(&self, path: &Path, input: &'n Path) -> Option<&'n Path> {
        let below = input.strip_prefix(path).ok()?;
        let is_ours = self.shard.is_none_or(|shard| shard.takes_path(below));
        let is_gone = below
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
            && is_missing(input);
        (is_gone && is_ours).then_some(below)
    }
}

/// The facts about a run that pruning needs. They take some 50 bytes for an input with three outputs.
#[derive(Default)]
pub struct Made {
    /// The number of inputs that have been processed.
    pub processed: usize,
    /// Digests of the absolute paths of inputs that have failed.
    failed: Vec<u64>,
    /// Digests of the places of outputs, and of their numbers on their devices.
    files: Vec<u64>,
    places: Places,
}

impl Made {
    /// Adds an outcome; `input` is the absolute path of the input, and relative paths start from `directory`.
    pub fn add(&mut self, outcome: &Outcome, input: &Path, directory: &Path) {
        self.processed += 1;
        if outcome.has_failed() {
            self.failed.push(digest_of(input));
        }
        for record in &outcome.records {
            if let Some(path) = &record.path {
                let place = self.places.of(&directory.join(path));
                self.files.push(digest_of(&place));
                self.files.extend(record.stamp.as_ref().and_then(number_of));
            }
        }
    }

    /// Prepares for the questions below, after the last addition.
    pub fn sort(&mut self) {
        self.failed.sort_unstable();
        self.files.sort_unstable();
        self.files.dedup();
    }

    /// Returns true if the input at an absolute path has failed.
    fn has_failed(&self, input: &Path) -> bool {
        self.failed.binary_search(&digest_of(input)).is_ok()
    }

    /// Returns true if the run has made the file at this place with this stamp, by whatever path: a file system may ignore case.
    fn has(&self, place: &Path, stamp: &Stamp) -> bool {
        let has = |digest: u64| self.files.binary_search(&digest).is_ok();
        has(digest_of(place)) || number_of(stamp).is_some_and(has)
    }
}

/// Returns a digest of a path. Two paths hardly ever have the same; if two do, a leftover stays.
pub fn digest_of(path: &Path) -> u64 {
    digest(path.as_os_str().as_encoded_bytes())[0]
}

/// Returns a digest of the number by which the system knows a file; `None` if it does not tell.
fn number_of(stamp: &Stamp) -> Option<u64> {
    let number = [stamp.device, stamp.file_number];
    let bytes = number.map(u64::to_le_bytes);
    (number != [0, 0]).then(|| digest(bytes.as_flattened())[0])
}

/// Resolves the paths of files, and remembers the last directory: outputs of one input, and of its neighbours, lie in one.
#[derive(Default)]
pub struct Places {
    last: Option<(PathBuf, PathBuf)>,
}

impl Places {
    /// Returns the path of a file with the links of its directory resolved.
    pub fn of(&mut self, path: &Path) -> PathBuf {
        let directory = parent_of(path);
        let known = self.last.take().filter(|(last, _)| last == directory);
        let (_, place) = self
            .last
            .insert(known.unwrap_or_else(|| (directory.to_owned(), identity(directory))));
        place.join(path.file_name().unwrap_or_default())
    }
}

/// The absolute path of an output root, and the resolved one.
pub struct OutputRoot([PathBuf; 2]);

impl OutputRoot {
    /// Takes the path of an output root, relative to `directory`.
    pub fn new(root: &Path, directory: &Path) -> Self {
        let path = directory.join(root);
        Self([std::path::absolute(&path).unwrap_or(path), identity(root)])
    }

    /// Returns true if a file, whose place is known, lies below the root, no link leads from the root to its directory, and it is none
    /// of the private files there.
    pub fn holds(&self, path: &Path, place: &Path) -> bool {
        let below = (self.0.iter()).find_map(|root| path.strip_prefix(root).ok());
        let is_plain = |part: Component| match part {
            Component::Normal(name) => !name.as_encoded_bytes().starts_with(PRIVATE.as_bytes()),
            _ => false,
        };
        below
            .is_some_and(|below| below.components().all(is_plain) && self.0[1].join(below) == place)
    }
}
