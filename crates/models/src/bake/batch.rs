//! Skinned vertices as the kernel reads them, a batch at a time. Where a file is baked at several moments they are kept from one to the
//! next, as far as there is room.

use std::sync::OnceLock;

use rigy_gltf::{RestFrames, Result, VertexInfluences, Vertices, WeightOddities};
use rigy_kernel::simd::Isa;
use rigy_kernel::{BLOCK, Influences};

/// Most vertices of a batch: all intermediate values of so many fit the second-level cache.
pub const MAX_BATCH: usize = 128 * BLOCK;

/// Most bytes of vertices that are kept for a file of which there are several moments.
pub const MOST_KEPT: usize = 64 << 20;

/// The vertices of a batch.
#[derive(Clone, Default)]
pub struct Batch {
    pub influences: Influences,
    pub rest: RestFrames,
    pub oddities: WeightOddities,
}

impl Batch {
    /// Reads and binds a batch, morphed by `weights`, with normals and tangents if `has_directions`; `read` is working memory.
    ///
    /// # Errors
    /// If a number of the file cannot be used.
    pub fn read(
        &mut self,
        isa: Isa,
        from: &Vertices,
        weights: &[f64],
        has_directions: bool,
        joint_count: usize,
        read: &mut VertexInfluences,
    ) -> Result<()> {
        read.read(from, joint_count)?;
        self.rest.read(from, weights, has_directions)?;
        self.oddities = read.oddities;
        let (sets, joints, weights) = (read.set_count, &read.joints, &read.weights);
        self.influences.rebind_each(isa, sets, joints, weights);
        Ok(())
    }
}

/// The batches of a stream that are kept, each once it has been read; none if they are not to be kept.
#[derive(Default)]
pub struct Kept(Vec<OnceLock<Box<Batch>>>);

impl Kept {
    /// Makes places for the batches of so many vertices.
    pub fn of(vertex_count: usize) -> Self {
        Self(vec![OnceLock::new(); vertex_count.div_ceil(MAX_BATCH)])
    }

    /// Returns the place of the batch that begins at a vertex.
    pub fn place(&self, start: usize) -> Option<&OnceLock<Box<Batch>>> {
        self.0
            .get(start / MAX_BATCH)
            .filter(|_| start.is_multiple_of(MAX_BATCH))
    }
}
