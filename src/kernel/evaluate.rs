//! From a job to numbers: chunks of lists, blocks of vertices, groups of lanes.

use std::ops::Range;

use super::dqs::{Sums, Transforms};
use super::influences::{Influences, Kind};
use super::palette::{DualPalette, LinearPalette, Palette};
use super::rest::{BLOCK, Block, Blocks, Coordinate, Rest};
use super::signs::Signed;
use super::{CHUNK, dqs, lbs};
use crate::simd::{F64Lanes, Isa, Kernel, dispatch};

/// Everything one skinning evaluation reads.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Transforms by joint.
    pub palette: &'a Palette,
    /// Joints and weights by vertex; joints are below the palette's joint count.
    pub influences: &'a Influences,
    /// Rest positions and normals.
    pub rest: &'a Rest,
}

/// Poses a range of vertices and writes them, three f32 each, to `positions` and `normals`. Ranges that begin and
/// end at multiples of [`BLOCK`] are the fastest.
///
/// # Panics
/// If influences and rest vertices differ in number, the range exceeds them, a joint exceeds the palette, or
/// the outputs do not hold exactly three numbers for each vertex of the range.
pub fn evaluate(
    isa: Isa,
    job: &Job<'_>,
    vertices: Range<usize>,
    positions: &mut [f32],
    normals: &mut [f32],
) {
    let count = vertices.len();
    assert_eq!(job.influences.vertex_count(), job.rest.vertex_count());
    assert!(vertices.end <= job.rest.vertex_count());
    assert!(job.influences.joint_limit() <= job.palette.joint_count());
    assert!(positions.len() == 3 * count && normals.len() == 3 * count);

    let whole = vertices.start.next_multiple_of(BLOCK)..vertices.end / BLOCK * BLOCK;
    if whole.is_empty() {
        return parts(isa, job, vertices, positions, normals);
    }
    let (before, after) = (vertices.start..whole.start, whole.end..vertices.end);
    let (head_positions, positions) = positions.split_at_mut(3 * before.len());
    let (positions, tail_positions) = positions.split_at_mut(3 * whole.len());
    let (head_normals, normals) = normals.split_at_mut(3 * before.len());
    let (normals, tail_normals) = normals.split_at_mut(3 * whole.len());
    parts(isa, job, before, head_positions, head_normals);
    let blocks = whole.start / BLOCK..whole.end / BLOCK;
    blocks_of(isa, job, blocks, positions, normals);
    parts(isa, job, after, tail_positions, tail_normals);
}

/// Evaluates vertices that are not whole blocks: the blocks they are in, of which the rest is left out.
fn parts(
    isa: Isa,
    job: &Job<'_>,
    vertices: Range<usize>,
    positions: &mut [f32],
    normals: &mut [f32],
) {
    let (first, end) = (vertices.start / BLOCK, vertices.end.div_ceil(BLOCK));
    for block in first..end {
        let (mut block_positions, mut block_normals) = ([0.0; 3 * BLOCK], [0.0; 3 * BLOCK]);
        blocks_of(
            isa,
            job,
            block..block + 1,
            &mut block_positions,
            &mut block_normals,
        );
        let start = vertices.start.max(block * BLOCK);
        let end = vertices.end.min((block + 1) * BLOCK);
        let from = 3 * (start - block * BLOCK)..3 * (end - block * BLOCK);
        let to = 3 * (start - vertices.start)..3 * (end - vertices.start);
        positions[to.clone()].copy_from_slice(&block_positions[from.clone()]);
        normals[to].copy_from_slice(&block_normals[from]);
    }
}

/// Evaluates whole blocks.
fn blocks_of(
    isa: Isa,
    job: &Job<'_>,
    blocks: Range<usize>,
    positions: &mut [f32],
    normals: &mut [f32],
) {
    let outputs = Outputs { positions, normals };
    let influences = job.influences;
    match (job.palette, &job.rest.blocks) {
        (Palette::Linear(palette), Blocks::Double(rest)) => {
            dispatch(
                isa,
                Linear {
                    palette,
                    influences,
                    rest,
                    blocks,
                    outputs,
                },
            );
        }
        (Palette::Linear(palette), Blocks::Single(rest)) => {
            dispatch(
                isa,
                Linear {
                    palette,
                    influences,
                    rest,
                    blocks,
                    outputs,
                },
            );
        }
        (Palette::Dual(palette), Blocks::Double(rest)) => {
            dispatch(
                isa,
                Dual {
                    palette,
                    influences,
                    rest,
                    blocks,
                    outputs,
                },
            );
        }
        (Palette::Dual(palette), Blocks::Single(rest)) => {
            dispatch(
                isa,
                Dual {
                    palette,
                    influences,
                    rest,
                    blocks,
                    outputs,
                },
            );
        }
    }
}

/// Where the posed vertices of some blocks go.
struct Outputs<'a> {
    positions: &'a mut [f32],
    normals: &'a mut [f32],
}

/// Linear blend skinning on its way through a door of `simd`.
struct Linear<'a, T> {
    palette: &'a LinearPalette,
    influences: &'a Influences,
    rest: &'a [Block<T>],
    blocks: Range<usize>,
    outputs: Outputs<'a>,
}

impl<T: Coordinate> Kernel for Linear<'_, T> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let matrices = &*self.palette.matrices;
        let influences = self.influences;
        let mut scratch = Block::default();
        let blocks = self.blocks.clone().zip(&self.rest[self.blocks.clone()]);
        let positions = self.outputs.positions.chunks_exact_mut(3 * BLOCK);
        let outputs = positions.zip(self.outputs.normals.chunks_exact_mut(3 * BLOCK));
        for ((block, rest), (positions, normals)) in blocks.zip(outputs) {
            let rest = T::widened::<V>(token, rest, &mut scratch);
            let lists = influences.of_block(block);
            influences.prefetch_after(&(block..block + 1), &lists.range(), self.rest);
            for first in (0..BLOCK).step_by(V::LANES) {
                let vertices = load::<V, f64>(token, rest, first);
                let [position, normal] = if lists.kind == Kind::Shared {
                    lbs::sum_shared(token, matrices, influences, lists.first as usize, vertices)
                } else {
                    lbs::sum_each(token, matrices, influences, &lists, rest, first)
                };
                let normal = lbs::unit_normal(token, normal, vertices[1]);
                V::store_interleaved(position, &mut positions[3 * first..]);
                V::store_interleaved(normal, &mut normals[3 * first..]);
            }
        }
    }
}

/// Dual quaternion skinning on its way through a door of `simd`.
struct Dual<'a, T> {
    palette: &'a DualPalette,
    influences: &'a Influences,
    rest: &'a [Block<T>],
    blocks: Range<usize>,
    outputs: Outputs<'a>,
}

impl<T: Coordinate> Kernel for Dual<'_, T> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let influences = self.influences;
        let signs = if influences.are_shared() {
            None
        } else {
            self.palette.signs()
        };
        let mut signed = vec![Signed::default(); CHUNK / BLOCK * influences.set_count()];
        let (mut sums, mut transforms) = (Sums::default(), Transforms::default());
        let Outputs {
            mut positions,
            mut normals,
        } = self.outputs;
        let mut blocks = self.blocks;
        while !blocks.is_empty() {
            let chunk = influences.chunk(blocks.clone());
            blocks.start = chunk.blocks.end;
            influences.prefetch_after(&chunk.blocks, &chunk.lists, self.rest);
            let sets = influences.sets(chunk.lists.clone());
            self.palette.sign(signs, sets, &mut signed);
            dqs::sum::<V>(
                token,
                &self.palette.rows,
                influences.set_count(),
                sets,
                &signed,
                &mut sums,
            );
            dqs::finish::<V>(token, chunk.lists.len(), &sums, &mut transforms);

            let len = 3 * BLOCK * chunk.blocks.len();
            let (chunk_positions, chunk_normals);
            (chunk_positions, positions) = positions.split_at_mut(len);
            (chunk_normals, normals) = normals.split_at_mut(len);
            let outputs = chunk_positions
                .chunks_exact_mut(3 * BLOCK)
                .zip(chunk_normals.chunks_exact_mut(3 * BLOCK));
            let blocks = chunk.blocks.clone().zip(&self.rest[chunk.blocks]);
            for ((block, rest), (positions, normals)) in blocks.zip(outputs) {
                let lists = influences.of_block(block);
                let list = lists.first as usize - chunk.lists.start;
                for first in (0..BLOCK).step_by(V::LANES) {
                    let transform = transforms.load::<V>(token, list, &lists, first);
                    let vertices = load::<V, T>(token, rest, first);
                    let [position, normal] = dqs::apply(token, transform, vertices);
                    V::store_interleaved(position, &mut positions[3 * first..]);
                    V::store_interleaved(normal, &mut normals[3 * first..]);
                }
            }
        }
    }
}

/// Positions and normals of a group of lanes.
#[inline(always)]
fn load<V: F64Lanes, T: Coordinate>(
    token: V::Token,
    block: &Block<T>,
    first: usize,
) -> [[V; 3]; 2] {
    let [x, y, z, nx, ny, nz] = &block.0;
    let plane = |plane: &[T; BLOCK]| T::load::<V>(token, &plane[first..]);
    [
        [plane(x), plane(y), plane(z)],
        [plane(nx), plane(ny), plane(nz)],
    ]
}
