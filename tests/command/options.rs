//! Options for files beside the GLBs and for warnings.

use rigy_batch::base::diag::Code;
use serde_json::{Value, json};

use crate::support::{Dir, assert_contains, document};

/// A document with warnings W03 (its root is off the origin), W02, and W01.
fn warned() -> String {
    let five = "{bone_id: r, weight: 0.2}, ".repeat(5);
    format!(
        "version: \"0.5\"\n\
         meshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: 1}}}}]}}]\n\
         armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 1, 0], tail: [0, 2, 0]}}]}}]\n\
         bindings: [{{mesh_id: m, armature_id: a, weights: [{{primitive_id: b, bones: [{five}]}}], \
         weight_maps: [{{primitive_id: b, overrides: [{{vertices: [0], bones: []}}]}}]}}]\n"
    )
}

fn codes(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|finding| finding["code"].as_str().unwrap())
        .collect()
}

#[test]
fn warnings_can_be_silenced_or_made_errors() {
    let dir = Dir::with("a.rigy.yaml", warned());
    let lines = |args: &str| {
        let ran = dir.run(&format!(". --format json {args}"));
        (ran.status(), ran.json())
    };
    let (status, plain) = lines("--dry-run");
    assert_eq!(status, 0);
    assert_eq!(codes(&plain[0]["warnings"]), ["W02", "W03", "W01"]);
    assert_eq!(plain[1]["summary"]["warnings"], 3);

    let (status, quiet) = lines("--dry-run --allow-warnings w02,W01");
    assert_eq!(status, 0);
    assert_eq!(codes(&quiet[0]["warnings"]), ["W03"]);
    assert_eq!(quiet[1]["summary"]["warnings"], 1);

    // W01 is found later than the others; all that are found together are reported together.
    let (status, strict) = lines("--warn-as-error all");
    assert_eq!(status, 1);
    assert_eq!(codes(&strict[0]["errors"]), ["W02", "W03"]);
    assert_eq!(strict[0]["errors"][0]["category"], "ValidationError");
    let (status, late) = lines("--warn-as-error W01");
    assert_eq!(status, 1);
    assert_eq!(codes(&late[0]["errors"]), ["W01"]);
    assert_eq!(codes(&late[0]["warnings"]), ["W02", "W03"]);
    assert_eq!(dir.files(), ["a.rigy.yaml"]);

    // A warning that is silenced cannot be an error.
    let (status, both) = lines("--warn-as-error all --allow-warnings all");
    assert_eq!((status, &both[1]["summary"]["warnings"]), (0, &json!(0)));
    assert_eq!(dir.files(), ["a.glb", "a.rigy.yaml"]);
}

#[test]
fn only_warnings_can_be_named() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    for code in ["V03", "W99", "", "w"] {
        dir.run(&format!(". --warn-as-error '{code}'"))
            .exits_saying(2, "W01, W02");
    }
    assert_eq!(dir.files(), ["a.rigy.yaml"]);
}

#[test]
fn an_escalated_warning_says_that_it_is_one() {
    let dir = Dir::with("a.rigy.yaml", warned());
    let ran = dir.run(". --warn-as-error W03");
    let text = ran.stderr();
    assert_contains(&text, &["error[W03]", "--warn-as-error"]);
    assert!(
        !text.contains('\u{1b}'),
        "no colour where there is no terminal"
    );
}

#[test]
fn positions_stand_beside_each_baked_file() {
    let dir = Dir::with("a.rigy.yaml", document("bent over"));
    let ran = dir.run(". --positions --format json").good();
    let lines = ran.json();
    let name = "a.bent%20over.positions.json";
    assert_eq!(
        dir.files(),
        ["a.bent%20over.glb", name, "a.glb", "a.rigy.yaml"]
    );
    assert_eq!(lines[2]["pose"], "bent over");
    assert!(lines[2]["output"].as_str().unwrap().ends_with(name));
    assert_eq!(lines[3]["summary"]["written"], 3);

    let text = String::from_utf8(dir.read(name)).unwrap();
    assert_eq!(lines[2]["bytes"], text.len());
    assert!(text.starts_with("{\"m\":{\"normals\":[["), "{text}");
    assert!(!text.contains([' ', '\n']), "{text}");
    let read: Value = serde_json::from_str(&text).unwrap();
    let positions = read["m"]["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 24);
    // The same numbers as in the GLB: the last of three blocks before it are 36 indices.
    let glb = dir.read("a.bent%20over.glb");
    let start = glb.len() - 36 * 4 - 2 * 24 * 12;
    for (vertex, position) in positions.iter().enumerate() {
        for axis in 0..3 {
            let at = start + 12 * vertex + 4 * axis;
            let float = f32::from_le_bytes(glb[at..at + 4].try_into().unwrap());
            let listed = position[axis].as_f64().unwrap();
            assert_eq!(f64::from(float).to_bits(), listed.to_bits());
        }
    }

    let again = dir.run(". --positions --format json");
    assert_eq!(again.json()[3]["summary"]["unchanged"], 3);
}

#[test]
fn meshes_of_one_name_cannot_be_listed_by_name() {
    let dir = Dir::new();
    let twin = "primitives: [{type: box, id: b, dimensions: {x: 1}}]";
    let text = format!(
        "version: \"0.5\"\nmeshes: [{{id: m, name: n, {twin}}}, {{id: n, {twin}}}]\nposes: [{{id: p, bones: {{}}}}]\n"
    );
    dir.write("a.rigy.yaml", text);
    assert_eq!(dir.run(". -n").status(), 0);
    let ran = dir.run(". --positions --format json");
    assert_eq!(ran.status(), 1);
    let error = &ran.json()[0]["errors"][0];
    assert_eq!(
        json!([error["category"], error["code"], error["path"]]),
        json!(["ExportError", null, "meshes[1].id"])
    );
    assert_eq!(dir.files(), ["a.rigy.yaml"]);
}

#[test]
fn a_pose_named_like_the_positions_of_another_is_no_clash() {
    let dir = Dir::new();
    let two = "poses: [{id: p.positions, bones: {}}, ";
    dir.write("a.rigy.yaml", document("p").replace("poses: [", two));
    dir.run(". --positions").good();
    assert_eq!(
        dir.files(),
        [
            "a.glb",
            "a.p.glb",
            "a.p.positions.glb",
            "a.p.positions.json",
            "a.p.positions.positions.json",
            "a.rigy.yaml"
        ]
    );
}

#[test]
fn an_output_never_replaces_what_it_is_made_from() {
    let dir = Dir::new();
    let weights = r#"{"primitive_id": "b", "vertex_count": 24, "influences": []}"#;
    let map = "weights: [], weight_maps: [{primitive_id: b, source: a.p.positions.json}]";
    dir.write("a.rigy.yaml", document("p").replace("weights: []", map));
    dir.write("a.p.positions.json", weights);
    let ran = dir.run(". --positions --format json");
    assert_eq!(ran.status(), 1);
    let message = &ran.json()[0]["errors"][0]["message"];
    assert!(message.as_str().unwrap().contains("made from"), "{message}");
    assert_eq!(dir.read("a.p.positions.json"), weights.as_bytes());
    assert_eq!(dir.files(), ["a.p.positions.json", "a.rigy.yaml"]);
    assert_eq!(dir.run(".").status(), 0);

    // A part that is named like an export, and a document given outright that is.
    let dir = Dir::new();
    dir.write(
        "a.rigy.yaml",
        "version: \"0.5\"\nimports: {p: {source: a.glb}}\n",
    );
    dir.write("a.glb", "version: \"0.5\"\n");
    assert_eq!(dir.run("a.rigy.yaml").status(), 1);
    dir.write("a.rigy.yaml", "version: \"0.5\"\n");
    assert_eq!(dir.run("a.rigy.yaml a.glb").status(), 2);
    assert_eq!(dir.read("a.glb"), b"version: \"0.5\"\n");
}

#[test]
fn warnings_about_bakes_come_only_if_poses_are_written() {
    let dir = Dir::new();
    dir.write(
        "a.rigy.yaml",
        document("p") + "instances: [{id: i, mesh_id: m}]\n",
    );
    let args = ". --warn-as-error W06 --format json";
    assert_eq!(codes(&dir.run(args).json()[0]["errors"]), ["W06"]);
    let ran = dir.run(&format!("{args} --poses none"));
    assert_eq!(
        (ran.status(), codes(&ran.json()[0]["warnings"]).len()),
        (0, 0)
    );
}

#[test]
fn names_and_text_cannot_command_the_terminal() {
    let dir = Dir::new();
    dir.write(
        "a.rigy.yaml",
        "version: \"0.5\"\nmesh: [] # \u{9b}31m \u{202e} \u{61c}\n",
    );
    dir.write("\u{1b}[31m.rigy.yaml", document("p"));
    dir.write("\u{1b}[31m.rigy.yml", document("p"));
    dir.write("\u{202e}.yaml", "version: \"0.5\"\n\"\u{202e}\": 1\n");
    dir.write(
        "manifest.json",
        r#"{"tests": [{"id": "\u001b[31m", "type": "positive", "input": "\u001b"}]}"#,
    );
    for args in [
        "a.rigy.yaml",
        ".",
        "verify manifest.json",
        "\u{1b}x",
        "\u{202e}.yaml",
        "\u{61c}x",
    ] {
        let ran = dir.run(args);
        let shown = ran.stdout() + &ran.stderr();
        let commands = ['\u{1b}', '\u{9b}', '\u{202e}', '\u{61c}'];
        assert!(!shown.contains(commands), "{args:?}: {shown:?}");
        assert_ne!(ran.status(), 0);
    }
}

#[test]
fn help_and_book_name_the_range_of_warnings() {
    let codes: Vec<&str> = Code::warnings().map(Code::name).collect();
    let (first, last) = (codes[0], codes[codes.len() - 1]);
    let dir = Dir::new();
    for args in ["--help", "bake --help"] {
        let help = dir
            .run(args)
            .stdout()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(help.contains(&format!("({first} to {last})")), "{help}");
    }
    let options = include_str!("../../docs/src/reference/options.md");
    assert!(options.contains(&format!("`{first}` to `{last}`")));
}
