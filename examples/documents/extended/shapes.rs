//! Primitives that came after 0.5: wedges, boxes by corners, macros, repeats and implicit surfaces.

use serde_yaml::Value;

use super::super::random::{Draw, Random};
use super::super::values;
use super::{Context, forms, mapping, numbers};

/// Takes from an older primitive what the version does not have, and turns it in newer ways.
pub fn modernise(random: &mut Random, context: &Context, primitive: &mut Value) {
    let mapping = primitive.as_mapping_mut().expect("a mapping");
    mapping.shift_remove("material");
    let transform = mapping.get_mut("transform").and_then(Value::as_mapping_mut);
    let Some(transform) = transform.filter(|_| context.minor >= 12) else {
        return;
    };
    let null = transform.get("rotation_euler").is_some_and(Value::is_null);
    if null || random.chance(60) {
        forms::rotate(random, transform);
    }
}

/// A new item for a list of primitives.
pub fn primitive(random: &mut Random, context: &mut Context) -> Value {
    loop {
        let (since, draw): (u32, fn(&mut Random, &mut Context) -> Value) = *random.pick(&[
            (9, wedge as fn(&mut Random, &mut Context) -> Value),
            (6, corners),
            (6, wall),
            (10, repeat),
            (12, prism),
            (13, implicit),
            (13, implicit),
            (13, implicit),
            (13, implicit),
        ]);
        if since <= context.minor {
            return draw(random, context);
        }
    }
}

fn size(random: &mut Random) -> f64 {
    (1 + random.below(250)) as f64 / 100.0
}

fn placed(random: &mut Random, context: &Context) -> Value {
    if context.minor >= 12 {
        return forms::transform(random);
    }
    let angles = numbers(&values::vector(random, values::degrees));
    let at = numbers(&values::vector(random, values::coordinate));
    mapping([("rotation_degrees", angles), ("translation", at)])
}

fn wedge(random: &mut Random, context: &mut Context) -> Value {
    let mut dimensions = mapping([("y", size(random).into())]);
    for key in ["x", "z"] {
        if random.chance(80) {
            dimensions[key] = size(random).into();
        }
    }
    let id = context.id(random, false);
    let mut wedge = mapping([
        ("type", "wedge".into()),
        ("id", id.into()),
        ("dimensions", dimensions),
    ]);
    if random.chance(80) {
        wedge["transform"] = placed(random, context);
    }
    wedge
}

fn bounds(random: &mut Random) -> Value {
    let min = values::vector(random, |random| random.signed_unit() * 2.0);
    let max = min.map(|low| low + size(random));
    mapping([("min", numbers(&min)), ("max", numbers(&max))])
}

fn corners(random: &mut Random, context: &mut Context) -> Value {
    let id = context.id(random, false);
    let aabb = bounds(random);
    mapping([("type", "box".into()), ("id", id.into()), ("aabb", aabb)])
}

/// A wall with openings side by side, some of them one above the other.
fn wall(random: &mut Random, context: &mut Context) -> Value {
    let start = random.signed_unit();
    let height = 2.0 + size(random);
    let mut end = start + if random.chance(50) { 0.0 } else { size(random) };
    let mut cutouts = Vec::new();
    for number in 0..random.below(4) {
        let next = end + size(random);
        let bottom = *random.pick(&[0.0, 0.0, 0.5, 0.75]);
        let top = bottom + 1.0;
        let mut cutout = mapping([
            ("id", format!("c{number}").into()),
            ("span", numbers(&[end, next])),
        ]);
        if bottom > 0.0 || random.chance(30) {
            cutout["bottom"] = bottom.into();
        }
        if random.chance(80) {
            cutout["top"] = top.into();
        }
        cutouts.push(cutout);
        end = next + if random.chance(40) { 0.0 } else { size(random) };
    }
    random.shuffle(&mut cutouts);
    let id = context.id(random, true);
    let mut wall = mapping([
        ("macro", "box_decompose".into()),
        ("id", id.into()),
        ("axis", (*random.pick(&["x", "z"])).into()),
        ("span", numbers(&[start, end + size(random)])),
        ("height", height.into()),
        ("thickness", size(random).into()),
    ]);
    if !cutouts.is_empty() || random.chance(30) {
        wall["cutouts"] = cutouts.into();
    }
    if random.chance(50) {
        wall["base_y"] = random.signed_unit().into();
    }
    if context.minor >= 12 && random.chance(50) {
        wall["offset_mode"] = (*random.pick(&["centerline", "neg_face", "pos_face"])).into();
    } else if random.chance(50) {
        wall["offset"] = random.signed_unit().into();
    }
    wall
}

/// Boxes in a row, whose ids and places count.
fn repeat(random: &mut Random, context: &mut Context) -> Value {
    let id = context.id(random, false);
    let step: Value = match context.minor {
        12.. if random.chance(60) => "=${i}*0.75 - sqrt(${i})".into(),
        _ => "${i}".into(),
    };
    let zero = || Value::from(0.0);
    let body = mapping([
        ("type", "box".into()),
        ("id", format!("{id}_${{i}}_${{i}}").into()),
        ("name", "number ${i}".into()),
        ("dimensions", mapping([("x", size(random).into())])),
        (
            "transform",
            mapping([("translation", vec![step, zero(), zero()].into())]),
        ),
    ]);
    repeated(random.below(4), "i", body)
}

pub fn repeated(count: usize, name: &str, body: Value) -> Value {
    let count = (count as u64).into();
    let block = mapping([("count", count), ("as", name.into()), ("body", body)]);
    mapping([("repeat", block)])
}

/// Legs along two axes of the plane, in either order.
fn prism(random: &mut Random, context: &mut Context) -> Value {
    let turn = values::random_quaternion(random);
    let [w, x, y, z] = turn;
    let normal = [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y + w * z),
        2.0 * (x * z - w * y),
    ];
    let leg = [
        2.0 * (x * y - w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z + w * x),
    ];
    let other = [
        2.0 * (x * z + w * y),
        2.0 * (y * z - w * x),
        1.0 - 2.0 * (x * x + y * y),
    ];
    let (p, q) = (size(random), size(random));
    let mut legs = [leg.map(|c| c * p), other.map(|c| c * q)];
    random.shuffle(&mut legs);
    let origin = numbers(&values::vector(random, values::coordinate));
    let id = context.id(random, true);
    mapping([
        ("macro", "triangle_prism_on_plane".into()),
        ("id", id.into()),
        (
            "plane",
            mapping([("origin", origin), ("normal", numbers(&normal))]),
        ),
        ("leg_p", numbers(&legs[0])),
        ("leg_q", numbers(&legs[1])),
        ("length", size(random).into()),
    ])
}

fn implicit(random: &mut Random, context: &mut Context) -> Value {
    let id = context.id(random, false);
    let count = |random: &mut Random| Value::from(random.within((2, 9)) as u64);
    let [nx, ny, nz] = [count(random), count(random), count(random)];
    let grid = mapping([("nx", nx), ("ny", ny), ("nz", nz)]);
    let iso = *random.pick(&[0.2, 0.35, 0.5, 0.1, 0.0, -0.25, 5.0]);
    let operators: Vec<Value> = (0..random.within((1, 4)))
        .map(|_| operator(random))
        .collect();
    let mut implicit = mapping([
        ("type", "implicit_surface".into()),
        ("id", id.into()),
        (
            "domain",
            mapping([("aabb", bounds(random)), ("grid", grid)]),
        ),
        ("iso", iso.into()),
        ("ops", operators.into()),
    ]);
    if random.chance(40) {
        implicit["extraction"] = mapping([("algorithm", "marching_cubes@1".into())]);
    }
    if random.chance(50) {
        implicit["transform"] = forms::transform(random);
    }
    implicit
}

fn operator(random: &mut Random) -> Value {
    const FIELDS: [&str; 4] = [
        "metaball_sphere@1",
        "metaball_capsule@1",
        "sdf_sphere@1",
        "sdf_capsule@1",
    ];
    let field = *random.pick(&FIELDS);
    let op = *random.pick(&["add", "add", "add", "subtract"]);
    let mut operator = mapping([
        ("op", op.into()),
        ("field", field.into()),
        ("strength", (0.5 + random.unit()).into()),
        ("radius", (0.5 + 2.0 * random.unit()).into()),
    ]);
    if field.contains("capsule") || random.chance(20) {
        operator["height"] = size(random).into();
    }
    if random.chance(80) {
        let mut transform = forms::transform(random);
        if random.chance(40) {
            let scale = *random.pick(&[1.0, 0.5, 1.75, 3.0]);
            transform["scale"] = numbers(&[scale; 3]);
        }
        operator["transform"] = transform;
    }
    operator
}
