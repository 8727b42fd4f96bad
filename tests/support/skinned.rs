//! A skinned file of any size: a row of vertices that all follow one joint.

use serde_json::{Value, json};

use super::glb::glb;

/// Bytes of a vertex: position, joints, weights.
const VERTEX_LEN: usize = 12 + 4 + 16;

/// A file before it is written: its JSON, without buffers, and the data of its buffer.
#[derive(Clone)]
pub struct Made {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// `count` vertices at `shift` along y.
pub fn skinned(count: usize, shift: f32) -> Made {
    let mut bin = Vec::with_capacity(count * VERTEX_LEN);
    for vertex in 0..count {
        for value in [vertex as f32 * 0.125, shift, 0.0] {
            bin.extend(value.to_le_bytes());
        }
    }
    bin.resize(bin.len() + 4 * count, 0);
    for _ in 0..count {
        for weight in [1.0f32, 0.0, 0.0, 0.0] {
            bin.extend(weight.to_le_bytes());
        }
    }
    let lens = [12 * count, 4 * count, 16 * count];
    let offsets = [0, lens[0], lens[0] + lens[1]];
    let view = |index: usize| json!({"buffer": 0, "byteOffset": offsets[index], "byteLength": lens[index]});
    let accessor = |view: usize, component: u32, kind: &str| json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
    let mut positions = accessor(0, 5126, "VEC3");
    let last = (count.max(1) - 1) as f32 * 0.125;
    positions["min"] = json!([0.0, shift, 0.0]);
    positions["max"] = json!([last, shift, 0.0]);
    let attributes = json!({"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2});
    let json = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "joint", "translation": [1, 2, 3]}, {"mesh": 0, "skin": 0}],
        "skins": [{"joints": [0]}],
        "meshes": [{"primitives": [{"attributes": attributes, "mode": 0}]}],
        "accessors": [positions, accessor(1, 5121, "VEC4"), accessor(2, 5126, "VEC4")],
        "bufferViews": [view(0), view(1), view(2)],
    });
    Made { json, bin }
}

impl Made {
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        glb(json.to_string().as_bytes(), Some(&self.bin))
    }

    /// The `.gltf` file for when its data is beside it.
    pub fn gltf(&self, uri: &str) -> String {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len(), "uri": uri}]);
        json.to_string()
    }
}
