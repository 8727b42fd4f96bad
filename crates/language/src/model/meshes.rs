//! Meshes and the shapes and surfaces that they are made of.

use std::sync::Arc;

use super::{Generator, MaterialRef, Uv, Vector, output_name};
use crate::base::diag::{Span, Spanned};
use crate::version::Feature;

/// A list of primitives that become one glTF mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Unique among meshes.
    pub id: Spanned<String>,
    /// Output name; the id when absent or empty.
    pub name: Option<String>,
    /// Primitives in vertex order.
    pub primitives: Vec<Primitive>,
    /// The material of primitives without one of their own (from 0.12 on).
    pub material: Option<MaterialRef>,
    /// UV roles and sets (from 0.7 and 0.8 on).
    pub uv: Uv,
}

impl Mesh {
    /// Returns its name in output.
    pub fn output_name(&self) -> &str {
        output_name(self.name.as_deref(), &self.id)
    }

    /// Returns the material of a primitive: its own, else that of the mesh.
    pub fn material_of<'a>(&'a self, primitive: &'a Primitive) -> Option<&'a MaterialRef> {
        primitive.material.as_ref().or(self.material.as_ref())
    }
}

/// The shapes.
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
    /// A box that is cut along a diagonal.
    Wedge,
    /// The surface where a sum of fields has a given value.
    Implicit,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 6] = [
        Self::Box,
        Self::Sphere,
        Self::Cylinder,
        Self::Capsule,
        Self::Wedge,
        Self::Implicit,
    ];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 6] = {
        let mut names = [""; 6];
        let mut at = 0;
        while at < 6 {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Returns its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Sphere => "sphere",
            Self::Cylinder => "cylinder",
            Self::Capsule => "capsule",
            Self::Wedge => "wedge",
            Self::Implicit => "implicit_surface",
        }
    }

    /// Returns the feature of the language that it belongs to; `None` if all versions have it.
    pub fn feature(self) -> Option<Feature> {
        match self {
            Self::Box | Self::Sphere | Self::Cylinder | Self::Capsule => None,
            Self::Wedge => Some(Feature::Wedge),
            Self::Implicit => Some(Feature::ImplicitSurfaces),
        }
    }

    /// Returns true if a UV generator is for this shape.
    pub fn takes(self, generator: Generator) -> bool {
        match generator {
            Generator::PlanarXy => self != Self::Implicit,
            Generator::BoxProject => self == Self::Box,
            Generator::SphereLatLong => self == Self::Sphere,
            Generator::Cylindrical => self == Self::Cylinder,
            Generator::CapsuleLatLong => self == Self::Capsule,
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
    /// The surface, for the shape [`Shape::Implicit`]; `None` for all others.
    pub surface: Option<Arc<ImplicitSurface>>,
    /// Sizes in metres, by authored key; every key is one that the shape has.
    pub dimensions: Vec<(&'static str, Spanned<f64>)>,
    /// Placement in the mesh; `None` leaves the vertices as they are, signed zeros included.
    pub transform: Option<Transform>,
    /// Its material: a name of any kind up to 0.5, an id of a table from 0.6 on.
    pub material: Option<MaterialRef>,
    /// Labels that output keeps (from 0.11 on).
    pub tags: Vec<String>,
    /// The key `tags`, if the list is not empty.
    pub tags_key: Option<Span>,
    /// True if a macro made it.
    pub is_from_macro: bool,
}

/// Rotation, then translation.
#[derive(Clone, Debug, Default)]
pub struct Transform {
    /// Offset in metres.
    pub translation: Option<Vector>,
    /// The rotation.
    pub rotation: Option<Orientation>,
}

/// The rotation of a primitive.
#[derive(Clone, Copy, Debug)]
pub enum Orientation {
    /// Angles in radians about fixed x, then y, then z, as written (up to 0.11).
    Euler(Vector),
    /// The same, in radians as well, from angles that are written in degrees.
    EulerOfDegrees(Vector),
    /// A canonical quaternion x, y, z, w, from any authored form (from 0.12 on).
    Quaternion([Spanned<f64>; 4]),
}

/// A surface that is given by fields on a grid.
#[derive(Clone, Debug)]
pub struct ImplicitSurface {
    /// The corner of its domain with the smallest coordinates, in metres.
    pub min: Vector,
    /// The corner with the largest.
    pub max: Vector,
    /// The numbers of samples along x, y and z: whole numbers, at least 2 in a checked document.
    pub samples: [Spanned<f64>; 3],
    /// The value of the field at the surface.
    pub iso: Spanned<f64>,
    /// The operators, in the order in which they are summed.
    pub operators: Spanned<Vec<Operator>>,
    /// The name of the algorithm, if the document says one.
    pub algorithm: Option<Spanned<String>>,
}

/// One summand of the field of a surface.
#[derive(Clone, Debug)]
pub struct Operator {
    /// True if the summand is subtracted.
    pub is_subtracted: bool,
    /// The name of its field, such as `metaball_sphere@1`.
    pub field: Spanned<String>,
    /// Its greatest value.
    pub strength: Spanned<f64>,
    /// Its radius in metres.
    pub radius: Spanned<f64>,
    /// The length of a capsule in metres; ignored by spheres.
    pub height: Option<Spanned<f64>>,
    /// Its place; `None` if it has no transform.
    pub transform: Option<OperatorTransform>,
    /// The span of the whole operator.
    pub span: Span,
}

/// The place of an operator in the space of its surface.
#[derive(Clone, Debug, Default)]
pub struct OperatorTransform {
    /// Offset in metres.
    pub translation: Option<Vector>,
    /// The rotation.
    pub rotation: Option<Orientation>,
    /// The scale along x, y and z, which are equal in a checked document.
    pub scale: Option<Vector>,
}

/// The fields of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A ball that becomes less quadratically.
    MetaballSphere,
    /// A capsule that becomes less quadratically.
    MetaballCapsule,
    /// A ball that becomes less linearly.
    SdfSphere,
    /// A capsule that becomes less linearly.
    SdfCapsule,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 4] = [
        Self::MetaballSphere,
        Self::MetaballCapsule,
        Self::SdfSphere,
        Self::SdfCapsule,
    ];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 4] = {
        let mut names = [""; 4];
        let mut at = 0;
        while at < 4 {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Returns its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MetaballSphere => "metaball_sphere@1",
            Self::MetaballCapsule => "metaball_capsule@1",
            Self::SdfSphere => "sdf_sphere@1",
            Self::SdfCapsule => "sdf_capsule@1",
        }
    }

    /// Returns the field of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Returns true for capsules, which need a height.
    pub fn is_capsule(self) -> bool {
        matches!(self, Self::MetaballCapsule | Self::SdfCapsule)
    }
}
