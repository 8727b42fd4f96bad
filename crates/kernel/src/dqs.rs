//! Dual quaternion skinning (`numerics.md` §7).
//!
//! ```text
//! R = D = +0
//! for each slot:   w' = dot4(real, reference) < 0 ? -w : w     R += w' * real     D += w' * dual     sum
//! n = sqrt(dot4(R, R))   rn = 1 / n                                                                  sum
//! r = R * rn   s = D * rn   k = dot4(r, s)   d = s - k * r                                           finish
//! t = vector part of 2 * (d ⊗ conj(r))                                                              finish
//! P = r ⊗ (0, p)   N = r ⊗ (0, n)                                                                   turn
//! position = vector part of P ⊗ conj(r) + t     normal = vector part of N ⊗ conj(r)                  place
//! ```
//! Where joints are scaled, `dual` depends on the position (`bake.md` §5), and is summed by `sum_scaled`.
//!
//! Departures from the letter, each of which keeps every bit:
//! - `(-w) * q` is exactly `w * (-q)`, so the weight is flipped and not the joint;
//! - a square is never −0.0, so the sum of squares starts at its first;
//! - `conj(r)` is never made: `a - (-b)` is `a + b` and `(-a) + b` is `b - a`. Only `(-a) - b` has no such form
//!   (`-(a + b)` is +0.0 where it is −0.0), so the third row negates one factor;
//! - `2 * u` is `u + u`.
//!
//! Everything else is written out literally, products with the zero of `(0, v)` included. Such a product is a zero
//! with the sign of its factor, and adding it decides the sign of a sum that is zero: over all patterns of signs and
//! zeros, leaving any of the four out changes some result, and the tests notice each.

use std::ops::Range;
use std::slice::from_ref;

use super::chunks::CHUNK;
use super::evaluate::Run;
use super::lists::{SLOTS, Sets};
use super::palette::{DualPalette, JointRow, ScaledRow};
use super::rest::{BLOCK, Coordinate};
use super::rotate::{self, Turned, vector_of_product_with_conjugate};
use super::signs::Signed;
use super::transforms::{Sums, Transforms};
use crate::simd::{F64Lanes, Kernel, Row, Rows};

impl<T: Coordinate> Kernel for Run<'_, DualPalette, T> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let palette = self.palette;
        let influences = self.influences;
        let rest = self.rest;
        let set_count = influences.set_count;
        // The table of signs saves time if the mesh has at least about a quarter as many slots as the table has
        // entries. Shared lists need each sign only once and do without it.
        let slot_count = influences.vertex_count() * set_count * SLOTS;
        let is_table = influences.shared.is_none() && 4 * slot_count > palette.rows.len().pow(2);
        let signs = is_table.then(|| palette.signs()).flatten();
        let set_limit = (CHUNK / BLOCK * set_count).min(influences.sets.len());
        let mut signed = vec![Signed::default(); set_limit];
        let mut sums = Sums::default();
        let mut transforms = Transforms::default();
        let mut blocks = self.blocks.clone();
        let (positions, normals) = self.outputs();
        let mut outputs = positions.zip(normals);
        let mut turned = [[Turned::default(); 2]; 2];
        while !blocks.is_empty() {
            let chunk = influences.chunk(blocks.clone());
            if influences.are_prefetched() {
                influences.prefetch_sets(chunk.lists.clone());
            }
            let sets = influences.sets(chunk.lists.clone());
            palette.sign_weights(signs, sets, &mut signed);
            sum::<V>(token, &palette.rows, set_count, sets, &signed, &mut sums);
            finish::<V>(token, 0..chunk.lists.len(), &sums, &mut transforms);
            blocks.start = chunk.blocks.end;
            let outputs = outputs.by_ref();
            rotate::all::<V, T>(
                token,
                &transforms,
                influences,
                chunk,
                rest,
                &mut turned,
                outputs,
            );
        }
    }
}

/// Steps 2 to 4, up to `rn`, for the lists of a chunk, given by their sets and signed weights. Where lists have one set, the
/// compiler sees it. There is at least one list. Lengths are inverted one block later, so that nothing waits for a root and a
/// division.
#[inline(always)]
fn sum<V: F64Lanes>(
    token: V::Token,
    rows: &[JointRow],
    set_count: usize,
    sets: &[Sets],
    signed: &[Signed],
    sums: &mut Sums,
) {
    let starts = (0..).step_by(BLOCK);
    if set_count == 1 {
        for ((sets, signed), start) in sets.iter().zip(signed).zip(starts) {
            let sets = from_ref(sets);
            let signed = from_ref(signed);
            sum_block::<V>(token, rows, sets, signed, start, sums);
            if start > 0 {
                sums.invert::<V>(token, start - BLOCK);
            }
        }
    } else {
        for ((sets, signed), start) in sets
            .chunks_exact(set_count)
            .zip(signed.chunks_exact(set_count))
            .zip(starts)
        {
            sum_block::<V>(token, rows, sets, signed, start, sums);
            if start > 0 {
                sums.invert::<V>(token, start - BLOCK);
            }
        }
    }
    sums.invert::<V>(token, (sets.len() / set_count - 1) * BLOCK);
}

/// Steps 2 to 4, up to the squares of lengths, for eight lists, of which `start` is the first in the chunk.
#[inline(always)]
pub fn sum_block<V: F64Lanes>(
    token: V::Token,
    rows: &[JointRow],
    sets: &[Sets],
    signed: &[Signed],
    start: usize,
    sums: &mut Sums,
) {
    for first in (0..BLOCK).step_by(V::LANES) {
        let [parts] = V::columns(&Blend {
            token,
            rows,
            sets,
            signed,
            first,
        });
        sums.store(start + first, parts);
    }
}

/// The same for eight vertices that have lists of their own and joints that are scaled. `positions` are theirs.
#[inline(always)]
pub fn sum_scaled<V: F64Lanes>(
    token: V::Token,
    rows: &[ScaledRow],
    sets: &[Sets],
    signed: &[Signed],
    positions: [&[f64; BLOCK]; 3],
    start: usize,
    sums: &mut Sums,
) {
    for first in (0..BLOCK).step_by(V::LANES) {
        let [[e, f, g, h, a, b, c, d]] = V::columns(&ScaledBlend {
            token,
            rows,
            sets,
            signed,
            positions,
            first,
        });
        sums.store(start + first, [a, b, c, d, e, f, g, h]);
    }
}

/// The blended dual quaternions of eight lists.
struct Blend<'a, T> {
    token: T,
    rows: &'a [JointRow],
    sets: &'a [Sets],
    signed: &'a [Signed],
    /// Index of the list in lane 0.
    first: usize,
}

impl<R: Row> Rows<R, 1> for Blend<'_, R::Token> {
    #[inline(always)]
    fn of(&self, lane: usize) -> [R; 1] {
        let list = self.first + lane;
        let mut sum = R::splat(self.token, 0.0);
        for (sets, signed) in self.sets.iter().zip(self.signed) {
            let joints = &sets.joints[list];
            let weights = &signed.0[list];
            for slot in 0..SLOTS {
                let row = R::load(self.token, &self.rows[usize::from(joints[slot])].0);
                sum = (sum + R::splat(self.token, weights[slot]) * row).settled();
            }
        }
        [sum]
    }
}

/// The blended dual quaternions of eight vertices whose joints are scaled.
struct ScaledBlend<'a, T> {
    token: T,
    rows: &'a [ScaledRow],
    sets: &'a [Sets],
    signed: &'a [Signed],
    positions: [&'a [f64; BLOCK]; 3],
    /// Index of the vertex in lane 0.
    first: usize,
}

impl<R: Row> Rows<R, 1> for ScaledBlend<'_, R::Token> {
    #[inline(always)]
    fn of(&self, lane: usize) -> [R; 1] {
        let token = self.token;
        let vertex = self.first + lane;
        let position = R::splats(token, self.positions, vertex);
        let mut sum = R::splat(token, 0.0);
        for (sets, signed) in self.sets.iter().zip(self.signed) {
            let joints = &sets.joints[vertex];
            let weights = &signed.0[vertex];
            for slot in 0..SLOTS {
                let joint = &self.rows[usize::from(joints[slot])];
                let row = R::moved(token, &joint.added, &joint.columns, position);
                sum = (sum + R::splat(token, weights[slot]) * row).settled();
            }
        }
        [sum]
    }
}

/// Steps 4 and 5 for lists of a chunk: the unit rotation, and the translation that is applied after it.
#[inline(always)]
pub fn finish<V: F64Lanes>(
    token: V::Token,
    lists: Range<usize>,
    sums: &Sums,
    transforms: &mut Transforms,
) {
    let zero = V::splat(token, 0.0);
    for first in lists.step_by(V::LANES) {
        let load = |plane: usize| V::load(token, &sums.parts[plane].0[first..]);
        let rn = V::load(token, &sums.rn.0[first..]);
        let r = [load(0) * rn, load(1) * rn, load(2) * rn, load(3) * rn];
        let s = [load(4) * rn, load(5) * rn, load(6) * rn, load(7) * rn];
        let k = zero + r[0] * s[0] + r[1] * s[1] + r[2] * s[2] + r[3] * s[3];
        let d = [
            s[0] - k * r[0],
            s[1] - k * r[1],
            s[2] - k * r[2],
            s[3] - k * r[3],
        ];
        let [x, y, z] = vector_of_product_with_conjugate(d, r);
        let values = [r[0], r[1], r[2], r[3], x + x, y + y, z + z];
        for (plane, value) in transforms.0.iter_mut().zip(values) {
            value.store(&mut plane.0[first..]);
        }
    }
}
