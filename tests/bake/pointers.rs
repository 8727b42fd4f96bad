//! Animations of nodes and meshes by JSON pointers (`KHR_animation_pointer`): they are sampled as channels that name a node.

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::runs::{Ask, refused, run};
use crate::support::{Dir, assert_contains};

const NAME: &str = "KHR_animation_pointer";

/// The target of a channel by a pointer.
pub fn target(pointer: &str) -> Value {
    json!({"path": "pointer", "extensions": {NAME: {"pointer": pointer}}})
}

/// Replaces the targets of all channels by pointers.
fn by_pointers(made: &mut Made) {
    made.json["extensionsUsed"] = json!([NAME]);
    made.json["extensionsRequired"] = json!([NAME]);
    for channel in made.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap()
    {
        let (node, path) = (&channel["target"]["node"], &channel["target"]["path"]);
        let pointer = format!("/nodes/{node}/{}", path.as_str().unwrap());
        channel["target"] = target(&pointer);
    }
}

fn output(made: &Made) -> (Vec<u8>, Vec<String>) {
    let dir = Dir::with("made.glb", made.glb());
    let ran = run(&dir, "made.glb", &Ask::at(0.7)).good();
    let warnings = ran.json()[0]["warnings"].as_array().unwrap().clone();
    let messages = warnings
        .iter()
        .map(|one| one["message"].as_str().unwrap().to_owned());
    (dir.read("out/made.glb"), messages.collect())
}

/// [`arm`] with a morph target, and a second node with the mesh that has weights of its own.
fn morphed() -> Made {
    let mut made = arm();
    let offsets: Vec<f32> = (0..18).map(|v| v as f32 * 0.25).collect();
    let offsets = made.floats("VEC3", &offsets);
    made.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": offsets}]);
    made.push("nodes", json!({"mesh": 0, "skin": 0, "weights": [0.125]}));
    made.add("/scenes/0/nodes", 4);
    made
}

/// Adds a channel for weights that go from 0 to 1 in a second.
fn add_weights(made: &mut Made, target: Value) {
    let times = made.floats("SCALAR", &[0.0, 1.0]);
    let values = made.floats("SCALAR", &[0.0, 1.0]);
    let animation = &mut made.json["animations"][0];
    let samplers = animation["samplers"].as_array_mut().unwrap();
    samplers.push(json!({"input": times, "output": values}));
    let sampler = samplers.len() - 1;
    let channels = animation["channels"].as_array_mut().unwrap();
    channels.push(json!({"sampler": sampler, "target": target}));
}

#[test]
fn pointers_to_nodes_are_sampled_like_nodes() {
    let (plain, _) = output(&arm());
    let mut made = arm();
    by_pointers(&mut made);
    let (pointed, warnings) = output(&made);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert!(pointed == plain);
}

#[test]
fn weights_of_a_mesh_are_those_of_its_nodes_without_weights() {
    let mut plain = morphed();
    add_weights(&mut plain, json!({"node": 2, "path": "weights"}));
    let mut pointed = morphed();
    add_weights(&mut pointed, target("/meshes/0/weights"));
    let (plain, pointed) = (output(&plain), output(&pointed));
    assert!(plain.1.is_empty() && pointed.1.is_empty());
    assert!(plain.0 == pointed.0);
    // A channel of the node goes before that of the mesh, wherever it stands.
    let mut both = morphed();
    add_weights(&mut both, target("/meshes/0/weights"));
    let sampler = both.json["animations"][0]["samplers"]
        .as_array()
        .unwrap()
        .len()
        - 1;
    let of_mesh = both.json["animations"][0]["samplers"][sampler].clone();
    let half = both.floats("SCALAR", &[0.5, 0.5]);
    let samplers = both.json["animations"][0]["samplers"]
        .as_array_mut()
        .unwrap();
    samplers.push(json!({"input": of_mesh["input"], "output": half}));
    let channel = json!({"sampler": sampler + 1, "target": {"node": 2, "path": "weights"}});
    let channels = both.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels.push(channel);
    let mut alone = both.clone();
    let channels = alone.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels.remove(channels.len() - 2);
    assert!(output(&both).0 == output(&alone).0);
}

#[test]
fn values_by_pointer_may_have_any_component_type() {
    let translations = |made: &mut Made, accessor: usize| {
        let times = made.floats("SCALAR", &[0.0, 2.0]);
        made.json["animations"] = json!([{
            "samplers": [{"input": times, "output": accessor}],
            "channels": [{"sampler": 0, "target": target("/nodes/1/translation")}],
        }]);
    };
    let mut real = arm();
    let accessor = real.floats("VEC3", &[0.0, 2.0, 4.0, 8.0, 2.0, 200.0]);
    translations(&mut real, accessor);
    let mut bytes = arm();
    let view = bytes.view(&[0, 2, 4, 0, 8, 2, 200, 0]);
    bytes.json["bufferViews"][view]["byteStride"] = json!(4);
    let accessor = json!({"bufferView": view, "componentType": 5121, "count": 2, "type": "VEC3"});
    let accessor = bytes.push("accessors", accessor);
    translations(&mut bytes, accessor);
    assert!(output(&real).0 == output(&bytes).0);
    // The core format has only floats.
    bytes.json["animations"][0]["channels"][0]["target"] =
        json!({"node": 1, "path": "translation"});
    let message = refused(&bytes, &Ask::at(0.7))["message"].to_string();
    assert_contains(&message, &["translation needs VEC3 of f32"]);
}

#[test]
fn pointers_to_other_things_are_named_once() {
    let mut made = arm();
    let pointers = [
        "/materials/0/pbrMetallicRoughness/roughnessFactor",
        "/nodes/0/extensions/KHR_node_hoverability/hoverable",
        "/nodes/0/weights/0",
        "/cameras/0/perspective/yfov",
        "/nodes/+1/translation",
    ];
    for pointer in pointers {
        add_weights(&mut made, target(pointer));
    }
    let (found, warnings) = output(&made);
    assert!(found == output(&arm()).0);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    for pointer in &pointers[..3] {
        assert!(warnings[0].contains(pointer), "{warnings:?}");
    }
    assert!(warnings[0].ends_with("and 2 more"), "{warnings:?}");
}

#[test]
fn pointers_that_contradict_the_file_are_errors() {
    let broken = |pointers: &[&str], expected: &str| {
        let mut made = morphed();
        for pointer in pointers {
            add_weights(&mut made, target(pointer));
        }
        let message = refused(&made, &Ask::REST)["message"].to_string();
        assert!(message.contains(expected), "{message}");
    };
    broken(&["/nodes/99/rotation"], "the file has 5 of these");
    broken(
        &["/meshes/18446744073709551616/weights"],
        "the file has 1 of these",
    );
    for pointer in ["/meshes/0/weights", "/nodes/2/weights"] {
        let mut twins = morphed();
        add_weights(&mut twins, target(pointer));
        add_weights(&mut twins, target(pointer));
        let (_, messages) = output(&twins);
        let said = messages
            .iter()
            .any(|message| message.contains("with equal keys"));
        assert!(said, "{messages:?}");
    }
    let mut made = arm();
    add_weights(
        &mut made,
        json!({"path": "pointer", "extensions": {NAME: {"pointer": 7}}}),
    );
    assert!(
        refused(&made, &Ask::REST)["message"]
            .to_string()
            .contains("7 is not a string")
    );
}

#[test]
fn pointers_that_cannot_be_followed_are_left_out_with_a_warning() {
    let (plain, _) = output(&arm());
    let warned = |target: Value, expected: &str| {
        let mut made = arm();
        add_weights(&mut made, target);
        let (found, warnings) = output(&made);
        assert!(found == plain);
        assert!(
            warnings.len() == 1 && warnings[0].contains(expected),
            "{warnings:?}"
        );
    };
    warned(json!({"path": "pointer"}), "has no pointer");
    warned(target("/meshes/0/weights"), "without morph targets");
    warned(target("/nodes/2/weights"), "without morph targets");
    // A target with a node and a pointer: the pointer is used.
    let mut made = arm();
    by_pointers(&mut made);
    made.json["animations"][0]["channels"][0]["target"]["node"] = json!(3);
    let (found, warnings) = output(&made);
    assert!(found == plain);
    assert!(warnings.len() == 1 && warnings[0].contains("the pointer is used"));
}
