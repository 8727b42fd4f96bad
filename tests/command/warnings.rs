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
fn the_first_hundred_different_warnings_are_shown_and_the_others_counted() {
    let dir = Dir::new();
    for number in 1..=104 {
        let off = document("p").replace("[0, 0, 0]", &format!("[0, -{number}, 0]"));
        dir.write(&format!("{number:03}.rigy.yaml"), &off);
    }
    let said = dir.run(". -o out").good().stderr();
    assert_eq!(said.matches("\nwarning[").count() + 1, 100, "{said}");
    let in_all = dir.run(". -o out --force --format json").json();
    let warnings = in_all.iter().filter_map(|line| line["warnings"].as_array());
    let count = warnings.flatten().count();
    assert!(said.ends_with("`--format json` has them all\n\n"), "{said}");
    let more = format!("… and {} more warnings (W03: ", count - 100);
    assert!(said.contains(&more), "{more}, {said}");
    let each = dir.run(". -o out --force --verbose").good().stderr();
    assert_eq!(each.matches("warning[").count(), count);
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
