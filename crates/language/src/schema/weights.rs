//! Weight files (`language.md` §5.2). They are JSON, and keys besides these are ignored.

use super::names::NameKind;
use super::{Form, Record, optional, required};

/// A weight file.
pub static WEIGHT_FILE: Record = Record {
    id: "weight_file",
    name: "weight file",
    about: "A Rigy weight file: the weights of vertices of one primitive.",
    fields: &[
        required("primitive_id", Form::Text, "The id of the primitive.")
            .refers(NameKind::Primitive),
        required("vertex_count", Form::Count, "The number of its vertices."),
        optional(
            "influences",
            Form::List(&Form::Record(&ENTRY)),
            "The vertices and the bones that move them.",
        ),
    ],
    rules: &[],
};

/// The key that some texts use for `influences`. Files that have it are refused.
pub const MISNAMED: &str = "weights";

/// An entry of `influences`.
pub static ENTRY: Record = Record {
    id: "influence",
    name: "entry of `influences`",
    about: "A vertex and the bones that move it. Of two entries for one vertex the later counts.",
    fields: &[
        required("vertex", Form::Count, "The number of the vertex, from 0."),
        required(
            "bones",
            Form::List(&Form::Record(&BONE)),
            "The bones that move it.",
        ),
    ],
    rules: &[],
};

/// A bone of an entry.
pub static BONE: Record = Record {
    id: "influence_bone",
    name: "bone",
    about: "How much a bone moves the vertex.",
    fields: &[
        required("bone_id", Form::Text, "The id of the bone.").refers(NameKind::Bone),
        required("weight", Form::Fraction, "The weight, from 0 to 1."),
    ],
    rules: &[],
};
