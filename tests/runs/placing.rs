//! Findings stand at the output that they concern, in every format, and also where the cache has the outcome.

use serde_json::{Value, json};

use crate::bake::builder::{Made, arm};
use crate::support::{Dir, document};

/// For each line its output without the directory, its status, and the codes of its warnings and errors.
fn placed(lines: &[Value]) -> Vec<(String, String, Vec<String>)> {
    let of = |line: &Value| {
        let output = line["output"].as_str()?.rsplit('/').next()?.to_owned();
        let found = [&line["warnings"], &line["errors"]].into_iter();
        let found = found.flat_map(|list| list.as_array().unwrap());
        let codes = found.map(|finding| finding["code"].as_str().unwrap_or("-").to_owned());
        let status = line["status"].as_str()?.to_owned();
        Some((output, status, codes.collect()))
    };
    lines.iter().filter_map(of).collect()
}

fn run(dir: &Dir, args: &str) -> Vec<(String, String, Vec<String>)> {
    placed(&dir.run(&format!("{args} --format json")).json())
}

/// Checks that the lines of a run that is done and of one that has only to look have these findings.
fn is_placed(dir: &Dir, args: &str, expected: &[(&str, &[&str])]) {
    for status in ["written", "unchanged"] {
        let lines = run(dir, args);
        let found: Vec<(&str, &str, Vec<&str>)> = lines
            .iter()
            .map(|(name, status, codes)| {
                let codes = codes.iter().map(|code| &**code).collect();
                (&**name, &**status, codes)
            })
            .collect();
        let expected: Vec<(&str, &str, Vec<&str>)> = expected
            .iter()
            .map(|(name, codes)| (*name, status, codes.to_vec()))
            .collect();
        assert_eq!(found, expected, "{args}");
    }
}

/// An arm with an animation of five seconds and one of two.
fn long_and_short() -> Made {
    let mut made = arm();
    let mut short = made.json["animations"][0].clone();
    short["name"] = json!("Short");
    let times = made.floats("SCALAR", &[0.0, 2.5, 5.0]);
    let long = &mut made.json["animations"][0];
    long["name"] = json!("Long");
    for sampler in 0..2 {
        long["samplers"][sampler]["input"] = json!(times);
    }
    made.json["animations"].as_array_mut().unwrap().push(short);
    made
}

#[test]
fn a_time_outside_stands_at_the_output_of_its_animation() {
    let dir = Dir::with("a.glb", long_and_short().glb());
    let bake = "bake a.glb --animation all";
    is_placed(
        &dir,
        &format!("{bake} -o at --time 3"),
        &[("a.Long.glb", &[]), ("a.Short.glb", &["W10"])],
    );
    // Of frames, at the first outside; where one file has all, at that.
    is_placed(
        &dir,
        &format!("{bake} -o frames --frames 3..5@2"),
        &[
            ("a.Long.0003.glb", &[]),
            ("a.Long.0004.glb", &[]),
            ("a.Long.0005.glb", &[]),
            ("a.Short.0003.glb", &[]),
            ("a.Short.0004.glb", &[]),
            ("a.Short.0005.glb", &["W10"]),
        ],
    );
    for (more, ending) in [("--as morph", "glb"), ("--to usda", "usda")] {
        is_placed(
            &dir,
            &format!("{bake} -o whole-{ending} --frames 3..9@2 {more}"),
            &[
                (&format!("a.Long.{ending}"), &[]),
                (&format!("a.Short.{ending}"), &["W10"]),
            ],
        );
    }
    let strict = format!("{bake} -o strict --time 3 --warn-as-error W10");
    let lines = dir.run(&format!("{strict} --format json")).exits(1).json();
    let messages = [0, 1].map(|index| lines[index]["errors"][0]["message"].clone());
    assert_eq!(messages[0], messages[1], "a line without an error repeats");
    assert!(messages[0].as_str().unwrap().contains("`Short`"));
    let junit = dir.run(&format!("{bake} -o at --time 3 --format junit"));
    let junit = junit.stdout();
    let (long, short) = junit.split_once("a.Short.glb").unwrap();
    assert!(!long.contains("W10") && short.contains("W10"), "{junit}");
}

#[test]
fn vertex_animation_textures_have_the_findings_of_all_animations() {
    let dir = Dir::with("a.glb", long_and_short().glb());
    let lines = run(
        &dir,
        "bake a.glb --animation all -o out --as vat --frames 0..9@2",
    );
    assert_eq!(lines[0].2, ["W10"]);
    assert!(
        lines[1..].iter().all(|(.., codes)| codes.is_empty()),
        "{lines:?}"
    );
}

/// A document with these poses, and an armature whose root bone is off the origin.
fn posed(poses: &[&str]) -> String {
    let (before, _) = document("p")
        .replace("[0, 0, 0]", "[0, 0.5, 0]")
        .split_once("poses")
        .map(|(before, after)| (before.to_owned(), after.to_owned()))
        .unwrap();
    format!("{before}poses: [{}]\n", poses.join(", "))
}

const CLEAN: &str =
    "{id: clean, bones: {r: {rotation: [0.6, 0.8, 0, 0], translation: [0, 0.5, 0]}}}";
const NEARLY: &str =
    "{id: nearly, bones: {r: {rotation: [0.6, 0.8001, 0, 0], translation: [0, 0.5, 0]}}}";
const UNMOVED: &str = "{id: unmoved, bones: {r: {rotation: [0.6, 0.8, 0, 0]}}}";

#[test]
fn a_warning_about_a_pose_stands_at_its_output() {
    let dir = Dir::with("a.rigy.yaml", posed(&[CLEAN, NEARLY, UNMOVED]));
    is_placed(
        &dir,
        "a.rigy.yaml -o out --positions",
        &[
            ("a.glb", &["W03"]),
            ("a.clean.glb", &[]),
            ("a.clean.positions.json", &[]),
            ("a.nearly.glb", &["W04"]),
            ("a.nearly.positions.json", &[]),
            ("a.unmoved.glb", &["W11"]),
            ("a.unmoved.positions.json", &[]),
        ],
    );
    is_placed(
        &dir,
        "a.rigy.yaml -o one --poses unmoved,clean",
        &[
            ("a.glb", &["W04", "W03"]),
            ("a.clean.glb", &[]),
            ("a.unmoved.glb", &["W11"]),
        ],
    );
    let summary = dir.run("a.rigy.yaml -n --format json").json();
    assert_eq!(summary.last().unwrap()["summary"]["warnings"], 3);
}

#[test]
fn rotations_in_another_order_and_instances_stand_at_poses() {
    let last = |id: &str| format!("{{id: {id}, bones: {{r: {{rotation: [0, 0, 0, 1]}}}}}}");
    let text = document("p").split_once("poses").unwrap().0.to_owned();
    let text = format!(
        "{text}instances: [{{id: i, mesh_id: m}}]\nposes: [{}, {}]\n",
        last("p"),
        last("q")
    );
    let dir = Dir::with("a.rigy.yaml", text);
    let lines = run(&dir, "a.rigy.yaml -o out");
    let codes: Vec<_> = lines.iter().map(|(.., codes)| codes.join(" ")).collect();
    assert_eq!(codes, ["", "W19 W06", "W19"]);
}

#[test]
fn an_error_of_one_pose_stands_at_its_output() {
    let far = |id: &str| format!("{{id: {id}, bones: {{r: {{translation: [1e39, 0, 0]}}}}}}");
    let poses = [CLEAN, &far("near"), &far("far")];
    let dir = Dir::with("a.rigy.yaml", posed(&poses));
    let lines = dir.run("a.rigy.yaml -o out --format json").exits(1).json();
    let names: Vec<&str> = lines[..4]
        .iter()
        .map(|line| {
            let errors = line["errors"].as_array().unwrap();
            assert_eq!((&line["status"], errors.len()), (&json!("failed"), 1));
            let message = errors[0]["message"].as_str().unwrap();
            message.split("in pose ").nth(1).unwrap_or(message)
        })
        .collect();
    assert!(
        names[2].starts_with("`near`") && names[3].starts_with("`far`"),
        "{names:?}"
    );
    assert_eq!(
        (names[0], names[1]),
        (names[2], names[2]),
        "the first is repeated"
    );
}

#[test]
fn an_error_about_a_place_stands_at_the_output_that_belongs_there() {
    let mut made = long_and_short();
    made.json["images"] = json!([{"uri": "a.Long.glb"}, {"uri": "a.Short.glb"}]);
    let dir = Dir::with("a.glb", made.glb());
    let ran = dir.run("bake a.glb --animation all -o . --format json");
    let lines = ran.exits(1).json();
    for (line, named) in lines.iter().zip(["a.Long.glb", "a.Short.glb"]) {
        let errors = line["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 1, "{line}");
        let message = errors[0]["message"].as_str().unwrap();
        assert!(message.contains(named), "{line}");
    }
}
