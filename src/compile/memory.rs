//! An estimate of the memory that a checked document takes once it is built.

use super::{Checked, composition};
use crate::geometry::tessellate;

/// Bytes for each vertex: at rest, its influences, posed, and in the buffers of the output (measured: 152).
const VERTEX: u64 = 160;
/// Bytes for each index.
const INDEX: u64 = 4;

impl Checked<'_> {
    /// Returns about how many bytes of memory building and posing the document will take in addition.
    pub fn memory(&self) -> u64 {
        let parts = composition::distinct(&self.parts);
        let documents = std::iter::once(&self.root).chain(parts);
        let meshes = documents.flat_map(|valid| &valid.document.meshes);
        let counts = meshes.map(tessellate::estimated_counts);
        let (vertices, indices) = counts.fold((0u64, 0u64), |(v, i), (vertices, indices)| {
            let (vertices, indices) = (vertices as u64, indices as u64);
            (v.saturating_add(vertices), i.saturating_add(indices))
        });
        if vertices > self.files.limits().vertices || vertices > u64::from(u32::MAX) / 24 {
            return 0; // it will be refused
        }
        vertices.saturating_mul(VERTEX) + indices.saturating_mul(INDEX)
    }
}
