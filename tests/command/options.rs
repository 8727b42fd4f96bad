//! Positions beside the GLBs, and names that files bring. `tests/transcripts/options.md` has more options.

use serde_json::Value;

use crate::support::{Dir, document};

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
