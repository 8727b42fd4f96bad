//! Macros among the primitives of a mesh, and the values that they read (`extensions.md` §2.10, §2.11).

use super::budget::{self, Amount};
use super::draft::Draft;
use super::values::Made;
use super::{decompose, prism};
use crate::schema::preprocessed::{BOX_DECOMPOSE_NAME, PRISM_NAME};
use crate::yaml::{Kind, NodeId, Step};
use rigy_base::diag::{Code, Diagnostic, Span};

/// Writes out all macros in their places.
///
/// # Errors
/// Reports the first fault of each macro, and U10 for limits.
pub fn expand(draft: &mut Draft) {
    let (mut total, mut is_full) = (budget::of_document(&draft.tree), false);
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
                Kind::Str(text) if text == BOX_DECOMPOSE_NAME => {
                    decompose::boxes(item, mesh, draft)
                }
                Kind::Str(text) if text == PRISM_NAME => {
                    prism::wedge(item, draft).map(|made| vec![made])
                }
                other => {
                    let message = format!("there is no macro like {}", other.describe());
                    let help = "the macros are `box_decompose` and `triangle_prism_on_plane`";
                    Err(Diagnostic::new(Code::U10, draft.span(name), message).help(help))
                }
            };
            let checked = made.and_then(|made| {
                // The primitives take the place of the macro.
                total = total.minus(budget::of_node(&draft.tree, item));
                total = total.plus(amount(&made, item, draft));
                is_full = total.excess().is_some();
                match total.excess() {
                    Some(excess) => Err(Diagnostic::new(Code::U10, draft.span(item), excess)),
                    None => Ok(made),
                }
            });
            match checked {
                Ok(made) => expanded.extend(made.into_iter().map(|made| add(made, item, draft))),
                Err(error) => draft.report(error),
            }
            if is_full {
                return;
            }
        }
        draft.tree.node_mut(list).kind = Kind::Seq(expanded.into());
    }
}

/// Returns what the primitives add to the document: the values that [`add`] makes, and about as much text.
fn amount(made: &[Made], item: NodeId, draft: &Draft) -> Amount {
    let shared: u64 = ["material", "surface"]
        .iter()
        .filter_map(|key| match draft.kind(draft.value(item, key)?) {
            Kind::Str(text) => Some(text.len() as u64),
            _ => None,
        })
        .sum();
    let labels: u64 = ["material", "surface", "tags"]
        .map(|key| draft.value(item, key))
        .into_iter()
        .flatten()
        .filter(|label| !is_empty(*label, draft))
        .map(|label| 1 + draft.items(label).len() as u64)
        .sum();
    // The mapping, type and id, four values of dimensions, five of the transform, and five of a rotation.
    let values = |made: &Made| 12 + if made.rotation.is_some() { 5 } else { 0 } + labels;
    let ids: u64 = made.iter().map(|made| made.id.len() as u64).sum();
    let count = made.len() as u64;
    Amount {
        nodes: made.iter().map(values).sum(),
        text: ids + count.saturating_mul(100 + shared),
    }
}

/// Adds the primitive to the tree. Labels that the macro has, it has too; their nodes are shared.
fn add(made: Made, item: NodeId, draft: &mut Draft) -> NodeId {
    let at = draft.span(item);
    let step = Step::Macro {
        id: made.id.clone(),
        at,
    };
    let span = draft.made(at, step);
    let shape = draft.add(span, Kind::Str(made.shape.into()));
    // The id of the macro is what a finding about the id of the primitive underlines.
    let id = draft.value(item, "id").map_or(at, |id| draft.span(id));
    let via = span.via;
    let id = draft.add(Span { via, ..id }, Kind::Str(made.id.into()));
    let sizes = draft.add_sizes(span, made.dimensions);
    let mut transform = Vec::new();
    if let Some(quaternion) = made.rotation {
        let value = draft.add_numbers(span, &quaternion);
        transform.push(Draft::entry("rotation_quat", span, value));
    }
    let translation = draft.add_numbers(span, &made.translation);
    transform.push(Draft::entry("translation", span, translation));
    let transform = draft.add(span, Kind::Map(transform));
    let entry = |(key, value)| Draft::entry(key, span, value);
    let mut entries = vec![
        entry(("type", shape)),
        entry(("id", id)),
        entry(("dimensions", sizes)),
        entry(("transform", transform)),
    ];
    let labels: [&'static str; 3] = match made.shape {
        "box" => ["tags", "surface", "material"],
        _ => ["material", "tags", "surface"],
    };
    let labels = labels
        .into_iter()
        .filter_map(|key| Some((key, draft.value(item, key)?)));
    entries.extend(
        labels
            .filter(|(_, label)| !is_empty(*label, draft))
            .map(entry),
    );
    draft.add(span, Kind::Map(entries))
}

/// Returns true for null and for an empty list.
fn is_empty(id: NodeId, draft: &Draft) -> bool {
    match draft.kind(id) {
        Kind::Null => true,
        Kind::Seq(items) => items.is_empty(),
        _ => false,
    }
}
