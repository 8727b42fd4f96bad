//! Small skinned files, made in code and changed by tests.

use serde_json::{Value, json};

pub use crate::support::made::{FLOAT, floats};
pub use crate::support::skinned::Made;

pub const U8: u32 = 5121;
pub const U16: u32 = 5123;
pub const I16: u32 = 5122;
pub const I8: u32 = 5120;

impl Made {
    /// Elements of four small bytes of which the last are padding: `width` numbers, normalized.
    pub fn padded(&mut self, kind: &str, component: u32, rows: &[&[u8]]) -> usize {
        let stride = rows[0].len().next_multiple_of(4);
        let mut bytes = Vec::new();
        for row in rows {
            bytes.extend_from_slice(row);
            bytes.resize(bytes.len().next_multiple_of(stride), 0xee);
        }
        let accessor = self.accessor(kind, component, rows.len(), &bytes);
        let view = self.json["bufferViews"].as_array_mut().unwrap();
        view.last_mut().unwrap()["byteStride"] = json!(stride);
        self.json["accessors"][accessor]["normalized"] = json!(true);
        accessor
    }

    pub fn attributes(&mut self, mesh: usize, primitive: usize) -> &mut Value {
        &mut self.json["meshes"][mesh]["primitives"][primitive]["attributes"]
    }

    /// The text of its JSON, buffer length included.
    pub fn text(&self) -> String {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        json.to_string()
    }
}

pub fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    crate::support::glb(json.as_bytes(), Some(bin))
}

pub const COUNT: usize = 6;

pub const WEIGHTS: [[f32; 2]; COUNT] = [
    [1.0, 0.0],
    [0.75, 0.25],
    [0.5, 0.5],
    [0.25, 0.75],
    [0.0, 1.0],
    [0.375, 0.625],
];

/// An arm of two joints. Nodes: 0 and 1 the joints, `upper` and `fore`; 2 the skinned `body` below 3, a `mount` that is
/// moved and scaled and must not matter. One mesh of one primitive with all attributes and a material; one skin; one
/// animation, `wave`, of two seconds.
pub fn arm() -> Made {
    let mut made = Made {
        json: json!({
            "asset": {"version": "2.0", "generator": "hand", "copyright": "none"},
            "scene": 0,
            "scenes": [{"nodes": [0, 3], "name": "stage"}],
            "nodes": [
                {"name": "upper", "children": [1], "translation": [0.1, 0.5, -0.2], "rotation": [0.1, 0.2, 0.3, 0.9]},
                {"name": "fore", "translation": [0, 1, 0.25]},
                {"name": "body", "mesh": 0, "skin": 0},
                {"name": "mount", "children": [2], "translation": [5, 6, 7], "scale": [2, 2, 2]},
            ],
            "materials": [{"name": "paint", "pbrMetallicRoughness": {"roughnessFactor": 0.5}}],
        }),
        bin: Vec::new(),
    };
    let (mut positions, mut normals, mut tangents, mut uvs) = (vec![], vec![], vec![], vec![]);
    let (mut joints, mut weights) = (vec![], vec![]);
    for (vertex, [first, second]) in WEIGHTS.into_iter().enumerate() {
        let v = vertex as f32;
        positions.extend([0.25 * v - 0.5, 0.3 * v, 0.1 - 0.05 * v * v]);
        normals.extend([0.6, 0.0, if vertex % 2 == 0 { 0.8 } else { -0.8 }]);
        tangents.extend([0.0, 1.0, 0.0, if vertex < 4 { 1.0 } else { -1.0 }]);
        uvs.extend([v / 5.0, 1.0 - v / 7.0]);
        joints.extend([0u8, 1, 0, 0]);
        weights.extend([first, second, 0.0, 0.0]);
    }
    let attributes = json!({
        "POSITION": made.floats("VEC3", &positions),
        "NORMAL": made.floats("VEC3", &normals),
        "TANGENT": made.floats("VEC4", &tangents),
        "TEXCOORD_0": made.floats("VEC2", &uvs),
        "JOINTS_0": made.accessor("VEC4", U8, COUNT, &joints),
        "WEIGHTS_0": made.floats("VEC4", &weights),
    });
    let bytes: Vec<u8> = [0u16, 1, 2, 2, 3, 4, 3, 4, 5]
        .iter()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    let indices = made.accessor("SCALAR", U16, 9, &bytes);
    let primitive = json!({"attributes": attributes, "indices": indices, "material": 0, "mode": 4});
    made.push(
        "meshes",
        json!({"name": "skin and bone", "primitives": [primitive]}),
    );
    let unbind = |x: f32, y: f32, z: f32| {
        let mut matrix = [0.0; 16];
        [0, 5, 10, 15].iter().for_each(|at| matrix[*at] = 1.0);
        matrix[12..15].copy_from_slice(&[x, y, z]);
        matrix
    };
    let matrices = [unbind(0.0, -0.25, 0.0), unbind(0.0, -1.25, -0.1)].concat();
    let matrices = made.floats("MAT4", &matrices);
    made.push(
        "skins",
        json!({"name": "bones", "joints": [0, 1], "inverseBindMatrices": matrices, "skeleton": 0}),
    );
    let times = made.floats("SCALAR", &[0.0, 0.75, 2.0]);
    made.json["accessors"][times]["min"] = json!([0.0]);
    made.json["accessors"][times]["max"] = json!([2.0]);
    let turns = [
        [0.0, 0.0, 0.0, 1.0],
        [0.6, 0.0, 0.0, 0.8],
        [0.0, -0.7, 0.1, 0.7],
    ];
    let turns = made.floats("VEC4", turns.as_flattened());
    let moves = [[0.1, 0.5, -0.2], [0.4, 0.5, 0.3], [-1.0, 2.0, 0.0]];
    let moves = made.floats("VEC3", moves.as_flattened());
    let channel = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    made.push(
        "animations",
        json!({
            "name": "wave",
            "samplers": [{"input": times, "output": turns}, {"input": times, "output": moves}],
            "channels": [channel(0, 1, "rotation"), channel(1, 0, "translation")],
        }),
    );
    made
}
