//! Reading the keys of animations: their times and values.

use crate::accessor::Accessor;
use crate::accessor_checks::described;
use crate::cursor::Path;
use crate::element_type::{ComponentType, ElementType};
use crate::model::{Channel, Keys, Property};
use crate::problem::Problem;

/// Decodes and checks the keys of a channel; `sampler` is the path of its sampler. Faults that other readers accept, too,
/// go to `warnings`.
pub(super) fn decode(
    keys: &Keys,
    times: &Accessor<'_>,
    values: &Accessor<'_>,
    sampler: &Path<'_>,
    warnings: &mut Vec<Problem>,
) -> Result<Channel, Problem> {
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
fn check_times_type(at: &Path<'_>, index: usize, times: &Accessor<'_>) -> Result<(), Problem> {
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
fn check_values_type(at: &Path<'_>, keys: &Keys, values: &Accessor<'_>) -> Result<(), Problem> {
    let (element, alternative) = match keys.property {
        Property::Translation | Property::Scale => (ElementType::Vec3, ""),
        Property::Rotation => (ElementType::Vec4, " or normalized integers"),
        Property::Weights => (ElementType::Scalar, " or normalized integers"),
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
    let (found, name, index) = (described(values), keys.property.name(), keys.values);
    let needed = element.name();
    Err(Problem::rule(
        at,
        format!("accessor {index} has {found}; {name} needs {needed} of f32{alternative}"),
    ))
}

/// Checks that values have `per_key` numbers for each key.
fn check_count(
    at: &Path<'_>,
    property: Property,
    index: usize,
    values: &Accessor<'_>,
    [per_key, keys]: [usize; 2],
) -> Result<(), Problem> {
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
    at: &Path<'_>,
    index: usize,
    times: &Accessor<'_>,
    warnings: &mut Vec<Problem>,
) -> Result<Vec<f64>, Problem> {
    let times = finite(at, index, times)?;
    let pair = |descends: fn(f64, f64) -> bool| {
        let key = times
            .windows(2)
            .position(|pair| descends(pair[0], pair[1]))?;
        Some((key, times[key], times[key + 1]))
    };
    if let Some((key, a, b)) = pair(|a, b| a > b) {
        let message = format!(
            "the times of keys {key} and {} in accessor {index}, {a} s and {b} s, do not ascend",
            key + 1
        );
        return Err(Problem::rule(at, message).help("sort the keys by time"));
    }
    if let Some((key, time, _)) = pair(|a, b| a == b) {
        let message = format!(
            "keys {key} and {} in accessor {index} are both at {time} s; the last of such keys holds from there on",
            key + 1
        );
        warnings.push(Problem::rule(at, message));
    }
    if times[0] < 0.0 {
        let message = format!("accessor {index} begins at {} s, before 0", times[0]);
        warnings.push(Problem::rule(at, message));
    }
    Ok(times)
}

/// Reads all numbers of an accessor of scalars or vectors, which must be finite.
fn finite(at: &Path<'_>, index: usize, accessor: &Accessor<'_>) -> Result<Vec<f64>, Problem> {
    let (width, numbers) = match accessor.element_type() {
        ElementType::Vec3 => (3, numbers::<3>(accessor)),
        ElementType::Vec4 => (4, numbers::<4>(accessor)),
        _ => (1, numbers::<1>(accessor)),
    };
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(numbers),
        Some(position) => {
            let (element, bad) = (position / width, numbers[position]);
            let message = format!("element {element} of accessor {index} has {bad}");
            Err(Problem::rule(at, message))
        }
    }
}

/// Reads all elements of an accessor, which have `N` components.
fn numbers<const N: usize>(accessor: &Accessor<'_>) -> Vec<f64> {
    let mut elements = vec![[0.0; N]; accessor.count()];
    accessor.copy(0, &mut elements);
    elements.into_flattened()
}
