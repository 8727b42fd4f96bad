//! Compressing primitives of made files, and looking at outputs.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder,
    PointAttribute, PointIndex,
};
use serde_json::{Value, json};

use crate::bake::builder::{COUNT, Made};
use crate::bake::reader::Gltf;
use crate::bake::runs::{Ask, run};
use crate::support::{Dir, with_path};

pub(super) const DRACO: &str = "KHR_draco_mesh_compression";

/// An encoding of connectivity: 0 keeps the order of vertices.
pub(super) const SEQUENTIAL: i32 = 0;
pub(super) const EDGEBREAKER: i32 = 1;

pub(super) fn bytes_of(made: &Made, accessor: usize) -> Vec<u8> {
    let view = made.json["accessors"][accessor]["bufferView"]
        .as_u64()
        .unwrap() as usize;
    let view = &made.json["bufferViews"][view];
    let number = |key: &str| view[key].as_u64().unwrap() as usize;
    made.bin[number("byteOffset")..][..number("byteLength")].to_vec()
}

pub(super) fn attribute(made: &Made, name: &str, accessor: usize) -> PointAttribute {
    let json = &made.json["accessors"][accessor];
    let data_type = match json["componentType"].as_u64().unwrap() {
        5120 => DataType::Int8,
        5121 => DataType::Uint8,
        5122 => DataType::Int16,
        5123 => DataType::Uint16,
        5125 => DataType::Uint32,
        _ => DataType::Float32,
    };
    let width = match json["type"].as_str().unwrap() {
        "VEC2" => 2,
        "VEC3" => 3,
        _ => 4,
    };
    let semantic = match name {
        "POSITION" => GeometryAttributeType::Position,
        _ => GeometryAttributeType::Generic,
    };
    let count = json["count"].as_u64().unwrap() as usize;
    let normalized = json["normalized"] == json!(true);
    let mut attribute = PointAttribute::new();
    attribute.init(semantic, width, data_type, normalized, count);
    attribute.buffer_mut().write(0, &bytes_of(made, accessor));
    attribute
}

/// A stream of triangles whose attributes have the ids 0, 1, 2 and so on, and the number of vertices that it decodes to.
pub(super) fn stream(
    attributes: Vec<PointAttribute>,
    count: usize,
    faces: &[[u32; 3]],
    method: i32,
) -> (Vec<u8>, usize) {
    let mut mesh = Mesh::new();
    mesh.set_num_points(count);
    for attribute in attributes {
        mesh.add_attribute(attribute);
    }
    for face in faces {
        mesh.add_face(face.map(PointIndex));
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut options = EncoderOptions::new();
    options.set_encoding_method(method);
    let mut out = EncoderBuffer::new();
    let info = encoder.encode_with_info(&options, &mut out).unwrap();
    (out.data().to_vec(), info.num_encoded_points)
}

/// The faces of a primitive with u16 indices.
pub(super) fn faces(made: &Made, accessor: usize) -> Vec<[u32; 3]> {
    let bytes = bytes_of(made, accessor);
    let indices = bytes
        .as_chunks()
        .0
        .iter()
        .map(|b| u16::from_le_bytes(*b).into());
    let indices: Vec<u32> = indices.collect();
    indices.as_chunks().0.to_vec()
}

/// Compresses the first primitive of the first mesh without loss, and takes the data of its accessors away.
pub(super) fn compress(made: &mut Made, method: i32) {
    let primitive = made.json["meshes"][0]["primitives"][0].clone();
    let indices = primitive["indices"].as_u64().unwrap() as usize;
    let names = primitive["attributes"].as_object().unwrap().iter();
    let names: Vec<(String, usize)> = names
        .map(|(name, accessor)| (name.clone(), accessor.as_u64().unwrap() as usize))
        .collect();
    let attributes = names
        .iter()
        .map(|(name, accessor)| attribute(made, name, *accessor));
    let (bytes, count) = stream(attributes.collect(), COUNT, &faces(made, indices), method);
    for (_, accessor) in &names {
        made.json["accessors"][*accessor]["count"] = json!(count);
    }
    for accessor in names.iter().map(|(_, accessor)| *accessor).chain([indices]) {
        let accessor = made.json["accessors"][accessor].as_object_mut().unwrap();
        accessor.remove("bufferView");
    }
    let ids = names
        .iter()
        .enumerate()
        .map(|(id, (name, _))| (name.clone(), json!(id)));
    let ids: serde_json::Map<String, Value> = ids.collect();
    let view = made.view(&bytes);
    made.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({DRACO: {"bufferView": view, "attributes": ids}});
    made.json["extensionsUsed"] = json!([DRACO]);
    made.json["extensionsRequired"] = json!([DRACO]);
}

pub(super) fn extension(made: &mut Made) -> &mut Value {
    &mut made.json["meshes"][0]["primitives"][0]["extensions"][DRACO]
}

pub(super) fn baked(made: &Made) -> (Gltf, Vec<String>) {
    let dir = Dir::with("made.glb", made.glb());
    let ran = run(&dir, "made.glb", &Ask::at(0.3)).good();
    let warnings = ran.json()[0]["warnings"].as_array().unwrap().clone();
    let messages = warnings.iter().map(with_path);
    (
        Gltf::read(&dir.read("out/made.glb"), dir.path()),
        messages.collect(),
    )
}

pub(super) fn refused(made: &Made) -> String {
    let error = crate::bake::runs::refused(made, &Ask::REST);
    with_path(&error)
}

/// The triangles of a primitive of the output: for each corner the bytes of all attributes. Each begins with its least corner, which keeps its
/// winding, and they are sorted.
pub(super) fn triangles(output: &Gltf, mesh: usize, primitive: usize) -> Vec<Vec<Vec<u8>>> {
    let primitive = output
        .tree
        .at(&format!("meshes.{mesh}.primitives.{primitive}"))
        .unwrap();
    let attributes = primitive.get("attributes").unwrap();
    let names = [
        "POSITION",
        "NORMAL",
        "TANGENT",
        "TEXCOORD_0",
        "COLOR_0",
        "_EXTRA",
    ];
    let names = names.iter().filter_map(|name| attributes.index_of(name));
    let elements: Vec<_> = names
        .map(|accessor| output.elements(accessor).bytes)
        .collect();
    let indices = output
        .reals(primitive.index_of("indices").unwrap())
        .concat();
    let corner = |index: &f64| {
        let bytes = elements
            .iter()
            .map(|elements| elements[*index as usize].clone());
        bytes.collect::<Vec<_>>().concat()
    };
    let mut triangles: Vec<Vec<Vec<u8>>> = indices
        .as_chunks::<3>()
        .0
        .iter()
        .map(|face| {
            let mut corners: Vec<_> = face.iter().map(corner).collect();
            let least = (0..3).min_by_key(|at| &corners[*at]).unwrap();
            corners.rotate_left(least);
            corners
        })
        .collect();
    triangles.sort();
    triangles
}
