//! Cylinder along Y: a side and two caps (`numerics.md` §3.3).

use super::rings::{ROW, points, quads, row};
use crate::geometry::scene::Geometry;
use rigy_kernel::math::trig::TURN;

pub(super) fn generate(radius: f64, height: f64, out: &mut Geometry) {
    let first = out.positions.len() as u32;
    let half = height / 2.0;
    for y in [half, -half] {
        row(
            out,
            |cos, sin| [radius * cos, y, radius * sin],
            |cos, sin| [cos, 0.0, sin],
        );
    }
    quads(first, 2, &mut out.indices);
    for (y, up) in [(half, 1.0), (-half, -1.0)] {
        cap(radius, y, up, out);
    }
}

/// Appends a cap: a centre and a rim. The triangles of both caps have the same winding, as the profile requires.
fn cap(radius: f64, y: f64, up: f64, out: &mut Geometry) {
    let centre = out.positions.len() as u32;
    out.positions.push([0.0, y, 0.0]);
    points(&mut out.positions, |cos, sin| {
        [radius * cos, y, radius * sin]
    });
    for _ in 0..=ROW {
        out.normals.push([0.0, up, 0.0]);
    }
    for j in 0..TURN as u32 {
        out.indices.extend([centre, centre + 1 + j, centre + 2 + j]);
    }
}
