//! Skinned vertices as the kernel reads them, a batch at a time. Where a file is baked at several moments they are kept from one to the
//! next, as far as there is room.

use std::sync::OnceLock;

use super::streams::{Kind, Stream};
use rigy_gltf::{File, Problem, RestFrames, VertexInfluences, Vertices, WeightOddities};
use rigy_kernel::simd::Isa;
use rigy_kernel::{BLOCK, Influences};

/// Most vertices of a batch: all intermediate values of so many fit the second-level cache.
pub const MAX_BATCH: usize = 128 * BLOCK;

/// Most bytes of vertices that are kept for a file of which there are several moments.
pub const MOST_KEPT: usize = 64 << 20;

/// The vertices of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub influences: Influences,
    pub rest: RestFrames,
    pub oddities: WeightOddities,
}

impl Batch {
    /// Reads and binds a batch of a stream, morphed by `weights`; `read` is working memory.
    ///
    /// # Errors
    /// If a number of the file cannot be used.
    pub fn read(
        &mut self,
        isa: Isa,
        stream: &Stream,
        from: &Vertices,
        weights: &[f64],
        joint_count: usize,
        read: &mut VertexInfluences,
    ) -> Result<(), Problem> {
        read.read(from, joint_count)?;
        self.rest.read(from, weights, stream.parts.len() > 1)?;
        self.oddities = read.oddities;
        let (sets, joints, weights) = (read.set_count, &read.joints, &read.weights);
        self.influences.rebind_each(isa, sets, joints, weights);
        Ok(())
    }
}

/// The batches of a stream that are kept, each once it has been read; none if they are not to be kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Vec<OnceLock<Box<Batch>>>);

impl Kept {
    /// Returns the place of the batch that begins at a vertex.
    pub fn place(&self, start: usize) -> Option<&OnceLock<Box<Batch>>> {
        self.0
            .get(start / MAX_BATCH)
            .filter(|_| start.is_multiple_of(MAX_BATCH))
    }
}

/// Makes places for the vertices of streams that no morph target moves, as long as there is room.
pub(super) fn keep(streams: &mut [Stream], file: &File) {
    let mut room = MOST_KEPT;
    for stream in streams {
        let (mesh, primitive) = stream.users[0];
        let primitive = &file.meshes[mesh].primitives[primitive];
        let vectors = 3 * size_of::<f64>() * stream.parts.len();
        let bytes = vectors + Influences::SET_BYTES * primitive.influences.len();
        let bytes = bytes.saturating_mul(stream.vertex_count);
        let is_skinned = matches!(stream.kind, Kind::Skinned(_));
        if is_skinned && primitive.targets.is_empty() && bytes <= room {
            room -= bytes;
            let batches = stream.vertex_count.div_ceil(MAX_BATCH);
            stream.kept = Kept(vec![OnceLock::new(); batches]);
        }
    }
}
