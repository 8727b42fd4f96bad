//! Keys that no mapping of a document has: those that appear twice, all of which are reported, and those beyond the number of
//! fields. Where there are too many of them, composing stops.

use super::malformed;
use super::tree::{Entry, Kind};
use rigy_base::diag::{Diagnostic, MOST_FINDINGS, Span};
use rigy_base::maps::HashSet;

/// Mappings of at most so many entries are compared key by key.
const FEW: usize = 16;

/// Returns the number of entries that have the key of an earlier one.
fn count(entries: &[Entry]) -> usize {
    let distinct: HashSet<&str> = entries.iter().map(|entry| &*entry.key).collect();
    entries.len() - distinct.len()
}

/// The duplicates found so far.
#[derive(Default)]
pub struct Duplicates(Vec<Diagnostic>);

impl Duplicates {
    /// Adds a key that its mapping already has.
    pub fn add(&mut self, key: &str, span: Span) {
        if self.0.len() < MOST_FINDINGS {
            let message = format!("key `{key}` appears twice in one mapping");
            let error = malformed(span, message).help("remove or rename one of them");
            self.0.push(error);
        }
    }

    /// Returns the number of duplicates.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the duplicates among the entries of one mapping.
    pub fn find(&mut self, entries: &[Entry]) {
        match entries.len() {
            ..=FEW => {
                for (index, entry) in entries.iter().enumerate() {
                    if entries[..index].iter().any(|e| e.key == entry.key) {
                        self.add(&entry.key, entry.key_span);
                    }
                }
            }
            len => {
                let mut seen = HashSet::with_capacity_and_hasher(len, Default::default());
                for entry in entries {
                    if !seen.insert(&*entry.key) {
                        self.add(&entry.key, entry.key_span);
                    }
                }
            }
        }
    }

    /// Returns one error for each duplicate, in document order.
    pub fn into_errors(mut self) -> Vec<Diagnostic> {
        self.0
            .sort_by_key(|error| error.span.map(|span| span.start));
        self.0
    }
}

/// Most keys of a mapping of fields: more than any kind of mapping in the language has.
const MOST_FIELDS: usize = 16;
/// Number of entries that no document can have after which composing stops. Far fewer are reported.
const MOST_SURPLUS: usize = 1 << 16;

/// The kinds of keys of a mapping.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Names of fields, of which there are few.
    Fields,
    /// Names of the author's, each with a mapping or a list as its value.
    Names,
    /// Any keys, because the mapping is merged into another.
    Merged,
}

/// Counts entries that no document can have.
#[derive(Default)]
pub struct Surplus {
    count: usize,
    entries: usize,
}

impl Surplus {
    /// Counts the last entry of a mapping, which has this value. Returns true if the text cannot be a document any more.
    pub fn add(&mut self, keys: Keys, entries: &[Entry], value: &Kind) -> bool {
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
pub fn are_enough<'e, 's: 'e>(found: usize, open: impl Iterator<Item = &'e [Entry<'s>]>) -> bool {
    open.map(|entries| count(entries))
        .fold(found, usize::saturating_add)
        >= MOST_FINDINGS
}
