//! Linear blend skinning (`numerics.md` §6).
//!
//! ```text
//! P = N = +0
//! for each slot:   P += w * (B·(p, 1))    N += w * (B·(n, 0))
//! position = P     normal = N / |N|, or the rest normal where |N| <= 1e-12
//! ```
//! The products with the constant 1 and 0 are carried out: leaving `+ m·0` out would keep a −0.0 that the
//! contract turns into +0.0.

use super::group::{Group, Vertex};
use super::influences::Influences;
use crate::simd::F64Lanes;

/// Normals shorter than this are left as they are at rest.
const SHORTEST_NORMAL: f64 = 1e-12;

/// Poses one group of lanes.
#[inline(always)]
pub(super) fn pose<V: F64Lanes>(
    token: V::Token,
    rows: &[[f64; 12]],
    influences: &Influences,
    group: &Group,
    rest: Vertex<V>,
) -> Vertex<V> {
    let zero = V::splat(token, 0.0);
    let one = V::splat(token, 1.0);
    let mut posed = Vertex {
        position: [zero; 3],
        normal: [zero; 3],
    };
    for slot in 0..influences.slot_count() {
        let weight = V::load(token, group.weights(slot));
        let m = V::gather(token, rows, group.joints(slot));
        for axis in 0..3 {
            let row = [
                m[4 * axis],
                m[4 * axis + 1],
                m[4 * axis + 2],
                m[4 * axis + 3],
            ];
            let moved = row_times(zero, row, rest.position, one);
            let turned = row_times(zero, row, rest.normal, zero);
            posed.position[axis] = posed.position[axis] + weight * moved;
            posed.normal[axis] = posed.normal[axis] + weight * turned;
        }
    }
    let [x, y, z] = posed.normal;
    let length = (zero + x * x + y * y + z * z).sqrt();
    let shortest = V::splat(token, SHORTEST_NORMAL);
    for axis in 0..3 {
        let unit = posed.normal[axis] / length;
        posed.normal[axis] = length.if_greater(shortest, unit, rest.normal[axis]);
    }
    posed
}

/// One element of matrix times vector: the dot product of `numerics.md` §1.1.
#[inline(always)]
fn row_times<V: F64Lanes>(zero: V, row: [V; 4], [x, y, z]: [V; 3], last: V) -> V {
    zero + row[0] * x + row[1] * y + row[2] * z + row[3] * last
}
