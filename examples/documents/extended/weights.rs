//! Weights and weight maps of the primitives that came after 0.5.

use serde_yaml::Value;

use super::super::random::{Draw, Random};
use super::super::values;
use super::{mapping, numbers};

/// The weights and weight maps of new primitives in a binding.
pub struct Added {
    weights: Vec<Value>,
    maps: Vec<Value>,
}

impl Added {
    pub fn add_to(&self, binding: &mut Value) {
        for (key, added) in [("weights", &self.weights), ("weight_maps", &self.maps)] {
            if added.is_empty() {
                continue;
            }
            let list = binding.as_mapping_mut().expect("a mapping");
            let list = list.entry(key.into()).or_insert(Value::Null);
            if list.is_null() {
                *list = Vec::<Value>::new().into();
            }
            let list = list.as_sequence_mut().expect("a list");
            list.extend(added.iter().cloned());
        }
    }
}

/// The bones that a mesh is bound to, as they are written.
pub fn bones_of(root: &Value, mesh: &Value) -> Option<Vec<Value>> {
    let bindings = root.get("bindings")?.as_sequence()?;
    let binding = bindings.iter().find(|b| b["mesh_id"] == mesh["id"])?;
    let armatures = root.get("armatures")?.as_sequence()?;
    let armature = armatures
        .iter()
        .find(|a| a["id"] == binding["armature_id"])?;
    let bones = armature["bones"].as_sequence()?;
    Some(bones.iter().map(|bone| bone["id"].clone()).collect())
}

/// Weights for some of the primitives that were added, and weight maps for some.
pub fn of(random: &mut Random, primitives: &[Value], bones: Option<Vec<Value>>) -> Added {
    let bones = bones.unwrap_or_default();
    let (mut weights, mut maps) = (Vec::new(), Vec::new());
    for (id, vertices) in primitives.iter().filter_map(target) {
        if bones.is_empty() {
            break;
        }
        if random.chance(70) {
            let entries = entries(random, &bones);
            weights.push(mapping([("primitive_id", id.clone()), ("bones", entries)]));
        }
        if random.chance(50) {
            maps.push(weight_map(random, id, vertices, &bones));
        }
    }
    Added { weights, maps }
}

/// The id of a new primitive and the number of its vertices, as far as they are known from its kind. Of a wall it is the box
/// of the first gap, which is always there.
fn target(primitive: &Value) -> Option<(Value, usize)> {
    let id = primitive["id"].clone();
    let kind = primitive.get("macro").or_else(|| primitive.get("type"))?;
    match kind.as_str()? {
        "wedge" | "triangle_prism_on_plane" => Some((id, 18)),
        "implicit_surface" => Some((id, 0)),
        "box_decompose" => Some((format!("{}_gap_0", id.as_str()?).into(), 24)),
        _ => None,
    }
}

fn entries(random: &mut Random, bones: &[Value]) -> Value {
    let entry = |random: &mut Random| {
        let bone = random.pick(bones).clone();
        let weight = random.below(9) as f64 / 8.0;
        mapping([("bone_id", bone), ("weight", weight.into())])
    };
    let count = random.within((1, 5));
    (0..count).map(|_| entry(random)).collect()
}

/// Gradients, and overrides where vertices are known.
fn weight_map(random: &mut Random, id: Value, vertices: usize, bones: &[Value]) -> Value {
    let mut map = mapping([("primitive_id", id)]);
    let overridden = vertices > 0 && random.chance(50);
    if !overridden || random.chance(50) {
        let count = random.within((1, 3));
        map["gradients"] = (0..count).map(|_| gradient(random, bones)).collect();
    }
    if overridden {
        let count = random.within((1, 6));
        let list = (0..count).map(|_| Value::from(random.below(vertices) as u64));
        let list = list.collect();
        let entries = entries(random, bones);
        map["overrides"] = vec![mapping([("vertices", list), ("bones", entries)])].into();
    }
    map
}

fn gradient(random: &mut Random, bones: &[Value]) -> Value {
    let start = values::coordinate(random);
    let end = start + 0.25 + random.unit();
    mapping([
        ("axis", (*random.pick(&["x", "y", "z"])).into()),
        ("range", numbers(&[start, end])),
        ("from", entries(random, bones)),
        ("to", entries(random, bones)),
    ])
}
