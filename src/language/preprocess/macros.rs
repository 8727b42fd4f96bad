//! Macros among the primitives of a mesh, and the values that they read (`extensions.md` §2.10, §2.11).

use super::budget::{self, Amount};
use super::draft::Draft;
use super::{Rotations, decompose, prism};
use crate::base::diag::{Code, Diagnostic, Span};
use crate::language::yaml::{Entry, Kind, NodeId, Step, is_identifier};

pub(super) type Result<T> = std::result::Result<T, Diagnostic>;

/// A primitive that a macro makes.
pub(super) struct Made {
    pub shape: &'static str,
    pub id: String,
    pub dimensions: [(&'static str, f64); 3],
    /// The quaternion x, y, z, w, if it is rotated.
    pub rotation: Option<[f64; 4]>,
    pub translation: [f64; 3],
}

/// Writes out all macros in their places.
///
/// # Errors
/// Reports the first fault of each macro, and U10 for limits.
pub(super) fn expand(rotations: Rotations, draft: &mut Draft<'_>) {
    let mut total = budget::of_document(&draft.tree);
    for (mesh, list) in draft.primitive_lists() {
        let items = draft.items(list).to_vec();
        if !items
            .iter()
            .any(|item| draft.find(*item, "macro").is_some())
        {
            continue;
        }
        let mut expanded = Vec::with_capacity(items.len());
        for item in items {
            let Some(name) = draft.value(item, "macro") else {
                expanded.push(item);
                continue;
            };
            let made = match draft.kind(name) {
                Kind::Str(text) if text == "box_decompose" => decompose::boxes(item, mesh, draft),
                Kind::Str(text) if text == "triangle_prism_on_plane" => {
                    prism::wedge(item, rotations, draft).map(|made| vec![made])
                }
                other => {
                    let message = format!("there is no macro like {}", other.describe());
                    let help = "the macros are `box_decompose` and `triangle_prism_on_plane`";
                    Err(Diagnostic::new(Code::U10, draft.span(name), message).help(help))
                }
            };
            let checked = made.and_then(|made| {
                total = total.plus(amount(&made, item, draft));
                match total.excess() {
                    Some(excess) => Err(Diagnostic::new(Code::U10, draft.span(item), excess)),
                    None => Ok(made),
                }
            });
            match checked {
                Ok(made) => expanded.extend(made.into_iter().map(|made| add(made, item, draft))),
                Err(error) => draft.report(error),
            }
        }
        draft.tree.node_mut(list).kind = Kind::Seq(expanded);
    }
}

/// Returns at most what the primitives add to the document.
fn amount(made: &[Made], item: NodeId, draft: &Draft<'_>) -> Amount {
    let shared: u64 = ["material", "surface"]
        .iter()
        .filter_map(|key| match draft.kind(draft.value(item, key)?) {
            Kind::Str(text) => Some(text.len() as u64),
            _ => None,
        })
        .sum();
    let tags = draft
        .value(item, "tags")
        .map_or(0, |tags| draft.items(tags).len() as u64 + 1);
    let ids: u64 = made.iter().map(|made| made.id.len() as u64).sum();
    let count = made.len() as u64;
    Amount {
        nodes: count.saturating_mul(14 + tags),
        text: ids + count.saturating_mul(100 + shared),
    }
}

/// Adds the primitive to the tree. Labels that the macro has, it has too; their nodes are shared.
fn add(made: Made, item: NodeId, draft: &mut Draft<'_>) -> NodeId {
    let at = draft.span(item);
    let step = Step::Macro {
        id: made.id.clone(),
        at,
    };
    let span = draft.made(at, step);
    let mut fields: Vec<(&'static str, NodeId)> = Vec::new();
    fields.push(("type", draft.add(span, Kind::Str(made.shape.into()))));
    // The id of the macro is what a finding about the id of the primitive underlines.
    let id = draft.value(item, "id").map_or(at, |id| draft.span(id));
    let id = Span {
        via: span.via,
        ..id
    };
    fields.push(("id", draft.add(id, Kind::Str(made.id.into()))));
    let sizes = made.dimensions.map(|(key, size)| {
        let size = draft.add(span, Kind::Float(size));
        Draft::entry(key, span, size)
    });
    fields.push(("dimensions", draft.add(span, Kind::Map(sizes.into()))));
    let mut transform = Vec::new();
    if let Some(quaternion) = made.rotation {
        let value = draft.add_numbers(span, &quaternion);
        transform.push(Draft::entry("rotation_quat", span, value));
    }
    let translation = draft.add_numbers(span, &made.translation);
    transform.push(Draft::entry("translation", span, translation));
    fields.push(("transform", draft.add(span, Kind::Map(transform))));
    let labels: [&'static str; 3] = match made.shape {
        "box" => ["tags", "surface", "material"],
        _ => ["material", "tags", "surface"],
    };
    for key in labels {
        let value = draft.value(item, key);
        fields.extend(
            value
                .filter(|v| !is_empty(*v, draft))
                .map(|value| (key, value)),
        );
    }
    let entries = fields
        .into_iter()
        .map(|(key, value)| Draft::entry(key, span, value));
    let entries: Vec<Entry<'_>> = entries.collect();
    draft.add(span, Kind::Map(entries))
}

/// Returns true for null and for an empty list.
fn is_empty(id: NodeId, draft: &Draft<'_>) -> bool {
    match draft.kind(id) {
        Kind::Null => true,
        Kind::Seq(items) => items.is_empty(),
        _ => false,
    }
}

/// Returns an error without a code of its own about a value.
pub(super) fn fault(id: NodeId, message: impl Into<String>, draft: &Draft<'_>) -> Diagnostic {
    Diagnostic::new(Code::U10, draft.span(id), message)
}

/// Reports the first key of a mapping that is not a field.
pub(super) fn check_fields(
    id: NodeId,
    name: &str,
    fields: &[&str],
    draft: &Draft<'_>,
) -> Result<()> {
    let Kind::Map(entries) = draft.kind(id) else {
        let found = draft.kind(id).describe();
        return Err(fault(
            id,
            format!("{name} is a mapping, not {found}"),
            draft,
        ));
    };
    match entries.iter().find(|entry| !fields.contains(&&*entry.key)) {
        None => Ok(()),
        Some(entry) => {
            let code = draft.version.unknown_field();
            let message = format!("{name} has no field `{}`", entry.key);
            let error = Diagnostic::new(code, entry.key_span, message);
            let near = draft.findings.nearest(&entry.key, fields.iter().copied());
            Err(match near {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error,
            })
        }
    }
}

/// Returns the value of a field that must be there.
pub(super) fn required(id: NodeId, name: &str, field: &str, draft: &Draft<'_>) -> Result<NodeId> {
    draft.value(id, field).ok_or_else(|| {
        let message = format!("{name} has no `{field}`");
        Diagnostic::new(Code::V34, draft.span(id), message)
    })
}

/// Reads a number: an integer or a float, which may be infinite or not a number (`extensions.md` §2.1).
pub(super) fn number(id: NodeId, draft: &Draft<'_>) -> Result<f64> {
    match draft.kind(id) {
        Kind::Int(int) => Ok(int.nearest),
        Kind::Float(value) => Ok(*value),
        other => Err(fault(
            id,
            format!("expected a number, found {}", other.describe()),
            draft,
        )),
    }
}

/// Reads a number that is finite.
pub(super) fn finite(id: NodeId, draft: &Draft<'_>) -> Result<f64> {
    match number(id, draft)? {
        value if value.is_finite() => Ok(value),
        value => Err(fault(
            id,
            format!("expected a finite number, found {value}"),
            draft,
        )),
    }
}

/// Reads a number that is finite and positive.
pub(super) fn positive(id: NodeId, draft: &Draft<'_>) -> Result<f64> {
    match finite(id, draft)? {
        value if value > 0.0 => Ok(value),
        value => Err(fault(
            id,
            format!("expected a number above 0, found {value}"),
            draft,
        )),
    }
}

/// Reads a list of `N` finite numbers.
pub(super) fn numbers<const N: usize>(id: NodeId, draft: &Draft<'_>) -> Result<[f64; N]> {
    let items: [NodeId; N] = draft.items(id).try_into().map_err(|_| {
        let found = draft.kind(id).describe();
        fault(
            id,
            format!("expected a list of {N} numbers, found {found}"),
            draft,
        )
    })?;
    let mut values = [0.0; N];
    for (value, item) in values.iter_mut().zip(items) {
        *value = finite(item, draft)?;
    }
    Ok(values)
}

/// Reads an id, which the ids of primitives begin with.
pub(super) fn identifier(id: NodeId, draft: &Draft<'_>) -> Result<String> {
    match draft.kind(id) {
        Kind::Str(text) if is_identifier(text) => Ok(text.clone().into_owned()),
        other => {
            let message = format!(
                "expected an id of ASCII letters, digits and `_`, no digit first, found {}",
                other.describe()
            );
            Err(fault(id, message, draft))
        }
    }
}

/// Checks the labels that are copied to every primitive: `tags` is a list.
pub(super) fn check_labels(item: NodeId, draft: &Draft<'_>) -> Result<()> {
    match draft.value(item, "tags") {
        Some(tags) if !matches!(draft.kind(tags), Kind::Null | Kind::Seq(_)) => {
            let found = draft.kind(tags).describe();
            Err(fault(
                tags,
                format!("expected a list of tags, found {found}"),
                draft,
            ))
        }
        _ => Ok(()),
    }
}
