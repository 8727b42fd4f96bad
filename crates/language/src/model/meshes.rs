//! Meshes and the shapes and surfaces that they are made of.

use std::sync::Arc;

use super::materials::{UV_ROLE, UV_ROLES, UV_SET};
use super::{Generator, ImplicitSurface, MaterialRef, UvRole, UvSet, Vector, output_name};
use crate::parse::record::{entries, some};
use crate::parse::{Object, record};
use crate::schema::Form;
use crate::schema::names::NameKind;
use crate::version::Feature;
use rigy_base::diag::{Span, Spanned, Text};

record! {
    /// A list of primitives that become one mesh of the output.
    pub struct Mesh: MESH("mesh", "mesh") {
        /// The name by which bindings and instances know the mesh, unique among meshes.
        id: Text = required.defines(NameKind::Mesh),
        /// The name of the mesh in the output, instead of its id.
        name: Option<String> = nullable,
        /// The shapes of the mesh, in the order of its vertices.
        primitives: Vec<Primitive> = required,
        /// The material of primitives that name none.
        material: Option<MaterialRef> = nullable
            .refers(NameKind::Material)
            .since(Feature::Expressions)
            .refused_before(),
        /// Which set of texture coordinates is for what: by role, such as `albedo`.
        uv_roles: Option<Vec<UvRole>> = nullable(
            Form::Map(&Form::Record(&UV_ROLE)),
            some(entries("roles to UV sets", UvRole::read))
        ).keys_are(&UV_ROLES).since(Feature::Materials),
        /// Sets of texture coordinates, by name: `uv0`, `uv1` and so on.
        uv_sets: Option<Vec<UvSet>> = nullable(
            Form::Map(&Form::Record(&UV_SET)),
            some(entries("UV sets to generators", UvSet::read))
        ).keys_define(NameKind::UvSet).since(Feature::UvSets),
    } made {
        /// The key `uv_roles`, if the mesh has it.
        uv_roles_key: Option<Span> = |o: &Object| o.key_span("uv_roles"),
        /// The key `uv_sets`, if the mesh has it.
        uv_sets_key: Option<Span> = |o: &Object| o.key_span("uv_sets"),
    }
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

rigy_base::named! {
    /// The shapes.
    pub enum Shape {
        /// Six faces of four vertices.
        Box = "box",
        /// A sphere of 17 rows.
        Sphere = "sphere",
        /// A closed cylinder along Y.
        Cylinder = "cylinder",
        /// A cylinder along Y with half spheres; its height leaves them out.
        Capsule = "capsule",
        /// A box that is cut along a diagonal.
        Wedge = "wedge",
        /// The surface where a sum of fields has a given value.
        Implicit = "implicit_surface",
    }
}

impl Shape {
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
    pub id: Text,
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
#[derive(Clone, Debug)]
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
