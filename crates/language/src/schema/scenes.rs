//! Scenes (`extensions.md` §12.1) and contract files.

use super::names::NameKind;
use super::{ANCHORS, Form, Record, Rule, dependent, nullable, optional, required};

/// The only version of scenes.
pub const VERSIONS: &[&str] = &["0.1"];
/// The words of the field `rotate`.
pub const QUARTERS: &[&str] = &["0deg", "90deg", "180deg", "270deg"];

/// A scene file.
pub static SCENE_FILE: Record = Record {
    id: "scene_file",
    name: "scene file",
    about: "A Rigs scene: parts that stand on each other.",
    fields: &[
        required(
            "rigs_version",
            Form::Word(VERSIONS),
            "The version of the language of scenes, in quotes.",
        ),
        required(
            "imports",
            Form::Map(&Form::Text),
            "The paths of parts, by alias, from the directory of the scene.",
        )
        .keys_define(NameKind::Import)
        .path(),
        required("scene", Form::Record(&SCENE), "What stands on what."),
    ],
    rules: &[],
};

/// The field `scene`.
pub static SCENE: Record = Record {
    id: "scene",
    name: "scene",
    about: "The lowest part, and the parts that stand on it.",
    fields: &[
        required(
            "base",
            Form::Text,
            "The alias of the part that the others stand on.",
        )
        .refers(NameKind::Import),
        nullable(
            "children",
            Form::List(&Form::Record(&CHILD)),
            "The parts that stand on it.",
        ),
    ],
    rules: &[],
};

/// A part that stands on another.
pub static CHILD: Record = Record {
    id: "child",
    name: "child",
    about: "A part that stands on another.",
    fields: &[
        required(
            "id",
            Form::Text,
            "The name of the child, unique in the scene.",
        )
        .defines(NameKind::Child),
        required("base", Form::Text, "The alias of the part.").refers(NameKind::Import),
        required("place", Form::Record(&PLACE), "Where it stands."),
        nullable(
            "children",
            Form::List(&Form::Record(&CHILD)),
            "The parts that stand on it.",
        ),
    ],
    rules: &[],
};

/// The place of a child.
pub static PLACE: Record = Record {
    id: "place",
    name: "place",
    about: "The place of a part on another: the mount of the part is brought to the slot of the other.",
    fields: &[
        nullable("slot", Form::Record(&FRAME), "The frame of the part below."),
        nullable(
            "mount",
            Form::Record(&FRAME),
            "The frame of the part itself.",
        ),
        optional(
            "rotate",
            Form::Word(QUARTERS),
            "A turn about the axis y of the slot.",
        ),
        nullable(
            "nudge",
            Form::Record(&NUDGE),
            "Distances along the axes of the slot.",
        ),
    ],
    rules: &[],
};

/// Distances along the axes of a slot.
pub static NUDGE: Record = Record {
    id: "nudge",
    name: "nudge",
    about: "Distances along the axes of the slot, in metres or with a unit: cm, m, in or ft.",
    fields: &[
        optional("north", Form::Distance, "Along z."),
        optional("east", Form::Distance, "Along x."),
        optional("up", Form::Distance, "Along y."),
    ],
    rules: &[],
};

/// A slot or a mount.
pub static FRAME: Record = Record {
    id: "frame",
    name: "frame",
    about: "A frame: a set of the part's contract by name, or three anchors of the part.",
    fields: &[
        dependent(
            "name",
            Form::Text,
            "The name in the contract; `slots.` or `mounts.` before it can be left out.",
        )
        .refers(NameKind::Frame),
        dependent("anchors", Form::Different, "Three different anchors.").refers(NameKind::Anchor),
    ],
    rules: &[Rule::ExactlyOne(&["name", "anchors"])],
};

/// A contract.
pub static CONTRACT: Record = Record {
    id: "contract",
    name: "contract",
    about: "A Rigy contract: the anchors that a document has to have.",
    fields: &[
        required("contract_version", Form::Text, "Any text."),
        optional(
            "required_anchors",
            Form::List(&Form::Text),
            "The anchors that the document has to have.",
        )
        .refers(NameKind::Anchor),
        optional(
            "required_frame3_sets",
            Form::List(&Form::Text),
            "The names that `frame3_sets` has to have.",
        )
        .refers(NameKind::Frame),
        optional(
            "frame3_sets",
            Form::Map(&ANCHORS),
            "Three anchors each, by name, such as `slots.top`.",
        )
        .keys_define(NameKind::Frame)
        .refers(NameKind::Anchor),
    ],
    rules: &[],
};
