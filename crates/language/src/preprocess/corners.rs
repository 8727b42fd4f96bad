//! Boxes that are given by two corners (`extensions.md` §2.9).

use super::draft::Draft;
use super::values::{Result, check_fields, fault, number, required};
use crate::base::diag::{Code, Diagnostic};
use crate::schema::preprocessed::AABB;
use crate::yaml::{Kind, NodeId};

/// The name of the field in messages.
const NAME: &str = AABB.name;

/// Gives all boxes with `aabb` their dimensions and their place.
///
/// # Errors
/// Reports the first fault of each.
pub(super) fn expand(draft: &mut Draft<'_>) {
    for primitive in draft.primitives() {
        let Some(aabb) = draft.value(primitive, "aabb") else {
            continue;
        };
        match corners(primitive, aabb, draft) {
            Ok((min, max)) => replace(primitive, aabb, min, max, draft),
            Err(error) => draft.report(error),
        }
    }
}

/// Returns the corners of a box.
fn corners(primitive: NodeId, aabb: NodeId, draft: &Draft<'_>) -> Result<([f64; 3], [f64; 3])> {
    let kind = draft.value(primitive, "type").map(|id| draft.kind(id));
    if !matches!(kind, Some(Kind::Str(text)) if text == "box") {
        return Err(fault(
            aabb,
            format!("{NAME}: only a box has corners"),
            draft,
        ));
    }
    if let Some(dimensions) = draft.find(primitive, "dimensions") {
        let message = format!("{NAME}: a box has either corners or dimensions");
        return Err(Diagnostic::new(Code::U10, dimensions.key_span, message));
    }
    check_fields(aabb, &AABB, draft)?;
    let ends = [
        required(aabb, &AABB, "min", draft)?,
        required(aabb, &AABB, "max", draft)?,
    ];
    let mut lists = [[aabb; 3]; 2];
    for (list, end) in lists.iter_mut().zip(ends) {
        *list = draft.items(end).try_into().map_err(|_| {
            let found = draft.kind(end).describe();
            fault(
                end,
                format!("{NAME}: expected a list of 3 numbers, found {found}"),
                draft,
            )
        })?;
    }
    let (mut min, mut max) = ([0.0; 3], [0.0; 3]);
    for axis in 0..3 {
        let read = |list: usize| {
            let id = lists[list][axis];
            let named = |error: Diagnostic| fault(id, format!("{NAME}: {}", error.message), draft);
            match number(id, draft).map_err(named)? {
                value if value.is_finite() => Ok(value),
                value => Err(fault(id, format!("{NAME}: {value} is not finite"), draft)),
            }
        };
        (min[axis], max[axis]) = (read(0)?, read(1)?);
        if max[axis] <= min[axis] {
            let message = format!(
                "{NAME}: the maximum {} is not above the minimum {}",
                max[axis], min[axis]
            );
            return Err(fault(lists[1][axis], message, draft));
        }
    }
    match draft
        .find(primitive, "transform")
        .map(|e| (e.key_span, draft.kind(e.value)))
    {
        None | Some((_, Kind::Null)) => {}
        Some((_, Kind::Map(entries))) if entries.is_empty() => {}
        Some((span, Kind::Map(_))) => {
            let message = format!("{NAME}: a box that has corners has no `transform`");
            return Err(Diagnostic::new(Code::F115, span, message)
                .help("write `dimensions` instead of `aabb`, or leave the transform out"));
        }
        Some((span, other)) => {
            let message = format!("{NAME}: `transform` is a mapping, not {}", other.describe());
            return Err(Diagnostic::new(Code::U10, span, message));
        }
    }
    Ok((min, max))
}

fn replace(primitive: NodeId, aabb: NodeId, min: [f64; 3], max: [f64; 3], draft: &mut Draft<'_>) {
    let span = draft.span(aabb);
    let size = |axis: usize| max[axis] - min[axis];
    let dimensions = [("width", size(0)), ("height", size(1)), ("depth", size(2))];
    let dimensions = dimensions.map(|(key, size)| {
        let size = draft.add(span, Kind::Float(size));
        Draft::entry(key, span, size)
    });
    let dimensions = draft.add(span, Kind::Map(dimensions.into()));
    let center = [0, 1, 2].map(|axis| (min[axis] + max[axis]) / 2.0);
    let translation = draft.add_numbers(span, &center);
    let translation = Draft::entry("translation", span, translation);
    let transform = draft.add(span, Kind::Map(vec![translation]));
    if let Kind::Map(entries) = &mut draft.tree.node_mut(primitive).kind {
        entries.retain(|entry| entry.key != "transform");
        let at = entries
            .iter()
            .position(|entry| entry.key == "aabb")
            .unwrap_or(0);
        let pair = [
            Draft::entry("dimensions", span, dimensions),
            Draft::entry("transform", span, transform),
        ];
        entries.splice(at..=at, pair);
    }
}
