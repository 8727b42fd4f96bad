//! Mappings that preprocessing writes out: repeats, boxes by their corners and macros (`extensions.md` §2).

use super::names::NameKind;
use super::{Feature, Form, PLAIN_VECTOR, Record, Rule, nullable, optional, required};

/// The name of the macro that makes a wall.
pub const BOX_DECOMPOSE_NAME: &str = "box_decompose";
/// The name of the macro that makes a wedge on a plane.
pub const PRISM_NAME: &str = "triangle_prism_on_plane";
/// The words of the field `axis` of a wall.
pub const WALL_AXES: &[&str] = &["x", "z"];
/// The words of the field `offset_mode` of a wall.
pub const OFFSET_MODES: &[&str] = &["centerline", "neg_face", "pos_face"];

const ABOUT_MACRO: &str = "The name of the macro.";
const ABOUT_MATERIAL: &str = "The material of what the macro makes.";
const ABOUT_SURFACE: &str = "A label of what the macro makes.";
const ABOUT_TAGS: &str = "Labels of what the macro makes.";

/// The value of `repeat`.
pub static REPEAT: Record = Record {
    id: "repeat",
    name: "repeat",
    about: "Copies of a mapping in the place of this item.",
    fields: &[
        required("count", Form::Repetitions, "How many copies there are."),
        required(
            "as",
            Form::Token,
            "The name of the token: with `as: i`, `${i}` becomes 0, 1, 2 and so on.",
        ),
        required("body", Form::Body, "The mapping that is copied."),
    ],
    rules: &[],
};

/// The corners of a box.
pub static AABB: Record = Record {
    id: "box_aabb",
    name: "box.aabb",
    about: "Two corners of a box, instead of `dimensions` and `transform`.",
    fields: &[
        required(
            "min",
            PLAIN_VECTOR,
            "The corner with the smallest coordinates, in metres.",
        ),
        required(
            "max",
            PLAIN_VECTOR,
            "The corner with the largest coordinates, in metres.",
        ),
    ],
    rules: &[],
};

/// A wall with openings.
pub static BOX_DECOMPOSE: Record = Record {
    id: "box_decompose",
    name: BOX_DECOMPOSE_NAME,
    about: "A wall with openings, which becomes boxes.",
    fields: &[
        required("macro", Form::Word(&[BOX_DECOMPOSE_NAME]), ABOUT_MACRO),
        optional(
            "mesh",
            Form::OwnMesh,
            "The id of the mesh that the macro stands in. It can be left out.",
        )
        .refers(NameKind::Mesh),
        required(
            "id",
            Form::Identifier,
            "The beginning of the ids of the boxes.",
        )
        .defines(NameKind::Primitive),
        required(
            "axis",
            Form::Word(WALL_AXES),
            "The axis along which the wall goes.",
        ),
        required(
            "span",
            Form::Tuple(2, &Form::Plain),
            "Where the wall begins and ends along its axis, in metres.",
        ),
        optional(
            "base_y",
            Form::Plain,
            "The height at which the wall begins, in metres; 0 if it is left out.",
        ),
        required(
            "height",
            Form::Positive,
            "The height of the wall, in metres.",
        ),
        required(
            "thickness",
            Form::Positive,
            "The thickness of the wall, in metres.",
        ),
        optional(
            "offset",
            Form::Plain,
            "The distance of the wall from its axis, in metres; 0 if it is left out.",
        ),
        nullable(
            "offset_mode",
            Form::Word(OFFSET_MODES),
            "Which part of the wall stands on its axis, instead of an `offset`.",
        )
        .since(Feature::Expressions)
        .refused_before(),
        nullable("material", Form::Text, ABOUT_MATERIAL).refers(NameKind::Material),
        nullable("surface", Form::Text, ABOUT_SURFACE),
        nullable("tags", Form::List(&Form::Text), ABOUT_TAGS).since(Feature::Tags),
        optional(
            "cutouts",
            Form::List(&Form::Record(&CUTOUT)),
            "The openings.",
        ),
    ],
    rules: &[Rule::AtMostOne(&["offset", "offset_mode"])],
};

/// An opening of a wall.
pub static CUTOUT: Record = Record {
    id: "cutout",
    name: "a cutout",
    about: "An opening of a wall.",
    fields: &[
        // A missing id is F116.
        required(
            "id",
            Form::Identifier,
            "A part of the ids of the boxes above and below.",
        ),
        required(
            "span",
            Form::Tuple(2, &Form::Plain),
            "Where the opening begins and ends along the axis, in metres.",
        ),
        optional(
            "bottom",
            Form::Plain,
            "The height at which the opening begins, above the base of the wall; 0 if it is left out.",
        ),
        optional(
            "top",
            Form::Plain,
            "The height at which the opening ends; that of the wall if it is left out.",
        ),
    ],
    rules: &[],
};

/// A wedge on a plane.
pub static PRISM: Record = Record {
    id: "triangle_prism_on_plane",
    name: PRISM_NAME,
    about: "A wedge that stands on a plane.",
    fields: &[
        required("macro", Form::Word(&[PRISM_NAME]), ABOUT_MACRO)
            .since(Feature::Expressions)
            .refused_before(),
        required("id", Form::Identifier, "The id of the wedge.").defines(NameKind::Primitive),
        required(
            "plane",
            Form::Record(&PLANE),
            "The plane on which it stands.",
        ),
        required(
            "leg_p",
            PLAIN_VECTOR,
            "One leg of the triangle, in metres; it lies in the plane.",
        ),
        required("leg_q", PLAIN_VECTOR, "The other leg."),
        required(
            "length",
            Form::Positive,
            "The height above the plane, in metres.",
        ),
        nullable("material", Form::Text, ABOUT_MATERIAL).refers(NameKind::Material),
        nullable("tags", Form::List(&Form::Text), ABOUT_TAGS),
        nullable("surface", Form::Text, ABOUT_SURFACE),
    ],
    rules: &[],
};

/// A plane.
pub static PLANE: Record = Record {
    id: "plane",
    name: "a plane",
    about: "A plane.",
    fields: &[
        required(
            "origin",
            PLAIN_VECTOR,
            "The corner of the triangle between its legs, in metres.",
        ),
        required(
            "normal",
            PLAIN_VECTOR,
            "The direction in which the wedge stands on the plane.",
        ),
    ],
    rules: &[],
};
