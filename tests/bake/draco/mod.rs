//! Primitives compressed by `KHR_draco_mesh_compression`: made files, compressed here, and a sample.

mod fox;
mod hostile;
mod streams;

use serde_json::json;

use super::builder::{COUNT, U8, arm};
use crate::support::assert_contains;
use streams::{
    DRACO, EDGEBREAKER, SEQUENTIAL, attribute, baked, bytes_of, compress, faces, refused, stream,
    triangles,
};

#[test]
fn a_stream_without_loss_is_baked_as_the_same_data_without_it() {
    let (plain, _) = baked(&arm());
    for method in [SEQUENTIAL, EDGEBREAKER] {
        let mut made = arm();
        compress(&mut made, method);
        let (output, warnings) = baked(&made);
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(triangles(&output, 0, 0).len(), 3);
        assert_eq!(triangles(&output, 0, 0), triangles(&plain, 0, 0));
        for key in ["extensionsUsed", "extensionsRequired"] {
            assert!(output.tree.get(key).is_none());
        }
        assert!(!output.text.contains(DRACO), "{}", output.text);
    }
}

#[test]
fn another_number_of_elements_than_an_accessor_says_is_a_warning() {
    let (plain, _) = baked(&arm());
    let mut made = arm();
    compress(&mut made, SEQUENTIAL);
    let indices = made.json["meshes"][0]["primitives"][0]["indices"]
        .as_u64()
        .unwrap() as usize;
    made.json["accessors"][indices]["count"] = json!(3);
    let position = made.attributes(0, 0)["POSITION"].as_u64().unwrap() as usize;
    made.json["accessors"][position]["count"] = json!(7);
    let (output, warnings) = baked(&made);
    assert_eq!(
        warnings,
        [
            format!(
                "`accessors[{position}].count`: the Draco data have 6 elements, which are used"
            ),
            format!("`accessors[{indices}].count`: the Draco data have 9 elements, which are used"),
        ]
    );
    assert_eq!(triangles(&output, 0, 0), triangles(&plain, 0, 0));
}

#[test]
fn a_primitive_without_indices_gets_those_of_the_stream() {
    let (plain, _) = baked(&arm());
    let mut made = arm();
    compress(&mut made, EDGEBREAKER);
    let primitive = &mut made.json["meshes"][0]["primitives"][0];
    primitive.as_object_mut().unwrap().remove("indices");
    let (output, warnings) = baked(&made);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(triangles(&output, 0, 0), triangles(&plain, 0, 0));
}

#[test]
fn data_of_accessors_are_used_unless_the_extension_is_required() {
    let (plain, _) = baked(&arm());
    let mut made = arm();
    made.json["extensionsUsed"] = json!([DRACO]);
    let view = made.view(b"this is no stream");
    made.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({DRACO: {"bufferView": view, "attributes": {"POSITION": 0}}});
    let (output, _) = baked(&made);
    assert_eq!(triangles(&output, 0, 0), triangles(&plain, 0, 0));
    assert!(!output.text.contains(DRACO));
    assert_eq!(output.buffers[0].len(), plain.buffers[0].len());
    made.json["extensionsRequired"] = json!([DRACO]);
    assert!(refused(&made).contains("cannot be decoded"));
    // Without data of their own, accessors need the stream although it is optional.
    let mut made = arm();
    compress(&mut made, SEQUENTIAL);
    made.remove("/extensionsRequired");
    let (output, _) = baked(&made);
    assert_eq!(triangles(&output, 0, 0), triangles(&plain, 0, 0));
}

#[test]
fn an_accessor_of_two_streams_becomes_two() {
    let mut made = arm();
    let attributes = made.attributes(0, 0).clone();
    let position = attributes["POSITION"].as_u64().unwrap() as usize;
    let indices = made.json["meshes"][0]["primitives"][0]["indices"].clone();
    // Another mesh has the same triangles in another place.
    let mut moved = attribute(&made, "POSITION", position);
    let floats = bytes_of(&made, position);
    let floats = floats.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b));
    let bytes: Vec<u8> = floats.flat_map(|f| (2.0 * f).to_le_bytes()).collect();
    moved.buffer_mut().write(0, &bytes);
    let faces = faces(&made, indices.as_u64().unwrap() as usize);
    let (other, _) = stream(vec![moved], COUNT, &faces, SEQUENTIAL);
    compress(&mut made, SEQUENTIAL);
    // Writers give the bounds of what they had before they compressed it.
    made.json["accessors"][position]["min"] = json!([-99.0, 0.125, 7]);
    made.json["accessors"][position]["max"] = json!([99.0, 0.25, 8]);
    let view = made.view(&other);
    let primitive = json!({
        "attributes": {"POSITION": position},
        "indices": indices,
        "extensions": {DRACO: {"bufferView": view, "attributes": {"POSITION": 0}}},
    });
    let mesh = made.push(
        "meshes",
        json!({"primitives": [primitive.clone(), primitive]}),
    );
    let node = made.push("nodes", json!({"mesh": mesh}));
    made.add("/scenes/0/nodes", node);
    let (output, _) = baked(&made);
    let (plain, _) = baked(&arm());
    assert_eq!(triangles(&output, 0, 0), triangles(&plain, 0, 0));
    for index in 0..2 {
        let primitive = output
            .tree
            .at(&format!("meshes.{mesh}.primitives.{index}"))
            .unwrap();
        let found = output.attribute(primitive, "POSITION").unwrap().concat();
        let found: Vec<u8> = found
            .iter()
            .flat_map(|f| (*f as f32).to_le_bytes())
            .collect();
        assert_eq!(found, bytes);
        let accessor = primitive.at("attributes.POSITION").unwrap().index();
        let accessor = &output.tree.list("accessors")[accessor];
        for (key, better) in [("min", f64::lt as fn(&f64, &f64) -> bool), ("max", f64::gt)] {
            let positions = output.attribute(primitive, "POSITION").unwrap();
            let bound = |axis: usize| {
                let values = positions.iter().map(|position| position[axis]);
                values
                    .reduce(|a, b| if better(&b, &a) { b } else { a })
                    .unwrap()
            };
            let expected = [0, 1, 2].map(bound).to_vec();
            assert_eq!(accessor.numbers_of(key), Some(expected));
        }
    }
}

#[test]
fn values_are_stored_in_the_types_of_accessors() {
    let mut made = arm();
    let rows: Vec<[i16; 3]> = (0..6).map(|v| [1000 * v, -v, 7]).collect();
    let extra: Vec<u8> = rows.concat().iter().flat_map(|v| v.to_le_bytes()).collect();
    let extra = made.accessor("VEC3", 5122, COUNT, &extra);
    let shares: Vec<u8> = (0..4 * COUNT as u8).map(|v| 10 * v).collect();
    let shares = made.accessor("VEC4", U8, COUNT, &shares);
    made.json["accessors"][shares]["normalized"] = json!(true);
    made.attributes(0, 0)["_EXTRA"] = json!(extra);
    made.attributes(0, 0)["COLOR_0"] = json!(shares);
    compress(&mut made, SEQUENTIAL);
    let (output, _) = baked(&made);
    let primitive = output.tree.at("meshes.0.primitives.0").unwrap();
    let as_reals: Vec<Vec<f64>> = rows.iter().map(|row| row.map(f64::from).to_vec()).collect();
    assert_eq!(output.attribute(primitive, "_EXTRA").unwrap(), as_reals);
    let accessor = primitive.at("attributes._EXTRA").unwrap().index();
    let accessor = &output.tree.list("accessors")[accessor];
    let view = &output.tree.list("bufferViews")[accessor.index_of("bufferView").unwrap()];
    assert_eq!(accessor.index_of("componentType"), Some(5122));
    assert_eq!(view.index_of("byteStride"), Some(8));
    // Integers become the floats that they stand for.
    for accessor in [shares, extra] {
        let accessor = &mut made.json["accessors"][accessor];
        accessor["componentType"] = json!(5126);
        accessor.as_object_mut().unwrap().remove("normalized");
    }
    let (output, _) = baked(&made);
    let primitive = output.tree.at("meshes.0.primitives.0").unwrap();
    assert_eq!(output.attribute(primitive, "_EXTRA").unwrap(), as_reals);
    let colors = output.attribute(primitive, "COLOR_0").unwrap().concat();
    let shares = (0..24u8).map(|v| f64::from(f32::from(10 * v) / 255.0));
    assert_eq!(colors, shares.collect::<Vec<_>>());
    // −1 is no unsigned integer, and a float is no integer.
    made.json["accessors"][extra]["componentType"] = json!(5123);
    let message = refused(&made);
    assert!(message.contains("-1, which is beyond u16"), "{message}");
    let uv = made.attributes(0, 0)["TEXCOORD_0"].as_u64().unwrap() as usize;
    made.json["accessors"][extra]["componentType"] = json!(5126);
    made.json["accessors"][uv]["componentType"] = json!(5123);
    let message = refused(&made);
    assert_contains(&message, &["Float32 cannot be stored as u16"]);
}
