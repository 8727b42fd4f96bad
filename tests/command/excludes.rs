//! Files below a directory that are no inputs: by `--exclude`, ignore files and the names of directories.

use crate::support::{Dir, Ran, assert_contains, document};

fn tree(names: &[&str]) -> Dir {
    let dir = Dir::new();
    for name in names {
        dir.write(&format!("{name}.rigy.yaml"), document("p"));
    }
    dir
}

fn inputs(dir: &Dir, args: &str) -> Vec<String> {
    let all = format!("{args} -n --format json --poses none");
    let ran = dir.run(&all).good();
    let lines = ran.json();
    let inputs = lines.iter().filter_map(|line| line["input"].as_str());
    let stem = |input: &str| input.trim_end_matches(".rigy.yaml").to_owned();
    inputs.map(stem).collect()
}

fn refused(dir: &Dir, args: &str) -> Ran {
    dir.run(args).exits(2)
}

#[test]
fn globs_are_relative_to_each_root() {
    let dir = tree(&["m/a", "m/old/b", "m/sub/old/c", "m/sub/d", "n/old/e", "n/f"]);
    let of = |globs: &str| {
        let globs = globs.split(' ').map(|glob| format!(" --exclude {glob}"));
        inputs(&dir, &format!("m n{}", globs.collect::<String>()))
    };
    assert_eq!(of("old/"), ["m/a", "m/sub/d", "n/f"]);
    assert_eq!(of("/old"), ["m/a", "m/sub/d", "m/sub/old/c", "n/f"]);
    assert_eq!(of("sub/** [ef].*"), ["m/a", "m/old/b"]);
    assert_eq!(of("*.yaml !a.*"), ["m/a"]);
    assert_eq!(of("m/*").len(), 6, "the name of the root is not part of it");
    let dir = tree(&["a", "old/b"]);
    assert_eq!(inputs(&dir, ". --exclude /old/"), ["./a"]);
    let ran = refused(&dir, ". --exclude [z-a]");
    ran.says("--exclude");
}

#[test]
fn a_named_file_is_taken_whatever_excludes_it() {
    let dir = tree(&["m/old/b"]);
    dir.write("m/.ignore", "*.yaml\n");
    let args = "m/old/b.rigy.yaml --exclude *.yaml";
    assert_eq!(inputs(&dir, args), ["m/old/b"]);
}

#[test]
fn ignore_files_hold_and_those_of_git_only_in_a_repository() {
    let dir = tree(&[
        "m/a",
        "m/b",
        "m/c",
        "m/sub/d",
        "m/node_modules/p/e",
        "m/.hidden/f",
    ]);
    dir.write("m/.ignore", "b.*\n");
    dir.write("m/.rigyignore", "/sub/\n");
    dir.write(".gitignore", "c.*\n");
    assert_eq!(inputs(&dir, "m"), ["m/a", "m/c"]);
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    assert_eq!(inputs(&dir, "m"), ["m/a"]);
    let all = ["m/a", "m/b", "m/c", "m/node_modules/p/e", "m/sub/d"];
    assert_eq!(inputs(&dir, "m --no-ignore"), all);
    let args = "m --no-ignore --exclude a.*";
    assert_eq!(inputs(&dir, args), all[1..]);
}

#[test]
fn outputs_go_where_ignore_files_name_them() {
    let dir = tree(&["m/a"]);
    dir.write("m/.ignore", "*.glb\nout/\n");
    for args in ["m", "m -o m/out"] {
        assert_eq!(dir.run(args).status(), 0);
    }
    let glbs = ["m/a.glb", "m/a.p.glb", "m/out/a.glb", "m/out/a.p.glb"];
    assert_eq!(dir.glbs(), glbs);
}

#[test]
fn a_run_that_finds_nothing_says_how_many_files_are_excluded() {
    let dir = tree(&["m/a", "m/b"]);
    dir.write("m/.ignore", "a.*\n");
    let ran = refused(&dir, "m --exclude b.*");
    let text = ran.stderr();
    assert_contains(
        &text,
        &["2 files are excluded by ignore files or by `--exclude`"],
    );
    assert!(text.contains("--no-ignore"), "{text}");
    let ran = refused(&dir, "m --no-ignore --exclude ?.*");
    ran.says("2 files are excluded");
}

#[test]
fn an_input_that_is_excluded_later_keeps_its_outputs_under_prune() {
    let dir = tree(&["m/a", "m/b"]);
    assert_eq!(dir.run("m -o out --prune").status(), 0);
    dir.run("m -o out --prune --exclude b.*").good();
    assert_eq!(
        dir.glbs(),
        ["out/a.glb", "out/a.p.glb", "out/b.glb", "out/b.p.glb"]
    );
}

/// A pipe would keep the program waiting for ever.
#[cfg(unix)]
#[test]
fn ignore_files_that_are_no_files_fail_their_directory_only() {
    for name in [".ignore", ".gitignore", ".rigyignore"] {
        let dir = Dir::with("in/good/a.rigy.yaml", document("p"));
        dir.write("in/odd/b.rigy.yaml", document("p"));
        let pipe = dir.path().join("in/odd").join(name);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let ran = dir.run("in -o out");
        assert_eq!(ran.status(), 1);
        let said = ran.stderr();
        assert_contains(&said, &[name, "--no-ignore"]);
        assert_eq!(dir.glbs(), ["out/good/a.glb", "out/good/a.p.glb"]);
        assert_eq!(dir.run("in -o out --no-ignore").status(), 0);
    }
}
