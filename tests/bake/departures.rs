//! Files that depart from the specification in ways that do no harm: they are baked, and the departure is told.

use serde_json::{Value, json};

use super::builder::{COUNT, Made, arm};
use super::palettes::Scale;
use super::runs::{Ask, baked, refused, run, warned};
use super::vertices::set_attribute;
use crate::support::{Dir, glb_parts, published, with_path};

/// The texts of the warnings of a bake of a made file, and its buffers.
fn told(made: &Made, ask: &Ask) -> (Vec<String>, Vec<Vec<u8>>) {
    let (output, warnings) = warned(made, ask);
    assert!(
        warnings.iter().all(|warning| warning["code"] == "W07"),
        "{warnings:#?}"
    );
    (warnings.iter().map(with_path).collect(), output.buffers)
}

/// Bakes a handed file; `None` where it is absent.
fn handed(name: &str, options: &str) -> Option<(Value, Vec<u8>)> {
    let bytes = std::fs::read(published(&format!("cases/gltf/{name}"))?).unwrap();
    let dir = Dir::with(name, bytes);
    let ran = dir.run(&format!("bake {name} -o out.glb --format json {options}"));
    assert_eq!(ran.status(), 0, "{name}: {}", ran.stdout());
    Some((ran.json()[0].clone(), dir.read("out.glb")))
}

#[test]
fn a_primitive_without_positions_is_kept_and_not_drawn() {
    let plain = arm();
    let mut made = arm();
    let data = made.floats("VEC2", &[1.0, 2.0, 3.0, 4.0]);
    let bare = json!({"attributes": {"_HEAT": data}, "mode": 0, "material": 0});
    made.add("/meshes/0/primitives", bare.clone());
    let mesh = made.push("meshes", json!({"primitives": [bare]}));
    let node = made.push("nodes", json!({"mesh": mesh}));
    made.add("/scenes/0/nodes", node);
    let dir = Dir::with("made.glb", made.glb());
    dir.write("plain.glb", plain.glb());
    for solver in ["lbs", "dqs"] {
        for name in ["made", "plain"] {
            dir.run(&format!(
                "bake {name}.glb -o {name}.stl --time 1 --solver {solver}"
            ))
            .good();
        }
        assert_eq!(dir.read("made.stl"), dir.read("plain.stl"), "{solver}");
    }
    let ran = dir
        .run("bake made.glb -o out.glb --time 1 --format json")
        .good();
    assert_eq!(
        ran.json()[0].get("warnings"),
        plain_warnings(&dir).get("warnings")
    );
    let out = dir.read("out.glb");
    let (json, _) = glb_parts(&out);
    for mesh in [
        &json["meshes"][0]["primitives"][1],
        &json["meshes"][1]["primitives"][0],
    ] {
        let names: Vec<&String> = mesh["attributes"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["_HEAT"]);
    }
    // Every other command takes the file, and a baked file, too.
    for args in [
        "inspect FILE",
        "inspect --over-time FILE",
        "preview FILE -o x.png",
        "view FILE --no-open -o page",
        "palette FILE",
        "diff FILE FILE",
        "bake FILE --as morph --frames @4 -o m.glb",
        "bake FILE --as step --frames @4 -o m.glb",
        "bake FILE -o u.usda",
        "bake FILE -o u.obj --pivot bounds",
    ] {
        for file in ["made.glb", "out.glb"] {
            let args = args.replace("FILE", file);
            if file == "made.glb" || !args.contains("--as") {
                assert_eq!(dir.run(&args).status(), 0, "{args}");
            }
        }
    }
    if let Some((_, glb)) = handed("no-position.glb", "--time 0.5") {
        assert_eq!(glb_parts(&glb).0["meshes"].as_array().unwrap().len(), 2);
    }
}

fn plain_warnings(dir: &Dir) -> Value {
    let ran = dir
        .run("bake plain.glb -o plain.glb.out.glb --time 1 --format json")
        .good();
    ran.json()[0].clone()
}

/// An arm whose third joint, without weight or with some, has a scale of 0.
fn flattened(weight: f32, below: Option<usize>) -> Made {
    let mut made = arm();
    let tip = made.push("nodes", json!({"name": "tip", "scale": [0, 0, 0]}));
    made.json["nodes"][below.unwrap_or(1)]["children"] = match below {
        None => json!([tip]),
        Some(_) => json!([1, tip]),
    };
    made.add("/skins/0/joints", tip);
    let identity = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    let matrices = made.floats("MAT4", &identity.repeat(3));
    made.json["skins"][0]["inverseBindMatrices"] = json!(matrices);
    let mut weights = [[1.0 - weight, 0.0, weight, 0.0]; COUNT];
    weights[0] = [0.5, 0.5, 0.0, 0.0];
    let weights = made.floats("VEC4", weights.as_flattened());
    set_attribute(&mut made, "WEIGHTS_0", weights);
    let joints = made.accessor(
        "VEC4",
        super::builder::U8,
        COUNT,
        &[0, 1, 2, 0].repeat(COUNT),
    );
    set_attribute(&mut made, "JOINTS_0", joints);
    made
}

#[test]
fn a_flattened_joint_without_weight_does_not_matter_to_dual_quaternions() {
    for scale in ["global", "local"] {
        for below in [None, Some(0)] {
            let dir = Dir::with("idle.glb", flattened(0.0, below).glb());
            let mut without = flattened(0.0, below);
            without.json["nodes"][4]["scale"] = json!([1, 1, 1]);
            dir.write("round.glb", without.glb());
            for name in ["idle", "round"] {
                dir.run(&format!(
                    "bake {name}.glb -o {name}.stl --time 0.5 --solver dqs --joint-scale {scale}"
                ))
                .good();
            }
            assert_eq!(dir.read("idle.stl"), dir.read("round.stl"));
            dir.run(&format!(
                "palette idle.glb --time 0.5 --joint-scale {scale}"
            ))
            .good()
            .says("");
        }
    }
    let error = refused(&flattened(0.25, None), &Ask::at(0.5).dqs(Scale::Global));
    assert!(with_path(&error).contains("tip"), "{error}");
    handed("unused-joint-of-scale-0.glb", "--time 0.75 --solver dqs");
}

fn with_weights(weights: [[f32; 4]; COUNT]) -> Made {
    let mut made = arm();
    let weights = made.floats("VEC4", weights.as_flattened());
    set_attribute(&mut made, "WEIGHTS_0", weights);
    made
}

#[test]
fn weights_a_little_below_zero_are_zero() {
    let mut weights = [[0.5, 0.5, 0.0, 0.0]; COUNT];
    weights[1] = [1.0, -1e-7, 0.0, 0.0];
    weights[4] = [1.0, -1e-3, -1e-5, 0.0];
    let below = with_weights(weights);
    for row in [1, 4] {
        weights[row] = [1.0, 0.0, 0.0, 0.0];
    }
    for ask in [Ask::at(0.3), Ask::at(0.3).dqs(Scale::Global)] {
        let expected = baked(&with_weights(weights), &ask).buffers;
        let (texts, buffers) = told(&below, &ask);
        assert_eq!(buffers, expected);
        assert_eq!(
            texts,
            [
                "`meshes[0].primitives[0].attributes.WEIGHTS_0`: 2 vertices, vertex 1 first, with weights between 0 and -0.001; \
             these count as 0"
            ]
        );
    }
    weights[4] = [1.0, -1.1e-3, 0.0, 0.0];
    let error = refused(&with_weights(weights), &Ask::at(0.3));
    assert!(with_path(&error).contains("weight -0.00109"), "{error}");
    if let Some((line, _)) = handed("weight-below-0.glb", "") {
        assert!(
            line["warnings"]
                .to_string()
                .contains("1 vertex, vertex 3 first"),
            "{line}"
        );
    }
}

/// An arm with a second animation in which a channel stands twice.
fn twins(is_equal: bool) -> Made {
    let mut made = arm();
    let mut clip = made.json["animations"][0].clone();
    clip["name"] = json!("twice");
    // Equal keys, though in accessors of their own.
    let times = made.floats("SCALAR", &[0.0, 0.75, 2.0]);
    let last = if is_equal { 0.0 } else { 0.5 };
    let moves = made.floats("VEC3", &[0.1, 0.5, -0.2, 0.4, 0.5, 0.3, -1.0, 2.0, last]);
    let samplers = clip["samplers"].as_array_mut().unwrap();
    samplers.push(json!({"input": times, "output": moves}));
    let channels = clip["channels"].as_array_mut().unwrap();
    channels.push(json!({"sampler": 2, "target": {"node": 0, "path": "translation"}}));
    made.push("animations", clip);
    made
}

#[test]
fn equal_twins_of_a_channel_are_one_and_others_are_an_error_of_their_animation() {
    let second = Ask {
        animation: Some(1),
        ..Ask::at(0.5)
    };
    let expected = baked(&arm(), &Ask::at(0.5)).buffers;
    let (texts, buffers) = told(&twins(true), &second);
    assert_eq!(buffers, expected);
    assert_eq!(
        texts,
        [
            "`animations[1].channels`: node 0 has several channels for its translation, with equal keys; they are one"
        ]
    );
    for made in [twins(true), twins(false)] {
        baked(&made, &Ask::REST);
        baked(&made, &Ask::at(0.5));
    }
    let error = refused(&twins(false), &second);
    assert!(
        with_path(&error).contains("several channels for its translation, with different keys"),
        "{error}"
    );
    let path = published("cases/gltf/duplicate-channels.gltf");
    let Some(path) = path else { return };
    let dir = Dir::with("a.gltf", std::fs::read(path).unwrap());
    dir.run("bake a.gltf -o out.glb").good();
    dir.run("bake a.gltf --animation good --time 1 -o out.glb")
        .good();
    dir.run("bake a.gltf --animation twice --time 1 -o out.glb")
        .good()
        .says("W07");
}

#[test]
fn joints_outside_the_scene_are_told() {
    let mut made = arm();
    made.json["scenes"][0]["nodes"] = json!([3]);
    let expected = baked(&arm(), &Ask::at(0.5)).buffers;
    let (texts, buffers) = told(&made, &Ask::at(0.5));
    assert_eq!(buffers, expected);
    assert!(
        texts[0].contains(
            "2 of 2 joints, node 0 (\"upper\") first, are not in the scene that shows node 2"
        ),
        "{texts:?}"
    );
    if let Some((line, _)) = handed("joints-outside-scene.gltf", "") {
        assert!(
            line["warnings"].to_string().contains("not in the scene"),
            "{line}"
        );
    }
}

#[test]
fn a_first_scene_without_meshes_is_told_if_none_is_chosen() {
    let mut made = arm();
    made.remove("/scene");
    made.json["scenes"] = json!([{"name": "bare", "nodes": [0]}, {"nodes": [0, 3], "name": "full"}, {}, {"nodes": [3, 0]}]);
    let (texts, _) = told(&made, &Ask::at(0.5));
    let said = "no `scene` says which scene is shown; the first, 0 (\"bare\"), has no mesh, but these have: 1 (\"full\"), 3";
    assert!(texts.len() == 1 && texts[0].contains(said), "{texts:?}");
    let dir = Dir::with("made.glb", made.glb());
    for args in [
        "inspect made.glb",
        "bake made.glb -o a.stl",
        "preview made.glb -o a.png",
        "view made.glb --no-open -o out",
    ] {
        dir.run(args).good().says("has no mesh");
    }
    made.json["scene"] = json!(0);
    assert!(told(&made, &Ask::at(0.5)).0.is_empty());
    if let Some((line, _)) = handed("empty-first-scene.glb", "") {
        assert!(
            line["warnings"].to_string().contains("these have: 1, 2"),
            "{line}"
        );
    }
}

#[test]
fn names_of_morph_targets_go_with_the_targets() {
    let mut made = arm();
    let moves = made.floats("VEC3", &[0.25; 3 * COUNT]);
    let primitive = &mut made.json["meshes"][0]["primitives"][0];
    primitive["targets"] = json!([{"POSITION": moves}]);
    primitive["extras"] = json!({"targetNames": ["smile"], "author": "me"});
    made.json["meshes"][0]["extras"] = json!({"targetNames": ["smile"]});
    let plain = made.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": 0}, "extras": {"targetNames": "mine"}}]}),
    );
    let node = made.push("nodes", json!({"mesh": plain}));
    made.add("/scenes/0/nodes", node);
    let dir = Dir::with("made.glb", made.glb());
    for options in [
        "--time 1",
        "--as morph --frames @2",
        "--as step --frames @2",
    ] {
        dir.run(&format!("bake made.glb -o out.glb {options}"))
            .good();
        let out = dir.read("out.glb");
        let (json, _) = glb_parts(&out);
        let meshes = json["meshes"].as_array().unwrap();
        let baked = meshes
            .iter()
            .find(|mesh| mesh["name"] == "skin and bone")
            .unwrap();
        let names = baked.get("extras").map(|extras| &extras["targetNames"]);
        let of_frames = json!(["0001", "0002", "0003", "0004"]);
        let expected = options.contains("morph").then_some(&of_frames);
        assert_eq!(names, expected, "{options}");
        assert_eq!(
            baked["primitives"][0]["extras"],
            json!({"author": "me"}),
            "{options}"
        );
        let other = meshes
            .iter()
            .find(|mesh| mesh["primitives"][0]["extras"]["targetNames"] == "mine");
        assert!(other.is_some(), "{options}: it had no targets");
    }
    if let Some((_, glb)) = handed("target-names.glb", "--as morph --frames @1") {
        for mesh in glb_parts(&glb).0["meshes"].as_array().unwrap() {
            let names = mesh["extras"]["targetNames"].as_array().map_or(0, Vec::len);
            let targets = mesh["primitives"][0]["targets"].as_array();
            assert_eq!(names, targets.map_or(0, Vec::len));
        }
    }
}

#[test]
fn a_required_extension_of_materials_is_no_reason_to_refuse() {
    let mut made = arm();
    made.json["extensionsRequired"] = json!(["KHR_techniques_webgl"]);
    made.json["extensionsUsed"] = json!(["KHR_techniques_webgl"]);
    let uniforms =
        json!({"u_light": {"type": 5126, "node": 4}, "u_arm": {"type": 5126, "node": 1}});
    made.json["extensions"] =
        json!({"KHR_techniques_webgl": {"techniques": [{"uniforms": uniforms}]}});
    made.push("nodes", json!({"name": "lamp", "extras": {"lux": 1}}));
    let dir = Dir::with("made.glb", made.glb());
    dir.run("bake made.glb -o out.glb").good();
    let out = dir.read("out.glb");
    let (json, _) = glb_parts(&out);
    let uniforms = &json["extensions"]["KHR_techniques_webgl"]["techniques"][0]["uniforms"];
    let name = |uniform: &str| {
        &json["nodes"][uniforms[uniform]["node"].as_u64().unwrap() as usize]["name"]
    };
    assert_eq!([name("u_light"), name("u_arm")], ["lamp", "fore"]);
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:00ff\nsize 1234\n";

#[test]
fn pointers_of_git_lfs_are_named_wherever_they_stand() {
    let dir = Dir::with("a.glb", POINTER);
    let mut made = arm();
    made.push("images", json!({"uri": "c.png"}));
    made.push("textures", json!({"source": 0}));
    dir.write("c.glb", made.glb());
    dir.write("c.png", POINTER);
    dir.write("d.rigy.yaml", POINTER);
    dir.write(
        "e.rigy.yaml",
        "version: \"0.5\"\nimports: {d: {source: d.rigy.yaml}}\n",
    );
    dir.write("b.gltf", arm().gltf("b.bin"));
    dir.write("b.bin", POINTER);
    let said = "is a pointer of Git LFS: `git lfs pull` fetches the file";
    for args in [
        "bake a.glb -o out",
        "bake b.gltf -o out",
        "bake c.glb -o out",
        "inspect a.glb",
        "preview b.gltf -o x.png",
        "view a.glb --no-open -o out",
        "d.rigy.yaml -o out",
        "inspect d.rigy.yaml",
        "fmt --check d.rigy.yaml",
        "e.rigy.yaml -o out",
    ] {
        dir.run(args).exits_saying(1, said);
    }
    dir.run("inspect c.glb").exits_saying(1, said);
    if let Some(path) = published("cases/gltf/lfs_pointer.glb") {
        dir.write("handed.glb", std::fs::read(path).unwrap());
        dir.run("bake handed.glb -o out").exits_saying(1, said);
    }
}

/// A chain of three joints, the last of which is scaled, and a fourth that is scaled at half a second of two.
fn chain() -> Made {
    let mut made = arm();
    made.json["nodes"][1]["children"] = json!([4]);
    let turn = [0.2, 0.5, -0.3, 0.8];
    made.push("nodes", json!({"name": "hand", "translation": [0, 1, 0], "rotation": turn, "scale": [1.4, 1.2, 0.6], "children": [5]}));
    made.push(
        "nodes",
        json!({"name": "nail", "translation": [0, 1, 0], "rotation": turn}),
    );
    made.json["skins"][0]["joints"] = json!([0, 1, 4, 5]);
    made.json["skins"][0]
        .as_object_mut()
        .unwrap()
        .remove("inverseBindMatrices");
    let joints = made.accessor(
        "VEC4",
        super::builder::U8,
        COUNT,
        &[0, 1, 2, 3].repeat(COUNT),
    );
    set_attribute(&mut made, "JOINTS_0", joints);
    let weights = made.floats("VEC4", &[0.25, 0.25, 0.25, 0.25].repeat(COUNT));
    set_attribute(&mut made, "WEIGHTS_0", weights);
    let times = made.floats("SCALAR", &[0.0, 1.0, 2.0]);
    let scales = made.floats("VEC3", &[1.0, 1.0, 1.0, 1.5, 1.5, 1.5, 1.0, 1.0, 1.0]);
    made.push(
        "animations",
        json!({
            "name": "swell",
            "samplers": [{"input": times, "output": scales}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "scale"}}],
        }),
    );
    made
}

#[test]
fn the_local_scale_of_a_joint_that_has_none_changes_nothing() {
    let dir = Dir::with("made.glb", chain().glb());
    let bytes = |options: &str| {
        dir.run(&format!("bake made.glb -o out.glb --solver dqs {options}"))
            .good();
        dir.read("out.glb")
    };
    for stages in ["", "--two-stage"] {
        for time in [
            "",
            "--animation swell --time 0",
            "--animation swell --time 2",
        ] {
            let global = bytes(&format!("{time} {stages} --joint-scale global"));
            for names in ["fore", "nail", "upper,fore,nail"] {
                // `upper` turns with the root's own matrix, which has no scale either.
                assert_eq!(
                    bytes(&format!("{time} {stages} --local-scale-joints {names}")),
                    global,
                    "{names} {time}"
                );
            }
            assert_ne!(
                bytes(&format!("{time} {stages} --local-scale-joints hand")),
                global,
                "{time}"
            );
            // Beside a joint that is scaled, too.
            let hand = bytes(&format!("{time} {stages} --local-scale-joints hand"));
            assert_eq!(
                bytes(&format!(
                    "{time} {stages} --local-scale-joints hand,nail,fore"
                )),
                hand,
                "{time}"
            );
        }
        // While it has a scale, it counts.
        let between = format!("--animation swell --time 1 {stages}");
        assert_ne!(
            bytes(&format!("{between} --local-scale-joints fore")),
            bytes(&format!("{between} --joint-scale global"))
        );
    }
    if let Some((_, glb)) = handed("scaled-chain.glb", "--solver dqs --local-scale-joints j1") {
        assert_eq!(
            Some(glb),
            handed("scaled-chain.glb", "--solver dqs --joint-scale global").map(|(_, glb)| glb)
        );
    }
}

#[test]
fn surfaces_without_triangles_are_shown_as_nothing() {
    let empty = std::fs::read("conformance/inputs/T03_empty_surface.rigy.yaml").unwrap();
    let dir = Dir::with("empty.rigy.yaml", empty);
    dir.run("preview empty.rigy.yaml -o a.png").good();
    dir.run("view empty.rigy.yaml --no-open -o page").good();
    dir.run("empty.rigy.yaml -o empty.glb").good();
    for args in [
        "preview empty.glb -o a.png",
        "view empty.glb --no-open -o page",
        "inspect empty.glb",
        "bake empty.glb -o b.glb",
        "bake empty.glb -o b.stl",
    ] {
        dir.run(args).good();
    }
    let mut made = arm();
    for accessor in made.json["accessors"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .take(7)
    {
        accessor["count"] = json!(0);
    }
    let ran = run(
        &Dir::with("made.glb", made.glb()),
        "made.glb",
        &Ask::at(0.5),
    );
    assert_eq!(ran.status(), 0, "{}", ran.stdout());
}
