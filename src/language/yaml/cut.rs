//! When to stop composing a text that cannot be a document: mappings with more keys than any of their kind, and
//! duplicate keys beyond those that are reported.

use super::duplicates::count;
use super::tree::{Entry, Kind};
use crate::base::diag::MOST_FINDINGS;

/// Most keys of a mapping of fields: more than any kind of mapping in the language has.
const MOST_FIELDS: usize = 16;
/// Entries that no document can have, after which composing stops: far more than are reported.
const MOST_SURPLUS: usize = 1 << 16;

/// What the keys of a mapping may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// Names of fields, of which there are few.
    Fields,
    /// Names of the author's, each of a mapping or a list.
    Names,
    /// Whatever the mapping may have that this one is merged into.
    Merged,
}

/// Counts entries that no document can have.
#[derive(Default)]
pub(super) struct Surplus {
    count: usize,
    entries: usize,
}

impl Surplus {
    /// Counts the last of some entries, whose value is of a kind. Whether the text cannot be a document any more.
    pub fn add(&mut self, keys: Keys, entries: &[Entry<'_>], value: &Kind<'_>) -> bool {
        let is_collection = matches!(value, Kind::Map(_) | Kind::Seq(_));
        let is_surplus = match keys {
            Keys::Fields => entries.len() > MOST_FIELDS,
            Keys::Names => !is_collection,
            Keys::Merged => false,
        };
        self.count += usize::from(is_surplus);
        self.entries += 1;
        self.count >= MOST_SURPLUS
    }

    /// Whether it is time to look for duplicates among the entries of all open mappings: each time their number has
    /// doubled, so that all looks together take no longer than one in the end.
    pub fn is_time_to_look(&self) -> bool {
        self.entries >= MOST_SURPLUS && self.entries.is_power_of_two()
    }
}

/// Whether duplicates that have been found, and those in mappings that are still open, are as many as are reported.
pub(super) fn are_enough<'e, 's: 'e>(
    found: usize,
    open: impl Iterator<Item = &'e [Entry<'s>]>,
) -> bool {
    let counts = open.map(|entries| count(entries));
    counts.fold(found, usize::saturating_add) >= MOST_FINDINGS
}
