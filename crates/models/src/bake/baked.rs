//! A file at a moment.

use std::sync::Arc;

use super::baker::Prepared;
use super::evaluate::Evaluator;
use super::images::Images;
use super::json_chunk::JsonChunk;
use super::write::WriteError;
use crate::glb::Frame;
use rigy_base::diag::{Diagnosed, Warned};
use rigy_base::meter::Meter;
use rigy_base::output::MemoryFile;
use rigy_kernel::executor::Sequential;

/// A file at a moment, ready to be written.
pub struct Baked<'s> {
    pub(super) prepared: Arc<Prepared<'s>>,
    pub(super) evaluator: Evaluator<'s, 's>,
    pub(super) images: &'s Images,
    pub(super) json: JsonChunk,
    pub(super) frame: Frame,
    /// The name of the file in messages.
    pub(super) name: &'s str,
    /// What the work on it has left, until its vertices are evaluated.
    pub(super) meter: Meter,
}

impl Baked<'_> {
    /// Returns the length of the file in bytes.
    #[allow(clippy::len_without_is_empty)] // a file is never empty
    pub fn len(&self) -> u64 {
        self.frame.len()
    }

    /// Returns the work that is left.
    pub fn meter(&self) -> Meter {
        self.meter
    }

    /// Returns true if another moment has the same meshes, so that its file differs only in nodes and in positions and directions of vertices.
    pub fn has_meshes_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.prepared, &other.prepared)
    }

    /// Returns for each node of the output the index of the node of the input that it is made from.
    pub fn source_nodes(&self) -> Vec<usize> {
        let Prepared { meshes, nodes, .. } = &*self.prepared;
        (0..meshes.of_node.len())
            .chain(meshes.skinned.iter().copied())
            .zip(nodes)
            .filter(|(_, number)| number.is_some())
            .map(|(source, _)| source)
            .collect()
    }

    /// Writes the whole file to memory. Returns its bytes, and the warnings about its vertices.
    ///
    /// # Errors
    /// For each primitive, the first vertex that cannot be baked.
    pub fn to_bytes(&self) -> Diagnosed<Warned<Vec<u8>>> {
        self.to_bytes_in(Vec::new())
    }

    /// Does the same, in the memory of `buffer`.
    ///
    /// # Errors
    /// As [`to_bytes`](Self::to_bytes).
    pub fn to_bytes_in(&self, buffer: Vec<u8>) -> Diagnosed<Warned<Vec<u8>>> {
        let file = MemoryFile::new(self.len() as usize, buffer);
        match self.write_at(&file, &Sequential) {
            Ok(warnings) => Ok(Warned {
                value: file.into_bytes(),
                warnings,
            }),
            Err(WriteError::Vertices(errors)) => Err(errors),
            Err(WriteError::Io(error)) => unreachable!("memory takes every write: {error}"),
        }
    }
}
