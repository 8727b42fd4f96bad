//! Placement of a primitive: rotation, then translation (`numerics.md` §4).

use std::ops::Range;

use crate::geometry::scene::Geometry;
use rigy_kernel::math::{Matrix3, dot, euler_rotation};
use rigy_language::model::{Orientation, Transform, numbers};

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
