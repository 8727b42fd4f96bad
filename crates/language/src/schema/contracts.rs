//! Contracts (`language.md` §4.2).

use super::names::NameKind;
use super::{ANCHORS, Form, Record, optional, required};

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
