//! Reading channels: the times and values of their keys, and targets that are named by a JSON pointer (`KHR_animation_pointer`).
//!
//! A bake samples transforms, morph weights and the visibility of nodes. Everything else that a pointer can name, such as a colour of a material, stays as the
//! file stores it.

use super::{Scope, Target};
use crate::accessor::Accessor;
use crate::accessor_checks::described;
use crate::cursor::{Cursor, Path};
use crate::element_type::{ComponentType, ElementType};
use crate::model::{Channel, Keys, Property};
use crate::problem::{Findings, Problem, Result, quoted};

/// Decodes and checks the keys of a channel; `sampler` is the path of its sampler. Faults that other readers accept, too,
/// go to `warnings`.
pub fn decode(
    keys: &Keys,
    times: &Accessor,
    values: &Accessor,
    sampler: &Path,
    warnings: &mut Vec<Problem>,
) -> Result<Channel> {
    let input = Path::Field(sampler, "input");
    let output = Path::Field(sampler, "output");
    let property = keys.property;
    check_times_type(&input, keys.times, times)?;
    check_values_type(&output, keys, values)?;
    let counts = [keys.per_key(), times.count()];
    check_count(&output, property, keys.values, values, counts)?;
    Ok(Channel {
        node: keys.node,
        property,
        interpolation: keys.interpolation,
        times: ascending(&input, keys.times, times, warnings)?,
        values: finite(&output, keys.values, values)?,
        width: keys.width,
    })
}

/// Checks that times are scalars of f32.
fn check_times_type(at: &Path, index: usize, times: &Accessor) -> Result<()> {
    let scalars = times.element_type() == ElementType::Scalar;
    if scalars && times.component_type() == ComponentType::F32 {
        return Ok(());
    }
    let found = described(times);
    Err(Problem::rule(
        at,
        format!("accessor {index} has {found}, not SCALAR of f32"),
    ))
}

/// Checks that values have the type that a property needs (glTF 2.0 §3.11).
fn check_values_type(at: &Path, keys: &Keys, values: &Accessor) -> Result<()> {
    let (element, alternative) = match keys.property {
        Property::Translation | Property::Scale => (ElementType::Vec3, ""),
        Property::Rotation => (ElementType::Vec4, " or normalized integers"),
        Property::Weights => (ElementType::Scalar, " or normalized integers"),
        Property::Visibility => (ElementType::Scalar, ""),
    };
    let is_allowed = match values.component_type() {
        ComponentType::F32 => true,
        _ if keys.is_pointed => true,
        ComponentType::U32 => false,
        _ => values.is_normalized() && !alternative.is_empty(),
    };
    if is_allowed && values.element_type() == element {
        return Ok(());
    }
    let found = described(values);
    let name = keys.property.name();
    let index = keys.values;
    let needed = element.name();
    Err(Problem::rule(
        at,
        format!("accessor {index} has {found}; {name} needs {needed} of f32{alternative}"),
    ))
}

/// Checks that values have `per_key` numbers for each key.
fn check_count(
    at: &Path,
    property: Property,
    index: usize,
    values: &Accessor,
    [per_key, keys]: [usize; 2],
) -> Result<()> {
    let needed = (per_key as u64).saturating_mul(keys as u64);
    let has = (values.count() as u64).saturating_mul(values.component_count() as u64);
    if needed == has {
        return Ok(());
    }
    let name = property.name();
    Err(Problem::rule(
        at,
        format!("accessor {index} has {has} numbers; {keys} keys of {name} need {needed}"),
    ))
}

/// Reads the times of keys, which must not descend. Equal times, and times before 0, are warnings.
fn ascending(
    at: &Path,
    index: usize,
    times: &Accessor,
    warnings: &mut Vec<Problem>,
) -> Result<Vec<f64>> {
    let times = finite(at, index, times)?;
    if times.is_empty() {
        return Err(Problem::rule(at, format!("accessor {index} has no keys")));
    }
    let pair = |descends: fn(f64, f64) -> bool| {
        let key = times
            .windows(2)
            .position(|pair| descends(pair[0], pair[1]))?;
        Some((key, times[key], times[key + 1]))
    };
    if let Some((key, a, b)) = pair(|a, b| a > b) {
        return Err(Problem::rule(
            at,
            format!(
                "the times of keys {key} and {} in accessor {index}, {a} s and {b} s, do not ascend",
                key + 1
            ),
        )
        .help("sort the keys by time"));
    }
    if let Some((key, time, _)) = pair(|a, b| a == b) {
        let message = format!(
            "keys {key} and {} in accessor {index} are both at {time} s; the last of such keys holds from there on",
            key + 1
        );
        warnings.push(Problem::rule(at, message));
    }
    if times[0] < 0.0 {
        warnings.push(Problem::rule(
            at,
            format!("accessor {index} begins at {} s, before 0", times[0]),
        ));
    }
    Ok(times)
}

/// Reads all numbers of an accessor of scalars or vectors, which must be finite.
fn finite(at: &Path, index: usize, accessor: &Accessor) -> Result<Vec<f64>> {
    let (width, numbers) = match accessor.element_type() {
        ElementType::Vec3 => (3, numbers::<3>(accessor)),
        ElementType::Vec4 => (4, numbers::<4>(accessor)),
        _ => (1, numbers::<1>(accessor)),
    };
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(numbers),
        Some(position) => {
            let element = position / width;
            let bad = numbers[position];
            Err(Problem::rule(
                at,
                format!("element {element} of accessor {index} has {bad}"),
            ))
        }
    }
}

/// Reads all elements of an accessor, which have `N` components.
fn numbers<const N: usize>(accessor: &Accessor) -> Vec<f64> {
    let mut elements = vec![[0.0; N]; accessor.count()];
    accessor.copy(0, &mut elements);
    elements.into_flattened()
}

/// Most pointers that one warning quotes.
const MOST_QUOTED: usize = 3;

/// True if a channel has a target by pointer.
pub fn is_pointer(channel: &Cursor) -> bool {
    let path = channel
        .value
        .get("target")
        .and_then(|target| target.get("path"));
    path.and_then(|path| path.as_str()) == Some("pointer")
}

/// What the pointer of a channel's target names; `None` if that is not sampled. The pointer then goes to `left_out`.
///
/// # Errors
/// If the pointer names a node or a mesh that does not exist, or is no text.
pub fn pointed_target(
    at: &Cursor,
    scope: Scope,
    left_out: &mut Vec<String>,
    findings: &mut Findings,
) -> Result<Option<Target>> {
    let extensions = at.optional_object("extensions")?;
    let extension = extensions
        .as_ref()
        .map(|all| all.optional_object("KHR_animation_pointer"))
        .transpose()?
        .flatten();
    let Some(pointer) = extension
        .as_ref()
        .map(|extension| extension.text("pointer"))
        .transpose()?
        .flatten()
    else {
        findings.warn(at.rule_in("path", "the target has no pointer; the channel is left out"));
        return Ok(None);
    };
    if at.get("node").is_some() {
        findings.warn(at.rule_in("node", "the target has a pointer, too; the pointer is used"));
    }
    let Some(target) = sampled(pointer) else {
        left_out.push(quoted(pointer));
        return Ok(None);
    };
    let (index, count) = match target {
        Target::Node(node, _) => (node, scope.nodes.len()),
        Target::Mesh(mesh) => (mesh, scope.meshes.len()),
    };
    if index >= count {
        let pointer = quoted(pointer);
        return Err(at.rule_in(
            "extensions.KHR_animation_pointer.pointer",
            format!("{pointer} names nothing: the file has {count} of these"),
        ));
    }
    if matches!(target, Target::Node(node, Property::Visibility) if scope.nodes[node].visible.is_none())
    {
        findings.warn(at.rule_in(
            "extensions.KHR_animation_pointer.pointer",
            format!(
                "{} names what the node does not have; it counts as visible",
                quoted(pointer)
            ),
        ));
    }
    let width = match target {
        Target::Node(node, property) => scope.width(node, property),
        Target::Mesh(mesh) => scope.meshes[mesh].weights.len(),
    };
    if width == 0 {
        let pointer = quoted(pointer);
        findings.warn(at.rule_in(
            "extensions.KHR_animation_pointer.pointer",
            format!("{pointer} names weights without morph targets; the channel is left out"),
        ));
        return Ok(None);
    }
    Ok(Some(target))
}

/// What a pointer names; `None` if that is not sampled.
fn sampled(pointer: &str) -> Option<Target> {
    let mut parts = pointer.strip_prefix('/')?.split('/');
    let list = parts.next()?;
    let index = parts.next()?;
    if index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let index = index.parse().unwrap_or(usize::MAX);
    let property = match parts.collect::<Vec<_>>()[..] {
        ["extensions", "KHR_node_visibility", "visible"] => Property::Visibility,
        [property] => Property::of(property)?,
        _ => return None,
    };
    match list {
        "nodes" => Some(Target::Node(index, property)),
        "meshes" if property == Property::Weights => Some(Target::Mesh(index)),
        _ => None,
    }
}

/// Warns of the quoted pointers of an animation that are not sampled.
pub fn warn_of(animation: &Cursor, left_out: &[String], findings: &mut Findings) {
    if left_out.is_empty() {
        return;
    }
    let mut names = left_out[..left_out.len().min(MOST_QUOTED)].join(", ");
    if left_out.len() > MOST_QUOTED {
        names += &format!(" and {} more", left_out.len() - MOST_QUOTED);
    }
    let message = format!(
        "a bake samples transforms, morph weights and visibility only; these keep the values that the file stores: {names}"
    );
    findings.warn(animation.rule_in("channels", message));
}
