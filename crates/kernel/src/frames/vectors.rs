//! Positions, normals and tangents of a block.

use super::super::evaluate::store_three;
use super::super::lbs::Directions;
use super::super::rest::BLOCK;
use super::{Frames, Planes, part};
use crate::simd::F64Lanes;

/// Three short planes.
pub type OfVector<'a> = [&'a [f64; BLOCK]; 3];

/// The vectors of a block.
pub struct Vectors<'a> {
    pub positions: OfVector<'a>,
    pub normals: Option<OfVector<'a>>,
    pub tangents: Option<OfVector<'a>>,
}

/// Room for three vectors of a block.
#[repr(align(64))]
pub struct Room(pub [[[f64; BLOCK]; 3]; 3]);

impl Room {
    pub const EMPTY: Self = Self([[[0.0; BLOCK]; 3]; 3]);
}

impl<'a> Vectors<'a> {
    /// Replaces positions, if `moved[0]` is true, and directions, if `moved[1]` is, by those of a room.
    #[inline(always)]
    pub fn moved(self, Room(room): &'a Room, moved: [bool; 2]) -> Self {
        let [[px, py, pz], [nx, ny, nz], [tx, ty, tz]] = room;
        let [positions, directions] = moved;
        Self {
            positions: if positions {
                [px, py, pz]
            } else {
                self.positions
            },
            normals: self
                .normals
                .map(|rest| if directions { [nx, ny, nz] } else { rest }),
            tangents: self
                .tangents
                .map(|rest| if directions { [tx, ty, tz] } else { rest }),
        }
    }
}

/// Directions of a block before they have unit length.
pub struct Unfinished {
    pub normals: Directions,
    pub tangents: Directions,
}

impl Unfinished {
    pub const ZERO: Self = Self {
        normals: Directions::ZERO,
        tangents: Directions::ZERO,
    };

    /// Stores the directions, of unit length or as in `rest`, in the outputs.
    #[inline(always)]
    pub fn finish<V: F64Lanes>(
        &self,
        token: V::Token,
        rest: &Vectors,
        block: usize,
        to: &mut Frames,
    ) {
        if let Some(rest) = rest.normals {
            let to = part(to.normals, block);
            self.normals.finish::<V>(token, rest, to);
        }
        if let Some(rest) = rest.tangents {
            let to = part(to.tangents, block);
            self.tangents.finish::<V>(token, rest, to);
        }
    }

    /// Stores them in a room, after the positions.
    #[inline(always)]
    pub fn keep<V: F64Lanes>(&self, token: V::Token, rest: &Vectors, room: &mut Room) {
        let [_, normals, tangents] = &mut room.0;
        for first in (0..BLOCK).step_by(V::LANES) {
            if let Some(rest) = rest.normals {
                store_three(normals, first, self.normals.unit::<V>(token, rest, first));
            }
            if let Some(rest) = rest.tangents {
                store_three(tangents, first, self.tangents.unit::<V>(token, rest, first));
            }
        }
    }
}

/// The planes of a block.
#[inline(always)]
pub fn block_of([x, y, z]: Planes<'_>, block: usize) -> OfVector<'_> {
    [plane(x, block), plane(y, block), plane(z, block)]
}

#[inline(always)]
fn plane(plane: &[f64], block: usize) -> &[f64; BLOCK] {
    &plane.as_chunks().0[block]
}
