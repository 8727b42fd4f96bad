//! `--depfile`: Make and Ninja make again what a change affects, by the recipes of the book. Where one of them is missing, its test passes and says so.

use std::process::Command;

use rigy_batch::base::paths::Slashed;

use crate::support::{Dir, PART, Ran, USER, document, program, skinned};

/// Follows the recipe that the page on pipelines has for a file.
fn follow(name: &str, file: &str, says_done: &str) {
    if cfg!(windows) || Command::new(name).arg("--version").output().is_err() {
        eprintln!("skipped: there is no {name}");
        return;
    }
    let page = include_str!("../../docs/src/guide/pipelines.md");
    let (_, recipe) = page.split_once(&format!(" {file}\n")).unwrap();
    let dir = Dir::with(file, recipe.split("```").next().unwrap());
    dir.write("models/lamp.rigy.yaml", document("stand"));
    let run = || {
        let path = std::env::var("PATH").unwrap();
        let own = program().parent().unwrap().slashed();
        let mut command = Command::new(name);
        command
            .arg("out/lamp.glb")
            .env("PATH", format!("{own}:{path}"));
        Ran::of(command.current_dir(dir.path())).good().stdout()
    };
    let is_done = || run().contains(says_done);
    assert!(!is_done() && is_done());
    // The document refers to a part now, whose name has to be escaped.
    dir.write("models/$ p#.yaml", PART);
    dir.write(
        "models/lamp.rigy.yaml",
        USER.replace("p.part.yaml", "\"$ p#.yaml\""),
    );
    assert!(!is_done() && is_done());
    dir.write(
        "models/$ p#.yaml",
        format!("{PART}# changed, and not what is made of it\n"),
    );
    assert!(!is_done() && is_done());
    // The part is gone, and nothing refers to it.
    dir.remove("models/$ p#.yaml");
    dir.write("models/lamp.rigy.yaml", document("stand"));
    assert!(!is_done() && is_done());
}

#[test]
fn make_follows_what_outputs_were_made_of() {
    follow("make", "Makefile", "is up to date");
}

#[test]
fn ninja_follows_what_outputs_were_made_of() {
    follow("ninja", "build.ninja", "no work to do");
}

#[test]
fn rules_replace_no_file_that_they_name() {
    let model = skinned::skinned(10, 0.5).glb();
    let dir = Dir::with("model.d", &model);
    let ran = dir.run("bake model.d -o out/ --depfile model.d");
    ran.exits_saying(1, "`model.d` is one of the files that are read");
    assert!(dir.read("model.d") == model);
}
