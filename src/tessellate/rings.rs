//! What the round shapes share: rows of 33 vertices and the quads between them.

use crate::math::trig::{TURN, profile};

/// Vertices in a row; the last repeats the first, at the table's own value for a full turn.
pub(super) const ROW: usize = TURN + 1;

/// `(cos, sin)` of each column of a row.
pub(super) fn columns() -> impl Iterator<Item = (f64, f64)> {
    (0..ROW).map(|j| {
        let (sin, cos) = profile(j);
        (cos, sin)
    })
}

/// Triangles between `row_count` rows that begin at vertex `first`.
pub(super) fn quads(first: u32, row_count: usize, indices: &mut Vec<u32>) {
    for row in 0..row_count as u32 - 1 {
        for column in 0..TURN as u32 {
            let a = first + ROW as u32 * row + column;
            let b = a + ROW as u32;
            indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
}
