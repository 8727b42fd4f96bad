//! What the passes of dual quaternion skinning hand on for the lists of a chunk (`numerics.md` §7): blended dual quaternions, and
//! then rotations and translations.

use super::chunks::CHUNK;
use super::lists::{BlockLists, Sharing};
use super::rest::BLOCK;
use crate::simd::F64Lanes;

/// One number for each list of a chunk, with eight more at the end, so that eight can be loaded at any list.
#[repr(align(64))]
pub struct Plane(pub [f64; CHUNK + BLOCK]);

impl Default for Plane {
    fn default() -> Self {
        Self([0.0; CHUNK + BLOCK])
    }
}

/// `R`, `D` and `rn` of each list of a chunk. Until it is inverted, `rn` is `dot4(R, R)`.
#[derive(Default)]
pub struct Sums {
    pub parts: [Plane; 8],
    pub rn: Plane,
}

impl Sums {
    /// Stores the blended dual quaternions of the lists from `at` on, and the squares of their lengths.
    #[inline(always)]
    pub fn store<V: F64Lanes>(&mut self, at: usize, parts: [V; 8]) {
        let [w, x, y, z, ..] = parts;
        let square = w * w + x * x + y * y + z * z;
        for (plane, part) in self.parts.iter_mut().zip(parts) {
            part.store(&mut plane.0[at..]);
        }
        square.store(&mut self.rn.0[at..]);
    }

    /// Replaces the squares of the lengths of eight lists by the reciprocals of the lengths.
    #[inline(always)]
    pub fn invert<V: F64Lanes>(&mut self, token: V::Token, at: usize) {
        for at in (at..at + BLOCK).step_by(V::LANES) {
            let norm = V::load(token, &self.rn.0[at..]).sqrt();
            let rn = V::splat(token, 1.0) / norm;
            rn.store(&mut self.rn.0[at..]);
        }
    }
}

/// `r` and `t` of each list of a chunk.
#[derive(Default)]
pub struct Transforms(pub [Plane; 7]);

impl Transforms {
    /// Loads the transforms of the vertices from `first` on in a block. `list` is the list of the block's first vertex,
    /// counted from the first of the chunk.
    #[inline(always)]
    pub fn load<V: F64Lanes>(
        &self,
        token: V::Token,
        list: usize,
        lists: &BlockLists,
        first: usize,
    ) -> [V; 7] {
        let mut transform = [V::splat(token, 0.0); 7];
        for (lanes, plane) in transform.iter_mut().zip(&self.0) {
            let numbers = plane.0[list..]
                .first_chunk()
                .expect("a plane ends with eight to spare");
            *lanes = match lists.sharing {
                Sharing::None => V::load(token, &numbers[first..]),
                Sharing::All => V::splat(token, numbers[0]),
                Sharing::Some => V::pick(token, numbers, &lists.offset[first..]),
            };
        }
        transform
    }
}
