//! Made files, by what their vertices are made of: types, layouts, influences, morph targets.

use serde_json::{Value, json};

use super::builder::{COUNT, FLOAT, I8, I16, Made, U8, U16, arm, floats};
use super::palettes::Scale;
use super::reader::Gltf;
use super::runs::{Ask, baked, refused, warned};

fn both(time: f64) -> [Ask; 2] {
    [Ask::at(time), Ask::at(time).dqs(Scale::Global)]
}

/// Which accessor an attribute of the first primitive is.
fn attribute(made: &Made, name: &str) -> usize {
    let index = &made.json["meshes"][0]["primitives"][0]["attributes"][name];
    index.as_u64().unwrap() as usize
}

fn set_attribute(made: &mut Made, name: &str, accessor: usize) {
    made.attributes(0, 0)[name] = json!(accessor);
}

fn vertices(output: &Gltf, mesh: usize, name: &str) -> Option<Vec<Vec<f64>>> {
    let primitive = output.tree.at(&format!("meshes.{mesh}.primitives.0"))?;
    output.attribute(primitive, name)
}

#[test]
fn normals_tangents_and_indices_may_be_missing() {
    for gone in ["NORMAL", "TANGENT", "TEXCOORD_0"] {
        let mut made = arm();
        made.attributes(0, 0).as_object_mut().unwrap().remove(gone);
        for ask in both(0.3) {
            let output = baked(&made, &ask);
            assert!(vertices(&output, 0, gone).is_none(), "nothing is invented");
        }
    }
    let mut made = arm();
    let primitive = made.json["meshes"][0]["primitives"][0]
        .as_object_mut()
        .unwrap();
    primitive.remove("indices");
    primitive.remove("mode");
    baked(&made, &Ask::at(0.3));
}

#[test]
fn positions_in_one_view_with_what_passes_through_are_taken_apart() {
    let mut made = arm();
    let mut bytes = Vec::new();
    for vertex in 0..COUNT {
        let v = vertex as f32;
        bytes.extend(floats(&[v, 0.5 * v, -v]));
        bytes.extend([7 * vertex as u8, 1, 2, 255]);
        bytes.extend(floats(&[0.1 * v, 0.9]));
        bytes.extend([0, 1, 0, 0]);
        bytes.extend([255 - 10 * vertex as u8, 10 * vertex as u8, 0, 0]);
    }
    let view = made.view(&bytes);
    made.json["bufferViews"][view]["byteStride"] = json!(32);
    made.json["bufferViews"][view]["target"] = json!(34962);
    for (name, kind, offset, component, normalized) in [
        ("POSITION", "VEC3", 0, FLOAT, false),
        ("COLOR_0", "VEC4", 12, U8, true),
        ("TEXCOORD_0", "VEC2", 16, FLOAT, false),
        ("JOINTS_0", "VEC4", 24, U8, false),
        ("WEIGHTS_0", "VEC4", 28, U8, true),
    ] {
        let accessor = made.push("accessors", json!({
            "bufferView": view, "byteOffset": offset, "componentType": component, "normalized": normalized,
            "count": COUNT, "type": kind,
        }));
        set_attribute(&mut made, name, accessor);
    }
    for ask in both(0.3) {
        let output = baked(&made, &ask);
        assert_eq!(vertices(&output, 0, "COLOR_0").unwrap()[3][0], 21.0 / 255.0);
    }
}

#[test]
fn sparse_attributes_are_replaced_and_pass_through() {
    let mut made = arm();
    let indices = made.view(&[1, 4]);
    let values = made.view(&floats(&[9.0, 8.0, 7.0, -6.0, -5.0, -4.0]));
    let pairs = made.view(&floats(&[0.125, 0.25, 0.5, 0.75]));
    let sparse = |values: usize| json!({"count": 2, "indices": {"bufferView": indices, "componentType": U8}, "values": {"bufferView": values}});
    let (position, uv) = (attribute(&made, "POSITION"), attribute(&made, "TEXCOORD_0"));
    made.json["accessors"][position]["sparse"] = sparse(values);
    made.json["accessors"][uv]["sparse"] = sparse(pairs);
    baked(&made, &Ask::at(0.3));
    // And over nothing.
    for accessor in [position, uv] {
        made.json["accessors"][accessor]
            .as_object_mut()
            .unwrap()
            .remove("bufferView");
    }
    let output = baked(&made, &Ask::at(0.3));
    let uvs = vertices(&output, 0, "TEXCOORD_0").unwrap();
    assert_eq!((&*uvs[0], &*uvs[4]), (&[0.0, 0.0][..], &[0.5, 0.75][..]));
}

#[test]
fn quantized_vertices_are_read_by_their_range() {
    for (component, normalized, needs) in [
        (U8, false, false),
        (I16, true, false),
        (U16, true, true),
        (I8, false, true),
    ] {
        let mut made = arm();
        made.json["extensionsUsed"] = json!(["KHR_mesh_quantization", "KHR_texture_transform"]);
        made.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        made.json["materials"][0]["extensions"] = json!({"KHR_texture_transform": {}});
        let rows: Vec<Vec<u8>> = (0..COUNT as u8)
            .map(|v| match component {
                U8 | I8 => vec![200 - 30 * v, 3 * v, 255 - v],
                _ => vec![v, 100 + 20 * v, 7, 33 * v, 255 - v, 128],
            })
            .collect();
        let rows: Vec<&[u8]> = rows.iter().map(|row| &**row).collect();
        let positions = made.padded("VEC3", component, &rows);
        made.json["accessors"][positions]["normalized"] = json!(normalized);
        set_attribute(&mut made, "POSITION", positions);
        let normals = made.padded(
            "VEC3",
            I8,
            &[
                &[127, 0, 0],
                &[0x81, 1, 2],
                &[0x80, 0, 5],
                &[3, 100, 0],
                &[0, 0, 127],
                &[90, 90, 0],
            ],
        );
        set_attribute(&mut made, "NORMAL", normals);
        if needs {
            let uvs = made.padded("VEC2", I16, &[&[0, 1, 2, 3][..]; COUNT]);
            set_attribute(&mut made, "TEXCOORD_0", uvs);
        }
        for ask in both(0.3) {
            let output = baked(&made, &ask);
            assert_eq!(output.tree.get("extensionsRequired").is_some(), needs);
        }
    }
}

#[test]
fn points_beside_triangles_share_their_vertices() {
    let mut made = arm();
    let points =
        json!({"attributes": made.json["meshes"][0]["primitives"][0]["attributes"], "mode": 0});
    made.json["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap()
        .push(points);
    let output = baked(&made, &Ask::at(0.3));
    assert_eq!(
        output.tree.list("accessors").len(),
        5,
        "four attributes and indices"
    );
}

#[test]
fn primitives_that_share_only_positions_are_posed_each_by_its_own_joints() {
    let mut made = arm();
    let mut other = made.json["meshes"][0]["primitives"][0].clone();
    let joints: Vec<u8> = [1, 0, 0, 0].repeat(COUNT);
    other["attributes"]["JOINTS_0"] = json!(made.accessor("VEC4", U8, COUNT, &joints));
    made.json["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap()
        .push(other);
    for ask in both(0.3) {
        baked(&made, &ask);
    }
}

#[test]
fn a_mirrored_joint_turns_the_handedness_of_tangents() {
    let mut made = arm();
    made.json["nodes"][0]["scale"] = json!([-1, 1, 1]);
    for ask in [Ask::REST, Ask::REST.dqs(Scale::Global), Ask::at(0.3)] {
        let output = baked(&made, &ask);
        let signs: Vec<f64> = vertices(&output, 0, "TANGENT")
            .unwrap()
            .iter()
            .map(|t| t[3])
            .collect();
        assert_eq!(signs, [-1.0, -1.0, -1.0, -1.0, 1.0, 1.0]);
    }
}

fn with_weights(weights: [[f32; 4]; COUNT]) -> Made {
    let mut made = arm();
    let accessor = made.of_floats("VEC4", 4, weights.as_flattened());
    set_attribute(&mut made, "WEIGHTS_0", accessor);
    made
}

#[test]
fn weights_that_do_not_sum_to_one_are_normalised_with_one_warning_a_primitive() {
    let made = with_weights([[0.5, 0.2, 0.0, 0.0]; COUNT]);
    for ask in both(0.3) {
        assert_eq!(warned(&made, &ask).1.len(), 1);
    }
    let mut two = made.clone();
    let mut other = two.json["meshes"][0]["primitives"][0].clone();
    other["attributes"]
        .as_object_mut()
        .unwrap()
        .remove("TANGENT");
    two.json["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap()
        .push(other);
    assert_eq!(warned(&two, &Ask::at(0.3)).1.len(), 2);
    // Within a thousandth nobody is told.
    baked(
        &with_weights([[0.5, 0.4993, 0.0, 0.0]; COUNT]),
        &Ask::at(0.3),
    );
}

#[test]
fn a_vertex_without_weights_hangs_on_its_first_slot() {
    let mut weights = [[0.5, 0.5, 0.0, 0.0]; COUNT];
    weights[3] = [0.0; 4];
    let mut made = with_weights(weights);
    let joints: Vec<u8> = [1, 0, 0, 0].repeat(COUNT);
    let joints = made.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut made, "JOINTS_0", joints);
    for ask in both(0.3) {
        assert!(!warned(&made, &ask).1.is_empty());
    }
}

#[test]
fn slots_of_weight_zero_name_any_joint() {
    let mut made = arm();
    let joints: Vec<u8> = [0, 1, 255, 9].repeat(COUNT);
    let joints = made.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut made, "JOINTS_0", joints);
    for ask in both(0.3) {
        baked(&made, &ask);
    }
    // Joint 0 is the lowest, but only where it has a weight.
    let mut turned = with_weights([[0.0, 0.25, 0.75, 0.0]; COUNT]);
    let joints: Vec<u8> = [0, 1, 2, 0].repeat(COUNT);
    let joints = turned.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut turned, "JOINTS_0", joints);
    turned.json["skins"][0]["joints"] = json!([0, 1, 3]);
    turned.json["skins"][0]
        .as_object_mut()
        .unwrap()
        .remove("inverseBindMatrices");
    turned.json["nodes"][3]["rotation"] = json!([0.0, 0.9, 0.1, -0.4]);
    for ask in both(0.3) {
        baked(&turned, &ask);
    }
}

#[test]
fn weights_and_joints_that_are_none_are_refused() {
    for bad in [-0.25, f32::NAN, f32::INFINITY] {
        let mut weights = [[0.5, 0.5, 0.0, 0.0]; COUNT];
        weights[2][1] = bad;
        refused(&with_weights(weights), &Ask::REST);
    }
    let mut made = arm();
    let joints: Vec<u8> = [0, 2, 0, 0].repeat(COUNT);
    let joints = made.accessor("VEC4", U8, COUNT, &joints);
    set_attribute(&mut made, "JOINTS_0", joints);
    refused(&made, &Ask::REST);
}

/// The arm with two morph targets, the second without normals, and weights for the mesh.
fn morphed(weights: Value) -> Made {
    let mut made = arm();
    let offsets: Vec<f32> = (0..3 * COUNT).map(|i| 0.07 * i as f32 - 0.4).collect();
    let first = json!({
        "POSITION": made.of_floats("VEC3", 3, &offsets),
        "NORMAL": made.of_floats("VEC3", 3, &offsets),
        "TANGENT": made.of_floats("VEC3", 3, &offsets),
    });
    let second = json!({"POSITION": made.of_floats("VEC3", 3, &offsets[3..].iter().chain(&offsets[..3]).map(|o| o * o).collect::<Vec<_>>())});
    made.json["meshes"][0]["primitives"][0]["targets"] = json!([first, second]);
    made.json["meshes"][0]["weights"] = weights;
    made
}

fn without_skin(mut made: Made) -> Made {
    made.json.as_object_mut().unwrap().remove("skins");
    made.json["nodes"][2]
        .as_object_mut()
        .unwrap()
        .remove("skin");
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

#[test]
fn weights_of_a_node_win_over_its_mesh_and_animated_ones_over_both() {
    let mut made = morphed(json!([0.5, 0.25]));
    made.json["nodes"][2]["weights"] = json!([0.125, 0]);
    baked(&made, &Ask::at(0.3));
    let outputs = made.of_floats("SCALAR", 1, &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0]);
    let samplers = made.json["animations"][0]["samplers"]
        .as_array_mut()
        .unwrap();
    let input = samplers[0]["input"].clone();
    samplers.push(json!({"input": input, "output": outputs}));
    let channels = made.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels.push(json!({"sampler": 2, "target": {"node": 2, "path": "weights"}}));
    for ask in both(0.3) {
        baked(&made, &ask);
    }
    warned(&without_skin(made), &Ask::at(0.3));
}

#[test]
fn one_mesh_under_two_sets_of_weights_becomes_two_meshes() {
    let mut made = without_skin(morphed(json!([0.5, 0.25])));
    let twin = made.push("nodes", json!({"mesh": 0, "weights": [1, 0]}));
    made.json["scenes"][0]["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!(twin));
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
        let shades = made.of_floats("VEC4", 4, &[0.125; 4 * COUNT]);
        let shifts = made.of_floats("VEC2", 2, &[0.25; 2 * COUNT]);
        let target = &mut made.json["meshes"][0]["primitives"][0]["targets"][0];
        target["COLOR_0"] = json!(shades);
        target["TEXCOORD_0"] = json!(shifts);
        let made = if skinned { made } else { without_skin(made) };
        let (output, _) = warned(&made, &Ask::at(0.3));
        let uvs = vertices(&output, 0, "TEXCOORD_0").unwrap();
        assert_eq!(uvs[0], [0.125, 1.125]);
    }
}

#[test]
fn among_equal_zeros_the_later_vertex_gives_its_sign_to_the_bounds() {
    // Scaled down so far that all that is left of a coordinate is its sign.
    for signs in [[1.0, -1.0], [-1.0, 1.0]] {
        let mut made = arm();
        made.json["nodes"][0] = json!({"children": [1], "scale": [1e-30, 1, 1]});
        let mut positions = vec![0.0f32; 3 * COUNT];
        for vertex in 0..COUNT {
            positions[3 * vertex] = 1e-20 * signs[usize::from(vertex == COUNT - 1)];
            positions[3 * vertex + 1] = vertex as f32;
        }
        let accessor = made.of_floats("VEC3", 3, &positions);
        set_attribute(&mut made, "POSITION", accessor);
        made.json["skins"][0] = json!({"joints": [0]});
        let joints = made.accessor("VEC4", U8, COUNT, &[0; 4 * COUNT]);
        set_attribute(&mut made, "JOINTS_0", joints);
        let output = baked(&made, &Ask::REST);
        let min = output
            .tree
            .list("accessors")
            .iter()
            .find_map(|a| a.numbers_of("min"));
        assert_eq!(
            min.unwrap()[0].to_bits(),
            (0.0 * f64::from(signs[1])).to_bits()
        );
    }
}
