//! Made files with various node hierarchies: instances, nodes, scenes, poses.

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::palettes::{Scale, Solver};
use super::runs::{Ask, baked, refused, warned};

/// A second skin: the joints the other way round, without inverse bind matrices.
fn second_skin(made: &mut Made) -> usize {
    made.push("skins", json!({"joints": [1, 0]}))
}

/// A node with the arm's mesh, listed by the scene.
fn instance(made: &mut Made, node: Value) -> usize {
    let node = made.push("nodes", node);
    let roots = made.json["scenes"][0]["nodes"].as_array_mut().unwrap();
    roots.push(json!(node));
    node
}

fn asks() -> [Ask; 6] {
    let names = ["fore".to_owned()].into();
    [
        Ask::REST,
        Ask::at(0.3),
        Ask::at(2.0),
        Ask::at(1.1).dqs(Scale::Global),
        Ask::at(1.1).dqs(Scale::Local),
        Ask::at(1.1).dqs(Scale::LocalFor(names)),
    ]
}

#[test]
fn an_arm_follows_its_joints_whatever_its_node_hangs_on() {
    for ask in asks() {
        let output = baked(&arm(), &ask);
        assert_eq!(output.tree.list("nodes").len(), 5);
        let mut moved = arm();
        moved.json["nodes"][3]["translation"] = json!([-40, 2, 1]);
        let other = baked(&moved, &ask);
        assert_eq!(other.buffers, output.buffers);
    }
    let rest = baked(&arm(), &Ask::REST);
    assert_ne!(baked(&arm(), &Ask::at(0.3)).buffers, rest.buffers);
}

/// The buffers of a bake of scaled joints. A root joint that keeps its scale to itself is warned of, nothing else.
fn scaled(made: &Made, ask: &Ask) -> Vec<Vec<u8>> {
    let (output, warnings) = warned(made, ask);
    let keeps = ask.solver == Solver::Dqs(Scale::Local);
    let codes: Vec<&Value> = warnings.iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, vec!["W09"; usize::from(keeps)]);
    output.buffers
}

#[test]
fn scaled_joints_come_out_as_the_contract_says_in_every_form() {
    let mut made = arm();
    made.json["nodes"][0]["scale"] = json!([1.5, 0.75, 1.25]);
    made.json["nodes"][1]["scale"] = json!([0.5, 2, 1]);
    let outputs = asks().map(|ask| scaled(&made, &ask));
    assert!(outputs[3] != outputs[4] && outputs[4] != outputs[5]);
}

#[test]
fn a_mesh_under_two_skins_becomes_two_meshes() {
    let mut made = arm();
    let skin = second_skin(&mut made);
    instance(&mut made, json!({"mesh": 0, "skin": skin, "name": "twin"}));
    for ask in asks() {
        let output = baked(&made, &ask);
        assert_eq!(output.tree.list("meshes").len(), 2);
        assert_eq!(output.tree.list("nodes").len(), 7);
    }
}

#[test]
fn a_mesh_with_and_without_a_skin_becomes_two_meshes() {
    let mut made = arm();
    instance(&mut made, json!({"mesh": 0, "rotation": [0, 1, 0, 0]}));
    assert_eq!(baked(&made, &Ask::at(0.3)).tree.list("meshes").len(), 2);
    // The one without a skin first.
    let nodes = made.json["nodes"].as_array_mut().unwrap();
    nodes.swap(2, 4);
    assert_eq!(baked(&made, &Ask::at(0.3)).tree.list("meshes").len(), 2);
}

#[test]
fn a_mesh_twice_under_one_skin_stays_one_mesh() {
    let mut made = arm();
    instance(&mut made, json!({"mesh": 0, "skin": 0, "scale": [3, 3, 3]}));
    let output = baked(&made, &Ask::at(0.3));
    assert_eq!(output.tree.list("meshes").len(), 1);
    assert_eq!(output.tree.list("nodes").len(), 7);
}

#[test]
fn a_mesh_that_no_node_shows_stays_as_it_is() {
    let mut made = arm();
    let positions = made.floats("VEC3", &[0.0, 1.0, 2.0]);
    let primitive = json!({"attributes": {"POSITION": positions}, "mode": 0});
    made.push(
        "meshes",
        json!({"name": "spare", "primitives": [primitive]}),
    );
    let output = baked(&made, &Ask::at(0.3));
    let spare = output.tree.at("meshes.1.primitives.0").unwrap();
    let positions = output.attribute(spare, "POSITION").unwrap();
    assert_eq!(positions, [[0.0, 1.0, 2.0]]);
}

#[test]
fn children_of_a_skinned_node_or_a_joint_stay_there() {
    let mut made = arm();
    let positions = made.floats("VEC3", &[0.0, 1.0, 2.0]);
    let hat = json!({"primitives": [{"attributes": {"POSITION": positions}, "mode": 0}]});
    let mesh = made.push("meshes", hat);
    let hat = made.push(
        "nodes",
        json!({"name": "hat", "mesh": mesh, "translation": [0, 0.5, 0]}),
    );
    let badge = made.push("nodes", json!({"name": "badge", "mesh": mesh}));
    made.json["nodes"][1]["children"] = json!([hat]);
    made.json["nodes"][2]["children"] = json!([badge]);
    made.json["nodes"][2]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5.0, 1]);
    let output = baked(&made, &Ask::at(0.3));
    assert!(output.tree.at("nodes.1.rotation").is_some());
    assert_eq!(output.tree.at("nodes.2.children.0").unwrap().index(), badge);
}

#[test]
fn a_skinned_node_that_is_animated_itself_carries_its_pose() {
    let mut made = arm();
    made.json["animations"][0]["channels"][1]["target"]["node"] = json!(2);
    let output = baked(&made, &Ask::at(0.3));
    assert!(output.tree.at("nodes.2.translation").is_some());
}

#[test]
fn a_joint_can_carry_the_mesh_that_it_moves() {
    let mut made = arm();
    made.json["nodes"][1]["mesh"] = json!(0);
    made.json["nodes"][1]["skin"] = json!(0);
    baked(&made, &Ask::at(0.3));
}

#[test]
fn instances_join_the_scenes_that_show_them() {
    let mut made = arm();
    made.push("scenes", json!({"nodes": [3], "extras": {"dark": true}}));
    made.push("scenes", json!({"nodes": [0]}));
    made.push("scenes", json!({"name": "nothing"}));
    let output = baked(&made, &Ask::at(0.3));
    let counts = output
        .tree
        .list("scenes")
        .iter()
        .map(|scene| scene.list("nodes").len());
    assert_eq!(counts.collect::<Vec<_>>(), [3, 2, 1, 0]);
}

#[test]
fn a_file_without_scenes_is_baked_too() {
    let mut made = arm();
    let top = made.json.as_object_mut().unwrap();
    top.remove("scenes");
    top.remove("scene");
    let output = baked(&made, &Ask::at(0.3));
    assert!(output.tree.get("scenes").is_none());
}

#[test]
fn an_instance_in_no_scene_is_baked_too() {
    let mut made = arm();
    made.json["scenes"][0]["nodes"] = json!([0]);
    let output = baked(&made, &Ask::at(0.3));
    assert_eq!(output.tree.at("scenes.0.nodes").unwrap().items().len(), 1);
}

#[test]
fn a_node_without_a_name_gives_its_instance_none() {
    let mut made = arm();
    made.remove("/nodes/2/name");
    let output = baked(&made, &Ask::REST);
    assert_eq!(output.tree.list("nodes")[4].keys(), ["mesh"]);
}

#[test]
fn a_matrix_gives_way_to_an_animation_with_a_warning() {
    let mut made = arm();
    let fore = made.json["nodes"][1].as_object_mut().unwrap();
    fore.remove("translation");
    let matrix = json!([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 9, 9, 9, 1]);
    fore.insert("matrix".into(), matrix);
    assert_eq!(warned(&made, &Ask::at(0.3)).1.len(), 1);
    // As stored it is simply a matrix.
    baked(&made, &Ask::REST);
    baked(&made, &Ask::REST.dqs(Scale::Global));
}

#[test]
fn inverse_bind_matrices_may_be_missing() {
    let mut made = arm();
    made.remove("/skins/0/inverseBindMatrices");
    for ask in asks() {
        let output = baked(&made, &ask);
        assert!(
            output.tree.list("accessors").len() < 6,
            "the matrices are gone"
        );
    }
}

#[test]
fn joints_with_nodes_between_that_are_none_are_posed() {
    let mut made = arm();
    let between = json!({"children": [1], "rotation": [0, 0, 0.6, 0.8], "scale": [1, 2, 1.5], "translation": [0, 0.1, 0]});
    let between = made.push("nodes", between);
    made.json["nodes"][0]["children"] = json!([between]);
    let mount = json!({"children": [0], "scale": [1.5, 1.5, 1.5], "rotation": [0.6, 0, 0, 0.8]});
    let mount = made.push("nodes", mount);
    made.json["scenes"][0]["nodes"] = json!([mount, 3]);
    for ask in asks() {
        scaled(&made, &ask);
    }
}

#[test]
fn a_file_without_a_skin_is_posed_with_a_warning() {
    let mut made = arm();
    made.remove("/skins");
    made.remove("/nodes/2/skin");
    let (output, warnings) = warned(&made, &Ask::at(0.3));
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert!(output.tree.at("nodes.1.rotation").is_some());
}

#[test]
fn a_file_without_a_mesh_needs_no_buffer() {
    let mut made = arm();
    let top = made.json.as_object_mut().unwrap();
    top.remove("meshes");
    top.remove("skins");
    made.json["nodes"][2] = json!({"name": "empty"});
    let (output, _) = warned(&made, &Ask::at(0.3));
    assert!(output.tree.get("buffers").is_none() && output.tree.get("accessors").is_none());
}

#[test]
fn rotations_whose_squares_are_no_normal_numbers_are_rotations() {
    let turned = |factor: f64| {
        let mut made = arm();
        made.json["nodes"][1]["rotation"] = json!([0.0, 3.0 * factor, 0.0, -4.0 * factor]);
        made
    };
    for ask in [Ask::REST, Ask::REST.dqs(Scale::Global)] {
        let plain = baked(&turned(1.0), &ask);
        let mut straight = arm();
        straight.json["nodes"][1]["rotation"] = json!([0, 0, 0, 1]);
        assert_ne!(baked(&straight, &ask).buffers, plain.buffers);
        for exponent in [-700, -530, 600] {
            let factor = 2f64.powi(exponent);
            assert_eq!(
                baked(&turned(factor), &ask).buffers,
                plain.buffers,
                "{factor}"
            );
        }
        // The smallest numbers that there are.
        let mut smallest = arm();
        smallest.json["nodes"][1]["rotation"] = json!([0.0, 5e-324, 0.0, 5e-324]);
        baked(&smallest, &ask);
    }
}

#[test]
fn joints_beyond_numbers_are_refused_by_name() {
    let mut made = arm();
    made.json["nodes"][0]["scale"] = json!([1e200, 1, 1]);
    made.json["nodes"][1]["scale"] = json!([1e200, 1, 1]);
    made.json["nodes"][1]["rotation"] = json!([0, 0, 0, 1]);
    let error = refused(&made, &Ask::REST);
    assert!(
        error["message"].as_str().unwrap().contains("fore"),
        "{error}"
    );
    made = arm();
    made.json["nodes"][1]["scale"] = json!([1, 0, 1]);
    baked(&made, &Ask::REST);
    let error = refused(&made, &Ask::REST.dqs(Scale::Global));
    assert!(
        error["message"].as_str().unwrap().contains("fore"),
        "{error}"
    );
}

#[test]
fn a_scene_that_lists_a_child_shows_its_instance_too() {
    // The specification asks for roots; clients, and the reader with a warning, take any node.
    let mut made = arm();
    made.json["scenes"][0]["nodes"] = json!([0, 2]);
    let (output, _) = warned(&made, &Ask::REST);
    let shown = output.tree.at("scenes.0.nodes").unwrap().items();
    assert_eq!(shown.len(), 3);
}
