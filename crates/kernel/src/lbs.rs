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

use super::chunks::{OneSet, SeveralSets, Shared, VertexLists, prefetch_rest};
use super::evaluate::{OfBlock, Run, load, load_three, store_three};
use super::lists::SLOTS;
use super::palette::{JointMatrix, LinearPalette};
use super::rest::{BLOCK, Block, Coordinate};
use crate::simd::{F64Lanes, Kernel, Row, Rows};

/// Directions not longer than this are left as they are at rest (`numerics.md` §6, `bake.md` §4).
pub const SHORTEST: f64 = 1e-12;

impl<T: Coordinate> Kernel for Run<'_, LinearPalette, T> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let influences = self.influences;
        let blocks = self.blocks.clone();
        let set_count = influences.set_count;
        if let Some(lists) = &influences.shared {
            let lists = lists[blocks].iter();
            self.blend::<V, _>(token, lists.map(|lists| Shared { influences, lists }));
        } else if set_count == 1 {
            let sets = influences.sets[blocks].iter();
            self.blend::<V, _>(token, sets.map(OneSet));
        } else {
            let sets = influences.sets[blocks.start * set_count..].chunks_exact(set_count);
            self.blend::<V, _>(token, sets.map(SeveralSets));
        }
    }
}

impl<T: Coordinate> Run<'_, LinearPalette, T> {
    /// Evaluates all blocks, given their lists. The lengths of directions are computed one block after their sums, and the
    /// quotients one block after that: a processor looks ahead about as far as a block, so nothing waits for a square root
    /// or a division.
    #[inline(always)]
    fn blend<V: F64Lanes, L: VertexLists>(self, token: V::Token, lists: impl Iterator<Item = L>) {
        let influences = self.influences;
        let blocks = self.blocks.clone();
        let matrices = &*self.palette.matrices;
        let all = self.rest;
        let rest = &all[blocks.clone()];
        let (positions, normals) = self.outputs();
        let mut finished = rest.iter().zip(normals);
        let mut a = Directions::ZERO;
        let mut b = Directions::ZERO;
        let mut c = Directions::ZERO;
        let mut summed = &mut a;
        let mut measured = &mut b;
        let mut free = &mut c;
        let mut scratch = Block::default();
        for ((block, lists), positions) in blocks.clone().zip(lists).zip(positions) {
            if influences.are_prefetched() {
                prefetch_rest(block, all);
                influences.prefetch_sets(influences.of_block(block).range());
            }
            let rest = T::widened::<V>(token, &all[block], &mut scratch);
            sum::<V>(token, matrices, &lists, rest, positions, free);
            let age = block - blocks.start;
            if age > 1
                && let Some((rest, normals)) = finished.next()
            {
                measured.finish::<V>(token, rest.normals(), normals);
            }
            if age > 0 {
                summed.measure::<V>(token);
            }
            (summed, measured, free) = (free, summed, measured);
        }
        if blocks.len() > 1
            && let Some((rest, normals)) = finished.next()
        {
            measured.finish::<V>(token, rest.normals(), normals);
        }
        if let Some((rest, normals)) = finished.next() {
            summed.measure::<V>(token);
            summed.finish::<V>(token, rest.normals(), normals);
        }
    }
}

/// Stores the positions of a block, and its directions before they have unit length.
#[inline(always)]
fn sum<V: F64Lanes>(
    token: V::Token,
    matrices: &[JointMatrix],
    lists: &impl VertexLists,
    rest: &Block<f64>,
    positions: &mut OfBlock,
    directions: &mut Directions,
) {
    for first in (0..BLOCK).step_by(V::LANES) {
        let [position, direction] = if lists.are_one() {
            sum_shared(token, matrices, lists, load::<V, f64>(token, rest, first))
        } else {
            let [columns] = V::columns(&Blend {
                token,
                matrices,
                lists,
                rest,
                first,
            });
            let three = |at: usize| [columns[at], columns[at + 1], columns[at + 2]];
            [three(0), three(V::Row::SECOND)]
        };
        V::store_interleaved(position, &mut positions[3 * first..]);
        store_three(&mut directions.sums, first, direction);
    }
}

/// `N` and `|N|` of a block.
#[repr(align(64))]
pub struct Directions {
    sums: [[f64; BLOCK]; 3],
    length: [f64; BLOCK],
}

impl Directions {
    /// The contents before the first block is summed.
    pub const ZERO: Self = Self {
        sums: [[0.0; BLOCK]; 3],
        length: [0.0; BLOCK],
    };

    /// Stores sums, and their lengths at once.
    #[inline(always)]
    pub fn store<V: F64Lanes>(&mut self, first: usize, sum: [V; 3]) {
        store_three(&mut self.sums, first, sum);
        length(sum).store(&mut self.length[first..]);
    }

    #[inline(always)]
    fn load<V: F64Lanes>(&self, token: V::Token, first: usize) -> [V; 3] {
        load_three(token, self.sums.each_ref(), first)
    }

    /// Computes the lengths.
    #[inline(always)]
    fn measure<V: F64Lanes>(&mut self, token: V::Token) {
        for first in (0..BLOCK).step_by(V::LANES) {
            length(self.load::<V>(token, first)).store(&mut self.length[first..]);
        }
    }

    /// Stores the unit directions.
    #[inline(always)]
    pub fn finish<V: F64Lanes>(
        &self,
        token: V::Token,
        rest: [&[impl Coordinate; BLOCK]; 3],
        to: &mut OfBlock,
    ) {
        for first in (0..BLOCK).step_by(V::LANES) {
            let unit = self.unit::<V>(token, rest, first);
            V::store_interleaved(unit, &mut to[3 * first..]);
        }
    }

    /// Returns directions divided by their lengths. Lanes where that is at most [`SHORTEST`] get the rest directions, which are loaded only
    /// then.
    #[inline(always)]
    pub fn unit<V: F64Lanes>(
        &self,
        token: V::Token,
        rest: [&[impl Coordinate; BLOCK]; 3],
        first: usize,
    ) -> [V; 3] {
        let length = V::load(token, &self.length[first..]);
        let [x, y, z]: [V; 3] = self.load(token, first);
        let shortest = V::splat(token, SHORTEST);
        let mut unit = [x / length, y / length, z / length];
        if !length.all_greater(shortest) {
            let rest: [V; 3] = load_three(token, rest, first);
            for (lanes, rest) in unit.iter_mut().zip(rest) {
                *lanes = length.if_greater(shortest, *lanes, rest);
            }
        }
        unit
    }
}

/// `P` and `N` of vertices that have different lists. A row holds the six components of one vertex.
struct Blend<'a, T, L> {
    token: T,
    matrices: &'a [JointMatrix],
    lists: &'a L,
    rest: &'a Block<f64>,
    /// Index of the vertex in lane 0.
    first: usize,
}

impl<R: Row, L: VertexLists> Rows<R, 1> for Blend<'_, R::Token, L> {
    #[inline(always)]
    fn of(&self, lane: usize) -> [R; 1] {
        let token = self.token;
        let vertex = self.first + lane;
        let [px, py, pz, nx, ny, nz] = &self.rest.0;
        let x = R::pair(token, px[vertex], nx[vertex]);
        let y = R::pair(token, py[vertex], ny[vertex]);
        let z = R::pair(token, pz[vertex], nz[vertex]);
        let mut sum = R::splat(token, 0.0);
        let (sets, list) = self.lists.of(vertex);
        for sets in sets {
            let joints = &sets.joints[list];
            let weights = &sets.weights[list];
            for slot in 0..SLOTS {
                let matrix = &self.matrices[usize::from(joints[slot])];
                let [c0, c1, c2] = &matrix.columns;
                let turned =
                    R::twice(token, c0) * x + R::twice(token, c1) * y + R::twice(token, c2) * z;
                let moved = turned.add_to_first(token, &matrix.moved);
                sum = (sum + R::splat(token, weights[slot]) * moved).settled();
            }
        }
        [sum]
    }
}

/// `P` and `N` of vertices that share a list. Each lane holds one vertex, and each matrix element is in all lanes.
#[inline(always)]
fn sum_shared<V: F64Lanes>(
    token: V::Token,
    matrices: &[JointMatrix],
    lists: &impl VertexLists,
    [p, n]: [[V; 3]; 2],
) -> [[V; 3]; 2] {
    let mut sums = [[V::splat(token, 0.0); 3]; 2];
    let (sets, list) = lists.of(0);
    for sets in sets {
        for slot in 0..SLOTS {
            let weight = sets.weights[list][slot];
            if weight == 0.0 {
                continue;
            }
            let matrix = &matrices[usize::from(sets.joints[list][slot])];
            let weight = V::splat(token, weight);
            for axis in 0..3 {
                let [c0, c1, c2] = &matrix.columns;
                let c0 = V::splat(token, c0[axis]);
                let c1 = V::splat(token, c1[axis]);
                let c2 = V::splat(token, c2[axis]);
                let c3 = V::splat(token, matrix.moved[axis]);
                let moved = c0 * p[0] + c1 * p[1] + c2 * p[2] + c3;
                let turned = c0 * n[0] + c1 * n[1] + c2 * n[2];
                sums[0][axis] = sums[0][axis] + weight * moved;
                sums[1][axis] = sums[1][axis] + weight * turned;
            }
        }
    }
    sums
}

/// Returns the length of a vector.
#[inline(always)]
fn length<V: F64Lanes>([x, y, z]: [V; 3]) -> V {
    (x * x + y * y + z * z).sqrt()
}
