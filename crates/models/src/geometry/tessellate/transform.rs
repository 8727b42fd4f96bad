//! Placement of a primitive: rotation, then translation (`numerics.md` §4); and the texture coordinates of its placed vertices
//! (`extensions.md` §5).

use std::ops::Range;

use super::shapes::ROW;
use crate::geometry::scene::{Geometry, PositionsSoa};
use rigy_kernel::math::{Matrix3, Vec3, dot, euler_rotation, trig};
use rigy_language::model::{Generator, Orientation, Transform, numbers};

/// Rotates positions and normals, which turns −0.0 into +0.0, and translates positions.
pub(super) fn apply(transform: &Transform, geometry: &mut Geometry, vertices: Range<usize>) {
    if let Some(rotation) = &transform.rotation {
        let matrix = match rotation {
            Orientation::Euler(angles) => euler_rotation(numbers(angles)),
            Orientation::Quaternion(parts) => of_quaternion(numbers(parts)),
        };
        for points in [&mut geometry.positions, &mut geometry.normals] {
            let planes = points.planes.each_mut();
            let [xs, ys, zs] = planes.map(|plane| &mut plane[vertices.clone()]);
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

/// Returns the matrix of a canonical quaternion x, y, z, w, with the products in the order of `extensions.md` §2.8.
pub(super) fn of_quaternion([x, y, z, w]: [f64; 4]) -> Matrix3 {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        [1.0 - (yy + zz), xy - wz, xz + wy],
        [xy + wz, 1.0 - (xx + zz), yz - wx],
        [xz - wy, yz + wx, 1.0 - (xx + yy)],
    ]
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
pub(super) fn add_uvs(
    generator: Generator,
    positions: &PositionsSoa,
    vertices: Range<usize>,
    out: &mut [Vec<f64>; 2],
) {
    for (index, vertex) in vertices.enumerate() {
        let uv = match generator {
            Generator::PlanarXy => {
                let [x, y, _] = positions.get(vertex);
                [x, y]
            }
            Generator::BoxProject => box_project(index / 4, positions.get(vertex)),
            Generator::SphereLatLong => {
                let (row, segment) = (index / ROW, index % ROW);
                [segment as f64 / SEGMENTS as f64, row as f64 / LATITUDES]
            }
            Generator::Cylindrical => cylindrical(index),
            Generator::CapsuleLatLong => {
                let (row, segment) = (index / ROW, index % ROW);
                [
                    segment as f64 / SEGMENTS as f64,
                    capsule_row(row) / CAPSULE_ROWS,
                ]
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

/// The number of a row of a capsule, counted along its outline. The side begins where the upper half ends, and the lower
/// half where the side ends, without a row of its own there.
fn capsule_row(row: usize) -> f64 {
    let counted = if row < CAPSULE_HALF { row } else { row - 1 };
    counted as f64
}
