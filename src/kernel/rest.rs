//! Rest vertices laid out for the kernel at bind time.

use crate::math::Vec3;
use crate::simd::F64Lanes;

/// Vertices that share a block.
pub const BLOCK: usize = 8;

/// Rest positions and normals, block after block of eight vertices, each block six short planes:
/// x, y and z of the positions, then of the normals. The last block is filled up with copies of its last vertex.
#[derive(Clone, Debug)]
pub struct Rest {
    pub(super) blocks: Blocks,
    vertex_count: usize,
}

/// Documents have f64 vertices; glTF files have f32, which are read as they are and widened on the way.
#[derive(Clone, Debug)]
pub(super) enum Blocks {
    Double(Vec<Block<f64>>),
    Single(Vec<Block<f32>>),
}

/// Eight vertices, at the border of a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Block<T>(pub [[T; BLOCK]; 6]);

impl Rest {
    /// Lays f64 vertices out: position and normal of each.
    pub fn double(vertices: impl ExactSizeIterator<Item = (Vec3, Vec3)>) -> Self {
        Self {
            vertex_count: vertices.len(),
            blocks: Blocks::Double(blocks(vertices)),
        }
    }

    /// Lays f32 vertices out: position and normal of each.
    pub fn single(vertices: impl ExactSizeIterator<Item = ([f32; 3], [f32; 3])>) -> Self {
        Self {
            vertex_count: vertices.len(),
            blocks: Blocks::Single(blocks(vertices)),
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }
}

fn blocks<T: Copy + Default>(
    vertices: impl ExactSizeIterator<Item = ([T; 3], [T; 3])>,
) -> Vec<Block<T>> {
    let count = vertices.len();
    let mut blocks: Vec<Block<T>> = Vec::with_capacity(count.div_ceil(BLOCK));
    for (index, (position, normal)) in vertices.enumerate() {
        let lane = index % BLOCK;
        if lane == 0 {
            blocks.push(Block::default());
        }
        let block = blocks.last_mut().expect("one was pushed");
        let last = index + 1 == count;
        for (plane, value) in block.0.iter_mut().zip(position.into_iter().chain(normal)) {
            if last {
                plane[lane..].fill(value);
            } else {
                plane[lane] = value;
            }
        }
    }
    blocks
}

/// What a rest coordinate is stored as.
pub(super) trait Coordinate: Copy + Default {
    /// The first lanes of a slice, widened.
    fn load<V: F64Lanes>(token: V::Token, from: &[Self]) -> V;

    /// A block, widened; `scratch` is room for it.
    fn widened<'a, V: F64Lanes>(
        token: V::Token,
        block: &'a Block<Self>,
        scratch: &'a mut Block<f64>,
    ) -> &'a Block<f64>;
}

impl Coordinate for f64 {
    #[inline(always)]
    fn load<V: F64Lanes>(token: V::Token, from: &[Self]) -> V {
        V::load(token, from)
    }

    #[inline(always)]
    fn widened<'a, V: F64Lanes>(
        _: V::Token,
        block: &'a Block<f64>,
        _: &'a mut Block<f64>,
    ) -> &'a Block<f64> {
        block
    }
}

impl Coordinate for f32 {
    #[inline(always)]
    fn load<V: F64Lanes>(token: V::Token, from: &[Self]) -> V {
        V::load_single(token, from)
    }

    #[inline(always)]
    fn widened<'a, V: F64Lanes>(
        token: V::Token,
        block: &'a Block<f32>,
        scratch: &'a mut Block<f64>,
    ) -> &'a Block<f64> {
        for (from, to) in block.0.iter().zip(&mut scratch.0) {
            for first in (0..BLOCK).step_by(V::LANES) {
                V::load_single(token, &from[first..]).store(&mut to[first..]);
            }
        }
        scratch
    }
}
