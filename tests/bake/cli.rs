//! The command line of `bake`: names of outputs, frames, lines, statuses (`design.md` §1 and §5, `bake.md` §6).

use serde_json::{Value, json};

use super::builder::arm;
use crate::support::{Dir, Ran, sha256};

pub fn arms(names: &[&str]) -> Dir {
    let dir = Dir::new();
    for name in names {
        dir.write(name, arm().glb());
    }
    dir
}

pub fn bake(dir: &Dir, arguments: &str) -> Ran {
    dir.run(&format!("bake {arguments}"))
}

pub fn lines(dir: &Dir, arguments: &str) -> Vec<Value> {
    let ran = bake(dir, &format!("{arguments} --format json")).good();
    let mut lines = ran.json();
    assert!(lines.pop().unwrap()["summary"].is_object());
    lines
}

pub fn outputs(dir: &Dir) -> Vec<String> {
    let mut files = dir.files();
    files.retain(|file| file.starts_with("out/"));
    files
}

#[test]
fn outputs_stand_beside_their_inputs_and_are_not_found_again() {
    let dir = arms(&["in/a.glb", "in/sub/b.glb", "in/.hidden/c.glb", "in/d.txt"]);
    assert_eq!(lines(&dir, "in").len(), 2);
    let all = [
        "in/.hidden/c.glb",
        "in/a.baked.glb",
        "in/a.glb",
        "in/d.txt",
        "in/sub/b.baked.glb",
        "in/sub/b.glb",
    ];
    assert_eq!(dir.files(), all);
    let again = lines(&dir, "in");
    let statuses: Vec<&Value> = again.iter().map(|line| &line["status"]).collect();
    assert_eq!(statuses, ["unchanged", "unchanged"]);
    assert_eq!(dir.files(), all);
    assert_eq!(lines(&dir, "in --force")[0]["status"], "written");
}

#[test]
fn outputs_mirror_the_tree_below_a_directory() {
    let dir = arms(&["in/a.glb", "in/sub/b.glb", "other.glb"]);
    lines(&dir, "in other.glb -o out");
    assert_eq!(
        outputs(&dir),
        ["out/a.glb", "out/other.glb", "out/sub/b.glb"]
    );
}

#[test]
fn avatars_are_found_like_other_files() {
    let dir = arms(&["in/a.vrm", "in/b.VRM", "in/c.baked.vrm"]);
    lines(&dir, "in -o out");
    assert_eq!(outputs(&dir), ["out/a.glb", "out/b.glb"]);
    lines(&dir, "in/a.vrm");
    assert_eq!(dir.read("in/a.baked.glb"), dir.read("out/a.glb"));
    for command in ["inspect", "diff", "palette"] {
        let again = (command == "diff").then_some("in/b.VRM");
        let arguments = [Some(command), Some("in/a.vrm"), again];
        let arguments: Vec<&str> = arguments.into_iter().flatten().collect();
        dir.run(&arguments).good();
    }
}

#[test]
fn a_baked_file_given_outright_is_taken() {
    let dir = arms(&["a.baked.glb"]);
    lines(&dir, "a.baked.glb -o out");
    assert_eq!(outputs(&dir), ["out/a.baked.glb"]);
}

#[test]
fn frames_are_numbered_by_their_own_number() {
    let dir = arms(&["in/a.glb"]);
    let found = lines(&dir, "in -o out --frames 8..11@10");
    let names = [
        "out/a.0008.glb",
        "out/a.0009.glb",
        "out/a.0010.glb",
        "out/a.0011.glb",
    ];
    assert_eq!(outputs(&dir), names);
    let told: Vec<&Value> = found.iter().map(|line| &line["output"]).collect();
    assert_eq!(told, names);
    lines(&dir, "in -o out2 --time 1.1 --animation 0");
    assert_eq!(dir.read("out2/a.glb"), dir.read("out/a.0011.glb"));
    lines(&dir, "in -o out3 --frames 99999..100000@24");
    let files = dir.files();
    assert!(
        files.contains(&"out3/a.099999.glb".into()) && files.contains(&"out3/a.100000.glb".into()),
        "{files:?}"
    );
}

#[test]
fn frames_beside_their_inputs_are_not_found_again() {
    let dir = arms(&["in/a.glb"]);
    lines(&dir, "in --frames 0..1@30");
    let all = ["in/a.baked.0000.glb", "in/a.baked.0001.glb", "in/a.glb"];
    assert_eq!(dir.files(), all);
    assert_eq!(lines(&dir, "in --frames 0..1@30").len(), 2);
    assert_eq!(dir.files(), all);
}

#[test]
fn lines_have_the_published_members_in_order() {
    let dir = arms(&["in/a.glb"]);
    let ran = bake(&dir, "in -o out --format json");
    let text = ran.stdout();
    #[rustfmt::skip] // several in a line
    let keys = [
        "input", "pose", "animation", "time", "frame", "output", "status", "sha256", "bytes", "warnings",
        "errors",
    ];
    let places = keys.map(|key| text.find(&format!("\"{key}\":")));
    assert!(places.is_sorted() && places[0].is_some(), "{text}");
    let line = &ran.json()[0];
    let glb = dir.read("out/a.glb");
    assert_eq!(
        json!([line["input"], line["output"]]),
        json!(["in/a.glb", "out/a.glb"])
    );
    assert_eq!(
        json!([line["bytes"], line["status"]]),
        json!([glb.len(), "written"])
    );
    assert_eq!(line["sha256"], sha256(&glb));
    let summary = json!({"inputs": 1, "written": 1, "unchanged": 0, "failed": 0, "warnings": 0});
    assert_eq!(ran.json()[1], json!({ "summary": summary, "version": 1 }));
}

#[test]
fn a_failed_file_writes_nothing_and_the_others_go_on() {
    let dir = arms(&["in/a.glb", "in/c.glb"]);
    dir.write("in/b.glb", b"glTF and nothing else");
    let mut bad = arm();
    bad.json["nodes"][1]["children"] = json!([0]);
    dir.write("in/d.glb", bad.glb());
    let ran = bake(&dir, "in -o out --format json --report report.json -j 2");
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    let statuses: Vec<&Value> = lines[..4].iter().map(|line| &line["status"]).collect();
    assert_eq!(statuses, ["written", "failed", "written", "failed"]);
    assert!(lines[1]["errors"][0]["category"].is_string());
    assert_eq!(lines[4]["summary"]["failed"], 2);
    assert_eq!(outputs(&dir), ["out/a.glb", "out/c.glb"]);
    let report = dir.json("report.json");
    assert_eq!(report["outputs"].as_array().unwrap()[..], lines[..4]);
    assert_eq!(report["summary"], lines[4]["summary"]);
    ran.says("in/b.glb");
}

#[test]
fn a_dry_run_writes_nothing() {
    let dir = arms(&["a.glb"]);
    bake(&dir, "a.glb --dry-run").good();
    assert_eq!(dir.files(), ["a.glb"]);
    let mut bad = arm();
    bad.json["skins"][0]["joints"] = json!([0, 77]);
    dir.write("b.glb", bad.glb());
    assert_eq!(
        bake(&dir, ". --dry-run").status(),
        1,
        "all but writing is done"
    );
}

#[test]
fn two_inputs_of_one_output_are_refused_before_anything_is_written() {
    for (first, second) in [
        ("a.glb", "a.gltf"),
        ("a.glb", "A.glb"),
        ("a.glb", "a.vrm"),
        ("a.vrm", "A.VRM"),
    ] {
        let dir = arms(&[&format!("in/{first}")]);
        let mut json = arm().json;
        json["buffers"] = json!([{"byteLength": arm().bin.len(), "uri": "a.bin"}]);
        dir.write("in/a.bin", arm().bin);
        match second.ends_with("gltf") {
            true => dir.write(&format!("in/{second}"), json.to_string()),
            false => dir.write(&format!("in/{second}"), arm().glb()),
        }
        for arguments in ["in -o out", "in", "in -o out --frames 0..1@30"] {
            bake(&dir, arguments).exits(2);
            assert_eq!(dir.files().len(), 3);
        }
        lines(&dir, &format!("in/{first} -o alone"));
    }
}

#[test]
fn a_frame_of_one_file_may_clash_with_another_file() {
    let dir = arms(&["in/a.glb", "in/a.0001.glb"]);
    let ran = bake(&dir, "in -o out --frames 0..1@30");
    assert_eq!(
        ran.status(),
        0,
        "a.0000, a.0001, a.0001.0000, a.0001.0001: {}",
        ran.stderr()
    );
    assert_eq!(outputs(&dir).len(), 4);
    // The output of one bake is the input of another.
    let dir = arms(&["a.glb", "a.baked.glb"]);
    let before = dir.read("a.baked.glb");
    let ran = bake(&dir, "a.glb a.baked.glb");
    assert_ne!(
        ran.status(),
        0,
        "an input is not overwritten: {}",
        ran.stdout()
    );
    assert_eq!(dir.read("a.baked.glb"), before);
}

#[test]
fn an_output_never_overwrites_its_input() {
    let dir = arms(&["in/a.glb"]);
    let before = dir.read("in/a.glb");
    let ran = bake(&dir, "in -o in");
    assert_ne!(ran.status(), 0, "{}", ran.stdout());
    assert_eq!(dir.read("in/a.glb"), before);
    lines(&dir, "in -o in --frames 7..7@1");
    assert_eq!(dir.files(), ["in/a.0007.glb", "in/a.glb"]);
}

#[test]
fn a_directory_of_outputs_among_the_inputs_is_not_searched() {
    let dir = arms(&["a.glb", "sub/b.glb"]);
    for _ in 0..2 {
        assert_eq!(lines(&dir, ". -o out").len(), 2);
        assert_eq!(outputs(&dir), ["out/a.glb", "out/sub/b.glb"]);
    }
}

#[test]
fn one_bad_frame_keeps_all_frames_of_its_file_back() {
    let dir = arms(&["in/b.glb"]);
    let mut made = arm();
    // At rest and in the end the joint has a size; between, for a moment, none.
    let sizes = [[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
    let sizes = made.floats("VEC3", sizes.as_flattened());
    made.json["animations"][0]["samplers"][0]["output"] = json!(sizes);
    made.json["animations"][0]["channels"][0]["target"]["path"] = json!("scale");
    dir.write("in/a.glb", made.glb());
    let arguments = "in -o out --frames 2..4@4 --solver dqs --format json";
    let ran = bake(&dir, arguments);
    assert_eq!(ran.status(), 1);
    assert_eq!(
        outputs(&dir),
        ["out/b.0002.glb", "out/b.0003.glb", "out/b.0004.glb"]
    );
    let lines = ran.json();
    let of_a = lines.iter().filter(|line| line["input"] == "in/a.glb");
    assert!(of_a.clone().count() > 0 && of_a.clone().all(|line| line["status"] == "failed"));
    assert_eq!(
        bake(&dir, "in/a.glb --frames 2..2@4 --solver dqs").status(),
        0
    );
}
