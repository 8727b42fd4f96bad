//! The commands `diff` and `verify --against`: pairs, exit statuses, JSON, and names that files bring.

use serde_json::{Value, json};

use super::difference::{moved, same, triangle};
use crate::support::skinned::skinned;
use crate::support::{Dir, assert_contains, document, glb, glb_parts, own_manifest};

#[test]
fn json_has_one_object_for_each_pair_with_the_keys_that_are_documented() {
    let dir = Dir::with("a/sub/t.glb", same());
    dir.write("b/sub/t.glb", moved(0.5));
    dir.write("a/only.glb", same());
    dir.write("a/equal.glb", same());
    dir.write("b/equal.glb", same());
    let ran = dir.run("diff a b --format json -j 2").exits(1);
    let objects = ran.json();
    let keys = |value: &Value| {
        let keys = value.as_object().unwrap().keys().cloned();
        keys.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(objects.len(), 3);
    for object in &objects {
        let expected = "a b equal first_difference max_distance meshes structure";
        assert_eq!(keys(object), expected);
    }
    assert_eq!(objects[0]["equal"], true);
    assert_eq!(
        json!([objects[1]["a"], objects[1]["b"]]),
        json!(["a/only.glb", null])
    );
    assert_eq!(objects[2]["max_distance"], 1.0);
    let mesh = &objects[2]["meshes"][0];
    assert_eq!(
        keys(mesh),
        "mesh normal_degrees position primitive vertices"
    );
    assert_eq!(
        mesh["position"],
        json!({"max": 1.0, "mean": 1.0 / 3.0, "vertex": 1})
    );
    assert_eq!(
        mesh["normal_degrees"],
        json!({"max": 0.0, "mean": 0.0, "vertex": 0})
    );
}

#[test]
fn the_exit_status_is_that_of_the_tolerance() {
    let dir = Dir::with("a.glb", same());
    dir.write("b.glb", moved(0.25));
    dir.write("same.glb", same());
    dir.write("d/t.txt", "no model");
    let spelled = triangle(|json, _| json["asset"]["extras"] = json!("other bytes"));
    dir.write("spelled.glb", spelled);
    for (arguments, status, text) in [
        ("a.glb same.glb", 0, "equal"),
        ("a.glb b.glb", 1, "positions by up to 0.500 at vertex 1"),
        ("a.glb b.glb --tolerance 0.5", 0, "within the tolerance"),
        ("a.glb b.glb --tolerance 0.49", 1, "largest distance 0.500"),
        ("a.glb spelled.glb", 1, "at the same positions"),
        ("a.glb spelled.glb --tolerance 0", 0, "within the tolerance"),
        ("a.glb /dev/null", 1, "there is a file in `a` only"),
        ("a.glb none.glb", 2, ""),
        ("a.glb d", 2, ""),
        ("d d", 2, ""),
        ("a.glb b.glb --tolerance -1", 2, ""),
        ("a.glb b.glb --tolerance nan", 2, ""),
    ] {
        let ran = dir.run(&format!("diff {arguments}")).exits(status);
        ran.prints(text);
    }
}

#[test]
fn names_of_files_cannot_control_the_terminal() {
    let dir = Dir::new();
    let named = |json: &mut Value, name: &str| {
        json["meshes"][0]["name"] = json!(name);
        json["nodes"][0]["name"] = json!(name);
    };
    dir.write(
        "a.glb",
        triangle(|json, _| named(json, "\u{1b}[31mred\u{202e}")),
    );
    dir.write(
        "b.glb",
        triangle(|json, data| {
            named(json, "\u{1b}]0;title\u{7}");
            data[0] = 9.0;
        }),
    );
    let ran = dir.run("diff a.glb b.glb");
    let text = ran.stdout();
    assert!(text.contains("\\u{1b}[31mred\\u{202e}"), "{text}");
    assert!(
        text.chars()
            .all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'),
        "{text:?}"
    );
    let json = dir.run("diff a.glb b.glb --format json").json();
    assert_eq!(json[0]["meshes"][0]["mesh"], "\u{1b}[31mred\u{202e}");
}

#[test]
fn buffers_beside_a_file_belong_to_it() {
    let dir = Dir::new();
    let made = skinned(4, 0.0);
    for (side, shift) in [("a", 0.0), ("b", 0.0), ("c", 2.0)] {
        let bin = skinned(4, shift).bin;
        dir.write(&format!("{side}/m.gltf"), made.gltf("m.bin"));
        dir.write(&format!("{side}/m.bin"), bin);
    }
    assert_eq!(dir.run("diff a b").status(), 0);
    let ran = dir.run("diff a c");
    assert_eq!(ran.status(), 1);
    ran.prints("of buffer view 0");
    ran.prints("largest distance 2.00");
}

/// A suite with a golden and a document that must be refused, in `suite/`.
fn suite() -> Dir {
    let dir = Dir::with("suite/in/m.rigy.yaml", document("p"));
    dir.write("suite/in/bad.rigy.yaml", "version: \"0.5\"\nmeshes: 7\n");
    assert_eq!(dir.run("suite/in/m.rigy.yaml -o suite/golden").status(), 0);
    let tests = json!({"tests": [
        {"id": "rest", "type": "positive", "input": "in/m.rigy.yaml", "expected_output": "golden/m.glb"},
        {"id": "pose", "type": "positive", "input": "in/m.rigy.yaml", "baked": true, "pose_id": "p"},
        {"id": "bad", "type": "negative", "input": "in/bad.rigy.yaml", "expected_error_type": "ParseError"},
    ]});
    dir.write("suite/manifest.json", tests.to_string());
    dir
}

#[test]
fn outputs_of_another_implementation_are_held_against_a_manifest() {
    let dir = suite();
    let verify = |extra: &str| {
        let arguments = "verify suite/manifest.json --against theirs --format json";
        let ran = dir.run(&format!("{arguments} {extra}"));
        let passed = ran
            .json()
            .iter()
            .map(|line| line["passed"] == true)
            .collect::<Vec<_>>();
        (ran.status(), passed[..3].to_vec(), ran.stdout())
    };
    // By the names of goldens without their directory, and by the names of our outputs.
    dir.write("theirs/m.glb", dir.read("suite/golden/m.glb"));
    let (status, passed, text) = verify("");
    assert_eq!((status, passed), (1, vec![true, false, true]), "{text}");
    assert!(text.contains("there is no such file"), "{text}");
    dir.write("theirs/in/m.p.glb", dir.read("suite/golden/m.p.glb"));
    assert_eq!(verify("").0, 0);
    let ran = dir.run("diff suite/manifest.json theirs");
    assert_eq!(
        (ran.status(), ran.stdout().trim()),
        (0, "3 pairs: 3 equal, 0 different")
    );
    // Another spelling of the same numbers has other bytes.
    let golden = dir.read("suite/golden/m.p.glb");
    let (mut spelled, bin) = glb_parts(&golden);
    spelled["asset"]["extras"] = json!(1);
    let spelled = glb(spelled.to_string().as_bytes(), Some(bin));
    dir.write("theirs/in/m.p.glb", spelled);
    assert_eq!(verify("").0, 1);
    assert_eq!(verify("--tolerance 0").0, 0);
    // A number that differs is named, and a tolerance lets it pass.
    let mut off = dir.read("suite/golden/m.p.glb");
    let json_len = u32::from_le_bytes(off[12..16].try_into().unwrap()) as usize;
    off[20 + json_len + 8] ^= 1;
    dir.write("theirs/in/m.p.glb", off);
    let (status, passed, text) = verify("");
    assert_eq!((status, passed), (1, vec![true, false, true]), "{text}");
    assert_contains(
        &text,
        &["accessor 0 (POSITION of mesh 0 `m`), element 0, component 0"],
    );
    assert_eq!(verify("--tolerance 1e-6").0, 0);
    // For a document that must be refused there must be no output.
    dir.write("theirs/bad.glb", "");
    assert_eq!(verify("--tolerance 1e-6").1, [true, true, false]);
}

#[test]
fn a_manifest_cannot_lead_out_of_the_directory_of_the_other_implementation() {
    let dir = suite();
    dir.write("secret.glb", dir.read("suite/golden/m.glb"));
    dir.write("theirs/none.txt", "");
    let tests = json!({"tests": [
        {"id": "out", "type": "positive", "input": "in/m.rigy.yaml", "expected_output": "../secret.glb"},
    ]});
    dir.write("suite/manifest.json", tests.to_string());
    let ran = dir.run("verify suite/manifest.json --against theirs");
    assert_eq!(ran.status(), 1);
    ran.prints("there is no such file");
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_directory_of_the_other_implementation_is_not_followed() {
    let dir = suite();
    dir.write("secret.glb", dir.read("suite/golden/m.glb"));
    dir.write("theirs/none.txt", "");
    let link = dir.path().join("theirs/bad.glb");
    std::os::unix::fs::symlink(dir.path().join("secret.glb"), link).unwrap();
    let tests = json!({"tests": [{"id": "bad", "type": "negative", "input": "in/bad.rigy.yaml"}]});
    dir.write("suite/manifest.json", tests.to_string());
    let ran = dir
        .run("verify suite/manifest.json --against theirs")
        .exits(1);
    let message = "`theirs/bad.glb` is a link that leads out of the directory";
    ran.prints(message);
}

#[test]
fn what_is_no_distance_and_what_is_no_file_is_refused() {
    let dir = Dir::with("a.glb", same());
    dir.write("m.json", json!({"tests": []}).to_string());
    let no_distance = "not a distance: a number of model units, 0 or more";
    for value in ["-1", "nan", "inf", "1e400", "", "0x1"] {
        for command in ["diff a.glb a.glb", "verify m.json --against ."] {
            dir.run(&format!("{command} --tolerance '{value}'"))
                .exits_saying(2, no_distance);
        }
    }
    dir.run("diff /dev/null /dev/null")
        .exits_saying(2, "nothing to compare");
}

#[test]
fn the_own_goldens_pass_against_themselves() {
    let manifest = own_manifest();
    let directory = manifest.parent().unwrap();
    let (manifest, directory) = (manifest.to_str().unwrap(), directory.to_str().unwrap());
    Dir::new()
        .run(&format!("verify {manifest} --against {directory} --quiet"))
        .good();
}

#[test]
fn text_says_what_is_not_applied_and_that_documents_are_compiled_first() {
    let dir = Dir::with("a.glb", skinned(4, 0.0).glb());
    dir.write("b.glb", skinned(4, 0.5).glb());
    dir.write("c.glb", skinned(5, 0.5).glb());
    dir.write("a.rigy.yaml", document("p"));
    dir.write("b.rigy.yaml", document("q"));
    let text = |a: &str, b: &str| {
        let ran = dir.run(&format!("diff {a} {b}")).exits(1);
        ran.stdout()
    };
    let unapplied = "\n  skins, morph targets and animations are not applied\n";
    let shifted = text("a.glb", "b.glb");
    let largest = "largest distance 0.500 model units";
    assert!(
        shifted.contains(largest) && shifted.ends_with(unapplied),
        "{shifted}"
    );
    let other = text("a.glb", "c.glb");
    let none = "there is no distance: no vertices could be compared";
    assert!(
        other.contains(none) && other.ends_with(unapplied),
        "{other}"
    );
    let documents = text("a.rigy.yaml", "b.rigy.yaml");
    let help = "\n  help: compile documents first: `rigy-batch DOC -o DIR`\n";
    assert!(documents.ends_with(help), "{documents}");
    dir.write("t.glb", same());
    dir.write("u.glb", moved(0.5));
    assert!(!text("t.glb", "u.glb").contains("not applied"));
}

#[test]
fn distances_of_all_meshes_follow_though_the_list_of_other_differences_is_cut() {
    let crowd = |shift: f32, name: &str| {
        let mut file = skinned(2, shift);
        let mesh = file.json["meshes"][0].clone();
        let with_name = |number: usize| {
            let mut mesh = mesh.clone();
            mesh["name"] = json!(format!("{name}{number}"));
            mesh
        };
        let node = |number: usize| json!({"mesh": number});
        file.json["meshes"] = (0..20).map(with_name).collect();
        file.json["nodes"] = (0..20).map(node).collect();
        file.remove("/skins");
        file.json["scenes"] = json!([{"nodes": (0..20).collect::<Vec<u32>>()}]);
        file.glb()
    };
    let dir = Dir::with("a.glb", crowd(0.0, "old"));
    dir.write("b.glb", crowd(0.25, "new"));
    let ran = dir.run("diff a.glb b.glb");
    let text = ran.stdout();
    assert!(text.contains("more; `--format json` has them"), "{text}");
    assert_eq!(
        text.matches("positions by up to 0.250").count(),
        20,
        "{text}"
    );
    assert!(
        text.ends_with("  largest distance 0.250 model units\n"),
        "{text}"
    );
}
