//! Small files that together have all that a bake treats: normals and tangents, eight influences, integers of every width,
//! morph targets, scaled joints, a mesh under several skins and under none, images, and members that are only kept.

use serde_json::{Value, json};

use crate::framing::Parts;
use crate::made::Made;

struct Builder(Made);

impl Builder {
    fn new(json: Value) -> Self {
        let mut made = Made {
            json,
            bin: Vec::new(),
        };
        made.json["asset"] = json!({"version": "2.0", "extras": {"kept": [1, 2]}});
        made.json["accessors"] = json!([]);
        made.json["bufferViews"] = json!([]);
        Self(made)
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        let Made { json, bin } = &mut self.0;
        let views = json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": bin.len(), "byteLength": bytes.len()}));
        bin.extend_from_slice(bytes);
        bin.resize(bin.len().next_multiple_of(4), 0);
        views.len() - 1
    }

    /// An accessor of tightly packed bytes.
    fn accessor(
        &mut self,
        kind: &str,
        component: u32,
        normalized: bool,
        count: usize,
        bytes: &[u8],
    ) -> usize {
        let view = self.view(bytes);
        let accessors = self.0.json["accessors"].as_array_mut().unwrap();
        accessors.push(
            json!({"bufferView": view, "componentType": component, "count": count, "type": kind}),
        );
        if normalized {
            accessors.last_mut().unwrap()["normalized"] = json!(true);
        }
        accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.accessor(kind, 5126, false, values.len() / width, &bytes)
    }

    fn done(mut self) -> Made {
        self.0.json["buffers"] = json!([{"byteLength": self.0.bin.len()}]);
        self.0
    }
}

pub fn all() -> [(&'static str, Made); 4] {
    [
        ("rich", rich()),
        ("scaled", scaled()),
        ("quantized", quantized()),
        ("plain", plain()),
    ]
}

fn corners(count: usize) -> Vec<f32> {
    (0..3 * count)
        .map(|i| ((i * 7 + i / 3) % 5) as f32 - 2.0)
        .collect()
}

fn up(count: usize) -> Vec<f32> {
    [0.0, 0.6, 0.8].repeat(count)
}

/// Column-major, scaled and moved.
fn bind(scale: f32, y: f32) -> Vec<f32> {
    let s = scale;
    vec![
        s, 0.0, 0.0, 0.0, 0.0, s, 0.0, 0.0, 0.0, 0.0, s, 0.0, 0.0, y, 0.0, 1.0,
    ]
}

/// Eight influences, morph targets of normals, one mesh under two skins and none, an image.
fn rich() -> Made {
    let mut file = Builder::new(json!({
        "scene": 0, "scenes": [{"nodes": [0, 3, 4, 5]}],
        "nodes": [
            {"name": "a", "children": [1], "translation": [0, 1, 0]},
            {"name": "b", "rotation": [0, 0, 0.6, 0.8], "children": [2]},
            {"name": "tip", "translation": [0, 1, 0], "extras": {"x": 1}},
            {"name": "body", "mesh": 0, "skin": 0, "weights": [0.25, 0], "children": [6]},
            {"name": "twin", "mesh": 0, "skin": 1},
            {"name": "still", "mesh": 0, "translation": [3, 0, 0]},
            {"name": "child", "scale": [1, -1, 2]},
        ],
        "materials": [{"name": "m", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0, "sampler": 0}], "samplers": [{}],
        "extensionsUsed": ["VENDOR_unknown"], "extensions": {"VENDOR_unknown": {"deep": [[[{}]]]}},
    }));
    let positions = file.floats("VEC3", &corners(6));
    let normals = file.floats("VEC3", &up(6));
    let tangents = file.floats("VEC4", &[0.0, 0.8, -0.6, -1.0].repeat(6));
    let uvs = file.floats("VEC2", &[0.5; 12]);
    let low = file.accessor("VEC4", 5121, false, 6, &[0, 1, 2, 0].repeat(6));
    let high = file.accessor("VEC4", 5123, false, 6, &[2, 0, 1, 0, 0, 0, 9, 0].repeat(6));
    let first = file.accessor("VEC4", 5121, true, 6, &[100, 55, 20, 30].repeat(6));
    let second = file.floats("VEC4", &[0.1, 0.05, 0.05, 0.0].repeat(6));
    let indices = file.accessor("SCALAR", 5121, false, 6, &[0, 1, 2, 3, 4, 5]);
    let moved = file.floats("VEC3", &corners(6));
    let turned = file.floats("VEC3", &up(6));
    let binds = file.floats(
        "MAT4",
        &[bind(1.0, -1.0), bind(1.0, -1.0), bind(1.0, -2.0)].concat(),
    );
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    let rotations = file.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8]);
    let weights = file.floats("SCALAR", &[0.0, 1.0, 1.0, 0.0]);
    let image = file.view(b"\x89PNG not really");
    let json = &mut file.0.json;
    json["images"] = json!([{"bufferView": image, "mimeType": "image/png"}]);
    let target = json!({"POSITION": moved, "NORMAL": turned});
    json["meshes"] = json!([{"name": "mesh", "weights": [0, 0.5], "primitives": [
        {"attributes": {"POSITION": positions, "NORMAL": normals, "TANGENT": tangents, "TEXCOORD_0": uvs, "JOINTS_0": low,
            "WEIGHTS_0": first, "JOINTS_1": high, "WEIGHTS_1": second},
            "indices": indices, "material": 0, "targets": [target, {"POSITION": moved}]},
        {"attributes": {"POSITION": positions, "JOINTS_0": low, "WEIGHTS_0": first}, "mode": 0, "targets": [{}, target]},
    ]}]);
    json["skins"] = json!([{"joints": [0, 1, 2], "inverseBindMatrices": binds}, {"joints": [2, 1, 0], "name": "second"}]);
    json["animations"] = json!([{"name": "wave", "samplers": [{"input": times, "output": rotations},
        {"input": times, "output": weights, "interpolation": "STEP"}], "channels": [
        {"sampler": 0, "target": {"node": 1, "path": "rotation"}}, {"sampler": 1, "target": {"node": 3, "path": "weights"}}]}]);
    file.done()
}

/// Joints whose scale is animated, along a spline and in steps, one given as a matrix.
fn scaled() -> Made {
    let mut file = Builder::new(json!({
        "scenes": [{"nodes": [0]}, {"nodes": [3]}],
        "nodes": [
            {"name": "mount", "scale": [2, 2, 2], "children": [1]},
            {"name": "b", "children": [2], "scale": [1, 1.5, 1]},
            {"name": "tip", "matrix": [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]},
            {"name": "body", "mesh": 0, "skin": 0},
        ],
    }));
    let positions = file.floats("VEC3", &corners(3));
    let normals = file.floats("VEC3", &up(3));
    let joints = file.accessor("VEC4", 5123, false, 3, &[0, 0, 1, 0, 0, 0, 0, 0].repeat(3));
    let weights = file.accessor(
        "VEC4",
        5123,
        true,
        3,
        &[0, 128, 255, 127, 0, 0, 0, 0].repeat(3),
    );
    let binds = file.floats("MAT4", &[bind(0.5, 0.0), bind(77.0, -1.0)].concat());
    let times = file.floats("SCALAR", &[0.0, 0.5, 2.0]);
    let scales = file.floats("VEC3", &corners(9));
    let moves = file.floats("VEC3", &corners(3));
    let json = &mut file.0.json;
    json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": positions, "NORMAL": normals, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}]);
    json["skins"] = json!([{"joints": [1, 2], "inverseBindMatrices": binds, "skeleton": 0}]);
    json["animations"] = json!([{"samplers": [{"input": times, "output": scales, "interpolation": "CUBICSPLINE"},
        {"input": times, "output": moves, "interpolation": "STEP"}], "channels": [
        {"sampler": 0, "target": {"node": 1, "path": "scale"}}, {"sampler": 1, "target": {"node": 0, "path": "translation"}}]}]);
    file.done()
}

/// Small integers for every attribute that may have them.
fn quantized() -> Made {
    let mut file = Builder::new(json!({
        "extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"],
        "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "tip"}, {"name": "body", "mesh": 0, "skin": 0}],
    }));
    let positions = file.accessor(
        "VEC3",
        5122,
        true,
        3,
        &[0, 64, 1, 128, 255, 127, 0, 0].repeat(3),
    );
    file.0.json["bufferViews"][0]["byteStride"] = json!(8);
    let normals = file.accessor("VEC3", 5120, true, 3, &[0, 76, 102, 0].repeat(3));
    file.0.json["bufferViews"][1]["byteStride"] = json!(4);
    let joints = file.accessor("VEC4", 5121, false, 3, &[0; 12]);
    let weights = file.accessor("VEC4", 5121, true, 3, &[255, 0, 0, 0].repeat(3));
    let json = &mut file.0.json;
    json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": positions, "NORMAL": normals, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}]);
    json["skins"] = json!([{"joints": [0]}]);
    file.done()
}

/// No skin at all; one buffer view for everything.
pub fn plain() -> Made {
    let mut file = Builder::new(json!({
        "scene": 0, "scenes": [{"nodes": [0], "name": "s"}], "nodes": [{"mesh": 0, "rotation": [1, 0, 0, 0]}],
    }));
    let positions = file.floats("VEC3", &corners(3));
    file.0.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": positions}}]}]);
    file.done()
}

/// The same as a `.gltf` whose buffer is another file.
pub fn referring(parts: &Parts) -> Vec<u8> {
    let mut json: Value = serde_json::from_slice(&parts.json).expect("it has just been made");
    json["buffers"][0]["uri"] = json!("more.bin");
    json.to_string().into_bytes()
}
