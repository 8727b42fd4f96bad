//! Linear blending of a block: matrices first, then the directions that they turn.

use super::super::evaluate::{load_three, store_three};
use super::super::frame_palette::FrameMatrix;
use super::super::lists::{SLOTS, Sets};
use super::super::rest::BLOCK;
use super::FrameJob;
use super::vectors::{OfVector, Room, Unfinished, Vectors, block_of};
use crate::simd::{F64Lanes, Row, Rows};

/// The blended upper 3×3 matrices of the vertices of a block, row by row.
pub struct Matrices(Room);

impl Matrices {
    pub const ZERO: Self = Self(Room::EMPTY);

    /// Stores the matrices of the vertices of one vector, and returns their moved positions.
    #[inline(always)]
    pub fn blend<V: F64Lanes>(&mut self, of: &Blend<V::Token>, first: usize) -> [V; 3] {
        let [
            [px, py, pz, a00, a01, a02, a10, a11],
            [a12, a20, a21, a22, ..],
        ] = V::columns(&(of, first));
        let Room([a0, a1, a2]) = &mut self.0;
        store_three(a0, first, [a00, a01, a02]);
        store_three(a1, first, [a10, a11, a12]);
        store_three(a2, first, [a20, a21, a22]);
        [px, py, pz]
    }

    /// Turns the directions of the block. Signs are stored if there are tangents.
    #[inline(always)]
    pub fn turn<V: F64Lanes>(
        &self,
        token: V::Token,
        rest: &Vectors,
        turned: &mut Unfinished,
        signs: &mut [f64],
    ) {
        if let Some(rest) = rest.normals {
            for first in (0..BLOCK).step_by(V::LANES) {
                let (cofactor, sign) = cofactor(token, self.load::<V>(token, first));
                let [x, y, z] = times(token, cofactor, load_three(token, rest, first));
                let normal = [x * sign, y * sign, z * sign];
                turned.normals.store(first, normal);
            }
        }
        if let Some(rest) = rest.tangents {
            let signs = &mut signs[..BLOCK];
            for first in (0..BLOCK).step_by(V::LANES) {
                let matrix = self.load::<V>(token, first);
                let (_, sign) = cofactor(token, matrix);
                sign.store(&mut signs[first..]);
                let tangent = times(token, matrix, load_three(token, rest, first));
                turned.tangents.store(first, tangent);
            }
        }
    }

    #[inline(always)]
    fn load<V: F64Lanes>(&self, token: V::Token, first: usize) -> [[V; 3]; 3] {
        let Room([[a, b, c], [d, e, f], [g, h, i]]) = &self.0;
        [
            load_three(token, [a, b, c], first),
            load_three(token, [d, e, f], first),
            load_three(token, [g, h, i], first),
        ]
    }
}

/// Returns the cofactor matrices, and the signs of the determinants.
#[inline(always)]
fn cofactor<V: F64Lanes>(
    token: V::Token,
    [[a00, a01, a02], [a10, a11, a12], [a20, a21, a22]]: [[V; 3]; 3],
) -> ([[V; 3]; 3], V) {
    let cofactor = [
        [
            a11 * a22 - a12 * a21,
            a12 * a20 - a10 * a22,
            a10 * a21 - a11 * a20,
        ],
        [
            a02 * a21 - a01 * a22,
            a00 * a22 - a02 * a20,
            a01 * a20 - a00 * a21,
        ],
        [
            a01 * a12 - a02 * a11,
            a02 * a10 - a00 * a12,
            a00 * a11 - a01 * a10,
        ],
    ];
    let zero = V::splat(token, 0.0);
    let one = V::splat(token, 1.0);
    let determinant = a00 * cofactor[0][0] + a01 * cofactor[0][1] + a02 * cofactor[0][2];
    (cofactor, zero.if_greater(determinant, -one, one))
}

#[inline(always)]
fn times<V: F64Lanes>(token: V::Token, m: [[V; 3]; 3], [x, y, z]: [V; 3]) -> [V; 3] {
    let zero = V::splat(token, 0.0);
    [
        zero + m[0][0] * x + m[0][1] * y + m[0][2] * z,
        zero + m[1][0] * x + m[1][1] * y + m[1][2] * z,
        zero + m[2][0] * x + m[2][1] * y + m[2][2] * z,
    ]
}

/// The vertices of a block and the matrices that are blended for them.
pub struct Blend<'a, T> {
    token: T,
    matrices: &'a [FrameMatrix],
    sets: &'a [Sets],
    positions: OfVector<'a>,
}

impl<'a, T> Blend<'a, T> {
    #[inline(always)]
    pub(super) fn of(
        token: T,
        matrices: &'a [FrameMatrix],
        sets: &'a [Sets],
        job: &FrameJob<'a>,
        block: usize,
    ) -> Self {
        Self {
            token,
            matrices,
            sets,
            positions: block_of(job.positions, block),
        }
    }
}

/// Two rows for each vertex, the first of which has the list in lane 0: `p'` and the first five elements of `A`, and the last four.
impl<R: Row> Rows<R, 2> for (&Blend<'_, R::Token>, usize) {
    #[inline(always)]
    fn of(&self, lane: usize) -> [R; 2] {
        let Blend {
            token,
            matrices,
            sets,
            positions,
        } = *self.0;
        let list = self.1 + lane;
        let position = R::splats(token, positions, list);
        let mut sum = R::splat(token, 0.0);
        let mut last = R::splat(token, 0.0);
        for sets in sets {
            for slot in 0..SLOTS {
                let matrix = &matrices[usize::from(sets.joints[list][slot])];
                let weight = sets.weights[list][slot];
                let moved = R::moved(token, &matrix.added, &matrix.columns, position);
                sum = (sum + R::splat(token, weight) * moved).settled();
                last = last.add_to_half(token, weight, &matrix.last).settled();
            }
        }
        [sum, last]
    }
}
