//! A text beyond the limit on bytes: every command that reads a document refuses it and says how to raise the limit, and takes it
//! with the option.

use serde_json::json;

use crate::support::{Dir, PART, USER, document, sha256};

/// The option that the message about a longer text names.
const ADVICE: &str = "`--limit bytes=N`";

/// A document of 1.1 MiB.
fn long() -> String {
    document("p") + &"# a line of a comment\n".repeat((11 << 20) / 10 / 22)
}

fn with_long() -> Dir {
    let dir = Dir::with("a.rigy.yaml", long());
    dir.run("a.rigy.yaml -o golden/ --limit bytes=2M").good();
    let test = json!({
        "id": "t", "category": "A", "type": "positive", "description": "a long text", "input": "a.rigy.yaml", "expected_sha256": sha256(&dir.read("golden/a.glb")),
    });
    let manifest = json!({"version": "0.5", "suite_revision": 1, "tests": [test]});
    dir.write("m.json", manifest.to_string());
    dir
}

#[test]
fn every_command_refuses_a_longer_text_and_takes_it_with_the_option() {
    let dir = with_long();
    for command in [
        "a.rigy.yaml -n",
        "a.rigy.yaml -o golden/ --check",
        "a.rigy.yaml -o pages/ --html page.html",
        "fmt --check a.rigy.yaml",
        "inspect a.rigy.yaml",
        "inspect a.rigy.yaml --expanded",
        "preview a.rigy.yaml -o a.png --size 16",
        "preview golden/a.glb --heat a.rigy.yaml -o b.png --size 16",
        "view a.rigy.yaml --no-open -o view/",
        "palette a.rigy.yaml",
        "verify m.json",
        "diff m.json golden",
    ] {
        let refused = dir.run(command);
        let said = refused.stdout() + &refused.stderr();
        assert_ne!(refused.status(), 0, "{command}");
        assert!(said.contains("the limit is 1048576"), "{command}: {said}");
        // Verdicts about manifests are one line, without advice.
        let is_verdict = command.contains("m.json");
        assert!(is_verdict || said.contains(ADVICE), "{command}: {said}");
        dir.run(&format!("{command} --limit bytes=2M")).good();
    }
    for command in ["- -o -", "fmt -", "inspect -"] {
        let refused = dir.run_on(long().as_bytes(), command);
        assert_ne!(refused.status(), 0, "{command}");
        refused.says(ADVICE);
        let taken = format!("{command} --limit bytes=2M");
        dir.run_on(long().as_bytes(), &taken).good();
    }
}

#[test]
fn limits_of_a_command_hold_for_imports_too() {
    let dir = Dir::with(
        "p.part.yaml",
        PART.to_owned() + &long()[document("p").len()..],
    );
    dir.write("u.rigy.yaml", USER);
    dir.run("inspect u.rigy.yaml").exits_saying(1, ADVICE);
    dir.run("inspect u.rigy.yaml --limit bytes=2M").good();
}

#[test]
fn a_configuration_file_raises_the_limit_of_runs() {
    let dir = with_long();
    dir.write("rigy-batch.toml", "limit = { bytes = \"2M\" }\n");
    dir.run("a.rigy.yaml -n").good();
}

#[test]
fn the_options_with_limits_are_the_same_everywhere() {
    let dir = Dir::new();
    let text = |command: &str| {
        let help = dir.run(&format!("{command} --help")).good().stdout();
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, after) = words.split_once("--limit <NAME=N,...>").expect(command);
        after
            .split(" --")
            .next()
            .unwrap()
            .chars()
            .take(300)
            .collect::<String>()
    };
    let of_runs = text("bake");
    for command in [
        "fmt", "inspect", "preview", "view", "palette", "verify", "diff", "lsp",
    ] {
        assert_eq!(text(command), of_runs, "{command}");
    }
}
