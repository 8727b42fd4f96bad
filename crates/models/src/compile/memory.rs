//! An estimate of the memory that a checked document takes once it is built.

use super::{Checked, composition};
use crate::geometry::tessellate::{self, SAMPLES_OF_VERTEX, Surfaces};
use rigy_language::base::diag::{Code, Diagnostic, Span};

/// Bytes for each vertex: at rest, its influences, posed, and in the buffers of the output (measured: 152).
const VERTEX: u64 = 160;
/// Bytes for each index.
const INDEX: u64 = 4;

impl Checked<'_> {
    /// Returns about how many bytes of memory building and posing the document will take in addition.
    pub fn memory(&self) -> u64 {
        let parts = composition::distinct(&self.parts);
        let documents = std::iter::once(&self.root).chain(parts);
        let limits = self.files.limits();
        let (mut vertices, mut indices, mut of_surfaces) = (0u64, 0u64, 0u64);
        for mesh in documents.flat_map(|valid| &valid.document.meshes) {
            let (more_vertices, more_indices) = tessellate::mesh_counts(mesh, &Surfaces::default());
            vertices = vertices.saturating_add(more_vertices);
            indices = indices.saturating_add(more_indices);
            of_surfaces = of_surfaces.saturating_add(tessellate::estimated_vertices(mesh));
        }
        // With more, it will be refused.
        let of_surfaces = of_surfaces.min(limits.samples / SAMPLES_OF_VERTEX);
        let vertices = vertices.saturating_add(of_surfaces);
        let indices = indices.saturating_add(of_surfaces);
        if vertices > limits.vertices || vertices > u64::from(u32::MAX) / 24 {
            return 0; // it will be refused
        }
        vertices.saturating_mul(VERTEX) + indices.saturating_mul(INDEX)
    }
}

/// Checks that a machine that can address `most` bytes at once can take `memory` bytes for a document. On one with 64 bits
/// it always can.
///
/// # Errors
/// U17, without a span.
pub(super) fn check_addressable(memory: u64, most: usize) -> Result<(), Diagnostic> {
    if memory <= most as u64 {
        return Ok(());
    }
    let message = format!(
        "the output would take about {} MiB of memory, and this machine can address {} MiB",
        memory >> 20,
        most >> 20
    );
    let mut error = Diagnostic::new(Code::U17, Span::default(), message);
    error.span = None;
    Err(error.help("compile it on a machine with 64 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most bytes that a `Vec` holds on a machine with 32 bits.
    const OF_32_BITS: usize = i32::MAX as usize;

    #[test]
    fn more_than_the_machine_can_address_is_refused() {
        assert_eq!(check_addressable(OF_32_BITS as u64, OF_32_BITS), Ok(()));
        for memory in [OF_32_BITS as u64 + 1, 1 << 32, u64::MAX] {
            let error = check_addressable(memory, OF_32_BITS).unwrap_err();
            assert_eq!(error.code, Some(Code::U17), "{memory}");
            let help = error.help.unwrap();
            assert_eq!(help, "compile it on a machine with 64 bits");
        }
    }
}
