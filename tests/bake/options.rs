//! The options of `bake`: values that are accepted, and values that are refused.

use rigy_batch::kernel::simd::Isa;
use serde_json::json;

use super::builder::arm;
use super::cli::{arms, bake, lines, outputs};
use crate::support::{Dir, assert_contains, published};

#[test]
fn animations_are_chosen_by_name_or_number() {
    let mut made = arm();
    let mut second = made.json["animations"][0].clone();
    second["name"] = json!("still");
    second["channels"].as_array_mut().unwrap().pop();
    made.push("animations", second);
    let dir = Dir::with("a.glb", made.glb());
    let bytes = |arguments: &str| {
        lines(&dir, &format!("a.glb -o out {arguments}"));
        dir.read("out/a.glb")
    };
    let wave = bytes("--animation wave --time 1.25");
    assert_eq!(wave, bytes("--animation 0 --time 1.25"));
    assert_eq!(wave, bytes("--time 1.25"), "the first is meant");
    let still = bytes("--animation still --time 1.25");
    assert_eq!(still, bytes("--animation 1 --time 1.25"));
    assert_ne!(still, wave);
    assert_eq!(bytes("--animation still"), bytes("--animation 1 --time 0"));
    for unknown in ["surprise", "2"] {
        let ran = bake(
            &dir,
            &format!("a.glb -o none --animation {unknown} --format json"),
        )
        .exits(1);
        let message = ran.json()[0]["errors"][0]["message"].to_string();
        for name in [unknown, "wave", "still"] {
            assert!(message.contains(name), "{name} in {message}");
        }
    }
}

#[test]
fn scale_can_be_refused() {
    let mut made = arm();
    let dir = Dir::with("a.glb", made.glb());
    let reject = "--solver dqs --joint-scale reject --format json";
    assert_eq!(bake(&dir, &format!("a.glb -o out {reject}")).status(), 0);
    made.json["nodes"][1]["scale"] = json!([1, 1.25, 1]);
    dir.write("a.glb", made.glb());
    let ran = bake(&dir, &format!("a.glb -o out2 {reject}"));
    assert_eq!(ran.status(), 1);
    let error = &ran.json()[0]["errors"][0];
    assert_eq!(error["code"], "V35");
    let message = error["message"].as_str().unwrap();
    assert_contains(message, &["fore", "1.25"]);
}

#[test]
fn threads_and_instruction_sets_change_no_byte() {
    let mut made = arm();
    made.json["nodes"][1]["scale"] = json!([1, 1.25, 1]);
    let dir = Dir::new();
    for name in ["a", "b", "c", "d"] {
        dir.write(&format!("in/{name}.glb"), made.glb());
    }
    if let Some(path) = published("gltf-samples/real/RobotQuaternius.glb") {
        dir.write("in/robot.glb", std::fs::read(path).unwrap());
    }
    let mut first: Option<Vec<Vec<u8>>> = None;
    let sets = Isa::available()
        .into_iter()
        .map(|isa| format!("--isa {}", isa.name()));
    for option in sets.chain(["-j 1", "-j 2", "-j 7"].map(str::to_owned)) {
        for solver in ["lbs", "dqs"] {
            let to = format!("out/{solver}");
            let arguments = format!("in -o {to} --solver {solver} --time 0.7 --force");
            lines(&dir, &format!("{arguments} {option}"));
        }
        let bytes: Vec<Vec<u8>> = outputs(&dir).iter().map(|file| dir.read(file)).collect();
        assert!(bytes.len() >= 8);
        assert!(
            *first.get_or_insert_with(|| bytes.clone()) == bytes,
            "{option:?}"
        );
    }
}

#[test]
fn frames_that_are_none_are_bad_usage() {
    let dir = arms(&["a.glb"]);
    for frames in [
        "",
        "1",
        "2..1@30",
        "0..1",
        "0..1@0",
        "0..1@-3",
        "a..b@c",
        "0..1.5@30",
        "0...3@30",
    ] {
        bake(&dir, &format!("a.glb --frames {frames}")).exits(2);
        assert_eq!(dir.files(), ["a.glb"]);
    }
    assert_eq!(lines(&dir, "a.glb --frames 1..1@29.97").len(), 1);
}

#[test]
fn warnings_can_fail_a_file_or_be_silenced() {
    let mut made = arm();
    let weights = made.floats("VEC4", &[0.25; 24]);
    made.attributes(0, 0)["WEIGHTS_0"] = json!(weights);
    let joints = made.accessor("VEC4", 5121, 6, &[0, 1, 1, 1].repeat(6));
    made.attributes(0, 0)["JOINTS_0"] = json!(joints);
    let half = made.floats("VEC4", &[0.125; 24]);
    let dir = Dir::with("good.glb", made.glb());
    made.attributes(0, 0)["WEIGHTS_0"] = json!(half);
    dir.write("bad.glb", made.glb());
    let warnings = |arguments: &str| {
        let lines = lines(&dir, &format!("bad.glb -o out {arguments}"));
        lines[0]["warnings"].as_array().unwrap().len()
    };
    assert_eq!(warnings(""), 1);
    assert_eq!(warnings("--allow-warnings all"), 0);
    let ran = bake(&dir, "bad.glb good.glb -o strict --warn-as-error all");
    assert_eq!(ran.status(), 1);
    assert_eq!(
        dir.files(),
        ["bad.glb", "good.glb", "out/bad.glb", "strict/good.glb"]
    );
}
