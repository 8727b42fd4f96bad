//! From a job to numbers: chunks of lists, blocks of vertices, groups of lanes.

use std::ops::Range;

use super::CHUNK;
use super::dqs::Plane;
use super::influences::Influences;
use super::palette::{DualPalette, LinearPalette, Palette};
use super::rest::{BLOCK, Block, Blocks, Coordinate, Rest};
use super::signs::Signed;
use super::{dqs, lbs};
use crate::simd::{F64Lanes, Isa, Kernel, dispatch};

/// Everything one skinning evaluation reads.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Transforms by joint.
    pub palette: &'a Palette,
    /// Joints and weights by vertex; joints are below the palette's joint count.
    pub influences: &'a Influences,
    /// Rest positions and normals.
    pub rest: &'a Rest,
}

/// Poses a range of vertices and writes them, three f32 each, to `positions` and `normals`.
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
    if count == 0 {
        return;
    }
    let outputs = Outputs {
        vertices,
        positions,
        normals,
    };
    let influences = job.influences;
    match (job.palette, &job.rest.blocks) {
        (Palette::Linear(palette), Blocks::Double(rest)) => {
            dispatch(
                isa,
                Linear {
                    palette,
                    influences,
                    rest,
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
                    outputs,
                },
            );
        }
    }
}

/// Linear blend skinning on its way through a door of `simd`.
struct Linear<'a, T> {
    palette: &'a LinearPalette,
    influences: &'a Influences,
    rest: &'a [Block<T>],
    outputs: Outputs<'a>,
}

impl<T: Coordinate> Kernel for Linear<'_, T> {
    #[inline(always)]
    fn run<V: F64Lanes>(mut self, token: V::Token) {
        let matrices = &*self.palette.matrices;
        let mut scratch = Block::default();
        for block in self.outputs.blocks() {
            let rest = T::widened::<V>(token, &self.rest[block], &mut scratch);
            let of_block = self.influences.of_block(block);
            self.outputs.write(block, |positions, normals| {
                for first in (0..BLOCK).step_by(V::LANES) {
                    let vertices = load::<V, f64>(token, rest, first);
                    let [position, normal] = match of_block.is_shared() {
                        true => lbs::sum_shared(
                            token,
                            matrices,
                            self.influences,
                            of_block.first as usize,
                            vertices,
                        ),
                        false => {
                            lbs::sum_each(token, matrices, self.influences, &of_block, rest, first)
                        }
                    };
                    let normal = lbs::unit_normal(token, normal, vertices[1]);
                    V::store_interleaved(position, &mut positions[3 * first..]);
                    V::store_interleaved(normal, &mut normals[3 * first..]);
                }
            });
        }
    }
}

/// Dual quaternion skinning on its way through a door of `simd`.
struct Dual<'a, T> {
    palette: &'a DualPalette,
    influences: &'a Influences,
    rest: &'a [Block<T>],
    outputs: Outputs<'a>,
}

impl<T: Coordinate> Kernel for Dual<'_, T> {
    #[inline(always)]
    fn run<V: F64Lanes>(mut self, token: V::Token) {
        let set_count = self.influences.set_count();
        let mut signed = vec![Signed::default(); CHUNK / BLOCK * set_count];
        let signs = if self.influences.are_shared() {
            None
        } else {
            self.palette.signs()
        };
        let mut sums = [Plane::default(); 9];
        let mut transforms = [Plane::default(); 7];
        let mut blocks = self.outputs.blocks();
        while !blocks.is_empty() {
            let chunk = self.influences.chunk(blocks.clone());
            blocks.start = chunk.blocks.end;
            let sets = self.influences.sets(chunk.lists.clone());
            self.palette.sign(signs, sets, &mut signed);
            dqs::sum::<V>(
                token,
                &self.palette.rows,
                set_count,
                sets,
                &signed,
                &mut sums,
            );
            dqs::finish::<V>(token, chunk.lists.len(), &sums, &mut transforms);
            for block in chunk.blocks {
                let rest = &self.rest[block];
                let of_block = self.influences.of_block(block);
                let list = of_block.first as usize - chunk.lists.start;
                self.outputs.write(block, |positions, normals| {
                    for first in (0..BLOCK).step_by(V::LANES) {
                        let mut transform = [V::splat(token, 0.0); 7];
                        for (value, plane) in transform.iter_mut().zip(&transforms) {
                            let numbers: &[f64; 8] = plane.0[list..list + 8].try_into().unwrap();
                            *value = if !self.influences.are_shared() {
                                V::load(token, &numbers[first..])
                            } else if of_block.is_shared() {
                                V::splat(token, numbers[0])
                            } else {
                                V::pick(token, numbers, &of_block.offset[first..])
                            };
                        }
                        let [position, normal] = load::<V, T>(token, rest, first);
                        let [position, normal] = dqs::apply(token, transform, position, normal);
                        V::store_interleaved(position, &mut positions[3 * first..]);
                        V::store_interleaved(normal, &mut normals[3 * first..]);
                    }
                });
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

/// Where posed vertices go.
struct Outputs<'a> {
    vertices: Range<usize>,
    positions: &'a mut [f32],
    normals: &'a mut [f32],
}

impl Outputs<'_> {
    /// The blocks that have a vertex in the range.
    fn blocks(&self) -> Range<usize> {
        self.vertices.start / BLOCK..self.vertices.end.div_ceil(BLOCK)
    }

    /// Has a block's vertices written, and leaves out those outside the range.
    #[inline(always)]
    fn write(&mut self, block: usize, write: impl FnOnce(&mut [f32], &mut [f32])) {
        let vertices = BLOCK * block..BLOCK * (block + 1);
        let wanted = vertices.start.max(self.vertices.start)..vertices.end.min(self.vertices.end);
        let start = 3 * (wanted.start - self.vertices.start);
        let end = 3 * (wanted.end - self.vertices.start);
        let positions = &mut self.positions[start..end];
        let normals = &mut self.normals[start..end];
        let is_whole = wanted == vertices;
        let mut spare = [[0.0; 3 * BLOCK]; 2];
        let [spare_positions, spare_normals] = &mut spare;
        // One call, so that what it does is built once.
        let (to_positions, to_normals): (&mut [f32], &mut [f32]) = match is_whole {
            true => (&mut *positions, &mut *normals),
            false => (spare_positions, spare_normals),
        };
        write(to_positions, to_normals);
        if !is_whole {
            let kept = 3 * (wanted.start - vertices.start)..3 * (wanted.end - vertices.start);
            positions.copy_from_slice(&spare_positions[kept.clone()]);
            normals.copy_from_slice(&spare_normals[kept]);
        }
    }
}
