//! Reading the keys of animations: their times and values.

use crate::bake::gltf::accessor::Accessor;
use crate::bake::gltf::accessor_checks::described;
use crate::bake::gltf::cursor::Cursor;
use crate::bake::gltf::element_type::{ComponentType, ElementType};
use crate::bake::gltf::model::Property;
use crate::bake::gltf::problem::Problem;

/// Checks that times are scalars of f32.
pub(super) fn check_times_type(
    at: &Cursor<'_>,
    index: usize,
    times: &Accessor<'_>,
) -> Result<(), Problem> {
    let scalars = times.element_type() == ElementType::Scalar;
    if scalars && times.component_type() == ComponentType::F32 {
        return Ok(());
    }
    let found = described(times);
    Err(at.rule(format!("accessor {index} has {found}, not SCALAR of f32")))
}

/// Checks that values have the type that a property needs (glTF 2.0 §3.11).
pub(super) fn check_values_type(
    at: &Cursor<'_>,
    property: Property,
    index: usize,
    values: &Accessor<'_>,
) -> Result<(), Problem> {
    let (element, alternative) = match property {
        Property::Translation | Property::Scale => (ElementType::Vec3, ""),
        Property::Rotation => (ElementType::Vec4, " or normalized integers"),
        Property::Weights => (ElementType::Scalar, " or normalized integers"),
    };
    let is_allowed = match values.component_type() {
        ComponentType::F32 => true,
        ComponentType::U32 => false,
        _ => values.is_normalized() && !alternative.is_empty(),
    };
    if is_allowed && values.element_type() == element {
        return Ok(());
    }
    let (found, name) = (described(values), property.name());
    let needed = element.name();
    Err(at.rule(format!(
        "accessor {index} has {found}; {name} needs {needed} of f32{alternative}"
    )))
}

/// Checks that values have `per_key` numbers for each key.
pub(super) fn check_count(
    at: &Cursor<'_>,
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
    Err(at.rule(format!(
        "accessor {index} has {has} numbers; {keys} keys of {name} need {needed}"
    )))
}

/// Reads the times of keys, which must ascend strictly.
pub(super) fn ascending(
    at: &Cursor<'_>,
    index: usize,
    times: &Accessor<'_>,
) -> Result<Vec<f64>, Problem> {
    let times = finite(at, index, times)?;
    if let Some(key) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
        let (a, b) = (times[key], times[key + 1]);
        let message = format!(
            "the times of keys {key} and {} in accessor {index}, {a} s and {b} s, do not ascend",
            key + 1
        );
        return Err(at
            .rule(message)
            .help("sort the keys by time and leave one for each time"));
    }
    Ok(times)
}

/// Reads all numbers of an accessor of scalars or vectors, which must be finite.
pub(super) fn finite(
    at: &Cursor<'_>,
    index: usize,
    accessor: &Accessor<'_>,
) -> Result<Vec<f64>, Problem> {
    let width = accessor.component_count().min(4);
    let mut numbers = Vec::with_capacity(accessor.count() * width);
    for element in accessor.iter::<4>() {
        numbers.extend_from_slice(&element[..width]);
    }
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(numbers),
        Some(position) => {
            let (element, bad) = (position / width, numbers[position]);
            Err(at.rule(format!("element {element} of accessor {index} has {bad}")))
        }
    }
}
