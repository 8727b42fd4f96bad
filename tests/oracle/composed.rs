//! Composed documents small enough to be read: names, numbers and matrices in their JSON.

use super::edges::{json_of, no_files};
use super::{bake, compile, paths, positions};

const FRAME: &str = "{id: o, translation: [0, 0, 0]}, {id: px, translation: [1, 0, 0]}, \
                     {id: py, translation: [0, 1, 0]}";

const IDENTITY: &str = "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0";

/// An arm with a skin, weights in a file beside it, a pose, and an instance of its own.
fn part() -> String {
    format!(
        "version: '0.3'\n\
         meshes:\n\
         - {{id: hollow, primitives: []}}\n\
         - {{id: sleeve, name: Sleeve, primitives: [{{type: box, id: b, dimensions: {{x: 1}}, material: cloth}}]}}\n\
         - {{id: stone, primitives: [{{type: box, id: b, dimensions: {{x: 1}}, material: grey}}]}}\n\
         armatures: [{{id: rig, bones: [{{id: up, parent: none, head: [0, 1, 0], tail: [0, 2, 0]}},\n\
         \x20 {{id: down, parent: up, head: [0, 2, 0], tail: [0, 3, 0]}}]}}]\n\
         bindings: [{{mesh_id: sleeve, armature_id: rig, weights: [],\n\
         \x20 weight_maps: [{{primitive_id: b, source: ../weights/./w.json}}]}}]\n\
         poses: [{{id: bent, bones: {{}}}}]\n\
         anchors: [{FRAME}, {{id: dot.ted, translation: [1, 0, 0]}}]\n\
         instances: [{{id: ignored, mesh_id: stone}}]\n"
    )
}

fn files(path: &str) -> Vec<u8> {
    match path {
        "parts/arm.yaml" => part().into_bytes(),
        "weights/w.json" => br#"{"primitive_id":"b","vertex_count":24,"influences":
            [{"vertex":0,"bones":[{"bone_id":"down","weight":1}]}]}"#
            .to_vec(),
        other => panic!("nobody has {other}"),
    }
}

fn root(instances: &str) -> String {
    format!(
        "version: '0.5'\n\
         meshes:\n\
         - {{id: empty, primitives: []}}\n\
         - {{id: m, name: Body, primitives: [{{type: box, id: b, dimensions: {{x: 1}}, material: grey}}]}}\n\
         poses: [{{id: p, bones: {{}}}}]\n\
         anchors: [{FRAME}, {{id: L.o, translation: [2, 0, 0]}}, {{id: L.x, translation: [3, 0, 0]}},\n\
         \x20 {{id: L.y, translation: [2, 1, 0]}}]\n\
         symmetry: {{mirror_x: {{prefix_from: L., prefix_to: R.}}}}\n\
         imports: {{arm: {{source: ./parts/x/../arm.yaml}}}}\n\
         instances: [{instances}]\n"
    )
}

#[test]
fn a_part_brings_its_meshes_bones_and_skins_under_the_instance() {
    let text = root(
        "{id: a, import: arm, attach3: {from: [o, arm.px, py], to: [L.o, L.x, L.y], mode: rigid}}",
    );
    let json = json_of(&compile(&text, &files));
    let matrix = "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,2.0,0.0,0.0,1.0";
    let nodes = format!(
        r#""nodes":[{{"mesh":0,"name":"Body"}},{{"children":[2,3,5],"matrix":[{matrix}],"name":"a"}},{{"mesh":1,"skin":0,"name":"a.Sleeve"}},{{"translation":[0.0,1.0,0.0],"children":[4],"name":"a.up"}},{{"translation":[0.0,1.0,0.0],"name":"a.down"}},{{"mesh":2,"name":"a.stone"}}],"scene":0,"scenes":[{{"nodes":[0,1]}}]"#
    );
    assert!(json.contains(&nodes), "{json}");
    let skin = r#""skins":[{"inverseBindMatrices":8,"skeleton":3,"joints":[3,4],"name":"a.rig"}]"#;
    assert!(json.contains(skin), "{json}");
    for mesh in [
        r#""material":0}],"name":"Body"}"#,
        r#""material":1}],"name":"a.Sleeve"}"#,
        r#""material":0}],"name":"a.stone"}"#,
    ] {
        assert!(json.contains(mesh), "{json}");
    }
    assert_eq!(json.matches(r#""alphaMode""#).count(), 2, "grey is shared");
}

#[test]
fn the_weight_file_lies_beside_the_part() {
    let text =
        root("{id: a, import: arm, attach3: {from: [o, px, py], to: [o, px, py], mode: affine}}");
    let glb = compile(&text, &files);
    // From the end: a box (24 + 24 vectors, 36 indices), two matrices, weights, joints.
    let joints = glb.len() - (24 * 24 + 36 * 4) - 2 * 64 - 24 * 16 - 24 * 8;
    assert_eq!(glb[joints..joints + 10], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn mirrored_instances_and_two_of_a_part() {
    let text = root(
        "{id: L.i, import: arm, attach3: {from: [arm.o, arm.dot.ted, py], to: [L.o, L.x, L.y], mode: rigid}}",
    );
    let json = json_of(&compile(&text, &files));
    // Mirrored points: the frame is turned about y, not reflected.
    let left = "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,2.0,0.0,0.0,1.0";
    let right = "-1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,-1.0,0.0,-2.0,0.0,0.0,1.0";
    for node in [
        format!(r#"{{"children":[2,3,5],"matrix":[{left}],"name":"L.i"}}"#),
        format!(r#"{{"children":[7,8,10],"matrix":[{right}],"name":"R.i"}}"#),
        r#"{"mesh":3,"skin":1,"name":"R.i.Sleeve"}"#.to_string(),
        r#""joints":[8,9],"name":"R.i.rig"}"#.to_string(),
        r#""scenes":[{"nodes":[0,1,6]}]"#.to_string(),
    ] {
        assert!(json.contains(&node), "{node} in {json}");
    }
}

#[test]
fn local_instances() {
    let text = root(
        "{id: i, mesh_id: m}, {id: j, mesh_id: empty, attach3: null}, \
         {id: k, mesh_id: m, attach3: {from: [o, px, py], to: [o, py, L.x], mode: rigid}}",
    );
    let json = json_of(&compile(&text, &no_files));
    let turned = "0.0,1.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,0.0,-1.0,0.0,0.0,0.0,0.0,1.0";
    let nodes = format!(
        r#""nodes":[{{"mesh":0,"name":"Body"}},{{"mesh":0,"matrix":[{IDENTITY}],"name":"i"}},{{"matrix":[{IDENTITY}],"name":"j"}},{{"mesh":0,"matrix":[{turned}],"name":"k"}}],"scene":0,"scenes":[{{"nodes":[0,1,2,3]}}]"#
    );
    assert!(json.contains(&nodes), "{json}");
}

#[test]
fn a_part_without_vertices_is_a_childless_node() {
    let hollow = format!("version: '0.1'\nanchors: [{FRAME}]\n");
    let text =
        root("{id: a, import: arm, attach3: {from: [o, px, py], to: [o, px, py], mode: uniform}}");
    let json = json_of(&compile(&text, &|_| hollow.clone().into_bytes()));
    let node = format!(r#"{{"matrix":[{IDENTITY}],"name":"a"}}]"#);
    assert!(json.contains(&node), "{json}");
}

#[test]
fn a_bake_has_no_instances() {
    let plain = root("");
    let composed = root(
        "{id: i, mesh_id: m}, {id: a, import: arm, attach3: {from: [o, px, py], to: [o, px, py], mode: rigid}}",
    );
    let baked = bake(&composed, "p", &no_files);
    assert_eq!(baked, bake(&plain, "p", &no_files));
}

#[test]
fn positions_are_canonical_json() {
    let text = "version: '0.5'\n\
        meshes:\n\
        - {id: z, primitives: [{type: box, id: b, dimensions: {x: 0.2, y: 2, z: 2}}]}\n\
        - {id: \u{e9}, primitives: [{type: box, id: b, dimensions: {x: 1}}]}\n\
        - {id: gone, primitives: []}\n\
        - {id: m, name: Z, primitives: [{type: box, id: b, dimensions: {x: 1}}]}\n\
        poses: [{id: p, bones: {}}]\n";
    let json = String::from_utf8(positions(text, "p", &no_files)).expect("UTF-8");
    let keys: Vec<&str> = json.split(":{\"normals\"").collect();
    assert!(keys[0].ends_with("{\"Z\"") && keys[1].ends_with(",\"z\""));
    assert!(keys[2].ends_with(",\"\\u00e9\"") && keys.len() == 4);
    let z = r#""z":{"normals":[[1.0,0.0,0.0],"#;
    let corner = r#""positions":[[0.10000000149011612,-1.0,-1.0],"#;
    assert!(json.contains(z) && json.contains(corner), "{json}");
    assert!(json.ends_with("]]}}"));
    let nothing = "version: '0.5'\nposes: [{id: p, bones: {}}]\n";
    assert_eq!(positions(nothing, "p", &no_files), b"{}");
}

#[test]
fn paths_are_normalised() {
    for (directory, path, expected) in [
        ("", "./a//b", "a/b"),
        ("parts", "wheel.json", "parts/wheel.json"),
        ("parts/x", "../../y/./z", "y/z"),
        ("parts", "../../up", "../up"),
        ("parts", "/abs/../x", "/x"),
    ] {
        assert_eq!(paths::join(directory, path), expected);
    }
    assert_eq!(paths::directory("a/b/c"), "a/b");
    assert_eq!(paths::directory("c"), "");
}
