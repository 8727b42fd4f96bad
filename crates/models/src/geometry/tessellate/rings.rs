//! Rows of 33 vertices, and the quads between them, of which round shapes consist.

use crate::geometry::scene::{Geometry, PositionsSoa};
use rigy_kernel::math::Vec3;
use rigy_kernel::math::trig::{TURN, profile};

/// Vertices in a row. The last is at the place of the first, with the table's values for a full turn.
pub(super) const ROW: usize = TURN + 1;

/// Cosines and sines of the columns of a row.
static COLUMNS: ([f64; ROW], [f64; ROW]) = {
    let (mut cosines, mut sines) = ([0.0; ROW], [0.0; ROW]);
    let mut j = 0;
    while j < ROW {
        (sines[j], cosines[j]) = profile(j);
        j += 1;
    }
    (cosines, sines)
};

/// Appends a row of vertices: position and normal of each column, given its cosine and sine.
#[inline(always)]
pub(super) fn row(
    out: &mut Geometry,
    position: impl Fn(f64, f64) -> Vec3,
    normal: impl Fn(f64, f64) -> Vec3,
) {
    points(&mut out.positions, position);
    points(&mut out.normals, normal);
}

/// Appends a row of points. The row is computed as a whole, so that the compiler can vectorise over its columns.
#[inline(always)]
pub(super) fn points(out: &mut PositionsSoa, point: impl Fn(f64, f64) -> Vec3) {
    let mut planes = [[0.0; ROW]; 3];
    let (cosines, sines) = &COLUMNS;
    for j in 0..ROW {
        let [x, y, z] = point(cosines[j], sines[j]);
        (planes[0][j], planes[1][j], planes[2][j]) = (x, y, z);
    }
    for (plane, row) in out.planes.iter_mut().zip(planes) {
        plane.extend_from_slice(&row);
    }
}

/// Triangles between `row_count` rows that begin at vertex `first`.
pub(super) fn quads(first: u32, row_count: usize, indices: &mut Vec<u32>) {
    let begin = indices.len();
    indices.resize(begin + 6 * TURN * (row_count - 1), 0);
    let (quads, _) = indices[begin..].as_chunks_mut::<6>();
    for (row, quads) in (0u32..).zip(quads.chunks_exact_mut(TURN)) {
        for (column, quad) in (0u32..).zip(quads) {
            let a = first + ROW as u32 * row + column;
            let b = a + ROW as u32;
            *quad = [a, b, a + 1, a + 1, b, b + 1];
        }
    }
}
