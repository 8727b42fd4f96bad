//! Materials, UV sets, roles and tags.

use serde_yaml::{Mapping, Value};

use super::super::random::{Draw, Random};
use super::{Context, mapping, numbers};

/// Defines materials for the document, and returns the ids of those that need no texture coordinates.
pub fn materials(random: &mut Random, context: &mut Context, root: &mut Mapping) -> Vec<String> {
    let mut table = Mapping::new();
    let mut undemanding = Vec::new();
    for number in 0..random.below(4) {
        let id = format!("mat{number}{}", random.pick(&["", ".x", " é", "\""]));
        let mut color = [(); 4].map(|()| match random.below(4) {
            0 => random.below(2) as f64,
            1 => random.below(129) as f64 / 128.0,
            _ => random.unit(),
        });
        if random.chance(50) {
            color[3] = *random.pick(&[1.0, 0.99999999, 0.999999]);
        }
        let mut material = mapping([("base_color", numbers(&color))]);
        if number == 0 && context.minor == 7 && random.chance(50) {
            material["uses_uv_roles"] = vec![Value::from("albedo")].into();
        } else {
            undemanding.push(id.clone());
            if random.chance(10) {
                material["uses_uv_roles"] = Vec::<Value>::new().into();
            }
        }
        table.insert(id.clone().into(), material);
        context.materials.push(id);
    }
    if !table.is_empty() || random.chance(10) {
        root.insert("materials".into(), Value::Mapping(table));
    }
    undemanding
}

/// Gives a mesh and its primitives all that surfaces have.
pub fn dress(random: &mut Random, context: &Context, mesh: &mut Value) {
    if !context.materials.is_empty() {
        paint(random, context, mesh);
    }
    uv(random, context, mesh);
    for item in items(mesh) {
        if context.minor >= 11 && random.chance(40) {
            let tag = |random: &mut Random| Value::from(*random.pick(&["a", "b", "", "ü \"x\""]));
            let tags: Vec<Value> = (0..random.below(4)).map(|_| tag(random)).collect();
            item["tags"] = tags.into();
        }
        if random.chance(15) {
            item["surface"] = "glossy".into();
        }
    }
}

/// The items of a mesh that may say what they are made of: those of repeats, too.
fn items(mesh: &mut Value) -> impl Iterator<Item = &mut Value> {
    let primitives = mesh["primitives"].as_sequence_mut().expect("a list");
    primitives.iter_mut().map(|item| match item.get("repeat") {
        Some(_) => &mut item["repeat"]["body"],
        None => item,
    })
}

/// Below 0.12 one reference for all or none; then one for each primitive, or for the mesh.
fn paint(random: &mut Random, context: &Context, mesh: &mut Value) {
    let draw = |random: &mut Random| Value::from(random.pick(&context.materials).clone());
    if context.minor < 12 {
        if random.chance(75) {
            let material = draw(random);
            items(mesh).for_each(|item| item["material"] = material.clone());
        }
        return;
    }
    let by_mesh = random.chance(60);
    if by_mesh {
        mesh["material"] = draw(random);
    }
    for item in items(mesh) {
        if !by_mesh || random.chance(40) {
            item["material"] = draw(random);
        }
    }
}

fn kind(item: &Value) -> &str {
    match item.get("macro").and_then(Value::as_str) {
        Some("triangle_prism_on_plane") => "wedge",
        Some(_) => "box",
        None => item["type"].as_str().expect("a string"),
    }
}

fn uv(random: &mut Random, context: &Context, mesh: &mut Value) {
    let roles = mapping([("albedo", mapping([("set", "uv0".into())]))]);
    if context.minor == 7 {
        mesh["uv_roles"] = roles;
        return;
    }
    if context.minor < 8 {
        return;
    }
    let kinds: Vec<String> = items(mesh).map(|item| kind(item).to_owned()).collect();
    let all = |name: &str| kinds.iter().all(|kind| kind == name);
    let mut fitting = Vec::new();
    if !kinds.iter().any(|kind| kind == "implicit_surface") {
        fitting.push("planar_xy@1");
    }
    for (name, generator) in [
        ("box", "box_project@1"),
        ("sphere", "sphere_latlong@1"),
        ("cylinder", "cylindrical@1"),
        ("capsule", "capsule_cyl_latlong@1"),
    ] {
        if all(name) {
            fitting.push(generator);
        }
    }
    let count = if fitting.is_empty() {
        0
    } else {
        random.below(4)
    };
    if count == 0 && random.chance(70) {
        return;
    }
    let mut sets: Vec<(Value, Value)> = (0..count)
        .map(|number| {
            let zero = if random.chance(10) { "0" } else { "" };
            let zero = if number == 0 { "" } else { zero };
            let generator = *random.pick(&fitting);
            let set = mapping([("generator", generator.into())]);
            (format!("uv{zero}{number}").into(), set)
        })
        .collect();
    random.shuffle(&mut sets);
    mesh["uv_sets"] = Value::Mapping(sets.into_iter().collect());
    if count > 0 && random.chance(40) {
        mesh["uv_roles"] = roles;
    }
}
