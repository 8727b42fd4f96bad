//! Made files with various vertices: types, layouts, missing attributes.

use serde_json::json;

use super::builder::{COUNT, FLOAT, I8, I16, Made, U8, U16, arm, floats};
use super::palettes::Scale;
use super::reader::Gltf;
use super::runs::{Ask, baked};

pub fn both(time: f64) -> [Ask; 2] {
    [Ask::at(time), Ask::at(time).dqs(Scale::Global)]
}

fn attribute(made: &Made, name: &str) -> usize {
    let index = &made.json["meshes"][0]["primitives"][0]["attributes"][name];
    index.as_u64().unwrap() as usize
}

pub fn set_attribute(made: &mut Made, name: &str, accessor: usize) {
    made.attributes(0, 0)[name] = json!(accessor);
}

pub fn vertices(output: &Gltf, mesh: usize, name: &str) -> Option<Vec<Vec<f64>>> {
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
        made.remove(&format!("/accessors/{accessor}/bufferView"));
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
    made.add("/meshes/0/primitives", points);
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
    made.add("/meshes/0/primitives", other);
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

#[test]
fn among_equal_zeros_the_later_vertex_gives_its_sign_to_the_bounds() {
    // Scaled down so far that only the sign of a coordinate is left.
    for signs in [[1.0, -1.0], [-1.0, 1.0]] {
        let mut made = arm();
        made.json["nodes"][0] = json!({"children": [1], "scale": [1e-30, 1, 1]});
        let mut positions = vec![0.0f32; 3 * COUNT];
        for vertex in 0..COUNT {
            positions[3 * vertex] = 1e-20 * signs[usize::from(vertex == COUNT - 1)];
            positions[3 * vertex + 1] = vertex as f32;
        }
        let accessor = made.floats("VEC3", &positions);
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

#[test]
fn a_large_mesh_comes_out_like_a_small_one_with_its_bounds() {
    for (first, second) in [(1e-20, -1e-20), (-1e-20, 1e-20f32)] {
        let count = 20_001;
        let mut made = arm();
        made.json["nodes"][0]["scale"] = json!([1e-30, 1, 1]);
        made.json["nodes"][0]["translation"] = json!([0, 0, 0]);
        made.json["nodes"][0]["rotation"] = json!([0, 0, 0, 1]);
        made.json["skins"][0] = json!({"joints": [0]});
        let position = |vertex: usize| {
            let x = match vertex {
                70 => first,
                15_000 => second,
                _ => 1e30,
            };
            [x, vertex as f32 * 0.01, (vertex % 97) as f32]
        };
        let positions: Vec<f32> = (0..count).flat_map(position).collect();
        let weights: Vec<f32> = [1.0, 0.0, 0.0, 0.0].repeat(count);
        let attributes = json!({
            "POSITION": made.floats("VEC3", &positions),
            "JOINTS_0": made.accessor("VEC4", U8, count, &vec![0; 4 * count]),
            "WEIGHTS_0": made.floats("VEC4", &weights),
        });
        made.json["meshes"][0]["primitives"][0] = json!({"attributes": attributes, "mode": 0});
        for ask in [Ask::REST, Ask::REST.dqs(Scale::Local)] {
            // No rotation can be found in such a scale.
            if ask.solver != Ask::REST.solver {
                made.json["nodes"][0]["scale"] = json!([1, 1, 1]);
            }
            baked(&made, &ask);
        }
    }
}
