//! Reads a document field by field (`language.md` 1.4) and expands its symmetry.

use serde_yaml::Value;

use super::arithmetic::Vec3;
use super::document::{
    Anchor, Armature, Attach, Binding, Bone, BoneWeights, Document, Gradient, Instance, InstanceOf,
    Mesh, Mirror, Mode, Override, Pose, PoseBone, Primitive, PrimitiveWeights, Rotation, Solver,
    Source, Transform, WeightMap,
};
use super::implicit::{Implicit, Operator};
use super::preprocess::{minor, preprocessed};
use super::rotations::canonical_rotation;
use super::symmetry;
use super::yaml::{field, filled_string, index, list, load, number, pairs, string, tuple};

/// Reads a document, preprocesses it and expands its symmetry (`language.md` 3).
pub fn read(text: &str) -> Document {
    let root = preprocessed(load(text));
    let minor = minor(&root);
    let mesh = |value: &Value| mesh(value, minor);
    let mut document = Document {
        minor,
        materials: pairs(&root, "materials")
            .into_iter()
            .map(material)
            .collect(),
        meshes: list(&root, "meshes").iter().map(mesh).collect(),
        armatures: list(&root, "armatures").iter().map(armature).collect(),
        bindings: list(&root, "bindings").iter().map(binding).collect(),
        poses: list(&root, "poses").iter().map(pose).collect(),
        solver: solver(&root),
        anchors: list(&root, "anchors").iter().map(anchor).collect(),
        imports: pairs(&root, "imports").into_iter().map(import).collect(),
        instances: list(&root, "instances").iter().map(instance).collect(),
    };
    if let Some(mirror_x) = field(&root, "symmetry").and_then(|s| field(s, "mirror_x")) {
        let mirror = Mirror {
            prefix_from: string(mirror_x, "prefix_from"),
            prefix_to: string(mirror_x, "prefix_to"),
        };
        symmetry::expand(&mut document, &mirror);
    }
    document
}

fn solver(object: &Value) -> Option<Solver> {
    match field(object, "skinning_solver")?.as_str() {
        Some("lbs") => Some(Solver::Lbs),
        Some("dqs") => Some(Solver::Dqs),
        _ => panic!("unknown skinning_solver"),
    }
}

fn material((id, value): (&str, &Value)) -> (String, [f64; 4]) {
    (
        id.to_string(),
        tuple(value, "base_color").expect("a colour"),
    )
}

fn mesh(value: &Value, minor: u32) -> Mesh {
    let primitives = list(value, "primitives").iter();
    Mesh {
        id: string(value, "id"),
        name: filled_string(value, "name"),
        material: filled_string(value, "material"),
        uv_sets: uv_sets(value),
        primitives: primitives.map(|value| primitive(value, minor)).collect(),
    }
}

fn uv_sets(mesh: &Value) -> Vec<String> {
    let number = |token: &str| -> usize { token[2..].parse().expect("a number") };
    let sets = pairs(mesh, "uv_sets").into_iter();
    let mut sets: Vec<(usize, String)> = sets
        .map(|(token, set)| (number(token), string(set, "generator")))
        .collect();
    sets.sort();
    sets.into_iter().map(|(_, generator)| generator).collect()
}

fn primitive(value: &Value, minor: u32) -> Primitive {
    let dimension = |(key, value): (&str, &Value)| (key.to_string(), number(value));
    Primitive {
        kind: string(value, "type"),
        id: string(value, "id"),
        dimensions: pairs(value, "dimensions")
            .into_iter()
            .map(dimension)
            .collect(),
        transform: field(value, "transform").map(|value| transform(value, minor)),
        material: filled_string(value, "material"),
        tags: strings(value, "tags"),
        implicit: field(value, "domain").map(|domain| implicit(value, domain, minor)),
    }
}

fn strings(value: &Value, key: &str) -> Vec<String> {
    let texts = list(value, key).iter().map(|item| item.as_str());
    texts
        .map(|text| text.expect("a string").to_string())
        .collect()
}

fn implicit(value: &Value, domain: &Value, minor: u32) -> Implicit {
    let corner = |key: &str| tuple(&domain["aabb"], key).expect("three numbers");
    let operators = list(value, "ops").iter();
    Implicit {
        min: corner("min"),
        max: corner("max"),
        counts: ["nx", "ny", "nz"].map(|key| index(&domain["grid"][key])),
        iso: number(&value["iso"]),
        operators: operators.map(|value| operator(value, minor)).collect(),
    }
}

fn operator(value: &Value, minor: u32) -> Operator {
    let placed = field(value, "transform");
    let scale: Option<Vec3> = placed.and_then(|placed| tuple(placed, "scale"));
    Operator {
        subtract: string(value, "op") == "subtract",
        field: string(value, "field"),
        strength: number(&value["strength"]),
        radius: number(&value["radius"]),
        height: field(value, "height").map(number),
        transform: placed.map(|placed| transform(placed, minor)),
        scale: scale.map(|[factor, _, _]| factor),
    }
}

fn transform(value: &Value, minor: u32) -> Transform {
    let rotation = if minor < 12 {
        euler_angles(value).map(Rotation::Euler)
    } else {
        canonical_rotation(value).map(Rotation::Quaternion)
    };
    Transform {
        translation: tuple(value, "translation"),
        rotation,
    }
}

fn euler_angles(value: &Value) -> Option<Vec3> {
    let degrees: Option<Vec3> = tuple(value, "rotation_degrees");
    let radians = degrees.map(|angles| angles.map(radians_from_degrees));
    tuple(value, "rotation_euler").or(radians)
}

/// §4.3: one multiplication by the double nearest to pi / 180, which is 0x1.1df46a2529d39p-6.
pub fn radians_from_degrees(degrees: f64) -> f64 {
    degrees * f64::from_bits(0x3f91_df46_a252_9d39)
}

fn armature(value: &Value) -> Armature {
    Armature {
        id: string(value, "id"),
        name: filled_string(value, "name"),
        bones: list(value, "bones").iter().map(bone).collect(),
    }
}

fn bone(value: &Value) -> Bone {
    Bone {
        id: string(value, "id"),
        parent: string(value, "parent"),
        head: tuple(value, "head").expect("a bone head"),
    }
}

fn binding(value: &Value) -> Binding {
    Binding {
        mesh_id: string(value, "mesh_id"),
        armature_id: string(value, "armature_id"),
        weights: list(value, "weights")
            .iter()
            .map(primitive_weights)
            .collect(),
        weight_maps: list(value, "weight_maps").iter().map(weight_map).collect(),
        solver: solver(value),
    }
}

fn bone_weight(value: &Value) -> (String, f64) {
    let weight = field(value, "weight").expect("a weight");
    (string(value, "bone_id"), number(weight))
}

fn primitive_weights(value: &Value) -> PrimitiveWeights {
    PrimitiveWeights {
        primitive_id: string(value, "primitive_id"),
        bones: list(value, "bones").iter().map(bone_weight).collect(),
    }
}

fn weight_map(value: &Value) -> WeightMap {
    let primitive_id = string(value, "primitive_id");
    let source = filled_string(value, "source").map(|path| Source {
        path,
        primitive_id: primitive_id.clone(),
        mirror: None,
    });
    WeightMap {
        primitive_id,
        source,
        gradients: list(value, "gradients").iter().map(gradient).collect(),
        overrides: list(value, "overrides")
            .iter()
            .map(vertex_override)
            .collect(),
    }
}

fn gradient(value: &Value) -> Gradient {
    let axes = ["x", "y", "z"];
    let axis = string(value, "axis");
    Gradient {
        axis: axes.iter().position(|name| *name == axis).expect("an axis"),
        range: tuple(value, "range").expect("a range"),
        from: gradient_side(value, "from"),
        to: gradient_side(value, "to"),
    }
}

/// A list of bone weights, or one bone weight standing alone.
fn gradient_side(value: &Value, key: &str) -> BoneWeights {
    match field(value, key) {
        Some(single @ Value::Mapping(_)) => vec![bone_weight(single)],
        _ => list(value, key).iter().map(bone_weight).collect(),
    }
}

fn vertex_override(value: &Value) -> Override {
    Override {
        vertices: list(value, "vertices").iter().map(index).collect(),
        bones: list(value, "bones").iter().map(bone_weight).collect(),
    }
}

fn pose(value: &Value) -> Pose {
    let bone = |(id, value): (&str, &Value)| (id.to_string(), pose_bone(value));
    Pose {
        id: string(value, "id"),
        bones: pairs(value, "bones").into_iter().map(bone).collect(),
    }
}

fn pose_bone(value: &Value) -> PoseBone {
    PoseBone {
        rotation: tuple(value, "rotation"),
        translation: tuple(value, "translation"),
    }
}

fn anchor(value: &Value) -> Anchor {
    Anchor {
        id: string(value, "id"),
        translation: tuple(value, "translation").expect("an anchor translation"),
    }
}

fn import((namespace, value): (&str, &Value)) -> (String, String) {
    (namespace.to_string(), string(value, "source"))
}

fn instance(value: &Value) -> Instance {
    let of = match field(value, "import") {
        Some(_) => InstanceOf::Import(string(value, "import")),
        None => InstanceOf::Mesh(string(value, "mesh_id")),
    };
    Instance {
        id: string(value, "id"),
        of,
        attach: field(value, "attach3").map(attach),
    }
}

fn attach(value: &Value) -> Attach {
    let mode = match string(value, "mode").as_str() {
        "rigid" => Mode::Rigid,
        "uniform" => Mode::Uniform,
        "affine" => Mode::Affine,
        other => panic!("unknown mode {other:?}"),
    };
    Attach {
        from: references(value, "from"),
        to: references(value, "to"),
        mode,
    }
}

fn references(value: &Value, key: &str) -> [String; 3] {
    strings(value, key).try_into().expect("three references")
}
