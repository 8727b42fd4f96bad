//! Runs of `bake`, and what a failure keeps back. `tests/transcripts/bakes.md` has names of outputs, frames and what is refused.

use serde_json::{Value, json};

use super::builder::arm;
use crate::support::{Dir, Ran};

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
