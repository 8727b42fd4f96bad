//! The macro `triangle_prism_on_plane`: a wedge on a plane (`extensions.md` §2.11), and boxes by their corners.

use super::draft::Draft;
use super::values::{
    Made, Result, check_fields, check_labels, fault, identifier, number, numbers, positive,
    required,
};
use super::{Rotations, rotations};
use crate::schema::preprocessed::{AABB, PLANE, PRISM};
use crate::yaml::{Kind, NodeId};
use rigy_base::diag::{Code, Diagnostic};
use rigy_kernel::math::{Vec3, cross, dot};

/// Least length of the normal and of the legs.
const LEAST: f64 = 1e-12;
/// Greatest cosine between a leg and the normal.
const SLANT: f64 = 1e-6;

/// Returns the wedge whose legs lie in the plane, from the origin of the plane, and which is `length` high.
///
/// # Errors
/// ParseErrors.
pub fn wedge(item: NodeId, draft: &Draft) -> Result<Made> {
    check_fields(item, &PRISM, draft)?;
    let field = |field| required(item, &PRISM, field, draft);
    let id = identifier(field("id")?, draft)?;
    let plane = field("plane")?;
    check_fields(plane, &PLANE, draft)?;
    let of_plane = |field| required(plane, &PLANE, field, draft);
    let origin: Vec3 = numbers(of_plane("origin")?, draft)?;
    let normal_node = of_plane("normal")?;
    let normal = unit(normal_node, draft)?.direction;
    let (p_node, q_node) = (field("leg_p")?, field("leg_q")?);
    let (mut p, mut q) = (unit(p_node, draft)?, unit(q_node, draft)?);
    let length = positive(field("length")?, draft)?;
    check_labels(item, draft)?;
    for (leg, node) in [(&p, p_node), (&q, q_node)] {
        let slant = dot(leg.direction, normal).abs();
        if slant > SLANT {
            let message = format!(
                "this leg does not lie in the plane: its cosine with the normal is {slant}"
            );
            return Err(fault(node, message, draft));
        }
    }
    if dot(cross(p.direction, normal), q.direction) < 0.0 {
        std::mem::swap(&mut p, &mut q);
    }
    let quaternion = quaternion([p.direction, normal, q.direction]);
    let rotation = match draft.rotations {
        Rotations::Authored => quaternion,
        Rotations::Canonical => rotations::canonical(quaternion)
            .ok_or_else(|| fault(item, "the legs and the normal give no rotation", draft))?,
    };
    let translation = [0, 1, 2].map(|axis| {
        let on_plane = (origin[axis] + p.vector[axis] / 2.0) + q.vector[axis] / 2.0;
        on_plane + normal[axis] * length / 2.0
    });
    Ok(Made {
        shape: "wedge",
        id,
        dimensions: [("x", p.length), ("y", length), ("z", q.length)],
        rotation: Some(rotation),
        translation,
    })
}

/// A vector with its length and direction.
struct Leg {
    vector: Vec3,
    length: f64,
    direction: Vec3,
}

fn unit(id: NodeId, draft: &Draft) -> Result<Leg> {
    let vector: Vec3 = numbers(id, draft)?;
    let [x, y, z] = vector;
    let length = ((x * x + y * y) + z * z).sqrt();
    if length < LEAST || !length.is_finite() {
        return Err(fault(id, "this vector has no length", draft));
    }
    let direction = vector.map(|component| component / length);
    Ok(Leg {
        vector,
        length,
        direction,
    })
}

/// Returns the quaternion x, y, z, w of the rotation with these columns, by Shepperd's method.
fn quaternion(columns: [Vec3; 3]) -> [f64; 4] {
    let r = |row: usize, column: usize| columns[column][row];
    let skew = |axis: usize| {
        let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
        r(last, next) - r(next, last)
    };
    let trace = r(0, 0) + r(1, 1) + r(2, 2);
    if trace > 0.0 {
        let s = 0.5 / (trace + 1.0).sqrt();
        return [skew(0) * s, skew(1) * s, skew(2) * s, 0.25 / s];
    }
    let [most, second, third] = if r(0, 0) > r(1, 1) && r(0, 0) > r(2, 2) {
        [0, 1, 2]
    } else if r(1, 1) > r(2, 2) {
        [1, 0, 2]
    } else {
        [2, 0, 1]
    };
    let s = 2.0 * (1.0 + r(most, most) - r(second, second) - r(third, third)).sqrt();
    let mut xyzw = [0.25 * s; 4];
    for other in [second, third] {
        xyzw[other] = (r(most, other) + r(other, most)) / s;
    }
    xyzw[3] = skew(most) / s;
    xyzw
}

/// The name of the field in messages.
const NAME: &str = AABB.name;

/// Gives all boxes with `aabb` their dimensions and their place.
///
/// # Errors
/// Reports the first fault of each.
pub fn expand(draft: &mut Draft) {
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
fn corners(primitive: NodeId, aabb: NodeId, draft: &Draft) -> Result<(Vec3, Vec3)> {
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

fn replace(primitive: NodeId, aabb: NodeId, min: Vec3, max: Vec3, draft: &mut Draft) {
    let span = draft.span(aabb);
    let size = |axis: usize| max[axis] - min[axis];
    let sizes = [("width", size(0)), ("height", size(1)), ("depth", size(2))];
    let dimensions = draft.add_sizes(span, sizes);
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
