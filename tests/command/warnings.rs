//! Equal warnings, which people see once.

use crate::support::{Dir, document};

/// A directory with five documents that have the same warning, W03, and one that has none.
fn warned() -> Dir {
    let dir = Dir::with("good.rigy.yaml", document("p"));
    let turn = "rotation: [0.6, 0.8, 0, 0]";
    let off = document("p").replace("[0, 0, 0]", "[0, 0.5, 0]");
    let off = off.replace(turn, &format!("{turn}, translation: [0, 0.5, 0]"));
    for name in ["a", "b", "c", "d", "e\u{202e}"] {
        dir.write(&format!("{name}.rigy.yaml"), &off);
    }
    dir
}

#[test]
fn equal_warnings_are_shown_once_with_their_number_and_the_first_files() {
    let dir = warned();
    let ran = dir.run(". -o out").good();
    let said = ran.stderr();
    assert_eq!(said.matches("warning[W03]").count(), 1, "{said}");
    assert!(said.contains(", 5 times\n"), "{said}");
    let files =
        "note: in ./a.rigy.yaml, ./b.rigy.yaml, ./c.rigy.yaml and others; `--verbose` shows each";
    assert!(said.contains(files), "{said}");
    assert_eq!(
        ran.stdout(),
        "6 documents: 6 written (12 outputs); 5 warnings\n"
    );

    let two = dir
        .run("d.rigy.yaml e\u{202e}.rigy.yaml -o out --force")
        .stderr();
    assert!(two.contains(", 2 times\n"), "{two}");
    assert!(
        two.contains("note: in d.rigy.yaml, e\\u{202e}.rigy.yaml; `--"),
        "{two}"
    );
    let one = dir.run("a.rigy.yaml -o out --force").stderr();
    assert!(
        one.contains("warning[W03]") && !one.contains("times"),
        "{one}"
    );
}

#[test]
fn verbose_runs_and_programs_see_each_warning() {
    let dir = warned();
    let said = dir.run(". -o out --verbose").good().stderr();
    assert_eq!(said.matches("warning[W03]").count(), 5, "{said}");
    assert!(!said.contains(" times"), "{said}");
    let lines = dir
        .run(". -o out --force --format json --report r.json")
        .json();
    let warned =
        |line: &&serde_json::Value| line["warnings"].as_array().is_some_and(|w| !w.is_empty());
    assert_eq!(lines.iter().filter(warned).count(), 5);
    let report: serde_json::Value = serde_json::from_slice(&dir.read("r.json")).unwrap();
    assert_eq!(
        report["outputs"]
            .as_array()
            .unwrap()
            .iter()
            .filter(warned)
            .count(),
        5
    );
}
