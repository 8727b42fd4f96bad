//! Words for messages and advice about fields.

use crate::model::Shape;

/// Returns a noun with its article.
pub(super) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

/// Splits a key that contains its value, such as `mode:rigid` or `weight 0.5`, into a field and the value.
pub(super) fn glued<'k>(key: &'k str, fields: &[&str]) -> Option<(&'k str, &'k str)> {
    let (field, value) = key.split_once([':', '=', ' '])?;
    let value = value.trim_start_matches([':', '=', ' ']);
    (fields.contains(&field.trim_end()) && !value.is_empty()).then_some((field.trim_end(), value))
}

/// Returns advice for a missing field, with examples of its values.
pub(super) fn example(field: &str) -> Option<String> {
    let example = match field {
        "parent" => ROOT_BONE,
        "mode" => "one of `mode: rigid`, `mode: uniform` and `mode: affine`",
        "axis" => "one of `axis: x`, `axis: y` and `axis: z`",
        "range" => "such as `range: [0.0, 1.0]`, in metres",
        "type" => return Some(shapes()),
        "dimensions" => {
            "such as `dimensions: {x: 1, y: 1, z: 1}` for a box, or `dimensions: {radius: 0.5}` for a sphere"
        }
        "attach3" => {
            "three anchors `from` the part and three of this document `to` bring them, with a `mode`"
        }
        _ => return None,
    };
    Some(example.to_owned())
}

/// Returns the names of all shapes as advice.
fn shapes() -> String {
    let names = Shape::NAMES.map(|name| format!("`{name}`"));
    let (last, others) = names.split_last().expect("there are shapes");
    format!("one of {} and {last}", others.join(", "))
}

/// Advice about `scale` in an entry of a pose (amendment 0.5, section 4).
pub(super) const RIGID_BONES: &str =
    "bone transforms are rigid: `rotation` and `translation` only, no scale";

/// Advice about the parent of a root bone.
pub(super) const ROOT_BONE: &str = "a bone without a parent says `parent: none`";
