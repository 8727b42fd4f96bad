//! Pruning: which outputs of earlier runs are leftovers, which this run has not made.
//!
//! The notes of the cache say which outputs each input has had. A note offers those that this run has not made, if
//!
//! * this run has processed its input without an error, with whatever options, or
//! * its input is gone, and lay below a PATH where this run has found other inputs.
//!
//! Every other note keeps its outputs. A leftover is removed unless a note keeps it, it has changed since it was noted, the run reads
//! it, or it does not lie in the output root ([`places`]). A file beside other outputs, such as an image, stays as long as one of
//! these does.

pub mod made;
pub mod places;

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use super::cache::notes::{Note, NotedOutput};
use super::shard::Shard;
use crate::io::{Found, identity, is_missing};
use made::{Made, digest_of};
use places::Places;

/// A PATH of the run.
pub(super) struct SearchedPath {
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
pub(super) struct Judge<'a> {
    pub made: &'a Made,
    /// The inputs of this run: the digest of the absolute path of each, sorted, and its index in `found`.
    pub inputs: &'a [(u64, u32)],
    pub found: &'a [Found],
    pub searched: &'a [SearchedPath],
    pub shard: Option<Shard>,
}

/// The outputs that a note offers.
pub(super) struct Offer {
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
pub(super) struct Judged {
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
    pub fn add(&mut self, note: Note, judge: &Judge<'_>) {
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
        let around = self.searched.iter().enumerate();
        let around = around.filter(|(_, path)| note.input.starts_with(&path.absolute));
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
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        let is_ours = self.shard.is_none_or(|shard| shard.takes_path(below));
        let is_gone = below.components().all(is_plain) && is_missing(input);
        (is_gone && is_ours).then_some(below)
    }
}
