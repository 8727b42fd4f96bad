//! `--emit-expanded` and `--emit-on-error`.

use crate::support::{Dir, assert_contains};

const REPEATS: &str = "version: \"0.10\"\nmeshes:\n  - id: m\n    primitives:\n      - repeat: {count: 2, as: i, body: {type: box, id: \"b${i}\", dimensions: {x: 1}}}\n";
/// Preprocessing has no fault in it; two primitives have one id.
const LATER: &str = "version: \"0.10\"\nmeshes:\n  - id: m\n    primitives:\n      - repeat: {count: 2, as: i, body: {type: box, id: b, dimensions: {x: 1}}}\n";
const FILE: &str = "out/sub/a.expanded.yaml";

fn tree() -> Dir {
    let dir = Dir::with("in/sub/a.rigy.yaml", REPEATS);
    dir.write("in/late.rigy.yaml", LATER);
    dir.write("in/broken.rigy.yaml", "version: \"0.10\"\nparams: 1\n");
    dir
}

fn text(dir: &Dir, name: &str) -> String {
    String::from_utf8(dir.read(name)).unwrap()
}

#[test]
fn a_directory_gets_the_tree_of_the_inputs() {
    let dir = tree();
    let args = "in -o glb --emit-expanded out";
    assert_eq!(dir.run(args).status(), 1);
    let expanded = text(&dir, FILE);
    assert_contains(
        &expanded,
        &["# repeat of line 5, i = 1\n      - type: box\n        id: b1\n"],
    );
    let names: Vec<String> = dir
        .files()
        .into_iter()
        .filter(|n| n.starts_with("out/"))
        .collect();
    assert_eq!(names, [FILE]);
    // The expanded document compiles to the same bytes, and is not found as an input.
    let golden = dir.read("glb/sub/a.glb");
    assert_eq!(dir.run(&[FILE, "-o", "again"]).status(), 0);
    assert!(dir.read("again/a.expanded.glb") == golden);
    assert!(dir.run("out").stderr().contains("no *.rigy.yaml"));
    // On a second run the cache has the outcome; a file that is lost is written again.
    dir.remove(FILE);
    dir.run(args);
    assert_eq!(text(&dir, FILE), expanded);
}

#[test]
fn documents_with_later_errors_are_expanded_on_request() {
    let dir = tree();
    let ran = dir.run("in -o glb --emit-expanded out --emit-on-error");
    assert_eq!(ran.status(), 1);
    assert!(text(&dir, "out/late.expanded.yaml").contains("i = 0"));
    let names: Vec<String> = dir
        .files()
        .into_iter()
        .filter(|n| n.starts_with("out/"))
        .collect();
    assert_eq!(names, ["out/late.expanded.yaml", FILE]);
    assert_eq!(dir.run("in --emit-on-error").status(), 2);
}

#[test]
fn standard_output_takes_one_document_or_several() {
    let dir = tree();
    let one = dir.run("in/sub/a.rigy.yaml --emit-expanded -").good();
    assert!(
        one.stdout().starts_with("# Expanded by rigy-batch"),
        "{}",
        one.stdout()
    );
    one.says("1 written");
    let all = dir
        .run("in --emit-expanded - --emit-on-error -j 4")
        .stdout();
    let starts: Vec<&str> = all
        .split("---\n")
        .map(|part| part.lines().next().unwrap_or(""))
        .collect();
    assert_eq!(starts, ["", "# in/late.rigy.yaml", "# in/sub/a.rigy.yaml"]);
    for other in ["--format json", "--report -"] {
        dir.run(&format!("in --emit-expanded - {other}"))
            .exits_saying(2, "both go to standard output");
    }
}

#[test]
fn nothing_but_an_expanded_document_is_replaced() {
    let dir = tree();
    dir.write(FILE, "precious: true\n");
    let args = "in/sub -o glb --emit-expanded out/sub";
    dir.run(args).exits_saying(1, "would be replaced");
    assert_eq!(text(&dir, FILE), "precious: true\n");
    // An input that is an expanded document itself is no target either.
    dir.remove(FILE);
    assert_eq!(dir.run(args).status(), 0);
    dir.write("out/sub/a.yaml", REPEATS.replace("count: 2", "count: 3"));
    let before = text(&dir, FILE);
    dir.run(&["out/sub/a.yaml", FILE, "--emit-expanded", "out/sub"])
        .exits(1);
    assert_eq!(text(&dir, FILE), before);
}

#[test]
fn a_check_writes_nothing_and_notices_what_would_change() {
    let dir = tree();
    assert_eq!(dir.run("in/sub").status(), 0);
    let check = "in/sub --check --emit-expanded out";
    assert_eq!(dir.run("in/sub --check").status(), 0);
    assert_eq!(dir.run(check).status(), 1);
    assert!(!dir.path().join("out").exists());
    assert_eq!(dir.run("in/sub --emit-expanded out").status(), 0);
    assert_eq!(dir.run(check).status(), 0);
}

#[test]
fn two_documents_cannot_have_one_expanded_file() {
    let dir = tree();
    dir.write("other/sub/A.rigy.yaml", REPEATS);
    dir.run("in other --emit-expanded out")
        .exits_saying(2, "would both write");
}
