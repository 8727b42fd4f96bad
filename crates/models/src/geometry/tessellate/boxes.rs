//! Box: six faces of four corners (`numerics.md` §3.1).

use crate::geometry::scene::Geometry;
use rigy_kernel::math::Vec3;

/// Corner signs in order, then the normal: +X, −X, +Y, −Y, +Z, −Z.
const FACES: [([Vec3; 4], Vec3); 6] = [
    (
        [
            [1.0, -1.0, -1.0],
            [1.0, 1.0, -1.0],
            [1.0, 1.0, 1.0],
            [1.0, -1.0, 1.0],
        ],
        [1.0, 0.0, 0.0],
    ),
    (
        [
            [-1.0, -1.0, 1.0],
            [-1.0, 1.0, 1.0],
            [-1.0, 1.0, -1.0],
            [-1.0, -1.0, -1.0],
        ],
        [-1.0, 0.0, 0.0],
    ),
    (
        [
            [-1.0, 1.0, -1.0],
            [-1.0, 1.0, 1.0],
            [1.0, 1.0, 1.0],
            [1.0, 1.0, -1.0],
        ],
        [0.0, 1.0, 0.0],
    ),
    (
        [
            [-1.0, -1.0, 1.0],
            [-1.0, -1.0, -1.0],
            [1.0, -1.0, -1.0],
            [1.0, -1.0, 1.0],
        ],
        [0.0, -1.0, 0.0],
    ),
    (
        [
            [-1.0, -1.0, 1.0],
            [1.0, -1.0, 1.0],
            [1.0, 1.0, 1.0],
            [-1.0, 1.0, 1.0],
        ],
        [0.0, 0.0, 1.0],
    ),
    (
        [
            [1.0, -1.0, -1.0],
            [-1.0, -1.0, -1.0],
            [-1.0, 1.0, -1.0],
            [1.0, 1.0, -1.0],
        ],
        [0.0, 0.0, -1.0],
    ),
];

pub(super) fn generate(extents: Vec3, out: &mut Geometry) {
    let half = extents.map(|extent| extent / 2.0);
    for (corners, normal) in FACES {
        let first = out.positions.len() as u32;
        for corner in corners {
            // A sign times a half extent is exact.
            out.positions
                .push([0, 1, 2].map(|axis| corner[axis] * half[axis]));
            out.normals.push(normal);
        }
        out.indices
            .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
}
