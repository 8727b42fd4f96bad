//! Armatures, bindings and weights (`language.md` §1.4).

use super::document::SOLVERS;
use super::names::NameKind;
use super::{Feature, Form, Record, VECTOR, nullable, optional, required};

/// The words of the field `axis` of a gradient.
pub const AXES: &[&str] = &["x", "y", "z"];

const BONE_WEIGHTS: Form = Form::List(&Form::Record(&BONE_WEIGHT));

/// An armature.
pub static ARMATURE: Record = Record {
    id: "armature",
    name: "armature",
    about: "A skeleton.",
    fields: &[
        required(
            "id",
            Form::Text,
            "The name by which bindings know the armature, unique among armatures.",
        )
        .defines(NameKind::Armature),
        nullable(
            "name",
            Form::Text,
            "The name of the skin in the output, instead of the id.",
        ),
        required(
            "bones",
            Form::List(&Form::Record(&BONE)),
            "The bones, in the order of the joints.",
        ),
    ],
    rules: &[],
};

/// A bone.
pub static BONE: Record = Record {
    id: "bone",
    name: "bone",
    about: "A bone. Its places are those of the whole model, not relative to its parent.",
    fields: &[
        required(
            "id",
            Form::Text,
            "The name of the bone, unique in the armature.",
        )
        .defines(NameKind::Bone),
        required(
            "parent",
            Form::Known(&["none"]),
            "The id of the parent; `none` for a root.",
        )
        .refers(NameKind::Bone),
        required(
            "head",
            VECTOR,
            "Where the bone begins, in metres: the place of its joint.",
        ),
        required("tail", VECTOR, "Where the bone ends, in metres."),
        optional(
            "roll",
            Form::Number,
            "A turn about the bone, which has no effect on outputs.",
        ),
    ],
    rules: &[],
};

/// A binding.
pub static BINDING: Record = Record {
    id: "binding",
    name: "binding",
    about: "A mesh that an armature moves.",
    fields: &[
        required("mesh_id", Form::Text, "The id of the mesh.").refers(NameKind::Mesh),
        required("armature_id", Form::Text, "The id of the armature.").refers(NameKind::Armature),
        optional(
            "weights",
            Form::List(&Form::Record(&PRIMITIVE_WEIGHTS)),
            "Weights of whole primitives.",
        ),
        nullable(
            "weight_maps",
            Form::List(&Form::Record(&WEIGHT_MAP)),
            "Weights of single vertices, applied after `weights`.",
        ),
        nullable(
            "skinning_solver",
            Form::Word(SOLVERS),
            "How vertices follow bones: linear blending (lbs) or dual quaternions (dqs).",
        )
        .since(Feature::Poses),
    ],
    rules: &[],
};

/// The weights of a primitive.
pub static PRIMITIVE_WEIGHTS: Record = Record {
    id: "weights",
    name: "weights entry",
    about: "One set of weights for a whole primitive.",
    fields: &[
        required("primitive_id", Form::Text, "The id of the primitive.")
            .refers(NameKind::Primitive),
        required("bones", BONE_WEIGHTS, "The bones that move it."),
    ],
    rules: &[],
};

/// The weight of a bone.
pub static BONE_WEIGHT: Record = Record {
    id: "bone_weight",
    name: "bone weight",
    about: "How much a bone moves something.",
    fields: &[
        required("bone_id", Form::Text, "The id of the bone.").refers(NameKind::Bone),
        required("weight", Form::Number, "The weight, from 0 to 1."),
    ],
    rules: &[],
};

/// A weight map.
pub static WEIGHT_MAP: Record = Record {
    id: "weight_map",
    name: "weight map",
    about: "Weights of the vertices of a primitive: by gradients, from a file, or by number.",
    fields: &[
        required("primitive_id", Form::Text, "The id of the primitive.")
            .refers(NameKind::Primitive),
        nullable(
            "gradients",
            Form::List(&Form::Record(&GRADIENT)),
            "Ramps along axes.",
        ),
        nullable(
            "overrides",
            Form::List(&Form::Record(&VERTEX_OVERRIDE)),
            "Weights of single vertices.",
        ),
        nullable(
            "source",
            Form::Text,
            "The path of a weight file, from the directory of the document.",
        )
        .path(),
    ],
    rules: &[],
};

/// A gradient.
pub static GRADIENT: Record = Record {
    id: "gradient",
    name: "gradient",
    about: "A ramp of weights along an axis of the mesh.",
    fields: &[
        required("axis", Form::Word(AXES), "The axis."),
        required(
            "range",
            Form::Tuple(2, &Form::Number),
            "Where the ramp begins and ends, in metres, the smaller number first.",
        ),
        required(
            "from",
            Form::OneOrMore(&BONE_WEIGHT),
            "The weights at the beginning and before it.",
        ),
        required(
            "to",
            Form::OneOrMore(&BONE_WEIGHT),
            "The weights at the end and beyond it.",
        ),
    ],
    rules: &[],
};

/// Weights of single vertices.
pub static VERTEX_OVERRIDE: Record = Record {
    id: "vertex_override",
    name: "vertex override",
    about: "One set of weights for some vertices of a primitive.",
    fields: &[
        required(
            "vertices",
            Form::List(&Form::Vertex),
            "The numbers of the vertices in the primitive, from 0.",
        ),
        required("bones", BONE_WEIGHTS, "The bones that move them."),
    ],
    rules: &[],
};
