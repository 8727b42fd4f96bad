//! Faces by their surface keys, which boxes and wedges have (`extensions.md` §3).

use std::ops::Range;

use serde::Serialize;

use rigy_kernel::math::{Vec3, dot};
use rigy_language::model::Shape;
use rigy_models::geometry::scene::PositionsSoa;

/// A face of a box or a wedge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Face {
    /// Id of the primitive.
    pub primitive_id: String,
    /// Its surface key, such as `+x`.
    pub surface_key: &'static str,
    /// Its unit normal.
    pub normal: Vec3,
    /// The plane that it lies in.
    pub plane: Plane,
}

/// A plane: the points p with n·p + d = 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Plane {
    /// The unit normal.
    pub n: Vec3,
    /// The negated distance of the plane from the origin along the normal.
    pub d: f64,
}

/// The surface keys of a shape in the order of its vertices, each with the number of its vertices; none for shapes that have no
/// flat faces of their own.
pub(super) fn surface_keys(shape: Shape) -> &'static [(&'static str, usize)] {
    match shape {
        Shape::Box => &[
            ("+x", 4),
            ("-x", 4),
            ("+y", 4),
            ("-y", 4),
            ("+z", 4),
            ("-z", 4),
        ],
        Shape::Wedge => &[("-z", 4), ("-x", 4), ("slope", 4), ("-y", 3), ("+y", 3)],
        Shape::Sphere | Shape::Cylinder | Shape::Capsule | Shape::Implicit => &[],
    }
}

/// Returns the faces of a primitive whose first vertex is `first`: each with its key and its vertices.
pub(super) fn faces(
    shape: Shape,
    first: usize,
) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    let mut next = first;
    surface_keys(shape).iter().map(move |(key, count)| {
        let start = next;
        next += count;
        (*key, start..next)
    })
}

/// Returns the normal of a face, which is that of its first vertex at unit length.
pub(super) fn normal(normals: &PositionsSoa, vertices: &Range<usize>) -> Vec3 {
    unit(normals.get(vertices.start))
}

/// Returns the plane of a face through its first vertex.
pub(super) fn plane(n: Vec3, positions: &PositionsSoa, vertices: &Range<usize>) -> Plane {
    let d = -dot(n, positions.get(vertices.start));
    Plane { n, d }
}

/// Returns a vector at unit length; one without length stays as it is.
pub(super) fn unit(v: Vec3) -> Vec3 {
    let length = length(v);
    match length > 0.0 {
        true => v.map(|component| component / length),
        false => v,
    }
}

/// Returns the length of a vector.
pub(super) fn length(v: Vec3) -> f64 {
    dot(v, v).sqrt()
}
