//! Motion from another file: its animations on the nodes of each input, by names or as bones of avatars, and what does not fit.

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::bake;
use super::pointers::target;
use crate::support::{Dir, Ran, assert_contains};

/// The arm without its animation.
fn still() -> Made {
    let mut made = arm();
    made.json.as_object_mut().unwrap().remove("animations");
    made
}

/// The animation of the arm on nodes of these names, without meshes and skins.
fn motion(upper: &str, fore: &str) -> Made {
    let mut made = arm();
    for list in ["meshes", "skins", "materials"] {
        made.json.as_object_mut().unwrap().remove(list);
    }
    let nodes = made.json["nodes"].as_array_mut().unwrap();
    nodes.truncate(2);
    nodes[0]["name"] = json!(upper);
    nodes[1]["name"] = json!(fore);
    // Another order than in the model.
    nodes.insert(0, json!({"name": "scene", "children": [1]}));
    nodes[1]["children"] = json!([2]);
    made.json["scenes"][0]["nodes"] = json!([0]);
    for channel in made.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap()
    {
        channel["target"]["node"] = json!(channel["target"]["node"].as_u64().unwrap() + 1);
    }
    made
}

fn dir(motion: &Made) -> Dir {
    let dir = Dir::with("still.glb", still().glb());
    dir.write("arm.glb", arm().glb());
    dir.write("walk.glb", motion.glb());
    dir
}

/// The codes and messages of the warnings of a run, or of its errors.
fn said(ran: &Ran) -> Vec<String> {
    let line = &ran.json()[0];
    let list = |key: &str| line[key].as_array().unwrap().clone();
    let findings = [list("warnings"), list("errors")].concat();
    let text = |one: &Value| {
        format!(
            "{}: {}",
            one["code"].as_str().unwrap_or(""),
            one["message"].as_str().unwrap()
        )
    };
    findings.iter().map(text).collect()
}

/// Bakes the arm that has no animation with a motion, and returns what is said. The output is that of the arm with its own.
fn same(dir: &Dir, motion: &str) -> Vec<String> {
    let ran = bake(
        dir,
        &format!("still.glb --motion {motion} --time 0.7 -o made/still.glb --format json"),
    )
    .good();
    bake(dir, "arm.glb --time 0.7 -o own/still.glb").good();
    assert!(dir.read("made/still.glb") == dir.read("own/still.glb"));
    said(&ran)
}

#[test]
fn every_form_is_that_of_a_file_with_the_animation() {
    let dir = dir(&motion("upper", "fore"));
    for (number, form) in [
        "--time 1.25",
        "--frames @3",
        "--as morph",
        "--as step --frames @5",
        "--as vat",
        "--frames @3 --to usda",
        "--time 1 --to obj",
        "",
    ]
    .iter()
    .enumerate()
    {
        let [made, own] = ["made", "own"].map(|place| format!("{place}{number}"));
        bake(
            &dir,
            &format!("still.glb -o {made} --motion walk.glb {form}"),
        )
        .good();
        let form = if form.is_empty() { "--time 0" } else { form };
        dir.write("in/still.glb", arm().glb());
        bake(&dir, &format!("in/still.glb -o {own} {form}")).good();
        let names = |place: &str| -> Vec<String> {
            let files = dir.files().into_iter();
            files
                .filter_map(|file| Some(file.strip_prefix(place)?.to_owned()))
                .collect()
        };
        assert!(!names(&made).is_empty());
        assert_eq!(names(&made), names(&own), "{form}");
        for name in names(&made) {
            assert!(
                dir.read(&format!("{made}{name}")) == dir.read(&format!("{own}{name}")),
                "{form}: {name}"
            );
        }
    }
}

#[test]
fn a_file_with_helper_joints_has_the_clips_of_the_motion_alone() {
    let dir = Dir::new();
    // The three interpolations and properties of meshes.
    let with = |mut made: Made, node: usize| {
        let times = made.floats("SCALAR", &[0.0, 0.75, 2.0]);
        for (bound, time) in [("min", 0.0), ("max", 2.0)] {
            made.json["accessors"][times][bound] = json!([time]);
        }
        let turns: Vec<f32> = (0..36).map(|at| (at % 7) as f32 / 8.0).collect();
        let weights = made.floats("SCALAR", &[0.0, 1.0, 0.5]);
        let shown = made.accessor("SCALAR", 5121, 3, &[1, 0, 1]);
        let turns = made.floats("VEC4", &turns);
        made.json["extensionsUsed"] = json!(["KHR_animation_pointer", "KHR_node_visibility"]);
        let wave = &mut made.json["animations"][0];
        wave["samplers"][0] =
            json!({"input": times, "output": turns, "interpolation": "CUBICSPLINE"});
        for (output, interpolation) in [(weights, "LINEAR"), (shown, "STEP")] {
            let sampler = json!({"input": times, "output": output, "interpolation": interpolation});
            wave["samplers"].as_array_mut().unwrap().push(sampler);
        }
        let body = json!({"sampler": 2, "target": {"node": node, "path": "weights"}});
        let pointer = format!("/nodes/{node}/extensions/KHR_node_visibility/visible");
        let hidden = json!({"sampler": 3, "target": target(&pointer)});
        let channels = wave["channels"].as_array_mut().unwrap();
        channels.extend([body, hidden]);
        made.json["nodes"][node]["extensions"] = json!({"KHR_node_visibility": {"visible": true}});
        made
    };
    let morphed = |mut made: Made| {
        let offsets: Vec<f32> = (0..18).map(|v| v as f32 * 0.25).collect();
        let offsets = made.floats("VEC3", &offsets);
        made.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": offsets}]);
        made
    };
    let (own, mut other) = (with(morphed(arm()), 2), morphed(arm()));
    // Its own animation and what that needs go.
    other.add_clip("own", "scale", &[0.0, 5.0], &[1.0, 1.0, 1.0, 3.0, 3.0, 3.0]);
    let pointer = target("/nodes/1/rotation");
    other.json["animations"][0]["channels"][0]["target"] = pointer;
    other.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    other.json["nodes"][0]["name"] = json!("rig:upper");
    // Members then have the same order.
    other.json["nodes"][2]["extensions"] = own.json["nodes"][2]["extensions"].clone();
    dir.write("still.glb", other.glb());
    dir.write("walk.glb", own.glb());
    let mut named = own;
    named.json["nodes"][0]["name"] = json!("rig:upper");
    dir.write("own/still.glb", named.glb());
    bake(&dir, "still.glb --motion walk.glb --as skin -o made").good();
    bake(&dir, "own/still.glb --as skin -o skinned").good();
    let clips = |file: &str| {
        let ran = dir.run(&format!("inspect {file} --format json")).good();
        let found: Value = serde_json::from_str(&ran.stdout()).unwrap();
        (found["clips"].clone(), found["extensions_used"].clone())
    };
    assert_eq!(clips("made/still.glb"), clips("skinned/still.glb"));
    for time in ["0", "0.4", "0.75", "1.9"] {
        for place in ["made", "skinned"] {
            let arguments = format!("{place}/still.glb --animation wave --time {time}");
            bake(&dir, &format!("{arguments} -o moment/{place}")).good();
        }
        let [made, own] =
            ["made", "skinned"].map(|place| dir.read(&format!("moment/{place}/still.glb")));
        assert!(made == own, "{time}");
    }
    // A clip that moves nothing here is left out, and so is a pointer that is needed no more.
    let mut other = motion("upper", "fore");
    let node = other.push("nodes", json!({"name": "prop"}));
    let mut still = other.json["animations"][0].clone();
    still["name"] = json!("still");
    still["channels"] = json!([{"sampler": 0, "target": {"node": node, "path": "rotation"}}]);
    other.json["animations"]
        .as_array_mut()
        .unwrap()
        .insert(0, still);
    dir.write("walk.glb", other.glb());
    bake(&dir, "still.glb --motion walk.glb --as skin -o made").good();
    let (found, extensions) = clips("made/still.glb");
    assert_eq!(
        (&found[0]["name"], &found[1]),
        (&json!("wave"), &Value::Null)
    );
    assert_eq!(extensions, json!([]));
}

#[test]
fn prefixes_of_names_are_left_out_and_named() {
    for (upper, fore, left_out) in [
        ("mixamorig:upper", "mixamorig:fore", "\"mixamorig:\""),
        (
            "Armature|mixamorig:upper",
            "Armature|mixamorig:fore",
            "\"Armature|mixamorig:\"",
        ),
    ] {
        let said = same(&dir(&motion(upper, fore)), "walk.glb");
        let wanted = format!("W25: these prefixes of names are left out: {left_out}");
        assert_eq!(said, [wanted]);
    }
    // The model may have the prefix, or another one.
    let dir = dir(&motion("rig2:upper", "rig2:fore"));
    for name in ["still.glb", "arm.glb"] {
        let mut made = if name == "arm.glb" { arm() } else { still() };
        made.json["nodes"][0]["name"] = json!("rig1:upper");
        made.json["nodes"][1]["name"] = json!("rig1:fore");
        dir.write(name, made.glb());
    }
    assert_eq!(
        same(&dir, "walk.glb"),
        ["W25: these prefixes of names are left out: \"rig1:\", \"rig2:\""]
    );
}

#[test]
fn what_is_not_found_is_named_with_the_nearest() {
    let dir = dir(&motion("upper", "foer"));
    let ran = bake(
        &dir,
        "still.glb --motion walk.glb --time 1 -o out --format json",
    )
    .good();
    assert_eq!(
        said(&ran),
        ["W25: 1 of 2 nodes that walk.glb moves are not here: node 2 (\"foer\") (near \"fore\")"]
    );
    let mut many = motion("upper", "fore");
    for index in 0..20 {
        let node = many.push("nodes", json!({"name": format!("other {index}")}));
        let channel = json!({"sampler": 0, "target": {"node": node, "path": "rotation"}});
        many.json["animations"][0]["channels"]
            .as_array_mut()
            .unwrap()
            .push(channel);
    }
    dir.write("walk.glb", many.glb());
    let [message] = &same(&dir, "walk.glb")[..] else {
        panic!()
    };
    assert!(message.ends_with(", 11 more"), "{message}");
    assert_contains(message, &["20 of 22 nodes", "(\"other 8\"), 11 more"]);
}

#[test]
fn a_motion_that_moves_no_joint_is_an_error() {
    let dir = dir(&motion("bone.1", "mount"));
    let ran = bake(
        &dir,
        "still.glb --motion walk.glb --time 1 -o out --format json",
    );
    assert_eq!(ran.status(), 1);
    let [message] = &said(&ran)[..] else { panic!() };
    assert_contains(message, &["U21: walk.glb moves no joint and no mesh here"]);
    assert_contains(message, &["\"upper\", \"fore\""]);
    assert_eq!(dir.glbs(), ["arm.glb", "still.glb", "walk.glb"]);
}

#[test]
fn rest_poses_that_differ_are_told() {
    let mut made = motion("upper", "fore");
    made.json["nodes"][1]["translation"] = json!([0.1, 0.8, -0.2]);
    made.json["nodes"][2]["rotation"] = json!([0, 0, 0.5, 0.8660254]);
    let differ = |count: &str, nodes: &str| {
        format!(
            "W25: nothing is retargeted, and {count} nodes differ at rest from walk.glb, most of all (degrees, % of length): {nodes}"
        )
    };
    let nodes = "node 0 (\"upper\") by 36.1 %, node 1 (\"fore\") by 60.0 degrees";
    assert_eq!(same(&dir(&made), "walk.glb"), [differ("2 of 2", nodes)]);
    // Several clips and properties of a node are one entry, and what carries others is first.
    made.json["animations"][0]["channels"][1]["target"]["path"] = json!("rotation");
    made.json["animations"][0]["samplers"][1] = made.json["animations"][0]["samplers"][0].clone();
    made.json["nodes"][1]["rotation"] = json!([0.2, 0.2, 0.3, 0.9]);
    let clip = motion("upper", "fore").json["animations"][0].clone();
    made.json["animations"].as_array_mut().unwrap().push(clip);
    let folder = dir(&made);
    let ran = bake(
        &folder,
        "still.glb --motion walk.glb --time 1 -o out --format json",
    )
    .good();
    let nodes = "node 0 (\"upper\") by 11.5 degrees and 36.1 %, node 1 (\"fore\") by 60.0 degrees";
    assert_eq!(said(&ran), [differ("2 of 2", nodes)]);
    // A translation that is not animated may be another, and a small difference is none.
    let mut made = motion("upper", "fore");
    made.json["nodes"][1]["translation"] = json!([0.1001, 0.5, -0.2]);
    made.json["nodes"][2]["translation"] = json!([0, 7, 0]);
    made.json["nodes"][2]["rotation"] = json!([0, 0, 0.001, 1]);
    assert!(same(&dir(&made), "walk.glb").is_empty());
    // A matrix is taken apart.
    let mut made = motion("upper", "fore");
    made.json["nodes"][2] =
        json!({"name": "fore", "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0.25, 1]});
    assert_eq!(
        same(&dir(&made), "walk.glb"),
        [differ("1 of 2", "node 1 (\"fore\") by 90.0 degrees")]
    );
}

#[test]
fn long_lists_end_with_a_count() {
    // A chain of long names.
    let chain = |length: f64| {
        let mut made = motion("upper", "fore");
        let animation = &mut made.json["animations"][0];
        animation["samplers"].as_array_mut().unwrap().remove(0);
        animation["channels"] = json!([]);
        let mut above = 2;
        for index in 0..40 {
            let node = json!({"name": format!("{}{index}", "tail".repeat(9)), "translation": [0, length, 0]});
            let node = made.push("nodes", node);
            made.json["nodes"][above]["children"] = json!([node]);
            let channel = json!({"sampler": 0, "target": {"node": node, "path": "translation"}});
            made.json["animations"][0]["channels"]
                .as_array_mut()
                .unwrap()
                .push(channel);
            above = node;
        }
        made
    };
    let walk = format!("{}.glb", "walk".repeat(20));
    let dir = Dir::with(&walk, chain(100.0).glb());
    dir.write("tail.glb", chain(80.0).glb());
    let options = format!("--motion {walk} --time 1 -o out --format json");
    let ran = bake(&dir, &format!("tail.glb {options}")).good();
    let message = said(&ran).remove(0);
    assert_contains(
        &message,
        &["40 of 40 nodes differ", "tail0\") by 20.0 %, ", " more"],
    );
    assert!(
        message.len() < 400 && message.ends_with(" more"),
        "{message}"
    );
}

#[test]
fn a_clip_follows_the_number_sign_unless_a_file_is_called_so() {
    let mut made = motion("upper", "fore");
    let mut other = made.json["animations"][0].clone();
    other["name"] = json!("still");
    other["channels"].as_array_mut().unwrap().truncate(1);
    made.json["animations"]
        .as_array_mut()
        .unwrap()
        .insert(0, other);
    let dir = dir(&made);
    same(&dir, "walk.glb#wave");
    same(&dir, "walk.glb#1");
    let names = |motion: &str| {
        let ran = bake(
            &dir,
            &format!(
                "still.glb --motion {motion} --animation all --time 1 -o out --format json --force"
            ),
        )
        .good();
        let lines = ran.json();
        let named = lines
            .iter()
            .filter_map(|line| Some(line["animation"].as_str()?.to_owned()));
        named.collect::<Vec<_>>()
    };
    assert_eq!(names("walk.glb"), ["still", "wave"]);
    assert_eq!(names("walk.glb#wave"), ["wave"]);
    let ran = bake(
        &dir,
        "still.glb --motion walk.glb#wvae --time 1 -o out --format json",
    );
    let message = &said(&ran)[0];
    assert_contains(
        message,
        &["U21: there is no animation `wvae`; did you mean `wave`?"],
    );
    let mut armature = made;
    armature.json["animations"][1]["name"] = json!("Armature|wave");
    dir.write("blend.glb", armature.glb());
    for (arguments, wanted) in [
        (
            "blend.glb#wave",
            "did you mean `Armature|wave`? this file has 0 (`still`), 1 (`Armature|wave`)",
        ),
        ("blend.glb#Rig|wave", "did you mean `Armature|wave`?"),
        ("blend.glb#", "the name of an animation is empty"),
        (
            "blend.glb#still --animation walk",
            "there is no animation `walk`; blend.glb, which is played, has 0 (`still`)",
        ),
    ] {
        let ran = bake(
            &dir,
            &format!("still.glb --motion {arguments} --time 1 -o out --format json"),
        );
        assert_contains(&said(&ran)[0], &[wanted]);
    }
    // The file that is there wins.
    dir.write("walk.glb#wave", motion("nobody", "nothing").glb());
    let ran = bake(
        &dir,
        "still.glb --motion walk.glb#wave --time 1 -o out --format json",
    );
    assert_contains(&said(&ran)[0], &["walk.glb#wave moves no joint"]);
    let taken = "what follows `#` is taken for a clip of it";
    for command in ["bake -n", "preview", "view --no-open"] {
        let ran = dir.run(&format!("{command} still.glb --motion none.glb#wave"));
        ran.exits_saying(2, taken);
    }
    let ran = dir.run("inspect still.glb arm.glb --motion none.glb");
    ran.exits_saying(2, "cannot read `none.glb`: there is no such file");
    dir.write("none.glb", still().glb());
    let ran = bake(
        &dir,
        "still.glb --motion none.glb --time 1 -o out --format json",
    );
    assert_contains(&said(&ran)[0], &["U21: there is no animation; "]);
}

#[test]
fn a_motion_is_an_input_of_the_run() {
    let dir = dir(&motion("upper", "fore"));
    same(&dir, "walk.glb");
    let arguments = "still.glb -o out/still.glb --motion walk.glb#wave --time 0.7";
    bake(&dir, &format!("{arguments} --depfile deps.d")).good();
    let rules = String::from_utf8(dir.read("deps.d")).unwrap();
    assert_contains(&rules, &["out/still.glb: still.glb walk.glb\n"]);
    bake(&dir, arguments).good().prints("1 unchanged");
    let mut slower = motion("upper", "fore");
    let times = slower.floats("SCALAR", &[0.0, 1.5, 4.0]);
    slower.json["animations"][0]["samplers"][0]["input"] = json!(times);
    let split = slower.gltf("walk.bin");
    dir.write("walk.glb", slower.glb());
    bake(&dir, arguments).good().prints("1 written");
    // The buffer of the motion is an input, too; the motion reads only files below its own directory.
    dir.write("moves/walk.gltf", &split);
    dir.write("moves/walk.bin", &slower.bin);
    bake(
        &dir,
        "still.glb -o out/still.glb --motion moves/walk.gltf --time 0.7 --depfile deps.d",
    )
    .good()
    .prints("1 unchanged");
    let rules = String::from_utf8(dir.read("deps.d")).unwrap();
    assert_contains(&rules, &["moves/walk.gltf"]);
    assert_contains(&rules, &["moves/walk.bin"]);
    dir.write("moves/walk.gltf", slower.gltf("../still.glb"));
    let ran = bake(
        &dir,
        "still.glb -o out --motion moves/walk.gltf --time 0.7 --format json",
    );
    assert_contains(&said(&ran)[0], &["leads outside the root"]);
    // No output takes its place.
    let before = dir.read("walk.glb");
    let ran = bake(
        &dir,
        "still.glb -o walk.glb --motion walk.glb --time 0.7 --format json",
    );
    assert_eq!(ran.status(), 1);
    assert_contains(
        &said(&ran)[0],
        &["would replace a file that it is made from"],
    );
    dir.write("in/walk.glb", still().glb());
    let ran = bake(&dir, "in -o . --motion walk.glb --time 0.7 --format json");
    assert_contains(&said(&ran)[0], &["would replace"]);
    assert!(dir.read("walk.glb") == before);
    let ran = dir.run("preview still.glb --motion walk.glb -o walk.glb");
    assert_ne!(ran.status(), 0);
    assert!(dir.read("walk.glb") == before);
    // A file may play itself.
    bake(&dir, "arm.glb -o a --motion arm.glb --time 0.7").good();
    bake(&dir, "arm.glb -o b --time 0.7").good();
    assert!(dir.read("a/arm.glb") == dir.read("b/arm.glb"));
}

#[cfg(unix)]
#[test]
fn a_configuration_that_was_found_names_no_motion_outside_its_tree() {
    let dir = Dir::with("walk.glb", motion("upper", "fore").glb());
    dir.write("tree/still.glb", still().glb());
    std::os::unix::fs::symlink("../walk.glb", dir.path().join("tree/link.glb")).unwrap();
    for path in [
        "../walk.glb",
        "../walk.glb#wave",
        "link.glb",
        "link.glb#wave",
    ] {
        dir.write(
            "tree/rigy-batch.toml",
            format!("[bake]\nmotion = \"{path}\"\n"),
        );
        let ran = bake(&dir, "tree/still.glb -o out --time 1");
        ran.exits_saying(2, "leads out of");
    }
    dir.write("tree/walk.glb", motion("upper", "fore").glb());
    dir.write(
        "tree/rigy-batch.toml",
        "[bake]\nmotion = \"walk.glb#wave\"\n",
    );
    bake(&dir, "tree/still.glb -o out --time 1").good();
}

/// Makes a file an avatar whose hips and chest are these nodes.
fn avatar(mut made: Made, name: &str, [hips, chest]: [u32; 2]) -> Made {
    let bones = json!({"hips": {"node": hips}, "chest": {"node": chest}, "jaw": {"node": 99}});
    let list = json!([{"bone": "hips", "node": hips}, {"bone": "chest", "node": chest}, {"bone": "jaw", "node": -1}]);
    let bones = if name == "VRM" { list } else { bones };
    made.json["extensionsUsed"] = json!([name]);
    made.json["extensions"] = json!({name: {"humanoid": {"humanBones": bones}}});
    made
}

#[test]
fn avatars_are_moved_by_their_humanoid_bones() {
    let animation = avatar(motion("J_Hips", "J_Chest"), "VRMC_vrm_animation", [1, 2]);
    let dir = dir(&animation);
    for (name, made) in [("still.glb", still()), ("arm.glb", arm())] {
        dir.write(name, avatar(made, "VRMC_vrm", [0, 1]).glb());
    }
    let is_whole = || {
        same(&dir, "walk.glb")
            .iter()
            .all(|said| !said.starts_with("W25"))
    };
    assert!(is_whole());
    // VRM 0 looks the other way: x and z have the other sign.
    let turned = |mut made: Made| {
        for (node, key) in [(0, "translation"), (0, "rotation"), (1, "translation")] {
            for part in [0, 2] {
                let value = &mut made.json["nodes"][node][key][part];
                *value = json!(-value.as_f64().unwrap());
            }
        }
        made
    };
    let mut own = turned(arm());
    let turns = [
        [-0.0, 0.0, -0.0, 1.0],
        [-0.6, 0.0, -0.0, 0.8],
        [-0.0, -0.7, -0.1, 0.7],
    ];
    let turns = own.floats("VEC4", turns.as_flattened());
    let moves = [[-0.1, 0.5, 0.2], [-0.4, 0.5, -0.3], [1.0, 2.0, -0.0]];
    let moves = own.floats("VEC3", moves.as_flattened());
    own.json["animations"][0]["samplers"][0]["output"] = json!(turns);
    own.json["animations"][0]["samplers"][1]["output"] = json!(moves);
    dir.write("still.glb", avatar(turned(still()), "VRM", [0, 1]).glb());
    dir.write("arm.glb", avatar(own, "VRM", [0, 1]).glb());
    assert!(is_whole());
}

#[test]
fn morph_weights_fit_by_names_of_nodes_or_meshes() {
    let targets = |made: &mut Made, count: usize| {
        let offsets: Vec<f32> = (0..18).map(|v| v as f32 * 0.25).collect();
        let offsets = made.floats("VEC3", &offsets);
        made.json["meshes"][0]["primitives"][0]["targets"] =
            json!(vec![json!({"POSITION": offsets}); count]);
    };
    let weights = |made: &mut Made| {
        let times = made.floats("SCALAR", &[0.0, 1.0]);
        let values = made.floats("SCALAR", &[0.0, 1.0]);
        let sampler = json!([{"input": times, "output": values}]);
        let channel = json!([{"sampler": 0, "target": {"node": 2, "path": "weights"}}]);
        made.json["animations"] = json!([{"samplers": sampler, "channels": channel}]);
    };
    let with = |count: usize, moves: bool| {
        let mut made = still();
        targets(&mut made, count);
        if moves {
            weights(&mut made);
        }
        made
    };
    let mut other = with(1, true);
    other.json["nodes"][2]["name"] = json!("face");
    let dir = Dir::with("walk.glb", other.glb());
    dir.write("still.glb", with(1, false).glb());
    dir.write("arm.glb", with(1, true).glb());
    assert!(same(&dir, "walk.glb").is_empty());
    dir.write("still.glb", with(2, false).glb());
    let ran = bake(
        &dir,
        "still.glb --motion walk.glb --time 0.7 -o out --format json",
    );
    assert_contains(
        &said(&ran)[0],
        &["U21: weights are left out, since numbers of morph targets differ: node 2 (\"body\")"],
    );
    // A pointer to something else is left out.
    let channel = json!({"sampler": 0, "target": target("/materials/0/pbrMetallicRoughness/roughnessFactor")});
    other.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap()
        .push(channel);
    dir.write("walk.glb", other.glb());
    dir.write("still.glb", with(1, false).glb());
    let [message] = &same(&dir, "walk.glb")[..] else {
        panic!()
    };
    assert_contains(message, &["W07"]);
}

#[test]
fn names_of_all_kinds_are_escaped_and_take_no_time() {
    let hostile = "\u{1b}[31m\u{202e}|:\n\"quoted\"";
    let mut made = motion("upper", hostile);
    let long = "a:".repeat(60_000);
    for name in [&*long, "", ":", "|"] {
        let node = made.push("nodes", json!({"name": name}));
        let channel = json!({"sampler": 0, "target": {"node": node, "path": "rotation"}});
        made.json["animations"][0]["channels"]
            .as_array_mut()
            .unwrap()
            .push(channel);
    }
    let dir = dir(&made);
    let ran = bake(&dir, "still.glb --motion walk.glb --time 1 -o out").good();
    assert!(!ran.stderr().contains(['\u{1b}', '\u{202e}']));
    assert!(ran.stderr().len() < 4096);
    // Many nodes of one name and of many.
    let (mut made, mut model) = (motion("upper", "fore"), still());
    for index in 0..20_000 {
        let name = format!("{}{index}", "x".repeat(60));
        for made in [&mut made, &mut model] {
            made.push("nodes", json!({"name": "twin"}));
        }
        model.push("nodes", json!({"name": format!("y{name}")}));
        let node = made.push("nodes", json!({ "name": name }));
        for node in [node, node - 1] {
            let channel = json!({"sampler": 0, "target": {"node": node, "path": "rotation"}});
            made.json["animations"][0]["channels"]
                .as_array_mut()
                .unwrap()
                .push(channel);
        }
    }
    dir.write("walk.glb", made.glb());
    dir.write("still.glb", model.glb());
    let begun = std::time::Instant::now();
    bake(&dir, "still.glb --motion walk.glb --time 1 -o out").good();
    assert!(begun.elapsed().as_secs() < 30);
}

#[test]
fn inspect_preview_and_view_show_the_motion() {
    let dir = dir(&motion("rig:upper", "rig:fore"));
    for file in ["arm.glb", "still.glb --motion walk.glb"] {
        let ran = dir
            .run(&format!("inspect {file} --over-time --format json"))
            .good();
        let found: Value = serde_json::from_str(&ran.stdout()).unwrap();
        assert_eq!(found["clips"][0]["name"], "wave", "{file}");
        assert_eq!(found["over_time"]["clips"][0]["end"], 2.0);
        let played = json!({"file": "walk.glb", "nodes": 2, "found": 2, "prefixes": ["rig:"]});
        let played = Some(played).filter(|_| file != "arm.glb");
        assert_eq!(found.get("motion"), played.as_ref());
    }
    let ran = dir.run("inspect still.glb --motion walk.glb").good();
    ran.prints("\n  motion: 2 of 2 nodes that walk.glb moves, without `rig:`\n");
    dir.run("preview still.glb --motion walk.glb --time 1.5 -o a.png")
        .good()
        .says("W25");
    dir.run("preview arm.glb --time 1.5 -o b.png").good();
    assert!(dir.read("a.png") == dir.read("b.png"));
    dir.run("view still.glb --motion walk.glb --no-open -o page.html")
        .good()
        .says("W25");
    let ran = dir.run("view still.glb arm.glb --motion walk.glb --no-open -o page.html");
    assert_eq!(ran.status(), 2);
}
