//! The entries of an archive, and their order.

use std::process::Command;

use serde_json::{Value, json};

use super::{below, entries, inputs, one};
use crate::support::skinned::skinned;
use crate::support::{Dir, own_manifest, published, sha256};

fn sorted(mut entries: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    entries.sort();
    entries
}

fn lines(dir: &Dir, command: &str, status: i32) -> Vec<Value> {
    let ran = dir.run(&format!("{command} --format json")).exits(status);
    let mut lines = ran.json();
    lines.pop();
    lines
}

/// An archive has the files that a directory has, in the order of the lines, and the lines are the same but for the path.
fn same_as_in_a_directory(dir: &Dir, command: &str, status: i32) {
    let run = |output: &str| lines(dir, &format!("{command} -o {output}"), status);
    let (single, archived) = (run("single"), run("out.tar"));
    let found = entries(&dir.read("out.tar"));
    assert!(!found.is_empty());
    assert!(sorted(found.clone()) == sorted(below(dir, "single")));
    assert_eq!(single.len(), archived.len());
    let (mut written, mut beside) = (Vec::new(), Vec::new());
    for (mut single, mut archived) in single.into_iter().zip(archived) {
        let path = archived["output"].take();
        let expected = single["output"].take();
        if let (Some(path), Some(expected)) = (path.as_str(), expected.as_str()) {
            let path = path.strip_prefix("out.tar/").unwrap();
            assert_eq!(Some(path), expected.strip_prefix("single/"));
            if archived["status"] == "written" {
                let (_, bytes) = found.iter().find(|(name, _)| name == path).unwrap();
                assert_eq!(archived["sha256"], sha256(bytes));
                let is_beside = archived["beside"] == true;
                let list = if is_beside { &mut beside } else { &mut written };
                list.push(path.to_owned());
            }
        }
        assert_eq!(archived, single);
    }
    // Files beside outputs come before these.
    let names = found.iter().map(|(name, _)| name);
    let names: Vec<&String> = names.filter(|name| !beside.contains(name)).collect();
    assert_eq!(names, written.iter().collect::<Vec<_>>());
}

#[test]
fn an_archive_does_not_depend_on_threads_instruction_sets_or_earlier_runs() {
    let dir = inputs(30);
    let mut first = None;
    for (jobs, isa) in [
        ("1", "scalar"),
        ("2", "baseline"),
        ("8", "auto"),
        ("8", "scalar"),
    ] {
        let mut arguments = vec!["in", "-o", "deep/out.tar", "-j", jobs];
        if isa != "auto" {
            arguments.extend(["--isa", isa]);
        }
        let ran = dir.run(&arguments);
        assert_eq!(ran.status(), 1, "one input is broken: {}", ran.stderr());
        let tar = dir.read("deep/out.tar");
        assert!(
            *first.get_or_insert_with(|| tar.clone()) == tar,
            "{jobs} {isa}"
        );
    }
    assert_eq!(below(&dir, "deep").len(), 1, "{:?}", dir.files());
}

#[test]
fn documents_are_those_of_a_directory() {
    same_as_in_a_directory(&inputs(40), "in --positions", 1);
}

#[test]
fn bakes_are_those_of_a_directory() {
    let dir = inputs(20);
    dir.run("in -o models --poses none");
    // Larger than what waits in memory.
    dir.write("models/b/large.glb", skinned((9 << 20) / 32, 0.5).glb());
    same_as_in_a_directory(&dir, "bake models", 0);
}

#[test]
fn fixtures_of_the_project_are_those_of_a_directory() {
    let dir = Dir::new();
    let inputs = own_manifest().parent().unwrap().join("inputs");
    let inputs = inputs.to_str().unwrap();
    let status = dir.run(&format!("{inputs} -n")).status();
    same_as_in_a_directory(&dir, inputs, status);
}

#[test]
fn a_texture_that_inputs_share_is_one_entry() {
    let Some(fox) = published("gltf-samples/real/Fox.glb") else {
        return;
    };
    let (dir, fox) = (Dir::new(), std::fs::read(fox).unwrap());
    dir.write("in/fox.glb", &fox);
    dir.write("in/vixen.glb", &fox);
    same_as_in_a_directory(&dir, "bake in --textures beside", 0);
    let mut names = entries(&dir.read("out.tar"))
        .into_iter()
        .map(|(name, _)| name);
    assert_eq!(
        names.clone().filter(|name| name.ends_with(".png")).count(),
        1
    );
    assert!(
        !names.next().unwrap().ends_with(".glb"),
        "files come before those that refer to them"
    );
}

#[test]
fn shards_together_have_all_entries() {
    let dir = inputs(20);
    dir.run("in -o out.tar");
    let mut all = Vec::new();
    for index in 0..3 {
        let (file, shard) = (format!("part-{index}.tar"), format!("{index}/3"));
        assert!(dir.run(&format!("in -o {file} --shard {shard}")).status() <= 1);
        all.extend(entries(&dir.read(&file)));
    }
    assert!(sorted(all) == sorted(entries(&dir.read("out.tar"))));
    // A shard without inputs has an empty archive.
    let dir = one();
    for index in 0..9 {
        let (file, shard) = (format!("{index}.tar"), format!("{index}/9"));
        dir.run(&format!("in -o {file} --shard {shard} --allow-empty"))
            .good();
    }
    let lens = (0..9).map(|index| dir.read(&format!("{index}.tar")).len());
    assert_eq!(lens.filter(|len| *len == 1024).count(), 8);
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_not_utf_8_fails_its_input_alone() {
    let dir = one();
    let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff.rigy.yaml");
    std::fs::copy(
        dir.path().join("in/a.rigy.yaml"),
        dir.path().join("in").join(name),
    )
    .unwrap();
    dir.run("in -o out.tar")
        .exits_saying(1, "its path is not UTF-8");
    assert_eq!(entries(&dir.read("out.tar")).len(), 2);
}

/// Prints what Python finds in a tar file that it reads as a stream, as WebDataset does.
const PYTHON: &str = r#"
import hashlib, json, sys, tarfile
with tarfile.open(sys.argv[1], "r|") as tar:
    found = [[entry.name, entry.mode, entry.mtime, entry.uname, hashlib.sha256(tar.extractfile(entry).read()).hexdigest()] for entry in tar]
print(json.dumps(found))
"#;

#[test]
#[cfg(unix)]
fn python_and_tar_read_archives() {
    let dir = inputs(20);
    dir.run("in -o out.tar");
    let found = entries(&dir.read("out.tar"));
    let run = |program: &str, arguments: &[&str]| {
        let command = Command::new(program)
            .args(arguments)
            .current_dir(dir.path())
            .output();
        let Ok(output) = command else {
            println!("there is no {program} here");
            return None;
        };
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        Some(output.stdout)
    };
    if let Some(printed) = run("python3", &["-c", PYTHON, "out.tar"]) {
        let expected = found
            .iter()
            .map(|(name, bytes)| json!([name, 0o644, 0, "", sha256(bytes)]));
        let printed: Value = serde_json::from_slice(&printed).unwrap();
        assert_eq!(printed, expected.collect::<Value>());
    }
    std::fs::create_dir(dir.path().join("files")).unwrap();
    if run("tar", &["-xf", "out.tar", "-C", "files"]).is_some() {
        assert!(below(&dir, "files") == sorted(found));
    }
}
