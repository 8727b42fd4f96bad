//! Capsule along Y: upper half sphere, straight middle, lower half sphere (`numerics.md` §3.4).

use super::rings::{quads, row};
use crate::geometry::scene::Geometry;
use rigy_kernel::math::trig::profile;

/// Rows of each of the three parts; the first row of the lower half sphere is the last of the middle.
const STEPS: usize = 8;

pub(super) fn generate(radius: f64, height: f64, out: &mut Geometry) {
    let first = out.positions.len() as u32;
    let half = height / 2.0;
    for r in 0..=STEPS {
        dome_row(radius, half, r, out);
    }
    for m in 0..=STEPS {
        let y = half - (height * m as f64) / STEPS as f64;
        row(
            out,
            |cos, sin| [radius * cos, y, radius * sin],
            |cos, sin| [cos, 0.0, sin],
        );
    }
    for r in 1..=STEPS {
        dome_row(radius, -half, STEPS + r, out);
    }
    quads(first, 3 * STEPS + 2, &mut out.indices);
}

/// Appends a row of a half sphere whose centre is at height `centre`; `k` is its index in the table of angles.
fn dome_row(radius: f64, centre: f64, k: usize, out: &mut Geometry) {
    let (row_sin, row_cos) = profile(k);
    let y = centre + radius * row_cos;
    row(
        out,
        |cos, sin| [radius * (row_sin * cos), y, radius * (row_sin * sin)],
        |cos, sin| [row_sin * cos, row_cos, row_sin * sin],
    );
}
