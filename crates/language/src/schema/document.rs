//! Documents, with poses, anchors, imports and instances (`language.md` §1.4).

use super::materials::MATERIAL;
use super::meshes::MESH;
use super::names::NameKind;
use super::rigging::{ARMATURE, BINDING};
use super::{
    ANCHORS, Feature, Form, Record, Rule, VECTOR, dependent, nullable, optional, required,
};
use crate::model::DEFAULT_PROFILE;

/// The words of the field `skinning_solver`.
pub const SOLVERS: &[&str] = &["lbs", "dqs"];
/// The words of the field `mode` of `attach3`.
pub const ATTACH_MODES: &[&str] = &["rigid", "uniform", "affine"];
/// The only word of the field `units`.
pub const UNITS: &[&str] = &["meters"];
/// The only word of the field `up`.
pub const UP: &[&str] = &["Y"];
/// The only word of the field `forward`.
pub const FORWARD: &[&str] = &["-Z"];
/// The only word of the field `handedness`.
pub const HANDEDNESS: &[&str] = &["right"];

/// A document.
pub static DOCUMENT: Record = Record {
    id: "document",
    name: "document",
    about: "A Rigy document: meshes of simple shapes, with armatures, poses, materials and parts.",
    fields: &[
        dependent("version", Form::Version, "The version of the language, in quotes."),
        dependent("rigy_version", Form::Version, "Another name for `version`; a document has one of them."),
        optional("units", Form::Word(UNITS), "The unit of lengths. There is only one."),
        optional("coordinate_system", Form::Record(&COORDINATE_SYSTEM), "The axes. There is only one system."),
        optional("tessellation_profile", Form::Known(&[DEFAULT_PROFILE]), "How finely shapes become triangles. There is only one profile."),
        nullable("skinning_solver", Form::Word(SOLVERS), "How vertices follow bones, where a binding does not say: linear blending (lbs) or dual quaternions (dqs).").since(Feature::Poses),
        optional("params", Form::Params, "Values by name. `$name` stands for the value in other places.").since(Feature::Params).only_then().keys_define(NameKind::Param),
        optional("imports", Form::Map(&Form::Record(&IMPORT)), "Other documents, by the name under which this one knows them.").keys_define(NameKind::Import),
        optional("materials", Form::Map(&Form::Record(&MATERIAL)), "Materials by id.").since(Feature::Materials).keys_define(NameKind::Material),
        optional("meshes", Form::List(&Form::Record(&MESH)), "The meshes, in the order of the output."),
        optional("armatures", Form::List(&Form::Record(&ARMATURE)), "The skeletons."),
        optional("bindings", Form::List(&Form::Record(&BINDING)), "Meshes that armatures move, with weights."),
        nullable("symmetry", Form::Record(&SYMMETRY), "Mirrors everything whose id has a prefix."),
        optional("poses", Form::List(&Form::Record(&POSE)), "Poses. Each becomes a baked file of its own.").since(Feature::Poses),
        optional("anchors", Form::List(&Form::Record(&ANCHOR)), "Named points, to which parts are attached."),
        optional("instances", Form::List(&Form::Record(&INSTANCE)), "Placed copies of imported documents or of meshes of this one."),
        optional("geometry_checks", Form::Any, "Checks of alignment for `rigy-batch inspect`. Compiling ignores them.").since(Feature::Materials),
    ],
    rules: &[Rule::ExactlyOne(&["version", "rigy_version"])],
};

/// The axes of a document.
pub static COORDINATE_SYSTEM: Record = Record {
    id: "coordinate_system",
    name: "coordinate system",
    about: "The axes: right-handed, Y up, looking along -Z.",
    fields: &[
        required("up", Form::Word(UP), "The axis that points up."),
        required(
            "forward",
            Form::Word(FORWARD),
            "The axis that points forward.",
        ),
        required(
            "handedness",
            Form::Word(HANDEDNESS),
            "The handedness of the axes.",
        ),
    ],
    rules: &[],
};

/// The field `symmetry`.
pub static SYMMETRY: Record = Record {
    id: "symmetry",
    name: "symmetry",
    about: "Mirrors everything whose id has a prefix.",
    fields: &[nullable(
        "mirror_x",
        Form::Record(&MIRROR),
        "Mirrors in the plane x = 0.",
    )],
    rules: &[],
};

/// The field `mirror_x`.
pub static MIRROR: Record = Record {
    id: "mirror",
    name: "mirror",
    about: "The prefixes of ids by which originals and their copies are known.",
    fields: &[
        required(
            "prefix_from",
            Form::Text,
            "The prefix of the ids that are mirrored.",
        ),
        required(
            "prefix_to",
            Form::Text,
            "The prefix that the copies have instead.",
        ),
    ],
    rules: &[],
};

/// A pose.
pub static POSE: Record = Record {
    id: "pose",
    name: "pose",
    about: "Where bones are and how they are turned, in the space of the model.",
    fields: &[
        required(
            "id",
            Form::Text,
            "The name of the pose, unique in the document. It becomes a part of a file name.",
        )
        .defines(NameKind::Pose),
        required(
            "bones",
            Form::Map(&Form::Record(&POSE_BONE)),
            "The transforms of bones, by bone id.",
        )
        .keys_refer(NameKind::Bone),
    ],
    rules: &[],
};

/// An entry of a pose.
pub static POSE_BONE: Record = Record {
    id: "pose_bone",
    name: "pose bone",
    about: "The transform of a bone: rigid, without scale.",
    fields: &[
        nullable(
            "rotation",
            Form::Tuple(4, &Form::Number),
            "A unit quaternion: w, x, y, z.",
        ),
        nullable(
            "translation",
            VECTOR,
            "The place of the joint in the space of the model, in metres.",
        ),
    ],
    rules: &[],
};

/// An anchor.
pub static ANCHOR: Record = Record {
    id: "anchor",
    name: "anchor",
    about: "A named point.",
    fields: &[
        required(
            "id",
            Form::Text,
            "The name of the point, unique among anchors.",
        )
        .defines(NameKind::Anchor),
        required("translation", VECTOR, "Its place, in metres."),
        nullable("scope", Form::Text, "A note for readers, without effect."),
    ],
    rules: &[],
};

/// An import.
pub static IMPORT: Record = Record {
    id: "import",
    name: "import",
    about: "Another document, as a part of this one.",
    fields: &[
        required(
            "source",
            Form::Text,
            "The path of the document, from the directory of this one.",
        )
        .path(),
        nullable(
            "contract",
            Form::Text,
            "The path of a contract that the document has to satisfy.",
        )
        .path(),
    ],
    rules: &[],
};

/// An instance.
pub static INSTANCE: Record = Record {
    id: "instance",
    name: "instance",
    about: "A placed copy of an imported document or of a mesh.",
    fields: &[
        required(
            "id",
            Form::Text,
            "The name of the instance, unique among instances.",
        )
        .defines(NameKind::Instance),
        dependent(
            "import",
            Form::Text,
            "The import that is placed; it needs an `attach3`.",
        )
        .refers(NameKind::Import),
        dependent(
            "mesh_id",
            Form::Text,
            "The mesh of this document that is placed.",
        )
        .refers(NameKind::Mesh),
        dependent(
            "attach3",
            Form::Record(&ATTACH3),
            "Where it is placed: three anchors are brought to three others.",
        ),
    ],
    rules: &[
        Rule::ExactlyOne(&["import", "mesh_id"]),
        Rule::Needs("import", "attach3"),
    ],
};

/// The field `attach3`.
pub static ATTACH3: Record = Record {
    id: "attach3",
    name: "attach3",
    about: "Brings three anchors to three others.",
    fields: &[
        required(
            "from",
            ANCHORS,
            "Three anchors of the part, such as `part.a`; of this document where a mesh is placed.",
        )
        .refers(NameKind::Anchor),
        required(
            "to",
            ANCHORS,
            "Three anchors of this document, to which the others are brought.",
        )
        .refers(NameKind::Anchor),
        required(
            "mode",
            Form::Word(ATTACH_MODES),
            "Turns and moves the part (rigid), scales it too (uniform), or scales it along the first line and across it (affine).",
        ),
    ],
    rules: &[],
};
