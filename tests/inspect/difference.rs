//! Differences of two files: what is equal, what differs and by how much, and files that are no glTF.

use rigy_batch::view::difference::{Difference, MOST_FINDINGS, Side, compare};
use rigy_batch::{Location, MemoryLoader};
use serde_json::{Value, json};

use crate::support::glb;

/// A GLB of one triangle under a node that doubles it, with normals along z; `change` edits JSON and data.
pub fn triangle(change: impl FnOnce(&mut Value, &mut Vec<f32>)) -> Vec<u8> {
    let mut data = vec![0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    data.extend([0.0, 0.0, 1.0].repeat(3));
    let accessor =
        |view: u32| json!({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3"});
    let mut positions = accessor(0);
    (positions["min"], positions["max"]) = (json!([0, 0, 0]), json!([1, 1, 0]));
    let mut json = json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "n", "mesh": 0, "scale": [2, 2, 2]}],
        "meshes": [{"name": "m", "primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "material": 0}]}],
        "materials": [{"name": "red", "pbrMetallicRoughness": {"metallicFactor": 0.5}}],
        "accessors": [positions, accessor(1)],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 36},
        ],
        "buffers": [{"byteLength": 72}],
    });
    change(&mut json, &mut data);
    let bin: Vec<u8> = data
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    glb(json.to_string().as_bytes(), Some(&bin))
}

pub fn same() -> Vec<u8> {
    triangle(|_, _| {})
}

/// A triangle whose corner 1 is further out by `distance` before its node doubles it.
pub fn moved(distance: f32) -> Vec<u8> {
    triangle(|_, data| data[3] += distance)
}

fn difference(a: &[u8], b: &[u8]) -> Difference {
    let location = Location("x.glb".into());
    let loader = MemoryLoader::default();
    let a = Side {
        bytes: a,
        location: &location,
        loader: &loader,
    };
    compare(&a, &Side { bytes: b, ..a })
}

#[test]
fn distances_are_after_node_transforms_and_in_steps_of_what_is_stored() {
    let difference = difference(&same(), &moved(f32::EPSILON));
    let step = f64::from(f32::EPSILON);
    assert!(!difference.equal && difference.structure.is_empty());
    assert_eq!(difference.max_distance, Some(2.0 * step));
    let mesh = &difference.meshes[0];
    assert_eq!((&*mesh.mesh, mesh.primitive, mesh.vertices), ("m", 0, 3));
    assert_eq!((mesh.position.max, mesh.position.vertex), (2.0 * step, 1));
    assert!((mesh.position.mean - 2.0 * step / 3.0).abs() < 1e-20);
    assert_eq!(mesh.steps, Some(1));
    assert_eq!(mesh.normal_degrees.unwrap().max, 0.0);
    let first = difference.first_difference.as_ref().unwrap();
    let field = "accessor 0 (POSITION of mesh 0 `m`), element 1, component 0: 1.0000001 (3f800001) instead of 1.0 (3f800000)";
    assert!(first.contains(field), "{first}");
    assert!(difference.is_within(3.0 * step) && !difference.is_within(step));
}

#[test]
fn angles_of_normals_count_though_positions_are_equal() {
    let turned = triangle(|_, data| data[12..15].copy_from_slice(&[0.0, 1.0, 0.0]));
    let difference = difference(&same(), &turned);
    let angles = difference.meshes[0].normal_degrees.unwrap();
    assert_eq!((angles.max, angles.mean, angles.vertex), (90.0, 30.0, 1));
    assert_eq!(difference.max_distance, Some(0.0));
    assert!(!difference.is_within(0.1) && difference.is_within(1.5));
}

#[test]
fn structure_is_told_in_words_and_no_tolerance_excuses_it() {
    #[rustfmt::skip] // a row stays a line
    let rows = [
        (json!({"nodes": [{"name": "other", "mesh": 0, "scale": [2, 2, 2]}]}), "node 0 is named `other` instead of named `n`"),
        (json!({"materials": [{"name": "red"}]}), "material 0 has other properties"),
        (json!({"nodes": [{"name": "n", "mesh": 0, "scale": [2, 2, 2], "children": [1]}, {}]}), "nodes: 2 instead of 1"),
        (
            json!({"meshes": [{"name": "m", "primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}]}),
            "mesh 0, primitive 0 has POSITION instead of NORMAL, POSITION",
        ),
        (json!({"meshes": [{"name": "m", "primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "material": 0, "mode": 0}]}]}), "mode 0 instead of 4"),
    ];
    for (change, words) in rows {
        let other = triangle(|json, _| {
            for (key, value) in change.as_object().unwrap() {
                json[key] = value.clone();
            }
        });
        let difference = difference(&same(), &other);
        let texts = difference.structure.join("\n");
        assert!(texts.contains(words), "{words}: {texts}");
        assert!(!difference.is_within(1e30), "{words}");
    }
    // Spelling, spaces and the order of keys are other bytes and nothing else.
    let respelled = triangle(|json, _| {
        json["materials"][0]["pbrMetallicRoughness"] = json!({"metallicFactor": 5e-1});
        json["asset"]["generator"] = json!("another");
    });
    let difference = difference(&same(), &respelled);
    assert!(
        !difference.equal && difference.is_within(0.0),
        "{difference:?}"
    );
}

#[test]
fn meshes_in_another_order_are_paired_by_name() {
    let two = |order: [usize; 2]| {
        triangle(|json, _| {
            let mesh =
                |name: &str| json!({"name": name, "primitives": [{"attributes": {"POSITION": 0}}]});
            let meshes = [mesh("one"), mesh("two")];
            json["meshes"] = json!(order.map(|index| meshes[index].clone()));
            let node = |index: usize| json!({"mesh": order.iter().position(|m| *m == index).unwrap(), "translation": [7 * index, 0, 0]});
            json["nodes"] = json!(order.map(node));
            json["scenes"] = json!([{"nodes": [0, 1]}]);
        })
    };
    let difference = difference(&two([0, 1]), &two([1, 0]));
    assert_eq!(difference.meshes.len(), 2);
    assert_eq!(difference.max_distance, Some(0.0));
    let texts = difference.structure.join("\n");
    assert!(texts.contains("meshes with another number: 2"), "{texts}");
    assert!(!texts.contains("named"), "{texts}");
}

#[test]
fn nodes_are_compared_with_those_of_the_same_path_or_name() {
    // Two arms have a hand of the same name; `b` has a node more in front of all, and a hand that is moved.
    let arms = |is_longer: bool| {
        triangle(|json, _| {
            let first = usize::from(is_longer);
            let mut nodes =
                vec![json!({"name": "n", "mesh": 0, "children": [first + 1, first + 3]})];
            for (arm, hand) in [("left", first + 2), ("right", first + 4)] {
                nodes.push(json!({"name": arm, "children": [hand]}));
                nodes.push(json!({"name": "hand", "translation": [hand - first, 0, 0]}));
            }
            if is_longer {
                nodes[4]["translation"][1] = json!(3);
                nodes.insert(0, json!({"name": "new"}));
            }
            json["nodes"] = nodes.into();
            json["scenes"] = json!([{"nodes": [first]}]);
        })
    };
    let structure = difference(&arms(false), &arms(true)).structure;
    assert_eq!(
        structure,
        [
            "nodes: 6 instead of 5",
            "nodes with another number: 5",
            "the matrix of node 4 differs by up to 3.00e0",
        ]
    );
}

#[test]
fn long_lists_of_differences_are_cut() {
    let many = |name: &str| {
        triangle(|json, _| {
            json["materials"] = json!(vec![json!({"name": name}); 1000]);
        })
    };
    let structure = difference(&many("a"), &many("b")).structure;
    assert_eq!(structure.len(), MOST_FINDINGS + 1);
    assert_eq!(
        structure[MOST_FINDINGS],
        "900 more differences are not listed"
    );
}

#[test]
fn anything_can_be_compared_with_anything() {
    let good = same();
    for end in 0..good.len() {
        assert!(!difference(&good, &good[..end]).is_within(1e30), "{end}");
    }
    assert!(difference(b"text", b"text").equal);
    for at in 0..good.len() {
        for bits in [1, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= bits;
            let difference = difference(&good, &bad);
            assert!(
                !difference.equal && difference.first_difference.is_some(),
                "{at}"
            );
            let text = serde_json::to_value(&difference).unwrap();
            assert!(text["max_distance"].is_number() || difference.max_distance.is_none());
        }
    }
}

/// A GLB of many nodes that all show one mesh of many primitives, which has this name.
fn crowd(nodes: usize, primitives: usize, name: &str, version: u32) -> Vec<u8> {
    triangle(|json, _| {
        let primitive = json["meshes"][0]["primitives"][0].clone();
        json["meshes"][0]["primitives"] = vec![primitive; primitives].into();
        json["meshes"][0]["name"] = name.into();
        json["nodes"] = vec![json!({"mesh": 0}); nodes].into();
        json["scenes"] = json!([{"nodes": (0..nodes).collect::<Vec<_>>()}]);
        json["asset"]["generator"] = version.into();
    })
}

#[test]
fn short_files_that_show_very_much_are_refused_at_once() {
    #[rustfmt::skip] // a row stays a line
    let rows = [
        (10_000, 10_000, "m", "too much work on vertices, triangles and names"),
        (1000, 1000, "m", "too much work on vertices, triangles and names"),
        (200, 100, &*"m".repeat(5000), "too much work on vertices, triangles and names"),
    ];
    for (nodes, primitives, name, reason) in rows {
        let [a, b] = [1, 2].map(|version| crowd(nodes, primitives, name, version));
        let start = std::time::Instant::now();
        let difference = difference(&a, &b);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        let found = &difference.structure;
        assert_eq!(found.len(), 2, "{found:?}");
        for (side, text) in ["`a`", "`b`"].into_iter().zip(found) {
            assert!(text.starts_with(side) && text.contains(reason), "{text}");
        }
        assert_eq!(difference.max_distance, None);
        assert!(!difference.is_within(f64::MAX));
    }
}

#[test]
fn normals_stay_what_they_are_under_extreme_scale() {
    for scale in [1e200f64, 1e-200, -1e-200] {
        let scaled = triangle(|json, _| json["nodes"][0]["scale"] = vec![scale; 3].into());
        let other = triangle(|json, _| json["nodes"][0]["scale"] = vec![scale.signum(); 3].into());
        let difference = difference(&other, &scaled);
        assert_eq!(
            difference.meshes[0].normal_degrees.unwrap().max,
            0.0,
            "{scale}"
        );
    }
}

#[test]
fn vertices_that_are_no_numbers_are_named_and_the_others_compared() {
    let two = |number: f32| {
        triangle(|json, data| {
            let mut accessor = json["accessors"][0].clone();
            accessor["bufferView"] = 2.into();
            let mut push =
                |list: &str, value: Value| json[list].as_array_mut().unwrap().push(value);
            push("accessors", accessor);
            push(
                "bufferViews",
                json!({"buffer": 0, "byteOffset": 72, "byteLength": 36}),
            );
            json["buffers"][0]["byteLength"] = 108.into();
            let second = json!({"attributes": {"POSITION": 2}, "material": 0});
            let primitives = json["meshes"][0]["primitives"].as_array_mut();
            primitives.unwrap().push(second);
            data.extend([number; 9]);
        })
    };
    let difference = difference(&two(0.5), &two(f32::NAN));
    let text = &difference.structure[0];
    assert!(
        text.starts_with("`b` has no vertices to compare") && text.contains("NaN"),
        "{text}"
    );
    assert_eq!(difference.meshes.len(), 1);
    assert!(!difference.is_within(f64::MAX));
}

/// A triangle at three places, the second of which is at `x`, under a node with more extensions.
fn instanced(x: f32, extensions: &Value) -> Vec<u8> {
    triangle(|json, data| {
        let mut push = |list: &str, value: Value| json[list].as_array_mut().unwrap().push(value);
        push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": 72, "byteLength": 36}),
        );
        push(
            "accessors",
            json!({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"}),
        );
        json["buffers"][0]["byteLength"] = json!(108);
        json["nodes"][0]["extensions"] = extensions.clone();
        json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"] =
            json!({"attributes": {"TRANSLATION": 2}});
        data.extend([0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, 1.0, 5.0]);
    })
}

#[test]
fn a_moved_instance_and_a_hidden_node_are_differences() {
    let plain = instanced(2.0, &json!({}));
    let moved = difference(&plain, &instanced(2.5, &json!({})));
    // The node doubles the way.
    let distances: Vec<f64> = moved.meshes.iter().map(|mesh| mesh.position.max).collect();
    assert_eq!(distances, [0.0, 1.0, 0.0]);
    let hidden = |x: f32| instanced(x, &json!({"KHR_node_visibility": {"visible": false}}));
    let found = difference(&plain, &hidden(2.0));
    assert_eq!(
        found.structure,
        [
            "node 0 has another visibility",
            "nodes show 0 primitives instead of 3"
        ]
    );
    assert!(!found.is_within(1e30));
    // An animation may show what is hidden.
    let found = difference(&hidden(2.0), &hidden(2.5));
    assert_eq!(
        found.structure,
        ["matrices of instances of node 0 differ by up to 5.00e-1"]
    );
    assert!(!found.is_within(0.4));
}

#[test]
fn vertices_that_are_not_shown_are_compared_as_they_are_stored() {
    let hidden = |x: f32| {
        triangle(|json, data| {
            json["nodes"][0]["extensions"] = json!({"KHR_node_visibility": {"visible": false}});
            data[3] += x;
        })
    };
    let found = difference(&hidden(0.0), &hidden(0.25));
    assert_eq!(
        found.structure,
        ["POSITION of mesh 0, primitive 0 differs by up to 2.50e-1, at element 1"]
    );
    assert!(found.is_within(0.25) && !found.is_within(0.2));
}
