//! Primitives and their dimensions (`language.md` §1.4 and §1.5).

use super::names::NameKind;
use super::preprocessed::AABB;
use super::transforms::TRANSFORM;
use super::{Feature, Form, Record, dependent, nullable, optional, required};
use crate::model::Shape;
use crate::model::surfaces::{DOMAIN, EXTRACTION, OPERATOR};

/// The fields that only an implicit surface has. The last may be left out.
pub const OF_SURFACES: [&str; 4] = ["domain", "iso", "ops", "extraction"];

/// The number of shapes up to version 0.5, which come first in [`Shape::ALL`].
pub const SHAPES_CORE: usize = 4;

/// A primitive. [`super::json`] knows how its fields depend on its type.
pub static PRIMITIVE: Record = Record {
    id: "primitive",
    name: "primitive",
    about: "A simple shape, with its size and its place.",
    fields: &[
        required("type", Form::Shape, "The shape."),
        required(
            "id",
            Form::Text,
            "The name by which weights know the primitive, unique in the mesh.",
        )
        .defines(NameKind::Primitive),
        nullable("name", Form::Text, "A note for readers, without effect."),
        dependent(
            "dimensions",
            Form::Dimensions,
            "The sizes of the shape, in metres.",
        ),
        nullable(
            "transform",
            Form::Record(&TRANSFORM),
            "Where the shape stands in its mesh; the shape's middle is at the origin without it.",
        ),
        nullable(
            "material",
            Form::Text,
            "The id of a material; up to version 0.5 any name.",
        )
        .refers(NameKind::Material),
        nullable(
            "surface",
            Form::Text,
            "A label for readers, which no output has.",
        )
        .since(Feature::Materials),
        nullable(
            "tags",
            Form::List(&Form::Text),
            "Labels that the output keeps.",
        )
        .since(Feature::Tags),
        optional(
            "aabb",
            Form::Record(&AABB),
            "Two corners of a box, instead of `dimensions` and `transform`.",
        )
        .since(Feature::Materials),
        dependent(
            "domain",
            Form::Record(&DOMAIN),
            "The box in which a surface is looked for, and its grid.",
        )
        .since(Feature::ImplicitSurfaces),
        dependent(
            "iso",
            Form::Number,
            "The value of the field at the surface.",
        )
        .since(Feature::ImplicitSurfaces),
        dependent(
            "ops",
            Form::List(&Form::Record(&OPERATOR)),
            "The fields that are summed.",
        )
        .since(Feature::ImplicitSurfaces),
        nullable(
            "extraction",
            Form::Record(&EXTRACTION),
            "How the surface becomes triangles.",
        )
        .since(Feature::ImplicitSurfaces),
    ],
    rules: &[],
};

/// The sizes of a box.
pub static BOX: Record = Record {
    id: "box_dimensions",
    name: "box",
    about: "The sizes of a box, in metres. A size that is left out is 1.",
    fields: &[
        optional("width", Form::Number, "The size along x; it wins over `x`."),
        optional(
            "height",
            Form::Number,
            "The size along y; it wins over `y`.",
        ),
        optional("depth", Form::Number, "The size along z; it wins over `z`."),
        optional("x", Form::Number, "The size along x."),
        optional("y", Form::Number, "The size along y."),
        optional("z", Form::Number, "The size along z."),
    ],
    rules: &[],
};

/// The size of a sphere.
pub static SPHERE: Record = Record {
    id: "sphere_dimensions",
    name: "sphere",
    about: "The size of a sphere, in metres.",
    fields: &[optional("radius", Form::Number, "The radius.")],
    rules: &[],
};

/// The sizes of a cylinder.
pub static CYLINDER: Record = Record {
    id: "cylinder_dimensions",
    name: "cylinder",
    about: "The sizes of a cylinder along y, in metres.",
    fields: &[
        optional("radius", Form::Number, "The radius; 0.5 if it is left out."),
        optional(
            "height",
            Form::Number,
            "The whole height; 1 if it is left out.",
        ),
    ],
    rules: &[],
};

/// The sizes of a capsule.
pub static CAPSULE: Record = Record {
    id: "capsule_dimensions",
    name: "capsule",
    about: "The sizes of a capsule along y, in metres.",
    fields: &[
        optional(
            "radius",
            Form::Number,
            "The radius; 0.25 if it is left out.",
        ),
        optional(
            "height",
            Form::Number,
            "The height of the straight part, without the half spheres; 1 if it is left out.",
        ),
    ],
    rules: &[],
};

/// The sizes of a wedge.
pub static WEDGE: Record = Record {
    id: "wedge_dimensions",
    name: "wedge",
    about: "The sizes of a wedge, in metres. A size that is left out is 1.",
    fields: &[
        optional("x", Form::Number, "The size along x."),
        optional("y", Form::Number, "The size along y."),
        optional("z", Form::Number, "The size along z."),
    ],
    rules: &[],
};

/// Returns the dimensions that a shape has; `None` for surfaces, which have none.
pub fn dimensions_of(shape: Shape) -> Option<&'static Record> {
    match shape {
        Shape::Box => Some(&BOX),
        Shape::Sphere => Some(&SPHERE),
        Shape::Cylinder => Some(&CYLINDER),
        Shape::Capsule => Some(&CAPSULE),
        Shape::Wedge => Some(&WEDGE),
        Shape::Implicit => None,
    }
}
