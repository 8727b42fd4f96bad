//! `inspect --solvers` against bakes of both solvers, and on files that are unusual.

use std::f32::consts::TAU;

use serde_json::{Value, json};

use super::moving_bounds::positions;
use crate::bake::builder::{Made, U8, U16, arm};
use crate::support::{Dir, assert_contains};

/// Corners of a ring.
const SIDES: usize = 8;

/// The triangles of the tube: its walls, then its ends.
fn tube_triangles() -> Vec<[u16; 3]> {
    let at = |ring: usize, side: usize| (ring * SIDES + side % SIDES) as u16;
    let mut triangles = Vec::new();
    for (ring, side) in (0..2).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let [a, b] = [at(ring, side), at(ring, side + 1)];
        let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
        triangles.extend([[a, c, b], [b, c, d]]);
    }
    for side in 1..SIDES - 1 {
        triangles.push([at(0, 0), at(0, side), at(0, side + 1)]);
        triangles.push([at(2, 0), at(2, side + 1), at(2, side)]);
    }
    triangles
}

/// A closed tube of three rings, the last of which follows the joint `tip`, that is turned by half a turn around the tube as it is
/// stored; the ring between follows both.
fn tube() -> Made {
    let joints = json!([
        {"name": "root", "children": [1]},
        {"name": "tip", "rotation": [0, 1, 0, 0]},
        {"mesh": 0, "skin": 0},
    ]);
    let mut made = Made {
        json: json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}], "nodes": joints}),
        bin: Vec::new(),
    };
    let (mut places, mut weights) = (Vec::new(), Vec::new());
    for (ring, side) in (0..3).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let angle = side as f32 / SIDES as f32 * TAU;
        places.extend([angle.cos(), ring as f32, angle.sin()]);
        weights.extend([1.0 - ring as f32 / 2.0, ring as f32 / 2.0, 0.0, 0.0]);
    }
    let count = 3 * SIDES;
    let triangles = tube_triangles();
    let corners: Vec<u8> = triangles
        .iter()
        .flatten()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    let attributes = json!({
        "POSITION": made.floats("VEC3", &places),
        "JOINTS_0": made.accessor("VEC4", U8, count, &[0, 1, 0, 0].repeat(count)),
        "WEIGHTS_0": made.floats("VEC4", &weights),
    });
    let indices = made.accessor("SCALAR", U16, 3 * triangles.len(), &corners);
    made.push(
        "meshes",
        json!({"primitives": [{"attributes": attributes, "indices": indices}]}),
    );
    made.push("skins", json!({"joints": [0, 1]}));
    made
}

/// The same, where an animation makes the turn between second 1 and 2.
fn turning() -> Made {
    let mut made = tube();
    made.json["nodes"][1]["rotation"] = json!([0, 0, 0, 1]);
    let times = made.floats("SCALAR", &[1.0, 2.0]);
    let turns = made.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    let channel = json!({"sampler": 0, "target": {"node": 1, "path": "rotation"}});
    let clip = json!({"name": "turn", "samplers": [{"input": times, "output": turns}], "channels": [channel]});
    made.push("animations", clip);
    made
}

fn inspected(made: &Made, more: &str) -> Value {
    let dir = Dir::with("a.glb", made.glb());
    let ran = dir.run(&format!("inspect a.glb --solvers --format json {more}"));
    serde_json::from_str(&ran.good().stdout()).unwrap()
}

fn only_clip(made: &Made, more: &str) -> Value {
    inspected(made, more)["over_time"]["clips"][0].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn volume(positions: &[[f32; 3]]) -> f64 {
    let tetrahedron = |corners: [u16; 3]| {
        let [a, b, c] = corners.map(|at| positions[usize::from(at)].map(f64::from));
        let turned = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
        (a[0] * turned(1, 2) + a[1] * turned(2, 0) + a[2] * turned(0, 1)) / 6.0
    };
    tube_triangles().into_iter().map(tetrahedron).sum()
}

fn assert_near(found: &Value, expected: f64) {
    let found = number(found);
    assert!(
        (found - expected).abs() < 1e-9 * expected.abs(),
        "{found} {expected}"
    );
}

/// Bakes a file by both solvers, compares them by `diff`, and returns its object and the volumes.
fn baked(made: &Made, more: &str) -> (Value, [f64; 2]) {
    let dir = Dir::with("a.glb", made.glb());
    let volumes = ["lbs", "dqs"].map(|solver| {
        let args = format!("bake a.glb -o {solver}.glb --solver {solver} {more}");
        dir.run(&args).good();
        volume(&positions(&dir.read(&format!("{solver}.glb"))))
    });
    let ran = dir.run("diff lbs.glb dqs.glb --format json").exits(1);
    (ran.json()[0].clone(), volumes)
}

#[test]
fn figures_of_a_twist_are_those_of_bakes_of_both_solvers() {
    let made = tube();
    let (difference, [linear, dual]) = baked(&made, "");
    // Two cones whose tips meet are left of the tube by linear blending.
    let cone = 8.0_f64.sqrt() / 3.0; // on a ring of eight sides
    assert!((linear - 2.0 * cone).abs() < 1e-6 && dual > 1.5 * linear);
    let found = &only_clip(&made, "")["solvers"];
    let loss = 100.0 * (1.0 - linear / dual);
    assert_near(&found["volume_loss"], loss);
    assert_near(&found["largest"], number(&difference["max_distance"]));
    let mean = number(&difference["meshes"][0]["position"]["mean"]);
    assert_near(&found["mean"], mean);
    // From the edge of a ring to the opposite one of the last.
    assert!((number(&found["size"]) - 12.0_f64.sqrt()).abs() < 1e-6);
    assert_near(
        &found["mean_percent"],
        100.0 * mean / number(&found["size"]),
    );
    assert_eq!(found["joint"], "root");
    assert_eq!([&found["time"], &found["volume_time"]], [&Value::Null; 2]);
}

#[test]
fn moments_are_those_of_the_largest_figures() {
    let made = turning();
    let found = &only_clip(&made, "--fps 8")["solvers"];
    let (difference, [linear, dual]) = baked(&made, "--time 2");
    assert_eq!(found["time"], 2.0);
    assert_near(&found["largest"], number(&difference["max_distance"]));
    let end = 100.0 * (1.0 - linear / dual);
    let time = &found["volume_time"];
    let (_, [linear, dual]) = baked(&made, &format!("--time {time}"));
    let loss = 100.0 * (1.0 - linear / dual);
    assert!(loss >= end && number(time) > 1.5, "{found}");
    assert_near(&found["volume_loss"], loss);
}

#[test]
fn a_primitive_that_shares_its_vertices_closes_the_mesh() {
    let mut made = tube();
    let whole = only_clip(&made, "");
    let mut second = made.json["meshes"][0]["primitives"][0].clone();
    let indices = second["indices"].as_u64().unwrap() as usize;
    let mut rest = made.json["accessors"][indices].clone();
    rest["byteOffset"] = json!(2 * 3 * 5);
    rest["count"] = json!(rest["count"].as_u64().unwrap() - 15);
    made.json["accessors"][indices]["count"] = json!(15);
    second["indices"] = json!(made.push("accessors", rest));
    made.add("/meshes/0/primitives", second);
    let parts = only_clip(&made, "");
    for field in ["volume_loss", "largest", "size"] {
        assert_eq!(parts["solvers"][field], whole["solvers"][field]);
    }
    // Without the second primitive the mesh is open.
    made.json["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap()
        .pop();
    assert_eq!(only_clip(&made, "")["solvers"]["volume_loss"], Value::Null);
    let dir = Dir::with("a.glb", made.glb());
    let text = dir.run("inspect a.glb --solvers").good().stdout();
    assert_contains(text, &["% of volume lost", " open "]);
}

#[test]
fn the_text_tells_who_needs_dual_quaternions() {
    let says = |made: &Made, words: &[&str]| {
        let dir = Dir::with("a.glb", made.glb());
        assert_contains(dir.run("inspect a.glb --solvers").good().stdout(), words);
    };
    says(
        &turning(),
        &[
            "turn",
            "2.00",
            "28.9",
            "root",
            "`bake --as skin`",
            "From 1 %",
        ],
    );
    for (angle, words) in [
        (0.4_f32, "From 0.1 %"),
        (0.1, "Below 0.1 %"),
        (0.0, "Below 0.1 %"),
    ] {
        let mut made = tube();
        made.json["nodes"][1]["rotation"] = json!([0, (angle / 2.0).sin(), 0, (angle / 2.0).cos()]);
        says(&made, &[words]);
    }
    let mut made = tube();
    made.remove("/nodes/2/skin");
    says(&made, &["No skin moves a vertex"]);
}

#[test]
fn options_are_those_of_bounds() {
    let arm = arm();
    let walk = |more: &str| only_clip(&arm, more)["solvers"].clone();
    let all = walk("");
    assert!(number(&walk("--fps 2")["largest"]) <= number(&all["largest"]));
    for more in [
        "-j 1",
        "-j 8",
        "--animation wave",
        "--over-time --solver dqs",
        "--limit work=1G",
    ] {
        assert_eq!(walk(more), all, "{more}");
    }
    let mut scaled = arm.clone();
    scaled.json["nodes"][0]["scale"] = json!([1, 2, 1]);
    let scaled = |more: &str| only_clip(&scaled, more)["solvers"]["largest"].clone();
    assert_ne!(scaled(""), scaled("--joint-scale local"));
    assert_eq!(
        scaled("--joint-scale local"),
        scaled("--local-scale-joints upper,fore")
    );
    let dir = Dir::with("a.glb", arm.glb());
    dir.run("inspect a.glb --fps 3").exits(2).says("--solvers");
    let ran = dir
        .run("inspect a.glb --solvers --limit work=20000")
        .exits(1);
    ran.says("evaluations");
    let ran = dir.run("inspect a.glb --solvers --animation run").exits(1);
    ran.says("run");
}

#[test]
fn instances_and_hidden_nodes_count_as_they_are_shown() {
    let mut made = tube();
    let one = only_clip(&made, "")["solvers"].clone();
    let scales = made.floats("VEC3", &[1.0, 1.0, 1.0, 3.0, 3.0, 3.0]);
    made.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing", "KHR_node_visibility"]);
    let instances = json!({"EXT_mesh_gpu_instancing": {"attributes": {"SCALE": scales}}});
    made.json["nodes"][2]["extensions"] = instances;
    let two = only_clip(&made, "")["solvers"].clone();
    assert_near(&two["largest"], 3.0 * number(&one["largest"]));
    assert_near(&two["mean"], 2.0 * number(&one["mean"]));
    assert_near(&two["volume_loss"], number(&one["volume_loss"]));
    let hidden = json!({"KHR_node_visibility": {"visible": false}});
    made.json["nodes"][2]["extensions"] = hidden;
    let found = inspected(&made, "");
    assert!(found["over_time"]["clips"][0]["solvers"].is_null());
    let advice = found["over_time"]["advice"].as_str().unwrap();
    assert_contains(advice, &["No skin moves a vertex"]);
}

#[test]
fn unusual_numbers_are_figures_or_errors() {
    let figures = |made: &Made| {
        let found = only_clip(made, "")["solvers"].clone();
        for field in ["size", "largest", "largest_percent", "mean", "mean_percent"] {
            assert!(found[field].is_f64(), "{field} {found}");
        }
        found
    };
    let placed = |places: &[f32]| {
        let mut made = tube();
        let places = made.floats("VEC3", &places.repeat(3 * SIDES));
        made.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(places);
        made
    };
    // Everything in one point, on the axis and beside it.
    for place in [[0.0; 3], [1e-44, 0.0, 0.0], [1e30, 0.0, 0.0]] {
        assert_eq!(figures(&placed(&place))["volume_loss"], Value::Null);
    }
    let mut huge = tube();
    huge.json["nodes"][0]["scale"] = json!([1e5, 1e5, 1e5]);
    assert!(number(&figures(&huge)["volume_loss"]) > 30.0);
    huge.json["nodes"][0]["translation"] = json!([1e30, -1e30, 0]);
    figures(&huge);
    for scale in [[1e30, 1e30, 1e30], [0.0, 0.0, 0.0]] {
        let mut made = tube();
        made.json["nodes"][0]["scale"] = json!(scale);
        let dir = Dir::with("a.glb", made.glb());
        let ran = dir.run("inspect a.glb --solvers");
        assert!(
            ran.status() == 1 && !ran.stderr().contains("panicked"),
            "{}",
            ran.stderr()
        );
    }
    let dir = Dir::with("a.glb", placed(&[f32::NAN, 0.0, 0.0]).glb());
    dir.run("inspect a.glb --solvers").exits(1).says("POSITION");
    // Without vertices.
    let mut made = tube();
    made.remove("/meshes/0/primitives/0/attributes/POSITION");
    assert!(only_clip(&made, "")["solvers"].is_null());
}
