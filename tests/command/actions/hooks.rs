//! The hooks of pre-commit, which runs `entry`, then `args`, then the names of staged files, at the root of the repository.

use std::process::Command;

use serde_yaml::Value;

use super::{text, yaml};
use crate::command::BAD;
use crate::support::{Dir, Ran, document, program};

fn hook(id: &str) -> Value {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hook = hooks.as_sequence().unwrap().iter();
    let mut with_id = hook.filter(|hook| text(hook, "id") == id);
    with_id.next().unwrap().clone()
}

fn run(dir: &Dir, id: &str, files: &[&str]) -> Ran {
    let hook = hook(id);
    let mut entry = text(&hook, "entry").split(' ');
    assert_eq!(entry.next(), Some("rigy-batch"));
    let args = hook["args"].as_sequence().unwrap().iter();
    let mut command = Command::new(program());
    command
        .current_dir(dir.path())
        .args(entry)
        .args(args.map(|arg| arg.as_str().unwrap()))
        .args(files);
    Ran::of(&mut command)
}

#[test]
fn hooks_have_what_pre_commit_requires() {
    for id in ["rigy-batch-check", "rigy-batch-fmt"] {
        let hook = hook(id);
        for key in ["name", "description", "files"] {
            assert!(!text(&hook, key).is_empty());
        }
        assert_eq!(text(&hook, "language"), "rust");
        assert_eq!(hook["require_serial"], Value::Bool(true));
    }
}

#[test]
fn staged_documents_compile_without_outputs() {
    let dir = Dir::new();
    let part = "version: \"0.5\"\nmeshes: []\n";
    let user = format!("{part}imports: {{p: {{source: ../parts/p.rigy.yaml}}}}\n");
    dir.write("parts/p.rigy.yaml", part);
    dir.write("models/user.rigy.yaml", user);
    dir.write("--version.rigy.yml", document("bow"));
    dir.write("a\n\u{1b}[31m b.rigy.yaml", document("bow"));
    let before = dir.tree();
    let files = [
        "--version.rigy.yml",
        "a\n\u{1b}[31m b.rigy.yaml",
        "models/user.rigy.yaml",
    ];
    let ran = run(&dir, "rigy-batch-check", &files);
    assert_eq!(
        (ran.status(), &*ran.stdout(), &*ran.stderr()),
        (0, "", ""),
        "a hook that passes prints nothing"
    );
    assert_eq!(dir.tree(), before);
    assert!(!dir.path().join(".rigy-batch").exists());
}

#[test]
fn a_staged_document_with_an_error_fails() {
    let dir = Dir::with("good.rigy.yaml", document("bow"));
    dir.write("bad.rigy.yaml", BAD);
    dir.write("not-staged.rigy.yaml", "version: [");
    let files = ["bad.rigy.yaml", "good.rigy.yaml"];
    let ran = run(&dir, "rigy-batch-check", &files);
    assert_eq!(ran.status(), 1);
    let errors = ran.stderr();
    assert!(errors.contains("bad.rigy.yaml:5:9"), "{errors}");
    assert!(!errors.contains("not-staged"), "{errors}");
    assert_eq!(dir.files().len(), 3);
}

#[test]
fn staged_documents_are_rewritten() {
    let dir = Dir::new();
    let untidy = "meshes:   []\nversion: \"0.5\"\n";
    dir.write("--check.rigy.yaml", untidy);
    dir.write("not-staged.rigy.yaml", untidy);
    run(&dir, "rigy-batch-fmt", &["--check.rigy.yaml"]).good();
    let tidy = b"version: \"0.5\"\nmeshes: []\n";
    assert_eq!(dir.read("--check.rigy.yaml"), tidy);
    assert_eq!(dir.read("not-staged.rigy.yaml"), untidy.as_bytes());
    dir.write("bad.rigy.yaml", "version: [");
    assert_eq!(run(&dir, "rigy-batch-fmt", &["bad.rigy.yaml"]).status(), 1);
}
