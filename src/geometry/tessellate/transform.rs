//! Placement of a primitive: rotation, then translation (`numerics.md` §4).

use std::ops::Range;

use crate::geometry::scene::Geometry;
use crate::kernel::math::{dot, euler_rotation};
use crate::language::model::{Transform, numbers};

/// Rotates positions and normals, which turns −0.0 into +0.0, and translates positions.
pub(super) fn apply(transform: &Transform, geometry: &mut Geometry, vertices: Range<usize>) {
    if let Some(rotation) = &transform.rotation {
        let matrix = euler_rotation(numbers(rotation));
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
