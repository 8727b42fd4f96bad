//! Files with helper joints (`bake --as skin`): played with linear blending, at and between keys, vertices stand where dual quaternions put
//! them in the original; and all else is as it was.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rigy_batch::Sequential;
use rigy_batch::bake::gltf::JointScale;
use rigy_batch::bake::{Baker, ClipTime, Helpers, ShownPositions};
use rigy_batch::{Isa, Location, MemoryLoader, Skinning, Source};
use serde_json::{Value, json};

use super::builder::{COUNT, Made, U8, U16, arm};
use super::cli::{bake, lines};
use crate::support::chance::cases;
use crate::support::{Dir, glb_parts};

/// Where vertices are at so many moments a second of all animations.
fn places(glb: &[u8], rate: f64, skinning: &Skinning) -> Vec<Vec<[f64; 3]>> {
    let location = Location("made.glb".into());
    let source = Source::read(glb, &location, &MemoryLoader::default())
        .unwrap()
        .value;
    let nodes = (0..source.file.nodes.len())
        .filter(|node| source.file.nodes[*node].mesh.is_some())
        .collect();
    let shown = ShownPositions::new(&source.file, nodes, |mesh| mesh.drawn().collect());
    let mut places = Vec::new();
    for animation in 0..source.file.animations.len() {
        let [start, end] = source.file.span(animation).unwrap().unwrap_or_default();
        for step in 0..=((end - start) * rate) as usize {
            let time = start + step as f64 / rate;
            let mut all = Vec::new();
            let at = Some(ClipTime { animation, time });
            let made = shown.at(at, (skinning, Isa::best()), &|_| true, &mut |_, points| {
                all.extend_from_slice(points);
            });
            made.unwrap();
            places.push(all);
        }
    }
    places
}

/// The line of a file with helpers, and the file.
fn made(made: &Made, options: &str) -> (Value, Vec<u8>) {
    let dir = Dir::with("made.glb", made.glb());
    let line = lines(&dir, &format!("made.glb --as skin -o out {options}")).remove(0);
    let glb = dir.read("out/made.glb");
    // One thread makes the same.
    bake(&dir, &format!("made.glb --as skin -o one -j 1 {options}")).good();
    assert!(dir.read("one/made.glb") == glb);
    (line, glb)
}

/// Checks that vertices are within the tolerance of their places at many moments.
fn check_places(from: &Made, line: &Value, glb: &[u8], skinning: &Skinning, rate: usize) {
    let tolerance = line["skins"][0]["tolerance"].as_f64().unwrap();
    let rate = rate as f64;
    let wanted = places(&from.glb(), rate, skinning);
    let found = places(glb, rate, &Skinning::linear());
    assert_eq!(wanted.len(), found.len());
    let pairs = wanted.iter().flatten().zip(found.iter().flatten());
    let square = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum();
    let distance = pairs.map(square).fold(0.0, f64::max).sqrt();
    assert!(distance <= tolerance, "{distance} {line}");
}

/// Checks a file with helpers at many moments. Returns its JSON, and the number of helpers of each skin.
fn checked(from: &Made, options: &str, skinning: &Skinning) -> (Value, Vec<u64>) {
    let (line, glb) = made(from, options);
    assert_eq!(line["warnings"], json!([]));
    check_places(from, &line, &glb, skinning, cases(60, 240));
    let skins = line["skins"].as_array().unwrap();
    let (json, _) = glb_parts(&glb);
    for attributes in json["meshes"].as_array().unwrap().iter().flat_map(|mesh| {
        let primitives = mesh["primitives"].as_array().unwrap().iter();
        primitives.map(|primitive| &primitive["attributes"])
    }) {
        assert!(attributes.get("JOINTS_1").is_none() && attributes.get("WEIGHTS_1").is_none());
    }
    let helpers = skins.iter().map(|skin| skin["helpers"].as_u64().unwrap());
    (json, helpers.collect())
}

fn dual() -> Skinning {
    Skinning::dual_quaternions(JointScale::Global)
}

#[test]
fn an_arm_plays_within_the_tolerance_and_keeps_all_else() {
    let from = arm();
    let (json, helpers) = checked(&from, "", &dual());
    let count = helpers[0] as usize;
    assert!((1..=8).contains(&count), "{count}");
    assert_eq!(
        json["skins"][0]["joints"].as_array().unwrap().len(),
        2 + count
    );
    assert_eq!(json["nodes"].as_array().unwrap().len(), 4 + 2 * count);
    assert_eq!(json["nodes"][4]["name"], "helper.0.0");
    for key in ["scene", "scenes", "materials"] {
        assert_eq!(json[key], from.json[key]);
    }
    assert_eq!(json["animations"][0]["name"], "wave");
    assert_eq!(json["skins"][0]["name"], "bones");
    let views = |list: &str| {
        let samplers = json["animations"][0]["samplers"].as_array().unwrap()[2..].iter();
        let of = |sampler: &Value| {
            json["accessors"][sampler[list].as_u64().unwrap() as usize]["bufferView"].clone()
        };
        samplers.map(of).collect::<Vec<_>>()
    };
    // All keys of helpers share a view.
    let all = [views("input"), views("output")].concat();
    assert!(!all.is_empty() && all.iter().all(|view| *view == all[0]));
}

#[test]
fn less_tolerance_takes_more_helpers() {
    let (_, few) = checked(&arm(), "--tolerance 0.05", &dual());
    let (_, many) = checked(&arm(), "--tolerance 0.002 --frames @60", &dual());
    assert!(few < many, "{few:?} {many:?}");
}

#[test]
fn scaled_and_mirrored_joints_are_met() {
    for (node, scale) in [
        (1, [1.0, 2.0, 1.0]),
        (1, [1.5, 1.5, 1.5]),
        (0, [-1.0, 1.0, 1.0]),
    ] {
        let mut from = arm();
        from.json["nodes"][node]["scale"] = json!(scale);
        checked(&from, "", &dual());
    }
}

#[test]
fn steps_and_splines_are_met_on_both_sides_of_their_keys() {
    let mut from = arm();
    from.json["animations"][0]["samplers"][0]["interpolation"] = json!("STEP");
    let turn = |angle: f32| [0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
    let mut spline = Vec::new();
    for angle in [0.0, 2.0, 0.5f32] {
        spline.extend([[0.0; 4], turn(angle), [0.0, 0.5, 0.0, 0.0]].as_flattened());
    }
    let input = from.floats("SCALAR", &[0.0, 0.4, 1.0]);
    from.json["accessors"][input]["min"] = json!([0.0]);
    from.json["accessors"][input]["max"] = json!([1.0]);
    let output = from.floats("VEC4", &spline);
    let twin = [turn(0.0), turn(2.0), turn(-0.5), turn(0.5)];
    from.add_clip(
        "twins",
        "rotation",
        &[0.0, 0.4, 0.4, 1.0],
        twin.as_flattened(),
    );
    from.push(
        "animations",
        json!({
            "samplers": [{"input": input, "output": output, "interpolation": "CUBICSPLINE"}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
        }),
    );
    let (line, glb) = made(&from, "");
    assert_eq!(line["warnings"][0]["code"], "W07"); // of the twins
    check_places(&from, &line, &glb, &dual(), cases(60, 240));
}

#[test]
fn jumps_of_dual_quaternions_are_met_on_both_sides() {
    let mut from = arm();
    let turn = |degrees: f32| {
        let half = 0.5 * degrees.to_radians();
        [0.0, half.sin(), 0.0, half.cos()]
    };
    // Twelve times around, faster and faster: a jump for each.
    let keys: Vec<f32> = (0..30).map(|key| key as f32).collect();
    let turns: Vec<_> = keys.iter().map(|key| turn(150.0 * key)).collect();
    let times: Vec<f32> = keys.iter().map(|key| key.sqrt()).collect();
    from.add_clip("turn", "rotation", &times, turns.as_flattened());
    from.json["animations"][1]["channels"][0]["target"]["node"] = json!(1);
    let (line, glb) = made(&from, "");
    check_places(&from, &line, &glb, &dual(), 4000);
}

#[test]
fn joints_that_turn_inside_out_are_met_or_refused() {
    // The scale passes through zero between two moments, by a step, and at a moment.
    let scales = |values: &[f32]| {
        let mut from = arm();
        let times = [0.0, 0.5, 0.51, 1.0];
        let turned: Vec<f32> = values.iter().flat_map(|x| [*x, 1.0, 1.0]).collect();
        from.add_clip("flip", "scale", &times[..values.len()], &turned);
        from
    };
    for from in [scales(&[1.0, 0.9, -0.7, -1.0]), {
        let mut steps = scales(&[1.0, -1.0, 1.0]);
        steps.json["animations"][1]["samplers"][0]["interpolation"] = json!("STEP");
        steps
    }] {
        let (line, glb) = made(&from, "");
        check_places(&from, &line, &glb, &dual(), cases(60, 240));
    }
    let dir = Dir::with("made.glb", scales(&[1.0, 0.0]).glb());
    bake(&dir, "made.glb --as skin -o out").exits_saying(1, "`--solver lbs`");
}

#[test]
fn clips_may_have_one_key_or_move_nothing() {
    let mut from = arm();
    from.add_clip("still", "rotation", &[0.5], &[0.0, 0.0, 0.6, 0.8]);
    let clip = from.json["animations"][1].as_object_mut().unwrap();
    clip["channels"][0]["target"]["node"] = json!(3);
    from.add_clip("one", "rotation", &[0.5], &[0.0, 0.0, 0.6, 0.8]);
    let (json, _) = checked(&from, "", &dual());
    assert_eq!(json["animations"][2]["name"], "one");
}

#[test]
fn a_mesh_under_two_skins_becomes_one_for_each() {
    let mut from = arm();
    let skin = from.push("skins", json!({"joints": [1, 0]}));
    let node = from.push("nodes", json!({"mesh": 0, "skin": skin}));
    from.json["scenes"][0]["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!(node));
    let (json, helpers) = checked(&from, "", &dual());
    assert_eq!(
        (json["meshes"].as_array().unwrap().len(), helpers.len()),
        (2, 2)
    );
    assert_eq!(
        (&json["nodes"][2]["mesh"], &json["nodes"][node]["mesh"]),
        (&json!(0), &json!(1))
    );
}

/// Adds a joint below the first node.
fn add_joint(to: &mut Made, node: Value) {
    let node = to.push("nodes", node);
    for list in ["/nodes/0/children", "/skins/0/joints"] {
        let list = to.json.pointer_mut(list).unwrap();
        list.as_array_mut().unwrap().push(json!(node));
    }
}

/// The arm with eight influences of each vertex.
fn with_eight_influences() -> Made {
    let mut from = arm();
    for (index, y) in [0.3, 0.6, 0.9, 1.2].into_iter().enumerate() {
        let turned =
            json!({"translation": [0.1, y, 0], "rotation": [0, 0.3, 0.1 * index as f32, 0.9]});
        add_joint(&mut from, turned);
    }
    from.remove("/skins/0/inverseBindMatrices");
    let joints = from.accessor("VEC4", U8, COUNT, &[2, 3, 4, 5].repeat(COUNT));
    let weights: Vec<f32> = (0..4 * COUNT)
        .map(|i| 0.05 + 0.01 * (i % 7) as f32)
        .collect();
    let weights = from.floats("VEC4", &weights);
    from.attributes(0, 0)["JOINTS_1"] = json!(joints);
    from.attributes(0, 0)["WEIGHTS_1"] = json!(weights);
    from
}

#[test]
fn eight_influences_become_four_by_either_solver() {
    let from = with_eight_influences();
    checked(&from, "", &dual());
    checked(&from, "--solver lbs", &Skinning::linear());
}

#[test]
fn joints_that_are_flat_between_keys_get_no_keys_there() {
    let mut from = with_eight_influences();
    from.add_clip(
        "flip",
        "scale",
        &[0.0, 0.5],
        &[1.0, 1.0, 1.0, -1.0, 1.0, 1.0],
    );
    let (line, glb) = made(&from, "--solver lbs");
    assert!(line["skins"][0]["between"].is_f64(), "{line}");
    let (json, _) = glb_parts(&glb);
    let dir = Dir::with("made.glb", glb);
    bake(&dir, "made.glb --time 0.3 -o still/").good();
    assert_eq!(json["animations"].as_array().unwrap().len(), 2);
}

#[test]
fn an_animation_too_long_for_memory_is_refused() {
    let mut from = arm();
    let still = [0.0, 0.0, 0.0, 1.0];
    from.add_clip("long", "rotation", &[0.0, 4e5], [still; 2].as_flattened());
    let dir = Dir::with("made.glb", from.glb());
    bake(&dir, "made.glb --as skin -o out").exits_saying(1, "bytes of memory for joints");
}

#[test]
fn joints_beyond_256_have_wide_numbers() {
    let mut from = arm();
    for _ in 2..300 {
        add_joint(&mut from, json!({}));
    }
    from.remove("/skins/0/inverseBindMatrices");
    let (json, _) = checked(&from, "", &dual());
    let joints = json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]
        .as_u64()
        .unwrap();
    assert_eq!(json["accessors"][joints as usize]["componentType"], U16);
}

#[test]
fn too_few_helpers_are_a_warning() {
    let (line, _) = made(&arm(), "--helpers 0");
    assert_eq!(line["skins"][0]["helpers"], 0);
    assert_eq!(line["warnings"][0]["code"], "W26");
    let message = line["warnings"][0]["message"].as_str().unwrap();
    assert!(message.contains(" s of animation 0 (`wave`)"), "{message}");
}

#[test]
fn the_summary_has_three_digits_and_normals_where_there_are_some() {
    let mut from = arm();
    let told = |from: &Made| {
        let dir = Dir::with("made.glb", from.glb());
        bake(&dir, "made.glb --as skin -o out").good().stdout()
    };
    assert!(told(&from).contains("; normals by "));
    let (line, _) = made(&from, "");
    let [before, after] = [0, 1].map(|at| line["skins"][0]["normals"][at].as_f64().unwrap());
    assert!(0.0 < after && after < before, "{line}");
    from.attributes(0, 0)
        .as_object_mut()
        .unwrap()
        .remove("NORMAL");
    from.attributes(0, 0)
        .as_object_mut()
        .unwrap()
        .remove("TANGENT");
    assert!(told(&from).ends_with(" %)\n"));
    assert!(made(&from, "").0["skins"][0].get("normals").is_none());
}

#[test]
fn steps_are_counted_and_may_be_stopped_after_each() {
    let glb = arm().glb();
    let location = Location("made.glb".into());
    let source = Source::read(&glb, &location, &MemoryLoader::default())
        .unwrap()
        .value;
    let helpers = Helpers {
        tolerance: Some(0.002),
        most: None,
        rate: 30.0,
    };
    let steps = |most: usize| {
        let made = AtomicUsize::new(0);
        let count = || match made.fetch_add(1, Ordering::Relaxed) + 1 {
            step if step < most => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let isa = Isa::best();
        let result = Baker::new(&source).bake_skin(&helpers, &dual(), isa, &Sequential, &count);
        (
            made.into_inner(),
            result
                .map(|made| made.value.skins[0].helpers)
                .map_err(|errors| errors.len()),
        )
    };
    let (all, helpers) = steps(usize::MAX);
    assert!(
        all > 2 && helpers.is_ok_and(|helpers| (1..all).contains(&helpers)),
        "{all} {helpers:?}"
    );
    assert!(steps(1).0 <= 8 && steps(1).1 == Err(0) && steps(all).1 == Err(0));
}

#[test]
fn springs_and_constraints_are_named() {
    let springs = json!({"VRMC_springBone": {"springs": [{"joints": [{"node": 1}, {"node": 2}]}]}});
    let groups = json!({"VRM": {"secondaryAnimation": {"boneGroups": [{"bones": [1, -1, "x"]}]}}});
    for extensions in [
        springs,
        groups,
        json!({"VRM": {}, "VRMC_springBone": {"springs": [1]}}),
    ] {
        let mut from = arm();
        let is_held = extensions["VRM"] == json!({});
        from.json["extensions"] = extensions;
        if is_held {
            from.json["nodes"][1]["extensions"] = json!({"VRMC_node_constraint": {}});
        }
        let (line, _) = made(&from, "");
        let warning = line["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|warning| warning["code"] == "W27");
        let message = warning.unwrap()["message"].as_str().unwrap();
        assert!(message.contains(" know: \"fore\"; "), "{message}");
        let (line, _) = made(&from, "--helpers 0");
        assert!(
            line["warnings"]
                .as_array()
                .unwrap()
                .iter()
                .all(|warning| warning["code"] != "W27")
        );
    }
}

#[test]
fn a_file_with_helpers_gets_no_more() {
    let (_, glb) = made(&arm(), "");
    let dir = Dir::with("made.glb", glb);
    bake(&dir, "made.glb --as skin -o out").exits_saying(1, "\"helper.0.0.joint\" is a helper");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let mut from = arm();
    from.remove("/animations");
    let dir = Dir::with("made.glb", from.glb());
    bake(&dir, "made.glb --as skin -o out").exits_saying(1, "U21");
    for (options, reason) in [
        (
            "--as skin --animation wave",
            "`--as skin` keeps all animations",
        ),
        (
            "--as skin --frames 0..3@24",
            "`--as skin` keeps all animations",
        ),
        ("--as skin --two-stage", "`--two-stage` cannot"),
        ("--as skin --pivot node", "`--pivot` is for single files"),
        ("--helpers 3", "`--helpers` goes with `--as skin` only"),
    ] {
        bake(&dir, &format!("made.glb -o out {options}")).exits_saying(2, reason);
    }
}
