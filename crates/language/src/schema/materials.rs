//! Materials and texture coordinates (`extensions.md` §4 and §5).

use super::{Form, Record, nullable, required};
use crate::model::Generator;

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
            Form::List(&Form::Text),
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
    fields: &[required(
        "set",
        Form::Text,
        "The name of the set, such as `uv0`.",
    )],
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
