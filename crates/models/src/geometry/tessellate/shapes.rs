//! The shapes (`numerics.md` §3, `extensions.md` §3), of which round ones consist of rows of 33 vertices and the quads between them;
//! the placement of a primitive: rotation, then translation (`numerics.md` §4); and the texture coordinates of its placed vertices
//! (`extensions.md` §5).

use std::ops::Range;

use crate::geometry::scene::{Geometry, PositionsSoa};
use rigy_kernel::math::trig::{self, TURN, profile};
use rigy_kernel::math::{Matrix3, Quat, Vec3, dot, euler_rotation, rotation_of};
use rigy_language::model::{Generator, Orientation, Transform, numbers};

/// Vertices in a row. The last is at the place of the first, with the table's values for a full turn.
const ROW: usize = TURN + 1;

/// Cosines and sines of the columns of a row.
static COLUMNS: ([f64; ROW], [f64; ROW]) = {
    let mut cosines = [0.0; ROW];
    let mut sines = [0.0; ROW];
    let mut j = 0;
    while j < ROW {
        (sines[j], cosines[j]) = profile(j);
        j += 1;
    }
    (cosines, sines)
};

/// Appends a row of vertices: position and normal of each column, given its cosine and sine.
#[inline(always)]
fn row(out: &mut Geometry, position: impl Fn(f64, f64) -> Vec3, normal: impl Fn(f64, f64) -> Vec3) {
    points(&mut out.positions, position);
    points(&mut out.normals, normal);
}

/// Appends a row of points. The row is computed as a whole, so that the compiler can vectorise over its columns.
#[inline(always)]
fn points(out: &mut PositionsSoa, point: impl Fn(f64, f64) -> Vec3) {
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
fn quads(first: u32, row_count: usize, indices: &mut Vec<u32>) {
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

pub fn add_box(extents: Vec3, out: &mut Geometry) {
    let half = extents.map(|extent| extent / 2.0);
    for (corners, normal) in BOX_FACES {
        let first = out.positions.len() as u32;
        for corner in corners {
            out.positions
                .push([0, 1, 2].map(|axis: usize| match corner >> axis & 1 {
                    1 => half[axis],
                    _ => -half[axis],
                }));
            out.normals.push(normal);
        }
        out.indices
            .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
}

pub fn add_sphere(radius: f64, out: &mut Geometry) {
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

pub fn add_cylinder(radius: f64, height: f64, out: &mut Geometry) {
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

pub fn add_capsule(radius: f64, height: f64, out: &mut Geometry) {
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

pub fn add_wedge(extents: Vec3, out: &mut Geometry) {
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

/// Rotates positions and normals, which turns −0.0 into +0.0, and translates positions.
pub fn place(transform: &Transform, geometry: &mut Geometry, vertices: Range<usize>) {
    if let Some(rotation) = &transform.rotation {
        let matrix = matrix_of(rotation);
        for points in [&mut geometry.positions, &mut geometry.normals] {
            let [xs, ys, zs] = points
                .planes
                .each_mut()
                .map(|plane| &mut plane[vertices.clone()]);
            for ((x, y), z) in xs.iter_mut().zip(ys).zip(zs) {
                let point = [*x, *y, *z];
                [*x, *y, *z] = matrix.map(|row| dot(row, point));
            }
        }
    }
    if let Some(translation) = &transform.translation {
        let offset = numbers(translation);
        for (plane, offset) in geometry.positions.planes.iter_mut().zip(offset) {
            for coordinate in &mut plane[vertices.clone()] {
                *coordinate += offset;
            }
        }
    }
}

/// The matrix of a rotation (`extensions.md` §2.8). Doubling is exact, so products may be doubled in the place of components.
pub fn matrix_of(rotation: &Orientation) -> Matrix3 {
    match rotation {
        Orientation::Euler(angles) | Orientation::EulerOfDegrees(angles) => {
            euler_rotation(numbers(angles))
        }
        Orientation::Quaternion(parts) => {
            let [x, y, z, w] = numbers(parts);
            rotation_of(Quat { w, x, y, z })
        }
    }
}

/// Steps around a shape.
const SEGMENTS: usize = trig::TURN;
/// Rows of a sphere below its first.
const LATITUDES: f64 = 16.0;
/// Rows of a capsule below its first; the last of the upper half and the first of the side have one height.
const CAPSULE_ROWS: f64 = 24.0;
/// Rows of the upper half of a capsule, and as many of its side.
const CAPSULE_HALF: usize = 9;

/// Appends u and v of the vertices of one primitive, whose shape takes the generator.
pub fn add_uvs(
    generator: Generator,
    positions: &PositionsSoa,
    vertices: Range<usize>,
    out: &mut [Vec<f64>; 2],
) {
    for (index, vertex) in vertices.enumerate() {
        let row = index / ROW;
        let segment = index % ROW;
        let uv = match generator {
            Generator::PlanarXy => {
                let [x, y, _] = positions.get(vertex);
                [x, y]
            }
            Generator::BoxProject => box_project(index / 4, positions.get(vertex)),
            Generator::SphereLatLong => [segment as f64 / SEGMENTS as f64, row as f64 / LATITUDES],
            Generator::Cylindrical => cylindrical(index),
            Generator::CapsuleLatLong => {
                // Counted along its outline, the side begins where the upper half ends, and the lower half where the side
                // ends, without a row of its own there.
                let row = if row < CAPSULE_HALF { row } else { row - 1 };
                [segment as f64 / SEGMENTS as f64, row as f64 / CAPSULE_ROWS]
            }
        };
        for (plane, value) in out.iter_mut().zip(uv) {
            plane.push(value);
        }
    }
}

/// The coordinates of a vertex of a box, by the index of its face: +X, −X, +Y, −Y, +Z, −Z.
fn box_project(face: usize, [x, y, z]: Vec3) -> [f64; 2] {
    match face {
        0 => [-z, y],
        1 => [z, y],
        2 => [x, -z],
        3 => [x, z],
        4 => [x, y],
        _ => [-x, y],
    }
}

/// The side of a cylinder has two rows; each end has its centre and a row.
fn cylindrical(index: usize) -> [f64; 2] {
    if index < 2 * ROW {
        return [(index % ROW) as f64 / SEGMENTS as f64, (index / ROW) as f64];
    }
    match (index - 2 * ROW) % (ROW + 1) {
        0 => [0.5, 0.5],
        rim => {
            let (sin, cos) = trig::profile(rim - 1);
            [0.5 + 0.5 * cos, 0.5 + 0.5 * sin]
        }
    }
}
