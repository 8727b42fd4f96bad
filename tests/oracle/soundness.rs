//! Checks that the parts of a GLB fit together: every index refers to an element, every node has one
//! parent, every matrix is whole. Values are not judged.

use serde_json::Value;

use super::glb;

/// Panics where the file does not hang together.
pub fn check(file: &[u8]) {
    let (json, bin) = glb::chunks(file);
    let root: Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(root["buffers"][0]["byteLength"], bin.len());
    for view in list(&root, "bufferViews") {
        let end = number(view, "byteOffset") + number(view, "byteLength");
        assert!(end <= bin.len(), "{view}");
    }
    for accessor in list(&root, "accessors") {
        let view = &list(&root, "bufferViews")[number(accessor, "bufferView")];
        let len = number(accessor, "count") * element_len(accessor);
        assert_eq!(number(view, "byteLength"), len, "{accessor}");
    }
    list(&root, "meshes")
        .iter()
        .for_each(|mesh| check_mesh(&root, mesh));
    list(&root, "nodes")
        .iter()
        .for_each(|node| check_node(&root, node));
    list(&root, "skins")
        .iter()
        .for_each(|skin| check_skin(&root, skin));
    check_reach(&root);
}

fn list<'a>(object: &'a Value, key: &str) -> &'a [Value] {
    object.get(key).map_or(&[], |list| {
        let list = list.as_array().expect("a list");
        assert!(!list.is_empty(), "an empty {key}");
        list
    })
}

fn number(object: &Value, key: &str) -> usize {
    let number = object[key].as_u64();
    number.unwrap_or_else(|| panic!("{key} of {object}")) as usize
}

fn element_len(accessor: &Value) -> usize {
    let component = match number(accessor, "componentType") {
        5123 => 2,
        5125 | 5126 => 4,
        other => panic!("component type {other}"),
    };
    let components = match accessor["type"].as_str().expect("a type") {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => panic!("type {other}"),
    };
    component * components
}

fn check_mesh(root: &Value, mesh: &Value) {
    let accessors = list(root, "accessors");
    for primitive in list(mesh, "primitives") {
        let attributes = primitive["attributes"].as_object().expect("attributes");
        let count = |index: &Value| &accessors[index.as_u64().expect("a number") as usize]["count"];
        let vertices = count(&attributes["POSITION"]);
        assert!(attributes.values().all(|index| count(index) == vertices));
        assert!(number(primitive, "indices") < accessors.len());
        if primitive.get("material").is_some() {
            assert!(number(primitive, "material") < list(root, "materials").len());
        }
    }
}

fn check_node(root: &Value, node: &Value) {
    for (key, of) in [("mesh", "meshes"), ("skin", "skins")] {
        if node.get(key).is_some() {
            assert!(number(node, key) < list(root, of).len(), "{node}");
        }
    }
    if let Some(matrix) = node.get("matrix") {
        let matrix = matrix.as_array().expect("a list");
        assert!(matrix.len() == 16 && matrix.iter().all(Value::is_f64));
        assert!(node.get("translation").is_none(), "{node}");
    }
}

fn check_skin(root: &Value, skin: &Value) {
    let joints = list(skin, "joints");
    let nodes = list(root, "nodes").len() as u64;
    assert!(
        joints
            .iter()
            .all(|joint| joint.as_u64().is_some_and(|j| j < nodes))
    );
    if let Some(skeleton) = skin.get("skeleton") {
        assert!(joints.contains(skeleton));
    }
    let matrices = &list(root, "accessors")[number(skin, "inverseBindMatrices")];
    assert_eq!(number(matrices, "count"), joints.len());
}

/// From the scene every node is reached exactly once.
fn check_reach(root: &Value) {
    let nodes = list(root, "nodes");
    let mut visits = vec![0; nodes.len()];
    let mut waiting: Vec<&Value> = list(&root["scenes"][0], "nodes").iter().collect();
    while let Some(index) = waiting.pop() {
        let index = index.as_u64().expect("a number") as usize;
        visits[index] += 1;
        assert_eq!(visits[index], 1, "node {index} hangs in two places");
        waiting.extend(list(&nodes[index], "children"));
    }
    assert!(visits.iter().all(|count| *count == 1), "{visits:?}");
}
