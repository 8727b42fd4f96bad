//! Sphere: 17 rows from pole to pole (`numerics.md` §3.2).

use super::rings::{quads, row};
use crate::geometry::scene::Geometry;
use rigy_kernel::math::trig::{TURN, profile};

pub(super) fn generate(radius: f64, out: &mut Geometry) {
    let first = out.positions.len() as u32;
    let row_count = TURN / 2 + 1;
    for i in 0..row_count {
        let (row_sin, row_cos) = profile(i);
        let normal = |cos, sin| [row_sin * cos, row_cos, row_sin * sin];
        // The radius comes after the product of the two table values.
        row(out, |cos, sin| normal(cos, sin).map(|c| radius * c), normal);
    }
    quads(first, row_count, &mut out.indices);
}
