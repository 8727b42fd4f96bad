//! From a mesh of the document to merged rest geometry: each primitive tessellated, transformed
//! (§4) and appended in document order (§3.5).

use std::ops::Range;

use super::arithmetic::{Matrix, Vec3, add, matrix_product, matrix_vector};
use super::document::{Mesh, Rotation, Transform};
use super::rotations;
use super::tessellate::{Surface, surface};

/// Rest geometry in f64, and which vertices belong to which primitive id.
#[derive(Default)]
pub struct Geometry {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub indices: Vec<u32>,
    pub ranges: Vec<(String, Range<usize>)>,
    /// The indices of each primitive, in the same order.
    pub index_ranges: Vec<Range<usize>>,
}

impl Geometry {
    /// The vertices of a primitive, counted in the merged mesh.
    pub fn range(&self, primitive_id: &str) -> Range<usize> {
        let found = self.ranges.iter().find(|(id, _)| id == primitive_id);
        found.expect("a primitive of the mesh").1.clone()
    }
}

/// §3.5.
pub fn rest_geometry(mesh: &Mesh) -> Geometry {
    let mut merged = Geometry::default();
    for primitive in &mesh.primitives {
        let mut part = surface(primitive);
        if let Some(transform) = &primitive.transform {
            apply(transform, &mut part);
        }
        let first = merged.positions.len();
        let end = first + part.positions.len();
        let first_index = merged.indices.len();
        merged.positions.extend(part.positions);
        merged.normals.extend(part.normals);
        merged
            .indices
            .extend(part.indices.iter().map(|index| index + first as u32));
        merged.ranges.push((primitive.id.clone(), first..end));
        merged.index_ranges.push(first_index..merged.indices.len());
    }
    merged
}

/// §4: rotation first, on positions and normals; then translation, on positions only.
/// A part that the transform does not have is not applied, so that -0.0 survives.
fn apply(transform: &Transform, part: &mut Surface) {
    if let Some(rotation) = transform.rotation {
        let m = rotation_matrix(rotation);
        for vector in part.positions.iter_mut().chain(&mut part.normals) {
            *vector = matrix_vector(&m, vector);
        }
    }
    if let Some(translation) = transform.translation {
        for position in &mut part.positions {
            *position = add(position, &translation);
        }
    }
}

/// Whichever way it is given.
pub fn rotation_matrix(rotation: Rotation) -> Matrix<3> {
    match rotation {
        Rotation::Euler(angles) => euler_matrix(angles),
        Rotation::Quaternion(quaternion) => rotations::matrix(quaternion),
    }
}

/// §4.1: `(Rz Ry) Rx`, both of them full products.
pub fn euler_matrix([rx, ry, rz]: Vec3) -> Matrix<3> {
    let (sx, cx) = (libm::sin(rx), libm::cos(rx));
    let (sy, cy) = (libm::sin(ry), libm::cos(ry));
    let (sz, cz) = (libm::sin(rz), libm::cos(rz));
    let about_x = [[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]];
    let about_y = [[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]];
    let about_z = [[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]];
    matrix_product(&matrix_product(&about_z, &about_y), &about_x)
}
