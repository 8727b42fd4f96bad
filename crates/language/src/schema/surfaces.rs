//! Implicit surfaces (`extensions.md` §8.1).

use super::transforms::OPERATOR_TRANSFORM;
use super::{Form, Record, VECTOR, nullable, required};
use crate::model::Field as OperatorField;

/// The words of the field `op`.
pub const OPERATIONS: &[&str] = &["add", "subtract"];

/// The only algorithm that makes triangles of a surface.
pub const ALGORITHM: &str = "marching_cubes@1";

/// The box in which a surface is looked for.
pub static DOMAIN: Record = Record {
    id: "domain",
    name: "domain",
    about: "The box in which a surface is looked for, and its grid.",
    fields: &[
        required("aabb", Form::Record(&BOUNDS), "Two corners of the box."),
        required("grid", Form::Record(&GRID), "The numbers of samples."),
    ],
    rules: &[],
};

/// The corners of a domain.
pub static BOUNDS: Record = Record {
    id: "domain_aabb",
    name: "box of a domain",
    about: "Two corners of the box in which a surface is looked for.",
    fields: &[
        required(
            "min",
            VECTOR,
            "The corner with the smallest coordinates, in metres.",
        ),
        required(
            "max",
            VECTOR,
            "The corner with the largest coordinates, in metres.",
        ),
    ],
    rules: &[],
};

/// The grid of a domain.
pub static GRID: Record = Record {
    id: "grid",
    name: "grid",
    about: "The numbers of samples along the axes, at least 2 each.",
    fields: &[
        required("nx", Form::Whole, "The number of samples along x."),
        required("ny", Form::Whole, "The number of samples along y."),
        required("nz", Form::Whole, "The number of samples along z."),
    ],
    rules: &[],
};

/// The field `extraction`.
pub static EXTRACTION: Record = Record {
    id: "extraction",
    name: "extraction",
    about: "How a surface becomes triangles.",
    fields: &[nullable(
        "algorithm",
        Form::Known(&[ALGORITHM]),
        "The algorithm. There is only one.",
    )],
    rules: &[],
};

/// An operator.
pub static OPERATOR: Record = Record {
    id: "operator",
    name: "operator",
    about: "A field that is added to the sum, or subtracted from it.",
    fields: &[
        required(
            "op",
            Form::Word(OPERATIONS),
            "Whether the field is added or subtracted.",
        ),
        required(
            "field",
            Form::Known(&OperatorField::NAMES),
            "The kind of field.",
        ),
        required("strength", Form::Number, "The greatest value of the field."),
        required("radius", Form::Number, "The radius, in metres."),
        nullable(
            "height",
            Form::Number,
            "The length of a capsule, in metres; spheres ignore it.",
        ),
        nullable(
            "transform",
            Form::Record(&OPERATOR_TRANSFORM),
            "Where the field stands.",
        ),
    ],
    rules: &[],
};
