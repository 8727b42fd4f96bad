//! Keys that appear twice in one mapping. All of them are reported, while any other fault of YAML ends composing.

use std::collections::HashSet;

use super::malformed;
use super::tree::Entry;
use crate::base::diag::{Diagnostic, MOST_FINDINGS, Span};

/// Mappings of at most so many entries are compared key by key.
const FEW: usize = 16;

/// Returns the number of entries that have the key of an earlier one.
pub(super) fn count(entries: &[Entry<'_>]) -> usize {
    let distinct: HashSet<&str> = entries.iter().map(|entry| &*entry.key).collect();
    entries.len() - distinct.len()
}

/// The duplicates found so far.
#[derive(Default)]
pub(super) struct Duplicates(Vec<Diagnostic>);

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
    pub fn find(&mut self, entries: &[Entry<'_>]) {
        match entries.len() {
            ..=FEW => {
                for (index, entry) in entries.iter().enumerate() {
                    if entries[..index].iter().any(|e| e.key == entry.key) {
                        self.add(&entry.key, entry.key_span);
                    }
                }
            }
            len => {
                let mut seen = HashSet::with_capacity(len);
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
