//! `bounds` against the positions of frames that `bake` writes.

use serde_json::{Value, json};

use crate::support::{Dir, glb, glb_parts, published};

pub fn positions(glb: &[u8]) -> Vec<[f32; 3]> {
    let (json, bin) = glb_parts(glb);
    let mut all = Vec::new();
    for primitive in json["meshes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|mesh| mesh["primitives"].as_array().unwrap())
    {
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let accessor = &json["accessors"][number(&primitive["attributes"]["POSITION"])];
        let view = &json["bufferViews"][number(&accessor["bufferView"])];
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let bytes = &bin[start..start + 12 * number(&accessor["count"])];
        let numbers: Vec<f32> = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|b| f32::from_le_bytes(*b))
            .collect();
        all.extend(numbers.as_chunks::<3>().0);
    }
    all
}

fn vector(value: &Value) -> [f64; 3] {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn boxes_and_spheres_hold_every_frame_and_no_more() {
    let Some(path) = published("gltf-samples/made/spline_step_jointscale.glb") else {
        return;
    };
    let dir = Dir::with("a.glb", std::fs::read(path).unwrap());
    let solver = "--solver dqs";
    let ran = dir.run(&format!(
        "inspect a.glb --over-time --fps 7 --format json {solver}"
    ));
    let object: Value = serde_json::from_str(&ran.good().stdout()).unwrap();
    let bounds = &object["over_time"];
    assert_eq!(
        json!([bounds["sampled"], bounds["fps"]]),
        json!([true, 7.0])
    );
    let clip = &bounds["clips"][0];
    let end = clip["end"].as_f64().unwrap();
    let times: Vec<f64> = (0..)
        .map(|frame| f64::from(frame) / 7.0)
        .take_while(|time| *time <= end)
        .chain([end])
        .collect();
    assert_eq!(
        clip["samples"],
        times.len() + 1,
        "the start is sampled twice"
    );
    let mut all = Vec::new();
    for time in times {
        let time = format!("{time}");
        let arguments = format!("bake a.glb -o out.glb --time {time}");
        assert_eq!(dir.run(&format!("{arguments} {solver}")).status(), 0);
        all.extend(positions(&dir.read("out.glb")));
    }
    let mesh = &clip["meshes"][0];
    for volume in [clip, mesh, &bounds["all"]] {
        for axis in 0..3 {
            let of = |of: fn(f64, f64) -> f64| {
                all.iter().map(|at| f64::from(at[axis])).reduce(of).unwrap()
            };
            assert_eq!(
                (vector(&volume["min"])[axis], vector(&volume["max"])[axis]),
                (of(f64::min), of(f64::max))
            );
        }
        let center = vector(&volume["sphere"]["center"]);
        let distance = |at: &[f32; 3]| {
            let [x, y, z] = [0, 1, 2].map(|axis| f64::from(at[axis]) - center[axis]);
            (x * x + y * y + z * z).sqrt()
        };
        let farthest = all.iter().map(distance).fold(0.0, f64::max);
        assert_eq!(volume["sphere"]["radius"], farthest);
    }
}

#[test]
fn a_file_without_animations_has_the_bounds_of_its_nodes_as_stored() {
    let file = crate::support::skinned::skinned(3, 0.5);
    let mut json = file.json.clone();
    json["buffers"] = json!([{"byteLength": file.bin.len()}]);
    json["meshes"][0]["name"] = json!("row \u{1b}[31m");
    let dir = Dir::with("a.glb", glb(json.to_string().as_bytes(), Some(&file.bin)));
    let ran = dir.run("inspect a.glb --over-time").good();
    let text = ran.stdout();
    assert!(text.contains("as the nodes are stored"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let ran = dir.run("inspect a.glb --over-time --format json");
    let object: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let all = &object["over_time"]["all"];
    assert_eq!(
        json!([all["min"], all["max"]]),
        json!([[1.0, 2.5, 3.0], [1.25, 2.5, 3.0]])
    );
}

#[test]
fn a_mesh_without_instances_has_no_bounds() {
    let json = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1}}}},
            {"mesh": 1},
        ],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0}}], "name": "none"},
            {"primitives": [{"attributes": {"POSITION": 0}}], "name": "some"},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]},
            {"bufferView": 0, "componentType": 5126, "count": 0, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 8},
        ],
        "extensionsUsed": ["EXT_mesh_gpu_instancing"],
        "animations": [{
            "samplers": [{"input": 2, "output": 3}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
        }],
        "buffers": [{"byteLength": 44}],
    });
    let mut bin = vec![0; 40];
    bin.extend(1.0_f32.to_le_bytes());
    let dir = Dir::with("a.glb", glb(json.to_string().as_bytes(), Some(&bin)));
    let ran = dir.run("inspect a.glb --over-time --format json").good();
    let object: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let meshes = object["over_time"]["clips"][0]["meshes"]
        .as_array()
        .unwrap();
    assert_eq!(meshes.len(), 1);
    assert_eq!(meshes[0]["name"], "some");
}
