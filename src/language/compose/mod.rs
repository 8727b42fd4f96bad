//! How documents are put together: contracts, anchors, and where instances stand (`language.md` §4).
//!
//! In: a checked document, the checked documents that it imports, by namespace, and their contracts. Out: one
//! [`Affine`] for each instance, or what keeps them apart. This room reads no files and makes no vertices.

mod anchors;
mod attach;
mod contract;

pub use anchors::{AnchorIds, unknown_anchors};
pub use attach::place;
pub use contract::{breaches, malformed};

use std::collections::HashMap;

use crate::kernel::math::Affine;
use crate::language::model::Document;

/// The documents that may be placed, by the namespace under which they are imported.
pub type Parts<'a> = HashMap<&'a str, &'a Document>;

/// Something that is worked out once for each document that is imported, under however many namespaces.
struct ByDocument<'p, 'a, T> {
    parts: &'p Parts<'a>,
    known: HashMap<*const Document, T>,
}

impl<'p, 'a, T> ByDocument<'p, 'a, T> {
    fn new(parts: &'p Parts<'a>, of: impl Fn(&'a Document) -> T) -> Self {
        let mut known = HashMap::new();
        for &part in parts.values() {
            known
                .entry(std::ptr::from_ref(part))
                .or_insert_with(|| of(part));
        }
        Self { parts, known }
    }

    fn get(&self, namespace: &str) -> Option<&T> {
        let part: &Document = self.parts.get(namespace)?;
        self.known.get(&std::ptr::from_ref(part))
    }
}

/// Where an instance without an attachment stands.
pub const IN_PLACE: Affine = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];

/// The namespace, if one is written, and the anchor of a reference: cut at the first dot.
fn parted(reference: &str) -> (Option<&str>, &str) {
    match reference.split_once('.') {
        Some((namespace, anchor)) => (Some(namespace), anchor),
        None => (None, reference),
    }
}
