//! Meshes and the shapes that they are made of.

use super::{Vector, output_name};
use crate::base::diag::Spanned;

/// A list of primitives that become one glTF mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Unique among meshes.
    pub id: Spanned<String>,
    /// Output name; the id when absent or empty.
    pub name: Option<String>,
    /// Primitives in vertex order.
    pub primitives: Vec<Primitive>,
}

impl Mesh {
    /// Returns its name in output.
    pub fn output_name(&self) -> &str {
        output_name(self.name.as_deref(), &self.id)
    }
}

/// The four shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Six faces of four vertices.
    Box,
    /// A sphere of 17 rows.
    Sphere,
    /// A closed cylinder along Y.
    Cylinder,
    /// A cylinder along Y with half spheres; its height leaves them out.
    Capsule,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Box, Self::Sphere, Self::Cylinder, Self::Capsule];

    /// Returns its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Sphere => "sphere",
            Self::Cylinder => "cylinder",
            Self::Capsule => "capsule",
        }
    }
}

/// One shape with its size and place.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// Its shape.
    pub shape: Shape,
    /// Unique in its mesh.
    pub id: Spanned<String>,
    /// Sizes in metres, by authored key; every key is one that the shape has.
    pub dimensions: Vec<(String, Spanned<f64>)>,
    /// Placement in the mesh; `None` leaves the vertices as they are, signed zeros included.
    pub transform: Option<Transform>,
    /// Symbolic material name.
    pub material: Option<String>,
}

/// Rotation about fixed x, y, z, then translation.
#[derive(Clone, Debug, Default)]
pub struct Transform {
    /// Offset in metres.
    pub translation: Option<Vector>,
    /// Euler angles in radians, from either authored form.
    pub rotation: Option<Vector>,
}
