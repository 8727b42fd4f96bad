//! Nodes of skeletons that nothing needs after a bake (`bake.md` §6): which go, which stay, and that those that stay stand where
//! they stood.

use serde_json::{Value, json};

use super::algebra::Affine;
use super::builder::{Made, arm};
use super::cli::lines;
use super::pose::Posed;
use super::reader::Gltf;
use super::runs::baked_in;
use super::samples::samples;
use super::tree::Tree;
use crate::support::{Dir, published};

fn both(made: &Made, more: &str) -> [Gltf; 2] {
    let dir = Dir::with("made.glb", made.glb());
    let without = baked_in(&dir, more);
    let with = baked_in(&dir, &format!("{more} --keep-skeleton"));
    assert_eq!(shown(&without), shown(&with));
    assert!(without.buffers == with.buffers, "the vertices are the same");
    [without, with]
}

/// Returns the members of each node but its children and transforms, with its global matrix.
fn shown(file: &Gltf) -> Vec<(String, Affine)> {
    let posed = Posed::new(file, None);
    let of_place = ["children", "translation", "rotation", "scale", "matrix"];
    let nodes = file.tree.list("nodes").iter().enumerate();
    let shown = nodes.filter_map(|(index, node)| {
        let mut members = node.members().to_vec();
        members.retain(|(key, value)| {
            !of_place.contains(&&**key) && *value != Tree::Object(Vec::new())
        });
        let says = members.iter().any(|(key, _)| key != "name");
        says.then(|| (format!("{members:?}"), posed.global(index)))
    });
    shown.collect()
}

fn names(file: &Gltf) -> Vec<String> {
    let nodes = file.tree.list("nodes").iter().enumerate();
    let name = |(index, node): (usize, &Tree)| match node.text_of("name") {
        Some(name) => name.to_owned(),
        None => index.to_string(),
    };
    nodes.map(name).collect()
}

fn indices(file: &Gltf, path: &str) -> Option<Vec<usize>> {
    let list = file.tree.at(path)?.items().iter();
    Some(list.map(Tree::index).collect())
}

/// Adds a mesh of one point, and a node with it and these members. Returns the number of the node.
fn point(made: &mut Made, mut node: Value) -> usize {
    let positions = made.floats("VEC3", &[0.0, 1.0, 2.0]);
    let primitive = json!({"attributes": {"POSITION": positions}, "mode": 0});
    let mesh = made.push("meshes", json!({ "primitives": [primitive] }));
    node["mesh"] = json!(mesh);
    made.push("nodes", node)
}

#[test]
fn joints_and_what_only_held_them_are_gone() {
    let [output, with] = both(&arm(), "--time 0.3");
    assert_eq!(names(&output), ["body"]);
    assert_eq!(names(&with), ["upper", "fore", "body", "mount", "body"]);
    assert_eq!(indices(&output, "scenes.0.nodes"), Some(vec![0]));
}

#[test]
fn a_sword_follows_the_hand_that_holds_it() {
    let mut made = arm();
    let sword = point(
        &mut made,
        json!({"name": "sword", "translation": [0, 0.5, 0.125]}),
    );
    let grip = made.push(
        "nodes",
        json!({"name": "grip", "scale": [1, 2, 1], "children": [sword]}),
    );
    let tip = made.push("nodes", json!({"name": "tip"}));
    made.json["nodes"][1]["children"] = json!([tip, grip]);
    // The nodes before them go, so that animated nodes have other numbers.
    made.json["nodes"].as_array_mut().unwrap().swap(0, 3);
    made.json["nodes"][0]["children"] = json!([2]);
    made.json["nodes"][3]["children"] = json!([1]);
    made.json["skins"][0]["joints"] = json!([3, 1]);
    made.json["skins"][0]["skeleton"] = json!(3);
    made.json["animations"][0]["channels"][1]["target"]["node"] = json!(3);
    for time in ["0", "0.3", "1.7"] {
        let [output, _] = both(&made, &format!("--time {time}"));
        assert_eq!(names(&output), ["fore", "upper", "sword", "grip", "body"]);
        assert_eq!(indices(&output, "scenes.0.nodes"), Some(vec![1, 4]));
        assert_eq!(indices(&output, "nodes.1.children"), Some(vec![0]));
        assert_eq!(indices(&output, "nodes.0.children"), Some(vec![3]));
        assert!(output.tree.at("nodes.0.rotation").is_some());
        assert!(output.tree.at("nodes.4.rotation").is_none());
    }
}

#[test]
fn what_says_something_stays_with_all_above_it() {
    for (key, value, stays) in [
        ("extras", json!({"hp": 3}), true),
        ("extras", json!("hp"), true),
        ("extras", json!({}), false),
        (
            "extensions",
            json!({"KHR_node_visibility": {"visible": true}}),
            true,
        ),
        ("extensions", json!({}), false),
        ("camera", json!(0), true),
        ("unheard", json!(0), true),
    ] {
        let mut made = arm();
        made.json["cameras"] = json!([{"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "zfar": 2, "znear": 1}}]);
        made.json["nodes"][1][key] = value;
        let [output, _] = both(&made, "");
        let wanted: &[&str] = match stays {
            true => &["upper", "fore", "body"],
            false => &["body"],
        };
        assert_eq!(names(&output), wanted, "{key}");
    }
}

#[test]
fn nodes_beside_skeletons_stay() {
    let mut made = arm();
    let place = made.push("nodes", json!({"name": "place"}));
    let group = made.push("nodes", json!({"name": "group", "children": [place]}));
    made.json["nodes"][3]["children"] = json!([2, group]);
    let [output, _] = both(&made, "");
    assert_eq!(names(&output), ["mount", "place", "group", "body"]);
    assert_eq!(indices(&output, "nodes.0.children"), Some(vec![2]));
}

#[test]
fn files_without_a_skin_keep_all_nodes() {
    let mut made = arm();
    made.remove("/nodes/2/skin");
    let [output, _] = both(&made, "--time 0.3");
    assert_eq!(names(&output), ["upper", "fore", "body", "mount"]);
}

#[test]
fn nodes_that_known_extensions_name_stay_under_their_new_numbers() {
    let mut made = arm();
    made.json["nodes"].as_array_mut().unwrap().swap(0, 3);
    made.json["nodes"][0]["children"] = json!([2]);
    made.json["nodes"][3]["children"] = json!([1]);
    made.json["skins"] = json!([{"joints": [3, 1]}]);
    made.json["animations"] = json!([]);
    let bones = |hips: usize, head: usize| json!({"humanBones": {"hips": {"node": hips}, "head": {"node": head}}});
    made.json["extensionsUsed"] = json!(["VRMC_vrm"]);
    made.json["extensions"] = json!({"VRMC_vrm": {"humanoid": bones(3, 1), "firstPerson": {"meshAnnotations": [{"node": 2, "type": "auto"}]}}});
    let [output, with] = both(&made, "");
    assert_eq!(names(&output), ["fore", "upper", "body"]);
    let node = |file: &Gltf, path: &str| {
        file.tree
            .at(&format!("extensions.VRMC_vrm.{path}.node"))
            .map(Tree::index)
    };
    let paths = [
        "humanoid.humanBones.hips",
        "humanoid.humanBones.head",
        "firstPerson.meshAnnotations.0",
    ];
    assert_eq!(
        paths.map(|path| node(&output, path)),
        [Some(1), Some(0), Some(2)]
    );
    assert_eq!(
        paths.map(|path| node(&with, path)),
        [Some(3), Some(1), Some(4)]
    );
    // Their text is not to change, so that no node may go.
    let [kept, _] = both(&made, "--keep-extensions");
    assert_eq!(names(&kept).len(), 5);
    let happy = json!({"morphTargetBinds": [{"node": 4, "index": 0, "weight": 1}]});
    let expressions = json!({"expressions": {"preset": {"happy": happy}}});
    let mut expressive = arm();
    expressive.json["extensions"] = json!({"VRMC_vrm": expressions});
    expressive.json["extensionsUsed"] = json!(["VRMC_vrm"]);
    let [kept, _] = both(&expressive, "--keep-extensions");
    let all = names(&kept).len();
    let [fewer, _] = both(&expressive, "");
    assert!(names(&fewer).len() < all, "binds go with their targets");
    let mut constrained = arm();
    let constraint = json!({"VRMC_node_constraint": {"constraint": {"aim": {"source": 3}}}});
    constrained.json["nodes"][0]["extensions"] = constraint;
    constrained.json["extensionsUsed"] = json!(["VRMC_node_constraint"]);
    let dir = Dir::with("made.glb", constrained.glb());
    let output = baked_in(&dir, "");
    assert_eq!(names(&output), ["upper", "mount", "body"]);
    let source = "nodes.0.extensions.VRMC_node_constraint.constraint.aim.source";
    assert_eq!(output.tree.at(source).map(Tree::index), Some(1));
}

#[test]
fn extensions_that_are_not_known_keep_all_nodes() {
    for (name, stays) in [
        ("EXT_unheard_of", true),
        ("KHR_physics_rigid_bodies", true),
        ("KHR_materials_unlit", false),
        ("EXT_texture_webp", false),
    ] {
        let mut made = arm();
        made.json["materials"][0]["extensions"] = json!({ name: {} });
        made.json["extensionsUsed"] = json!([name]);
        let [output, with] = both(&made, "");
        assert_eq!(names(&output) == names(&with), stays, "{name}");
    }
}

#[test]
fn scenes_that_show_nothing_any_more_list_nothing() {
    let mut made = arm();
    made.push("scenes", json!({"name": "bones", "nodes": [0]}));
    made.push("scenes", json!({"name": "part", "nodes": [3]}));
    let [output, _] = both(&made, "");
    assert_eq!(indices(&output, "scenes.0.nodes"), Some(vec![0]));
    assert_eq!(indices(&output, "scenes.1.nodes"), None);
    assert_eq!(indices(&output, "scenes.2.nodes"), Some(vec![0]));
    assert_eq!(output.tree.at("scenes.1").unwrap().keys(), ["name"]);
}

#[test]
fn a_flagged_root_stays() {
    let mut made = arm();
    let root = made.push("nodes", json!({"name": "root", "children": [0, 3]}));
    made.json["scenes"] = json!([{ "nodes": [root] }]);
    made.json["extensionsUsed"] = json!(["GODOT_single_root"]);
    let [output, _] = both(&made, "--time 0.3");
    assert_eq!(names(&output), ["root", "body"]);
    assert_eq!(indices(&output, "scenes.0.nodes"), Some(vec![0]));
    assert_eq!(indices(&output, "nodes.0.children"), Some(vec![1]));
    // A scene without the skinned node has a root, too.
    made.json["nodes"][root]["children"] = json!([0]);
    let [output, _] = both(&made, "");
    assert_eq!(names(&output), ["root", "body"]);
    assert_eq!(output.tree.at("nodes.0").unwrap().keys(), ["name"]);
}

#[test]
fn chains_of_any_length_go() {
    let mut made = arm();
    let nodes = made.json["nodes"].as_array_mut().unwrap();
    let first = nodes.len();
    nodes[1]["children"] = json!([first]);
    nodes.extend((1..60_000).map(|next| json!({ "children": [first + next] })));
    nodes.push(json!({"name": "end"}));
    let dir = Dir::with("made.glb", made.glb());
    assert_eq!(names(&baked_in(&dir, "")), ["body"]);
    made.json["nodes"]
        .as_array_mut()
        .unwrap()
        .last_mut()
        .unwrap()["extras"] = json!(1);
    dir.write("made.glb", made.glb());
    assert_eq!(baked_in(&dir, "").tree.list("nodes").len(), 60_003);
}

#[test]
fn frames_share_what_stays() {
    let mut made = arm();
    let sword = point(&mut made, json!({"name": "sword"}));
    made.json["nodes"][1]["children"] = json!([sword]);
    let dir = Dir::with("made.glb", made.glb());
    let options = "made.glb --frames 0..5@4 -o";
    lines(&dir, &format!("{options} out"));
    lines(&dir, &format!("{options} with --keep-skeleton"));
    for frame in 0..6 {
        let read = |folder: &str| {
            let glb = dir.read(&format!("{folder}/made.{frame:04}.glb"));
            Gltf::read(&glb, dir.path())
        };
        let output = read("out");
        assert_eq!(names(&output), ["upper", "fore", "sword", "body"]);
        assert_eq!(shown(&output), shown(&read("with")));
    }
}

#[test]
fn samples_show_the_same_without_their_skeletons() {
    let mut gone = 0;
    for path in samples() {
        let dir = Dir::with("made.glb", std::fs::read(&path).unwrap());
        if let Some(folder) = path
            .parent()
            .filter(|_| path.extension().is_some_and(|end| end == "gltf"))
        {
            std::fs::read_dir(folder).unwrap().for_each(|file| {
                let file = file.unwrap();
                let name = file.file_name().into_string().unwrap();
                dir.write(&name, std::fs::read(file.path()).unwrap_or_default());
            });
        }
        let without = baked_in(&dir, "--time 0.5 --missing-animation rest");
        let with = baked_in(&dir, "--time 0.5 --missing-animation rest --keep-skeleton");
        assert_eq!(shown(&without), shown(&with), "{path:?}");
        assert!(without.buffers == with.buffers, "{path:?}");
        gone += with.tree.list("nodes").len() - without.tree.list("nodes").len();
    }
    let Some(fox) = published("gltf-samples/real/Fox.glb") else {
        return;
    };
    assert!(gone > 100, "{gone} nodes are gone");
    let dir = Dir::with("made.glb", std::fs::read(fox).unwrap());
    assert_eq!(names(&baked_in(&dir, "")), ["fox"]);
}
