//! Rest vertices in the layout of the kernel, which they get once for each mesh.

use crate::simd::F64Lanes;

/// Number of vertices in a block.
pub const BLOCK: usize = 8;

/// Rest positions and normals, block after block of eight vertices, each block six short planes:
/// x, y and z of the positions, then of the normals. The last block is padded with copies of its last vertex.
#[derive(Clone, Debug)]
pub struct Rest {
    pub(super) blocks: Blocks,
    vertex_count: usize,
}

/// Blocks of f64 vertices, as documents have them, or of f32 vertices, which the kernel widens when it loads them.
#[derive(Clone, Debug)]
pub enum Blocks {
    Double(Vec<Block<f64>>),
    Single(Vec<Block<f32>>),
}

/// Eight vertices, aligned to a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Block<T>(pub [[T; BLOCK]; 6]);

impl<T> Block<T> {
    #[inline(always)]
    pub fn positions(&self) -> [&[T; BLOCK]; 3] {
        let [x, y, z, ..] = &self.0;
        [x, y, z]
    }

    #[inline(always)]
    pub fn normals(&self) -> [&[T; BLOCK]; 3] {
        let [.., x, y, z] = &self.0;
        [x, y, z]
    }
}

impl Rest {
    /// Lays f64 vertices out, given as planes: x, y and z of the positions, then of the normals.
    ///
    /// # Panics
    /// If the planes differ in length.
    pub fn double(planes: [&[f64]; 6]) -> Self {
        let vertex_count = planes[0].len();
        assert!(planes.iter().all(|plane| plane.len() == vertex_count));
        let mut blocks = vec![Block::default(); vertex_count.div_ceil(BLOCK)];
        for (c, plane) in planes.into_iter().enumerate() {
            for (block, numbers) in blocks.iter_mut().zip(plane.chunks(BLOCK)) {
                block.0[c][..numbers.len()].copy_from_slice(numbers);
            }
        }
        Self::new(vertex_count, blocks, Blocks::Double)
    }

    /// Lays f32 vertices out: position and normal of each.
    pub fn single(vertices: impl ExactSizeIterator<Item = ([f32; 3], [f32; 3])>) -> Self {
        let vertex_count = vertices.len();
        let mut blocks = vec![Block::default(); vertex_count.div_ceil(BLOCK)];
        for (index, (position, normal)) in vertices.enumerate() {
            let planes = &mut blocks[index / BLOCK].0;
            for (plane, number) in planes.iter_mut().zip(position.into_iter().chain(normal)) {
                plane[index % BLOCK] = number;
            }
        }
        Self::new(vertex_count, blocks, Blocks::Single)
    }

    /// Pads the last block.
    fn new<T: Copy>(
        vertex_count: usize,
        mut blocks: Vec<Block<T>>,
        of: fn(Vec<Block<T>>) -> Blocks,
    ) -> Self {
        let lanes_used = vertex_count % BLOCK;
        if let Some(last) = blocks.last_mut().filter(|_| lanes_used > 0) {
            for plane in &mut last.0 {
                let number = plane[lanes_used - 1];
                plane[lanes_used..].fill(number);
            }
        }
        Self {
            blocks: of(blocks),
            vertex_count,
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }
}

/// The type in which rest coordinates are stored.
pub trait Coordinate: Copy + Default {
    /// Loads the first lanes of a slice as f64.
    fn load<V: F64Lanes>(token: V::Token, from: &[Self]) -> V;

    /// Returns a block as f64, in `scratch` if it has to be converted.
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
