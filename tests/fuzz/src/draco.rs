//! A seed whose primitive is compressed by Draco.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder,
    PointAttribute, PointIndex,
};
use serde_json::json;

use crate::made::Made;

/// Number of vertices: two rows of four.
const COUNT: usize = 8;

fn add(mesh: &mut Mesh, semantic: GeometryAttributeType, kind: DataType, width: u8, bytes: &[u8]) {
    let mut attribute = PointAttribute::new();
    attribute.init(semantic, width, kind, false, COUNT);
    attribute.buffer_mut().write(0, bytes);
    mesh.add_attribute(attribute);
}

/// The stream, with quantised positions.
fn stream() -> Vec<u8> {
    let mut mesh = Mesh::new();
    mesh.set_num_points(COUNT);
    let floats = |values: &[f32]| -> Vec<u8> {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
        bytes.collect()
    };
    let at = |vertex: usize| {
        [
            (vertex % 4) as f32,
            (vertex / 4) as f32,
            0.25 * vertex as f32,
        ]
    };
    let positions = (0..COUNT).flat_map(at).collect::<Vec<f32>>();
    let position = GeometryAttributeType::Position;
    add(
        &mut mesh,
        position,
        DataType::Float32,
        3,
        &floats(&positions),
    );
    let generic = GeometryAttributeType::Generic;
    add(&mut mesh, generic, DataType::Uint8, 4, &[0; 4 * COUNT]);
    let weights = [1.0, 0.0, 0.0, 0.0].repeat(COUNT);
    add(&mut mesh, generic, DataType::Float32, 4, &floats(&weights));
    for corner in 0..3 {
        mesh.add_face([corner, corner + 1, corner + 4].map(PointIndex));
        mesh.add_face([corner + 1, corner + 5, corner + 4].map(PointIndex));
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut options = EncoderOptions::new();
    options.set_attribute_int(0, "quantization_bits", 10);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).expect("a small mesh");
    out.data().to_vec()
}

/// A skinned file without other data of its vertices.
pub fn skinned() -> Made {
    let bin = stream();
    let ids = json!({"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2});
    let json = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_draco_mesh_compression"],
        "extensionsRequired": ["KHR_draco_mesh_compression"],
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"translation": [0, 1, 0]}, {"mesh": 0, "skin": 0}],
        "skins": [{"joints": [0]}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2},
            "indices": 3,
            "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": ids}},
        }]}],
        "accessors": [
            {"componentType": 5126, "type": "VEC3", "count": COUNT},
            {"componentType": 5121, "type": "VEC4", "count": COUNT},
            {"componentType": 5126, "type": "VEC4", "count": COUNT},
            {"componentType": 5123, "type": "SCALAR", "count": 18},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": bin.len()}],
        "buffers": [{"byteLength": bin.len()}],
    });
    Made { json, bin }
}
