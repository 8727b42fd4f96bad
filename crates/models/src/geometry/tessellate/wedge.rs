//! Wedge: a box that is cut along a diagonal (`extensions.md` §3).

use crate::geometry::scene::Geometry;
use rigy_kernel::math::Vec3;

/// Corners of the faces −z, −x, slope, −y and +y, and their triangles by corner.
const FACES: [(&[usize], &[u32]); 5] = [
    (&[0, 1, 4, 3], &[0, 2, 1, 0, 3, 2]),
    (&[0, 3, 5, 2], &[0, 2, 3, 0, 1, 2]),
    (&[1, 2, 5, 4], &[0, 2, 1, 0, 3, 2]),
    (&[0, 1, 2], &[0, 1, 2]),
    (&[3, 5, 4], &[0, 1, 2]),
];

pub(super) fn generate(extents: Vec3, out: &mut Geometry) {
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
    for ((face, triangles), normal) in FACES.iter().zip(normals) {
        let first = out.positions.len() as u32;
        for corner in *face {
            out.positions.push(corners[*corner]);
            out.normals.push(normal);
        }
        out.indices
            .extend(triangles.iter().map(|corner| first + corner));
    }
}
