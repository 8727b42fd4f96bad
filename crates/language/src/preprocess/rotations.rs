//! Rotations of primitives and of operators, in any of four forms, as canonical quaternions (`extensions.md` §2.8).

use std::f64::consts::TAU;

use super::Rotations;
use super::draft::Draft;
use super::values::{Result, number};
use crate::schema::transforms::{AXIS_ANGLE, ROTATIONS};
use crate::yaml::{Kind, NodeId};
use rigy_base::diag::{Code, Diagnostic, Mend, Span, Spanned};
use rigy_kernel::math::trig;

/// Least length of an axis and of a quaternion.
const LEAST: f64 = 1e-12;

/// Checks the rotations of all primitives and operators and, if they are to be canonical, replaces them.
///
/// # Errors
/// Reports V72, V73, V57, U10, V67 and V78.
pub fn normalise(draft: &mut Draft) {
    for primitive in draft.primitives() {
        for (key, value) in draft
            .entries(primitive)
            .iter()
            .map(|e| (e.key.clone(), e.value))
            .collect::<Vec<_>>()
        {
            match &*key {
                "transform" => transform(value, draft),
                "ops" => {
                    for operator in draft.items(value).to_vec() {
                        if let Some(of_operator) = draft.value(operator, "transform") {
                            transform(of_operator, draft);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn transform(id: NodeId, draft: &mut Draft) {
    let entries = draft.entries(id).iter();
    let mut found = entries.filter(|entry| ROTATIONS.contains(&&*entry.key));
    let Some(entry) = found.next().cloned() else {
        return;
    };
    if let Some(second) = found.next() {
        let message = format!(
            "a transform has one rotation, not `{}` and `{}`",
            entry.key, second.key
        );
        let error = Diagnostic::new(Code::V72, second.key_span, message);
        return draft.report(error);
    }
    let quaternion = match &*entry.key {
        "rotation_euler" => {
            let angles = draft.items(entry.value).to_vec();
            angles
                .iter()
                .filter_map(|id| Some(Spanned::new(number(*id, draft).ok()?, draft.span(*id))))
                .find_map(beyond_turn)
                .into_iter()
                .for_each(|warning| draft.report(warning));
            self::angles(entry.value, |angle| angle, draft)
        }
        "rotation_degrees" => angles(entry.value, trig::radians, draft),
        "rotation_axis_angle" => axis_angle(entry.value, draft),
        _ => list(entry.value, Code::V73, draft).and_then(|list| numbers(list, draft)),
    };
    match quaternion.and_then(|q| canonical(q).ok_or_else(|| no_length(draft.span(entry.value)))) {
        Err(error) => draft.report(error),
        Ok(_) if draft.rotations == Rotations::Authored => {}
        Ok(quaternion) => {
            let value = draft.add_numbers(draft.span(entry.value), &quaternion);
            let replacement = Draft::entry("rotation_quat", entry.key_span, value);
            if let Kind::Map(entries) = &mut draft.tree.node_mut(id).kind {
                entries.retain(|other| other.key != entry.key);
                entries.push(replacement);
            }
        }
    }
}

/// Greatest angle in radians that is not told of: a full turn, as it may have been rounded.
const MOST_TURN: f64 = TAU + 1e-3;

/// Returns the warning about an angle in radians that is more than a full turn, which is in degrees most likely (W18).
pub fn beyond_turn(angle: Spanned<f64>) -> Option<Diagnostic> {
    let degrees = angle.value;
    if degrees.is_nan() || degrees.abs() <= MOST_TURN {
        return None;
    }
    let message = format!("{degrees} is more than a full turn: `rotation_euler` is in radians");
    let radians = trig::radians(degrees);
    let help = format!("{degrees}° are {radians:?} radians; `rotation_degrees` takes degrees");
    let warning = Diagnostic::new(Code::W18, angle.span, message).help(help);
    Some(warning.mend(Mend::Numbers {
        from: vec![degrees],
        to: vec![radians],
    }))
}

fn no_length(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::V78,
        span,
        "this quaternion has no length, so it is no rotation",
    )
}

/// Reads a list of `N` values; `code` is that of anything else.
fn list<const N: usize>(id: NodeId, code: Code, draft: &Draft) -> Result<[NodeId; N]> {
    let fault = || {
        let found = draft.kind(id).describe();
        let message = format!("expected a list of {N} numbers, found {found}");
        Diagnostic::new(code, draft.span(id), message)
    };
    draft.items(id).try_into().map_err(|_| fault())
}

/// Reads numbers. One that is none is a ParseError; then one that is not finite is V73.
fn numbers<const N: usize>(ids: [NodeId; N], draft: &Draft) -> Result<[f64; N]> {
    let mut values = [0.0; N];
    for (value, id) in values.iter_mut().zip(ids) {
        *value = number(id, draft)?;
    }
    for (value, id) in values.iter().zip(ids) {
        if !value.is_finite() {
            let message = format!("{value} is not finite");
            return Err(Diagnostic::new(Code::V73, draft.span(id), message));
        }
    }
    Ok(values)
}

fn axis_angle(id: NodeId, draft: &Draft) -> Result<[f64; 4]> {
    let span = draft.span(id);
    let fault = |message: &str| Diagnostic::new(Code::V73, span, message);
    let Kind::Map(entries) = draft.kind(id) else {
        return Err(fault(
            "`rotation_axis_angle` is a mapping of `axis` and `degrees`",
        ));
    };
    if let Some(other) = entries.iter().find(|e| AXIS_ANGLE.field(&e.key).is_none()) {
        let message = format!("`rotation_axis_angle` has no field `{}`", other.key);
        return Err(Diagnostic::new(Code::V57, other.key_span, message));
    }
    let axis = draft
        .value(id, "axis")
        .ok_or_else(|| fault("there is no `axis`"))?;
    let axis_ids: [NodeId; 3] = list(axis, Code::V73, draft)?;
    let degrees = draft
        .value(id, "degrees")
        .ok_or_else(|| fault("there is no `degrees`"))?;
    let degrees = number(degrees, draft).map_err(|error| Diagnostic {
        code: Some(Code::V73),
        category: Code::V73.category(),
        ..error
    })?;
    let [x, y, z] = numbers(axis_ids, draft)?;
    if !degrees.is_finite() {
        return Err(fault("`degrees` is not finite"));
    }
    let ([x, y, z], length) = measured([x, y, z], |[x, y, z]| (x * x + y * y) + z * z);
    if length <= LEAST {
        let message = "this axis has no length";
        return Err(Diagnostic::new(Code::V67, draft.span(axis), message));
    }
    let half = trig::radians(degrees) / 2.0;
    let (sin, cos) = (trig::sin(half), trig::cos(half));
    Ok([x / length * sin, y / length * sin, z / length * sin, cos])
}

/// Reads Euler angles, about x, then y, then z, in the unit that `radians` converts from.
fn angles(id: NodeId, radians: fn(f64) -> f64, draft: &Draft) -> Result<[f64; 4]> {
    let half = numbers(list(id, Code::U10, draft)?, draft)?.map(|angle| radians(angle) / 2.0);
    let [sx, sy, sz] = half.map(trig::sin);
    let [cx, cy, cz] = half.map(trig::cos);
    Ok([
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    ])
}

/// Returns the canonical quaternion x, y, z, w: of length 1, w not negative, rounded to multiples of 1e-12. Returns `None` if
/// it has no length.
pub fn canonical(quaternion: [f64; 4]) -> Option<[f64; 4]> {
    let (quaternion, length) =
        measured(quaternion, |[x, y, z, w]| ((x * x + y * y) + z * z) + w * w);
    if length <= LEAST {
        return None;
    }
    let mut unit = quaternion.map(|component| component / length);
    if unit[3] < 0.0 {
        unit = unit.map(|component| -component);
    }
    Some(unit.map(|component| {
        let rounded = (component / 1e-12).round_ties_even() * 1e-12;
        if rounded == 0.0 { 0.0 } else { rounded }
    }))
}

/// Returns components and their length, whose square `squared` returns. If that overflows, the components are first divided by
/// the largest of them.
fn measured<const N: usize>(
    components: [f64; N],
    squared: impl Fn([f64; N]) -> f64,
) -> ([f64; N], f64) {
    let length = squared(components).sqrt();
    if length.is_finite() {
        return (components, length);
    }
    let largest = components.map(f64::abs).into_iter().fold(0.0, f64::max);
    let scaled = components.map(|component| component / largest);
    (scaled, squared(scaled).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_quaternions() {
        let published = [
            0.18257418583499999,
            0.36514837166999997,
            0.547722557505,
            0.7302967433399999,
        ];
        assert_eq!(canonical([1.0, 2.0, 3.0, 4.0]), Some(published));
        assert_eq!(
            canonical([0.0, 0.0, -0.0, -2.0]),
            Some([0.0, 0.0, 0.0, 1.0])
        );
        assert_eq!(canonical([1e-13, 0.0, 0.0, 0.0]), None);
        assert_eq!(
            canonical([-1.0, 0.0, 0.0, 0.0]),
            Some([-1.0, 0.0, 0.0, 0.0])
        );
        assert_eq!(
            canonical([0.0, 3e200, 0.0, -4e200]),
            canonical([0.0, 0.75, 0.0, -1.0])
        );
    }
}
