//! Linear blend skinning (`numerics.md` §6).
//!
//! ```text
//! P = N = +0
//! for each slot:   P += w * (B·(p, 1))    N += w * (B·(n, 0))
//! position = P     normal = N / |N|, or the rest normal where |N| <= 1e-12
//! ```
//! Departures from the letter, each of which keeps every bit: `P` and `N` start at +0.0 and therefore are never
//! −0.0, so the sign of a zero that is added to them cannot be seen. So the inner products start at their first
//! term, the column of translations is added as it is (or not at all), and slots of weight zero may be
//! multiplied or left out. (What they are multiplied with is finite as long as the numbers of a pose times those of a
//! mesh do not overflow f64, which would overflow the f32 of the output long before.)

use super::evaluate::{Run, load};
use super::influences::Influences;
use super::lists::{BlockLists, SLOTS, Sharing};
use super::palette::{JointMatrix, LinearPalette};
use super::rest::{BLOCK, Block, Coordinate};
use crate::kernel::simd::{F64Lanes, Kernel, Row, Rows};

/// Directions not longer than this are left as they are at rest (`numerics.md` §6, `bake.md` §4).
pub const SHORTEST: f64 = 1e-12;

impl<T: Coordinate> Kernel for Run<'_, LinearPalette, T> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let (influences, rest) = (self.influences, self.rest);
        let matrices = &*self.palette.matrices;
        let mut scratch = Block::default();
        for (block, (positions, normals)) in self.blocks.clone().zip(self.outputs()) {
            let lists = influences.of_block(block);
            influences.prefetch_after(block..block + 1, lists.range(), rest);
            let rest = T::widened::<V>(token, &rest[block], &mut scratch);
            for first in (0..BLOCK).step_by(V::LANES) {
                let vertices = load::<V, f64>(token, rest, first);
                let [position, normal] = match lists.sharing {
                    Sharing::All => sum_shared(token, matrices, influences, &lists, vertices),
                    _ => {
                        let [px, py, pz, nx, ny, nz, _, _] = V::columns(&Blend {
                            token,
                            matrices,
                            influences,
                            lists: &lists,
                            rest,
                            first,
                        });
                        [[px, py, pz], [nx, ny, nz]]
                    }
                };
                let normal = unit_or_rest(token, normal, vertices[1]);
                V::store_interleaved(position, &mut positions[3 * first..]);
                V::store_interleaved(normal, &mut normals[3 * first..]);
            }
        }
    }
}

/// `P` and `N` of vertices that have different lists. A row holds the six components of one vertex.
struct Blend<'a, T> {
    token: T,
    matrices: &'a [JointMatrix],
    influences: &'a Influences,
    lists: &'a BlockLists,
    rest: &'a Block<f64>,
    /// Index of the vertex in lane 0.
    first: usize,
}

impl<R: Row> Rows<R> for Blend<'_, R::Token> {
    #[inline(always)]
    fn row(&self, lane: usize) -> R {
        let (token, vertex) = (self.token, self.first + lane);
        let [px, py, pz, nx, ny, nz] = &self.rest.0;
        let x = R::pair(token, px[vertex], nx[vertex]);
        let y = R::pair(token, py[vertex], ny[vertex]);
        let z = R::pair(token, pz[vertex], nz[vertex]);
        let mut sum = R::splat(token, 0.0);
        let (sets, list) = self.influences.list(self.lists.of(vertex));
        for sets in sets {
            let (joints, weights) = (&sets.joints[list], &sets.weights[list]);
            for slot in 0..SLOTS {
                let [c0, c1, c2, c3] = &self.matrices[usize::from(joints[slot])].0;
                let moved = R::load(token, c0) * x
                    + R::load(token, c1) * y
                    + R::load(token, c2) * z
                    + R::load(token, c3);
                sum = sum + R::splat(token, weights[slot]) * moved;
            }
        }
        sum
    }
}

/// `P` and `N` of vertices that share a list. Each lane holds one vertex, and each matrix element is in all lanes.
#[inline(always)]
fn sum_shared<V: F64Lanes>(
    token: V::Token,
    matrices: &[JointMatrix],
    influences: &Influences,
    lists: &BlockLists,
    [p, n]: [[V; 3]; 2],
) -> [[V; 3]; 2] {
    let mut sums = [[V::splat(token, 0.0); 3]; 2];
    let (sets, list) = influences.list(lists.of(0));
    for sets in sets {
        for slot in 0..SLOTS {
            let weight = sets.weights[list][slot];
            if weight == 0.0 {
                continue;
            }
            let columns = &matrices[usize::from(sets.joints[list][slot])].0;
            let weight = V::splat(token, weight);
            for axis in 0..3 {
                let [c0, c1, c2, c3] = columns;
                let (c0, c1) = (V::splat(token, c0[axis]), V::splat(token, c1[axis]));
                let (c2, c3) = (V::splat(token, c2[axis]), V::splat(token, c3[axis]));
                let moved = c0 * p[0] + c1 * p[1] + c2 * p[2] + c3;
                let turned = c0 * n[0] + c1 * n[1] + c2 * n[2];
                sums[0][axis] = sums[0][axis] + weight * moved;
                sums[1][axis] = sums[1][axis] + weight * turned;
            }
        }
    }
    sums
}

/// Returns a direction divided by its length, or the rest direction in lanes where the length is at most [`SHORTEST`].
#[inline(always)]
pub(super) fn unit_or_rest<V: F64Lanes>(
    token: V::Token,
    [x, y, z]: [V; 3],
    rest: [V; 3],
) -> [V; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    let shortest = V::splat(token, SHORTEST);
    let or_rest = |sum: V, rest| length.if_greater(shortest, sum / length, rest);
    [
        or_rest(x, rest[0]),
        or_rest(y, rest[1]),
        or_rest(z, rest[2]),
    ]
}
