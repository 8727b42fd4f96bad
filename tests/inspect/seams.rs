//! `inspect` on what is printed and on skeletons: closed meshes, the tree of nodes, memory, and what a bake finds.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Dir;
use crate::support::skinned::{Made, skinned};

/// A file with one mesh, whose primitives are triangles with corners of their own.
fn shown(primitives: &[Vec<[f32; 9]>]) -> Made {
    let mut made = skinned(1, 0.0);
    made.json["meshes"] = json!([{"primitives": []}]);
    made.json["nodes"] = json!([{"mesh": 0}]);
    made.json["scenes"] = json!([{"nodes": [0]}]);
    made.remove("/skins");
    for triangles in primitives {
        let positions = made.floats("VEC3", triangles.as_flattened());
        let accessor = &mut made.json["accessors"][positions];
        accessor["min"] = json!([0, 0, 0]);
        accessor["max"] = json!([9, 9, 9]);
        made.add(
            "/meshes/0/primitives",
            json!({"attributes": {"POSITION": positions}}),
        );
    }
    made
}

/// A tetrahedron from a corner on.
fn body(x: f32) -> Vec<[f32; 9]> {
    let [a, b, c, d] = [
        [x, 0.0, 0.0],
        [x + 1.0, 0.0, 0.0],
        [x, 1.0, 0.0],
        [x, 0.0, 1.0],
    ];
    let sides = [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
    sides
        .map(|corners| corners.as_flattened().try_into().unwrap())
        .to_vec()
}

fn described(made: &Made) -> (Value, String) {
    let dir = Dir::with("m.glb", made.glb());
    let object = dir.run("inspect m.glb --format json").good().stdout();
    let object = serde_json::from_str(&object).unwrap();
    (object, dir.run("inspect m.glb").good().stdout())
}

#[track_caller]
fn is_joined(primitives: &[Vec<[f32; 9]>], counts: [usize; 4], words: &str) {
    let (object, text) = described(&shown(primitives));
    let [open, crowded, turned, parts] = counts;
    let expected = json!({"open_edges": open, "crowded_edges": crowded, "turned_edges": turned, "parts": parts});
    assert_eq!(object["meshes"][0]["seams"], expected);
    assert!(
        text.contains(&format!("  {parts}  {words}  POSITION")),
        "{text}"
    );
}

#[test]
fn meshes_are_closed_or_have_edges_that_are_not() {
    is_joined(&[body(0.0)], [0, 0, 0, 1], "yes   ");
    is_joined(&[body(0.0), body(4.0)], [0, 0, 0, 2], "yes   ");
    // Primitives of a mesh join.
    is_joined(
        &[body(0.0)[..2].to_vec(), body(0.0)[2..].to_vec()],
        [0, 0, 0, 1],
        "yes   ",
    );
    is_joined(
        &[body(0.0)[1..].to_vec()],
        [3, 0, 0, 1],
        "3 open, 0 crowded, 0 turned",
    );
    is_joined(
        &[body(0.0), body(0.0)],
        [0, 6, 0, 1],
        "0 open, 6 crowded, 0 turned",
    );
    let mut turned = body(0.0);
    let [a, b, c] = *turned[0].as_chunks::<3>().0 else {
        panic!()
    };
    turned[0] = [b, a, c].as_flattened().try_into().unwrap();
    is_joined(&[turned], [0, 0, 3, 1], "0 open, 0 crowded, 3 turned");
}

#[test]
fn a_short_file_with_many_meshes_of_one_large_accessor_takes_no_more_than_the_limit() {
    let triangles: Vec<_> = (0..20_000).map(|x| body(x as f32)[0]).collect();
    let mut made = shown(&[triangles]);
    made.json["meshes"] = vec![made.json["meshes"][0].clone(); 2_000].into();
    let start = Instant::now();
    let (object, _) = described(&made);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(object["meshes"][0]["seams"]["parts"], 20_000);
    assert_eq!(object["meshes"][1_999]["seams"], Value::Null);
}

#[test]
fn nodes_are_a_tree_with_its_joints_of_at_most_forty_lines() {
    let mut made = skinned(2, 0.0);
    made.json["asset"]["generator"] = json!("by\u{1b}hand");
    let (object, text) = described(&made);
    let node = |index: usize, name: Option<&str>, joint: bool, mesh: Option<usize>| json!({"index": index, "name": name, "depth": 0, "mesh": mesh, "joint": joint});
    assert_eq!(
        object["nodes"],
        json!([
            node(0, Some("joint"), true, None),
            node(1, None, false, Some(0))
        ])
    );
    assert_eq!(object["generator"], "by\u{1b}hand");
    assert_eq!(
        (&object["vertex_bytes"], &object["texture_bytes"]),
        (&json!(2 * 32), &json!(0))
    );
    assert!(text.contains("generator: by\\u{1b}hand"), "{text}");
    assert!(
        text.contains("on a GPU 64 bytes of vertices and indices, 0 bytes of textures"),
        "{text}"
    );
    assert!(
        text.ends_with(
            "  node  name   joint  mesh\n     0  joint  yes       -\n     1  -      no        0\n"
        ),
        "{text}"
    );

    // A joint with six children, each with six of its own.
    let grandchildren = (8..44).collect::<Vec<usize>>();
    for child in 0..6 {
        made.push(
            "nodes",
            json!({"name": format!("child {child}"), "children": grandchildren[6 * child..][..6]}),
        );
    }
    for _ in &grandchildren {
        made.push("nodes", json!({"name": "below"}));
    }
    made.json["nodes"][0]["children"] = json!([2, 3, 4, 5, 6, 7]);
    let (object, text) = described(&made);
    assert_eq!(object["nodes"].as_array().unwrap().len(), 44);
    assert_eq!(
        (&object["nodes"][2]["name"], &object["nodes"][2]["depth"]),
        (&json!("below"), &json!(2))
    );
    assert!(
        text.contains("     7    child 5  no        -\n     1  -"),
        "{text}"
    );
    assert!(
        text.ends_with("\n  … and 36 more; `--format json` has them all\n"),
        "{text}"
    );
}

#[test]
fn a_check_finds_what_a_bake_finds() {
    let mut made = skinned(2, 0.0);
    let dir = Dir::with("good.glb", made.glb());
    assert_eq!(dir.run("inspect good.glb --check").good().stderr(), "");
    let at = made.bin.len() - 16;
    made.bin[at..at + 4].copy_from_slice(&0.5f32.to_le_bytes());
    dir.write("m.glb", made.glb());
    assert_eq!(dir.run("inspect m.glb").good().stderr(), "");
    let words = "the weights of vertex 1 sum to 0.5, not 1";
    dir.run("inspect m.glb --check").good().says(words);
    let ran = dir.run("inspect m.glb --check --format json").good();
    let object: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let message = object["warnings"][0]["message"].as_str().unwrap();
    assert!(message.contains(words), "{message}");
    made.bin[at..at + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    dir.write("m.glb", made.glb());
    let ran = dir.run("inspect m.glb --check");
    assert_eq!(ran.status(), 1);
    ran.says("weight inf of vertex 1 is no weight");
}
