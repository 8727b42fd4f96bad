//! The test that stops composing a text that cannot be a document: its mappings have too many keys, or more duplicate keys
//! than are reported.

use super::duplicates::count;
use super::tree::{Entry, Kind};
use crate::base::diag::MOST_FINDINGS;

/// Most keys of a mapping of fields: more than any kind of mapping in the language has.
const MOST_FIELDS: usize = 16;
/// Number of entries that no document can have after which composing stops. Far fewer are reported.
const MOST_SURPLUS: usize = 1 << 16;

/// The kinds of keys of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// Names of fields, of which there are few.
    Fields,
    /// Names of the author's, each with a mapping or a list as its value.
    Names,
    /// Any keys, because the mapping is merged into another.
    Merged,
}

/// Counts entries that no document can have.
#[derive(Default)]
pub(super) struct Surplus {
    count: usize,
    entries: usize,
}

impl Surplus {
    /// Counts the last entry of a mapping, which has this value. Returns true if the text cannot be a document any more.
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

    /// Returns true if it is time to count duplicates among the entries of all open mappings. That is the case each time
    /// their number has doubled, so that all counts together take about as long as the last.
    pub fn is_time_to_count(&self) -> bool {
        self.entries >= MOST_SURPLUS && self.entries.is_power_of_two()
    }
}

/// Returns true if the duplicates found so far and those in open mappings are at least as many as are reported.
pub(super) fn are_enough<'e, 's: 'e>(
    found: usize,
    open: impl Iterator<Item = &'e [Entry<'s>]>,
) -> bool {
    let counts = open.map(|entries| count(entries));
    counts.fold(found, usize::saturating_add) >= MOST_FINDINGS
}
