//! Materials and texture coordinates (`extensions.md` §4 and §5), implicit surfaces, and transforms.

use super::names::NameKind;
use super::{Feature, Form, PLAIN_VECTOR, Record, Rule, VECTOR, nullable, required};
use crate::model::{Field as OperatorField, Generator};

/// The roles that sets of texture coordinates may have.
pub const UV_ROLES: [&str; 6] = [
    "albedo",
    "detail",
    "directional",
    "radial",
    "decal",
    "lightmap",
];

/// A material.
pub static MATERIAL: Record = Record {
    id: "material",
    name: "material",
    about: "A material: its colour.",
    fields: &[
        required(
            "base_color",
            Form::List(&Form::Number),
            "Red, green, blue and alpha, each from 0 to 1.",
        ),
        nullable(
            "uses_uv_roles",
            Form::List(&Form::Known(&UV_ROLES)),
            "The roles of texture coordinates that meshes with this material have to have.",
        ),
    ],
    rules: &[],
};

/// An entry of `uv_roles`.
pub static UV_ROLE: Record = Record {
    id: "uv_role",
    name: "UV role",
    about: "The set of texture coordinates for a role.",
    fields: &[
        required("set", Form::Text, "The name of the set, such as `uv0`.").refers(NameKind::UvSet),
    ],
    rules: &[],
};

/// An entry of `uv_sets`.
pub static UV_SET: Record = Record {
    id: "uv_set",
    name: "UV set",
    about: "A set of texture coordinates.",
    fields: &[required(
        "generator",
        Form::Known(&Generator::NAMES),
        "The rule that gives the coordinates.",
    )],
    rules: &[],
};

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

/// The four forms of a rotation. A transform has at most one of them.
pub const ROTATIONS: [&str; 4] = [
    "rotation_euler",
    "rotation_degrees",
    "rotation_axis_angle",
    "rotation_quat",
];

const EULER: Form = Form::Rotation(&VECTOR);
const AXIS_ANGLE_FORM: Form = Form::Rotation(&Form::Record(&AXIS_ANGLE));
const QUATERNION: Form = Form::Rotation(&Form::Tuple(4, &Form::Plain));

const ABOUT_TRANSLATION: &str = "Where the middle stands, in metres.";
const ABOUT_EULER: &str = "Angles about x, then y, then z, in radians.";
const ABOUT_DEGREES: &str = "Angles about x, then y, then z, in degrees.";
const ABOUT_AXIS_ANGLE: &str = "An axis and an angle.";
const ABOUT_QUATERNION: &str = "A quaternion: x, y, z, w.";

/// The transform of a primitive.
pub static TRANSFORM: Record = Record {
    id: "transform",
    name: "transform",
    about: "Turns a shape, then moves it.",
    fields: &[
        nullable("translation", VECTOR, ABOUT_TRANSLATION),
        nullable("rotation_euler", EULER, ABOUT_EULER),
        nullable("rotation_degrees", EULER, ABOUT_DEGREES),
        nullable("rotation_axis_angle", AXIS_ANGLE_FORM, ABOUT_AXIS_ANGLE)
            .since(Feature::Expressions)
            .refused_before(),
        nullable("rotation_quat", QUATERNION, ABOUT_QUATERNION)
            .since(Feature::Expressions)
            .refused_before(),
    ],
    rules: &[Rule::OneRotation(&["rotation_euler", "rotation_degrees"])],
};

/// The transform of an operator of a surface.
pub static OPERATOR_TRANSFORM: Record = Record {
    id: "operator_transform",
    name: "transform",
    about: "Turns and scales a field, then moves it.",
    fields: &[
        nullable("translation", VECTOR, ABOUT_TRANSLATION),
        nullable("rotation_euler", EULER, ABOUT_EULER),
        nullable("rotation_degrees", EULER, ABOUT_DEGREES),
        nullable("rotation_axis_angle", AXIS_ANGLE_FORM, ABOUT_AXIS_ANGLE),
        nullable("rotation_quat", QUATERNION, ABOUT_QUATERNION),
        nullable(
            "scale",
            VECTOR,
            "The scale along x, y and z; the three are equal.",
        ),
    ],
    rules: &[Rule::OneRotation(&["rotation_euler", "rotation_degrees"])],
};

/// The field `rotation_axis_angle`.
pub static AXIS_ANGLE: Record = Record {
    id: "rotation_axis_angle",
    name: "`rotation_axis_angle`",
    about: "An axis and an angle.",
    fields: &[
        required(
            "axis",
            PLAIN_VECTOR,
            "The axis; its length does not matter, but is not 0.",
        ),
        required("degrees", Form::Plain, "The angle in degrees."),
    ],
    rules: &[],
};
