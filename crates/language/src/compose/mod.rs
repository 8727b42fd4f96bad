//! The composition of documents: contracts, anchors, and the transforms of instances (`language.md` §4).
//!
//! In: a checked document, the checked documents that it imports, by namespace, and their contracts. Out: one
//! [`Affine`] for each instance, or errors. This module reads no files and makes no vertices.

mod anchors;
mod attach;
mod frames;
mod scene;

pub use anchors::{AnchorIds, breaches, malformed, unknown_anchors};
pub use attach::place;
pub use scene::{ScenePart, check_scene, place_children};

use crate::model::Document;
use rigy_base::maps::HashMap;
use rigy_kernel::math::Affine;

/// The documents that may be placed, by the namespace under which they are imported.
pub type Parts<'a> = HashMap<&'a str, &'a Document>;

/// A value for each imported document, which is computed once even if the document is imported under several namespaces.
struct ByDocument<'p, 'a, T> {
    parts: &'p Parts<'a>,
    known: HashMap<*const Document, T>,
}

impl<'p, 'a, T> ByDocument<'p, 'a, T> {
    /// Computes the values with the function `of`.
    fn new(parts: &'p Parts<'a>, of: impl Fn(&'a Document) -> T) -> Self {
        let mut known = HashMap::default();
        for &part in parts.values() {
            known
                .entry(std::ptr::from_ref(part))
                .or_insert_with(|| of(part));
        }
        Self { parts, known }
    }

    /// Returns the value of the document with this namespace.
    fn get(&self, namespace: &str) -> Option<&T> {
        let part: &Document = self.parts.get(namespace)?;
        self.known.get(&std::ptr::from_ref(part))
    }
}

/// The transform of an instance without an attachment.
pub const IN_PLACE: Affine = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];

/// Splits a reference at its first dot into a namespace, if it has one, and an anchor.
fn parted(reference: &str) -> (Option<&str>, &str) {
    match reference.split_once('.') {
        Some((namespace, anchor)) => (Some(namespace), anchor),
        None => (None, reference),
    }
}
