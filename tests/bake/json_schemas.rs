//! JSON that the program prints about glTF files, checked by the published JSON Schemas.

use serde_json::Value;

use super::builder::arm;
use super::cli::{arms, bake};
use crate::support::json_schemas::{Published, batch_lines};

#[test]
fn lines_of_bakes_in_all_forms() {
    let dir = arms(&["in/a.glb"]);
    let mut still = arm();
    still.remove("/animations");
    dir.write("in/b.glb", still.glb());
    dir.write("in/c\u{202e}\u{9b}.glb", "glTF but cut off");
    for (number, options) in [
        "",
        "--time 0.5 --timings",
        "--animation Run --missing-animation error",
        "--animation all --missing-animation skip",
        "--frames @4",
        "--as morph --frames @4",
        "--as step --frames @4",
        "--as vat --frames @4",
        "--to obj",
        "--to usda --frames @4",
        "--textures beside",
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("out{number}");
        let common = format!("in -o {out} --format json --report r.json");
        let ran = bake(&dir, &format!("{common} {options}"));
        let lines = batch_lines(&ran);
        assert!(ran.stdout().is_ascii(), "{options:?}: {}", ran.stdout());
        let inputs: Vec<&Value> = lines.iter().map(|line| &line["input"]).collect();
        assert!(
            inputs.contains(&&"in/c\u{202e}\u{9b}.glb".into()),
            "{options:?}"
        );
        let report = dir.json("r.json");
        Published::Batch.accepts("report", [&report]);
    }
}

#[test]
fn bounds_and_descriptions() {
    let dir = arms(&["a.glb", "b.glb"]);
    for more in [
        "--over-time",
        "--over-time --fps 2",
        "--solvers",
        "--solvers --over-time",
    ] {
        let ran = dir.run(&format!("inspect a.glb --format json {more}"));
        let object: Value = serde_json::from_str(&ran.stdout()).unwrap();
        Published::Inspect.accepts("gltf", [&object]);
    }
    let ran = dir.run("inspect a.glb b.glb --format json");
    Published::Inspect.accepts("gltf", &ran.json());
}
