//! Made files with morph targets, with and without a skin.

use serde_json::{Value, json};

use super::builder::{COUNT, Made, U8, arm};
use super::runs::{Ask, baked, warned};
use super::vertices::{both, set_attribute, vertices};
use crate::support::Dir;

/// The arm with two morph targets, the second without normals, and weights for the mesh.
fn morphed(weights: Value) -> Made {
    let mut made = arm();
    let offsets: Vec<f32> = (0..3 * COUNT).map(|i| 0.07 * i as f32 - 0.4).collect();
    let first = json!({
        "POSITION": made.floats("VEC3", &offsets),
        "NORMAL": made.floats("VEC3", &offsets),
        "TANGENT": made.floats("VEC3", &offsets),
    });
    let second = json!({"POSITION": made.floats("VEC3", &offsets[3..].iter().chain(&offsets[..3]).map(|o| o * o).collect::<Vec<_>>())});
    made.json["meshes"][0]["primitives"][0]["targets"] = json!([first, second]);
    made.json["meshes"][0]["weights"] = weights;
    made
}

pub fn without_skin(mut made: Made) -> Made {
    made.remove("/skins");
    made.remove("/nodes/2/skin");
    made
}

#[test]
fn morph_targets_are_applied_before_the_skin() {
    for weights in [json!([0.5, 0.25]), json!([0, 0]), json!([-1.0, 2])] {
        for ask in both(0.3) {
            baked(&morphed(weights.clone()), &ask);
        }
    }
}

#[test]
fn morph_targets_without_a_skin_are_applied_too() {
    for weights in [json!([0.5, 0.25]), json!([0, 0.5]), json!([0, 0])] {
        let made = without_skin(morphed(weights));
        let (output, _) = warned(&made, &Ask::at(0.3));
        assert!(output.tree.at("meshes.0.primitives.0.targets").is_none());
    }
}

/// The same with weights that the animation changes between its keys.
pub fn animated() -> Made {
    let mut made = morphed(json!([0.5, 0.25]));
    let outputs = made.floats("SCALAR", &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0]);
    let samplers = made.json["animations"][0]["samplers"]
        .as_array_mut()
        .unwrap();
    let input = samplers[0]["input"].clone();
    samplers.push(json!({"input": input, "output": outputs}));
    let channels = made.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels.push(json!({"sampler": 2, "target": {"node": 2, "path": "weights"}}));
    made
}

#[test]
fn weights_of_a_node_win_over_its_mesh_and_animated_ones_over_both() {
    let mut made = morphed(json!([0.5, 0.25]));
    made.json["nodes"][2]["weights"] = json!([0.125, 0]);
    baked(&made, &Ask::at(0.3));
    let mut made = animated();
    made.json["nodes"][2]["weights"] = json!([0.125, 0]);
    for ask in both(0.3) {
        baked(&made, &ask);
    }
    warned(&without_skin(made), &Ask::at(0.3));
}

#[test]
fn frames_with_other_weights_are_those_of_bakes_of_their_own() {
    for made in [animated(), without_skin(animated())] {
        let dir = Dir::with("made.glb", made.glb());
        for threads in ["1", "2"] {
            let arguments = "bake made.glb --force -o all --frames 0..40@8";
            assert_eq!(dir.run(&format!("{arguments} -j {threads}")).status(), 0);
            for frame in [0, 1, 3, 7, 39, 40] {
                let time = (f64::from(frame) / 8.0).to_string();
                let own = format!("bake made.glb -o own --time {time}");
                assert_eq!(dir.run(&own).status(), 0);
                let all = dir.read(&format!("all/made.{frame:04}.glb"));
                assert_eq!(all, dir.read("own/made.glb"), "frame {frame}");
            }
            let first = dir.read("all/made.0000.glb");
            assert_ne!(first, dir.read("all/made.0003.glb"));
        }
    }
}

#[test]
fn one_mesh_under_two_sets_of_weights_becomes_two_meshes() {
    let mut made = without_skin(morphed(json!([0.5, 0.25])));
    let twin = made.push("nodes", json!({"mesh": 0, "weights": [1, 0]}));
    made.add("/scenes/0/nodes", twin);
    let (output, _) = warned(&made, &Ask::REST);
    assert_eq!(output.tree.list("meshes").len(), 2);
}

#[test]
fn colours_and_texture_coordinates_morph_too() {
    for skinned in [true, false] {
        let mut made = morphed(json!([0.5, 0.25]));
        let colours = made.padded(
            "VEC4",
            U8,
            &[
                &[10, 20, 30, 40],
                &[50, 60, 70, 80],
                &[1, 2, 3, 4],
                &[5, 6, 7, 8],
                &[9, 8, 7, 6],
                &[5, 4, 3, 2],
            ],
        );
        set_attribute(&mut made, "COLOR_0", colours);
        let shades = made.floats("VEC4", &[0.125; 4 * COUNT]);
        let shifts = made.floats("VEC2", &[0.25; 2 * COUNT]);
        let target = &mut made.json["meshes"][0]["primitives"][0]["targets"][0];
        target["COLOR_0"] = json!(shades);
        target["TEXCOORD_0"] = json!(shifts);
        let made = if skinned { made } else { without_skin(made) };
        let (output, _) = warned(&made, &Ask::at(0.3));
        let uvs = vertices(&output, 0, "TEXCOORD_0").unwrap();
        assert_eq!(uvs[0], [0.125, 1.125]);
    }
}
