//! Transforms.

use super::{Feature, Form, PLAIN_VECTOR, Record, Rule, VECTOR, nullable, required};

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
