//! The files that a run has made, as digests: a run over many inputs has many of them.

use std::path::Path;

use super::places::Places;
use crate::base::loader::{Stamp, digest};
use crate::run::batch::outcome::Outcome;

/// The facts about a run that pruning needs. They take some 50 bytes for an input with three outputs.
#[derive(Default)]
pub(in crate::run::batch) struct Made {
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
    pub fn has_failed(&self, input: &Path) -> bool {
        self.failed.binary_search(&digest_of(input)).is_ok()
    }

    /// Returns true if the run has made the file at this place with this stamp, by whatever path: a file system may ignore case.
    pub fn has(&self, place: &Path, stamp: &Stamp) -> bool {
        let has = |digest: u64| self.files.binary_search(&digest).is_ok();
        has(digest_of(place)) || number_of(stamp).is_some_and(has)
    }
}

/// Returns a digest of a path. Two paths hardly ever have the same; if two do, a leftover stays.
pub(in crate::run::batch) fn digest_of(path: &Path) -> u64 {
    digest(path.as_os_str().as_encoded_bytes())[0]
}

/// Returns a digest of the number by which the system knows a file; `None` if it does not tell.
fn number_of(stamp: &Stamp) -> Option<u64> {
    let number = [stamp.device, stamp.file_number];
    let bytes = number.map(u64::to_le_bytes);
    (number != [0, 0]).then(|| digest(bytes.as_flattened())[0])
}
