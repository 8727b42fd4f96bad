//! Rotations in every form (`extensions.md` 2.8).

use serde_yaml::{Mapping, Value};

use super::super::random::{Draw, Random};
use super::super::values;
use super::{mapping, numbers};

const FORMS: [&str; 4] = [
    "rotation_euler",
    "rotation_degrees",
    "rotation_quat",
    "rotation_axis_angle",
];

/// Gives a transform one rotation, or none.
pub fn rotate(random: &mut Random, transform: &mut Mapping) {
    for form in FORMS {
        transform.shift_remove(form);
    }
    let (form, value) = match random.below(6) {
        0 => return,
        1 => (FORMS[0], numbers(&values::vector(random, values::radians))),
        2 => (FORMS[1], numbers(&values::vector(random, values::degrees))),
        3 | 4 => (FORMS[2], quaternion(random)),
        _ => (FORMS[3], about_axis(random)),
    };
    transform.insert(form.into(), value);
}

/// Of any length but zero.
fn quaternion(random: &mut Random) -> Value {
    let length = *random.pick(&[1.0, 1.0, 2.0, 0.125, 1e3]);
    let unit = match random.below(3) {
        0 => values::exact_quaternion(random),
        _ => values::random_quaternion(random),
    };
    numbers(&unit.map(|component| component * length))
}

fn about_axis(random: &mut Random) -> Value {
    let mut axis = match random.below(3) {
        0 => [random.signed_unit(), 1.5, random.signed_unit()],
        _ => [0.0, 0.0, *random.pick(&[1.0, -1.0, 2.5])],
    };
    random.shuffle(&mut axis);
    let degrees = values::degrees(random);
    mapping([("axis", numbers(&axis)), ("degrees", degrees.into())])
}

/// A translation, a rotation, both or neither.
pub fn transform(random: &mut Random) -> Value {
    let mut transform = Mapping::new();
    if random.chance(70) {
        let at = values::vector(random, values::coordinate);
        transform.insert("translation".into(), numbers(&at));
    }
    if random.chance(60) {
        rotate(random, &mut transform);
    }
    Value::Mapping(transform)
}
