//! Made files that say that they have one root node, with the flag of Godot (`bake.md` §6).

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::lines;
use super::reader::{Gltf, chunks};
use super::runs::baked_in;
use crate::support::Dir;

const FLAG: &str = "GODOT_single_root";

/// An arm with the flag, all of it below node 4, which has these members.
fn flagged(mut root: Value) -> Made {
    let mut made = arm();
    root["name"] = json!("Root");
    root["children"] = json!([0, 3]);
    let root = made.push("nodes", root);
    made.json["scenes"] = json!([{ "nodes": [root] }]);
    made.json["extensionsUsed"] = json!([FLAG, "KHR_lights_punctual"]);
    made
}

/// The output of a bake, its binary chunk, and the warnings.
fn baked(made: &Made, more: &str) -> (Gltf, Vec<u8>, Vec<Value>) {
    let dir = Dir::with("made.glb", made.glb());
    let arguments = format!("made.glb -o out --keep-skeleton {more}");
    let warnings = lines(&dir, &arguments)[0]["warnings"].clone();
    let output = baked_in(&dir, &format!("--keep-skeleton {more}"));
    let bin = chunks(&dir.read("out/made.glb")).1.unwrap().to_vec();
    (output, bin, warnings.as_array().unwrap().clone())
}

fn is_flagged(output: &Gltf) -> bool {
    let used = output.tree.list("extensionsUsed").iter();
    used.filter_map(|name| name.str()).any(|name| name == FLAG)
}

fn indices(output: &Gltf, path: &str) -> Vec<usize> {
    let (above, key) = path.rsplit_once('.').unwrap();
    let list = output.tree.at(above).unwrap().list(key);
    list.iter().map(|index| index.index()).collect()
}

#[test]
fn baked_meshes_are_children_of_a_root_that_does_not_move_them() {
    for members in [
        json!({}),
        json!({"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.0, 0, 0, 1]}),
        json!({"scale": [1, 1, 1], "rotation": [0, 0, 0, 1]}),
    ] {
        let made = flagged(members);
        let (output, bin, warnings) = baked(&made, "--time 0.3");
        assert!(warnings.is_empty(), "{warnings:?}");
        assert!(is_flagged(&output));
        assert_eq!(indices(&output, "scenes.0.nodes"), [4]);
        assert_eq!(indices(&output, "nodes.4.children"), [0, 3, 5]);
        assert_eq!(output.tree.at("nodes.5.mesh").unwrap().index(), 0);
        let mut plain = made.clone();
        plain.json["extensionsUsed"] = json!([]);
        let (plain, plain_bin, _) = baked(&plain, "--time 0.3");
        assert_eq!(indices(&plain, "scenes.0.nodes"), [4, 5]);
        assert!(bin == plain_bin, "the vertices are the same");
    }
}

#[test]
fn the_flag_goes_where_the_root_moves_what_hangs_on_it() {
    for members in [
        json!({"scale": [0.01, 0.01, 0.01]}),
        json!({"translation": [0, 1e-300, 0]}),
    ] {
        let (output, _, warnings) = baked(&flagged(members.clone()), "");
        assert!(!is_flagged(&output));
        assert_eq!(indices(&output, "scenes.0.nodes"), [4, 5]);
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0]["code"], "W15");
        let message = warnings[0]["message"].as_str().unwrap();
        assert!(message.contains(FLAG), "{message}");
        let (output, _, warnings) = baked(&flagged(members), "--keep-extensions");
        assert!(is_flagged(&output) && warnings.is_empty(), "{warnings:?}");
    }
}

#[test]
fn a_root_that_an_animation_moves_decides_by_frame() {
    let mut made = flagged(json!({}));
    made.json["animations"][0]["channels"][1]["target"]["node"] = json!(4);
    let dir = Dir::new();
    // The second sampler moves it at every key; a third of no movement is first.
    let times = made.floats("SCALAR", &[0.0, 1.0, 2.0]);
    let moves = made.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    made.json["animations"][0]["samplers"][1] = json!({"input": times, "output": moves});
    dir.write("made.glb", made.glb());
    let found = lines(&dir, "made.glb -o out --frames 0..2@1");
    let flags = (0..3).map(|frame| {
        let glb = dir.read(&format!("out/made.{frame:04}.glb"));
        is_flagged(&Gltf::read(&glb, dir.path()))
    });
    assert_eq!(flags.collect::<Vec<_>>(), [true, true, false]);
    let warned = found
        .iter()
        .map(|line| line["warnings"].as_array().map_or(0, Vec::len));
    assert_eq!(
        warned.collect::<Vec<_>>(),
        [0, 0, 1],
        "it stands at the frame that loses the flag"
    );
}

#[test]
fn scenes_with_several_roots_lose_the_flag_and_files_without_a_skin_keep_it() {
    let mut made = flagged(json!({}));
    made.json["scenes"] = json!([{"nodes": [0, 4]}]);
    made.json["nodes"][4]["children"] = json!([3]);
    assert!(!is_flagged(&baked(&made, "").0));
    let mut made = flagged(json!({"scale": [2, 2, 2]}));
    made.remove("/nodes/2/skin");
    let (output, _, warnings) = baked(&made, "");
    assert!(is_flagged(&output));
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0]["code"], "W08");
}
