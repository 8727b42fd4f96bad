//! The macro `box_decompose`: a wall with openings, as boxes (`extensions.md` §2.10).

use std::collections::BTreeMap;

use super::draft::Draft;
use super::values::{
    Made, Result, check_fields, check_labels, fault, finite, identifier, numbers, optional,
    positive, required, unexpected,
};
use crate::schema::preprocessed::{BOX_DECOMPOSE, CUTOUT, OFFSET_MODES, WALL_AXES};
use crate::yaml::{Kind, NodeId, is_identifier};
use rigy_base::diag::{Code, Diagnostic};
use rigy_base::short::enumerated;

/// A wall, along x or z.
struct Wall {
    id: String,
    is_along_x: bool,
    span: [f64; 2],
    base_y: f64,
    height: f64,
    thickness: f64,
    /// Its distance from the axis.
    offset: f64,
}

/// An opening of a wall.
struct Cutout {
    id: String,
    span: [f64; 2],
    bottom: f64,
    top: f64,
    node: NodeId,
}

/// Returns the boxes of a wall: those between the openings, then those below and above each of them.
///
/// # Errors
/// The first fault, in the order of the contract's table.
pub fn boxes(item: NodeId, mesh: NodeId, draft: &Draft) -> Result<Vec<Made>> {
    check_mesh(item, mesh, draft)?;
    check_fields(item, &BOX_DECOMPOSE, draft)?;
    let wall = wall(item, draft)?;
    check_labels(item, draft)?;
    let mut cutouts = Vec::new();
    if let Some(list) = optional(item, &BOX_DECOMPOSE, "cutouts", draft) {
        let Kind::Seq(items) = draft.kind(list) else {
            return Err(unexpected(list, "a list of cutouts", draft));
        };
        for cutout in items {
            cutouts.push(read_cutout(*cutout, &wall, draft)?);
        }
    }
    let key = |c: &Cutout| [c.span[0], c.span[1], c.bottom, c.top];
    cutouts.sort_by(|a, b| key(a).partial_cmp(&key(b)).expect("the numbers are finite"));
    check_overlaps(&cutouts, draft)?;
    Ok(decompose(&wall, &cutouts))
}

/// Checks that the macro names the mesh that it stands in, from 0.12 on.
fn check_mesh(item: NodeId, mesh: NodeId, draft: &Draft) -> Result<()> {
    let Some(named) = optional(item, &BOX_DECOMPOSE, "mesh", draft) else {
        return Ok(());
    };
    if !draft.version.has(crate::version::Feature::Expressions) {
        return Ok(());
    }
    let text = |id: NodeId| match draft.kind(id) {
        Kind::Str(text) => Some(text.clone()),
        _ => None,
    };
    let of_mesh = draft.value(mesh, "id").and_then(text);
    if text(named).is_some_and(|named| Some(named) == of_mesh) {
        return Ok(());
    }
    let found = draft.kind(named).describe();
    let message = format!("a macro can only name the mesh that it stands in, found {found}");
    Err(Diagnostic::new(Code::V76, draft.span(named), message).help("leave `mesh` out"))
}

fn wall(item: NodeId, draft: &Draft) -> Result<Wall> {
    let required = |field| required(item, &BOX_DECOMPOSE, field, draft);
    let optional = |field| optional(item, &BOX_DECOMPOSE, field, draft);
    let id = identifier(required("id")?, draft)?;
    let is_along_x = word(required("axis")?, WALL_AXES, draft)? == 0;
    let span = interval(required("span")?, draft)?;
    let or_zero = |field| optional(field).map_or(Ok(0.0), |id| finite(id, draft));
    let base_y = or_zero("base_y")?;
    let height = positive(required("height")?, draft)?;
    let thickness = positive(required("thickness")?, draft)?;
    let offset = or_zero("offset")?;
    let mode = draft
        .value(item, "offset_mode")
        .filter(|id| !matches!(draft.kind(*id), Kind::Null));
    if let (Some(mode), Some(_)) = (mode, optional("offset")) {
        let message = "a wall has an `offset` or an `offset_mode`, not both";
        return Err(fault(mode, message, draft));
    }
    let offset = match mode.map(|id| word(id, OFFSET_MODES, draft)).transpose()? {
        None => offset,
        Some(0) => 0.0,
        Some(1) => thickness / 2.0,
        Some(_) => -thickness / 2.0,
    };
    Ok(Wall {
        id,
        is_along_x,
        span,
        base_y,
        height,
        thickness,
        offset,
    })
}

/// Reads one of a few words; returns its index.
fn word(id: NodeId, words: &[&str], draft: &Draft) -> Result<usize> {
    let found = match draft.kind(id) {
        Kind::Str(text) => words.iter().position(|word| word == text),
        _ => None,
    };
    found.ok_or_else(|| {
        let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        unexpected(id, &enumerated(&quoted, "or"), draft)
    })
}

/// Reads two ascending numbers.
fn interval(id: NodeId, draft: &Draft) -> Result<[f64; 2]> {
    let ends: [f64; 2] = numbers(id, draft)?;
    if ends[0] < ends[1] {
        Ok(ends)
    } else {
        let message = format!("a span goes upwards, not from {} to {}", ends[0], ends[1]);
        Err(fault(id, message, draft))
    }
}

fn read_cutout(node: NodeId, wall: &Wall, draft: &Draft) -> Result<Cutout> {
    check_fields(node, &CUTOUT, draft)?;
    let id = draft.value(node, "id");
    let id = match id.map(|id| draft.kind(id)) {
        Some(Kind::Str(text)) if is_identifier(text) => text.clone().into_owned(),
        _ => {
            let span = draft.span(id.unwrap_or(node));
            let message = "a cutout has an id of ASCII letters, digits and `_`, no digit first";
            return Err(Diagnostic::new(Code::F116, span, message));
        }
    };
    let span_node = required(node, &CUTOUT, "span", draft)?;
    let span = interval(span_node, draft)?;
    if span[0] < wall.span[0] || span[1] > wall.span[1] {
        let message = format!(
            "cutout `{id}` goes from {} to {}, beyond the wall from {} to {}",
            span[0], span[1], wall.span[0], wall.span[1]
        );
        return Err(fault(span_node, message, draft));
    }
    let or = |field, default| {
        optional(node, &CUTOUT, field, draft).map_or(Ok(default), |id| finite(id, draft))
    };
    let (bottom, top) = (or("bottom", 0.0)?, or("top", wall.height)?);
    if !(bottom < top && bottom >= 0.0 && top <= wall.height) {
        let message = format!(
            "cutout `{id}` goes from {bottom} up to {top}; the wall goes from 0 to {}",
            wall.height
        );
        return Err(fault(node, message, draft));
    }
    Ok(Cutout {
        id,
        span,
        bottom,
        top,
        node,
    })
}

/// Reports two openings that overlap; ones that touch do not. The openings are sorted by where they begin, so it suffices to
/// keep those that have not ended, which lie above one another.
fn check_overlaps(cutouts: &[Cutout], draft: &Draft) -> Result<()> {
    // The openings so far by their bottom, as bits that sort like the numbers, which are not negative.
    let mut open: BTreeMap<u64, &Cutout> = BTreeMap::new();
    let order = |value: f64| (value + 0.0).to_bits();
    for cutout in cutouts {
        loop {
            // The nearest above and the nearest below are the only ones that may overlap.
            let above = open.range(order(cutout.bottom)..).next();
            let below = open.range(..order(cutout.bottom)).next_back();
            let overlapping = [above, below]
                .into_iter()
                .flatten()
                .find(|(_, other)| other.bottom < cutout.top && cutout.bottom < other.top);
            let Some((key, other)) = overlapping.map(|(key, other)| (*key, *other)) else {
                break;
            };
            if other.span[1] > cutout.span[0] {
                let message = format!("cutouts `{}` and `{}` overlap", other.id, cutout.id);
                return Err(fault(cutout.node, message, draft));
            }
            open.remove(&key); // it has ended
        }
        open.insert(order(cutout.bottom), cutout);
    }
    Ok(())
}

/// Returns the boxes of a wall with sorted openings.
fn decompose(wall: &Wall, cutouts: &[Cutout]) -> Vec<Made> {
    let mut ends: Vec<f64> = cutouts.iter().flat_map(|cutout| cutout.span).collect();
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    ends.insert(0, wall.span[0]);
    ends.push(wall.span[1]);
    let (mut made, mut gaps) = (Vec::new(), 0);
    let (mut started, mut covered) = (0, f64::NEG_INFINITY);
    for pair in ends.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        while started < cutouts.len() && cutouts[started].span[0] <= a {
            covered = covered.max(cutouts[started].span[1]);
            started += 1;
        }
        if a < b && covered < b {
            let id = format!("{}_gap_{gaps}", wall.id);
            made.push(wall.part(id, [a, b], [0.0, wall.height]));
            gaps += 1;
        }
    }
    for cutout in cutouts {
        if cutout.bottom > 0.0 {
            let id = format!("{}_{}_below", wall.id, cutout.id);
            made.push(wall.part(id, cutout.span, [0.0, cutout.bottom]));
        }
        if cutout.top < wall.height {
            let id = format!("{}_{}_above", wall.id, cutout.id);
            made.push(wall.part(id, cutout.span, [cutout.top, wall.height]));
        }
    }
    made
}

impl Wall {
    /// Returns the box along `[a, b]` from height `p` to `q`.
    fn part(&self, id: String, [a, b]: [f64; 2], [p, q]: [f64; 2]) -> Made {
        let (along, height) = (b - a, q - p);
        let (middle, center_y) = ((a + b) / 2.0, self.base_y + (p + q) / 2.0);
        let (width, depth, x, z) = if self.is_along_x {
            (along, self.thickness, middle, self.offset)
        } else {
            (self.thickness, along, self.offset, middle)
        };
        Made {
            shape: "box",
            id,
            dimensions: [("width", width), ("height", height), ("depth", depth)],
            rotation: None,
            translation: [x, center_y, z],
        }
    }
}
