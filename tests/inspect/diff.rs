//! The commands `diff` and `verify --against`: pairs, exit statuses, JSON, and names that files bring.
//! `tests/transcripts/differences.md` has more.

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
fn the_own_goldens_pass_against_themselves() {
    let manifest = own_manifest();
    let directory = manifest.parent().unwrap();
    let (manifest, directory) = (manifest.to_str().unwrap(), directory.to_str().unwrap());
    Dir::new()
        .run(&format!("verify {manifest} --against {directory} --quiet"))
        .good();
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
