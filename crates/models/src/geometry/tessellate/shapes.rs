//! The shapes (`numerics.md` §3, `extensions.md` §3). Round ones consist of rows of 33 vertices and the quads between them.

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

/// Corners in order, then the normal: +X, −X, +Y, −Y, +Z, −Z. A bit of a corner is set where its coordinate is positive: x is the lowest.
const BOX_FACES: [([u8; 4], Vec3); 6] = [
    ([0b001, 0b011, 0b111, 0b101], [1.0, 0.0, 0.0]),
    ([0b100, 0b110, 0b010, 0b000], [-1.0, 0.0, 0.0]),
    ([0b010, 0b110, 0b111, 0b011], [0.0, 1.0, 0.0]),
    ([0b100, 0b000, 0b001, 0b101], [0.0, -1.0, 0.0]),
    ([0b100, 0b101, 0b111, 0b110], [0.0, 0.0, 1.0]),
    ([0b001, 0b000, 0b010, 0b011], [0.0, 0.0, -1.0]),
];

pub(super) fn add_box(extents: Vec3, out: &mut Geometry) {
    let half = extents.map(|extent| extent / 2.0);
    for (corners, normal) in BOX_FACES {
        let first = out.positions.len() as u32;
        for corner in corners {
            let coordinate = |axis: usize| match corner >> axis & 1 {
                1 => half[axis],
                _ => -half[axis],
            };
            out.positions.push([0, 1, 2].map(coordinate));
            out.normals.push(normal);
        }
        out.indices
            .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
}

pub(super) fn add_sphere(radius: f64, out: &mut Geometry) {
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

pub(super) fn add_cylinder(radius: f64, height: f64, out: &mut Geometry) {
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

/// Rows of each of the three parts; the first row of the lower half sphere is the last of the middle.
const STEPS: usize = 8;

pub(super) fn add_capsule(radius: f64, height: f64, out: &mut Geometry) {
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

/// Corners of the faces −z, −x, slope, −y and +y, and their triangles by corner.
const WEDGE_FACES: [(&[usize], &[u32]); 5] = [
    (&[0, 1, 4, 3], &[0, 2, 1, 0, 3, 2]),
    (&[0, 3, 5, 2], &[0, 2, 3, 0, 1, 2]),
    (&[1, 2, 5, 4], &[0, 2, 1, 0, 3, 2]),
    (&[0, 1, 2], &[0, 1, 2]),
    (&[3, 5, 4], &[0, 1, 2]),
];

pub(super) fn add_wedge(extents: Vec3, out: &mut Geometry) {
    let [hx, hy, hz] = extents.map(|extent| extent / 2.0);
    let corners = [
        [-hx, -hy, -hz],
        [hx, -hy, -hz],
        [-hx, -hy, hz],
        [-hx, hy, -hz],
        [hx, hy, -hz],
        [-hx, hy, hz],
    ];
    let [x, _, z] = extents;
    let length = (z * z + x * x).sqrt();
    let normals = [
        [0.0, 0.0, -1.0],
        [-1.0, 0.0, 0.0],
        [z / length, 0.0, x / length],
        [0.0, -1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    for ((face, triangles), normal) in WEDGE_FACES.iter().zip(normals) {
        let first = out.positions.len() as u32;
        for corner in *face {
            out.positions.push(corners[*corner]);
            out.normals.push(normal);
        }
        out.indices
            .extend(triangles.iter().map(|corner| first + corner));
    }
}
