//! The same inputs make the same packs, and what comes out of packs is what a run without them writes.

use serde_json::Value;

use super::{below, inputs, large};
use crate::support::{Dir, own_manifest};

/// Small packs, so that there are several.
const SMALL: [&str; 2] = ["--pack-size", "20K"];

#[test]
fn packs_do_not_depend_on_threads_or_on_how_often_they_are_written() {
    let dir = inputs(30);
    for format in ["tar", "zip"] {
        let mut first = None;
        for (jobs, shard) in [("1", "0/1"), ("2", "0/1"), ("8", "0/1"), ("8", "0/1")] {
            let mut args = vec![
                "in", "-o", "out", "--pack", format, "-j", jobs, "--shard", shard,
            ];
            args.extend(SMALL);
            assert_eq!(dir.run(&args).status(), 1, "one input is broken");
            let packs = below(&dir, "out");
            assert!(packs.len() > 10, "{packs:?}");
            let first = first.get_or_insert_with(|| packs.clone());
            assert!(*first == packs, "{format}, {jobs} threads");
        }
        std::fs::remove_dir_all(dir.path().join("out")).unwrap();
    }
}

/// What is unpacked equals the files of a run without packs, whole and in shards, from whichever archive.
fn unpacked_is_the_same(dir: &Dir, command: &[&str], status: i32) {
    let run = |more: &[&str]| {
        let ran = dir.run(&[command, more].concat());
        assert_eq!(ran.status(), status, "{}", ran.stderr());
        ran
    };
    run(&["-o", "single"]);
    let single = below(dir, "single");
    assert!(!single.is_empty());
    for format in ["tar", "zip"] {
        for shards in [1, 3] {
            let out = format!("{format}{shards}");
            for index in 0..shards {
                let shard = format!("{index}/{shards}");
                let status = dir.run(
                    &[
                        command,
                        &["-o", &out, "--pack", format, "--shard", &shard],
                        &SMALL,
                    ]
                    .concat(),
                );
                assert!(status.status() <= 1, "{}", status.stderr());
            }
            let files = format!("files-{out}");
            let unpacked = dir.run(&["unpack", &out, "-o", &files]);
            assert_eq!(unpacked.status(), 0, "{}", unpacked.stderr());
            assert!(below(dir, &files) == single, "{out}");
            let again = dir.run(&["unpack", &out, "-o", &files, "--format", "json"]);
            let lines = again.json();
            assert_eq!(lines.last().unwrap()["summary"]["unchanged"], single.len());
            for other in [&*files, "single"] {
                let verified = dir.run(&["verify", &out, other]);
                assert_eq!(verified.status(), 0, "{}", verified.stdout());
            }
        }
        let both = dir.run(&["verify", &format!("{format}1"), "tar3"]);
        assert_eq!(both.status(), 0, "{}", both.stdout());
    }
}

#[test]
fn documents_come_out_of_packs_as_they_are_without() {
    let dir = inputs(40);
    unpacked_is_the_same(&dir, &["in", "--positions"], 1);
}

#[test]
fn bakes_come_out_of_packs_as_they_are_without() {
    let dir = inputs(20);
    dir.run(&["in", "-o", "models", "--poses", "none"]);
    // Larger than what waits in memory.
    dir.write("models/large.glb", large(9 << 20));
    unpacked_is_the_same(&dir, &["bake", "models"], 0);
}

#[test]
fn fixtures_of_the_project_come_out_of_packs_as_they_are_without() {
    let dir = Dir::new();
    let inputs = own_manifest().parent().unwrap().join("inputs");
    let inputs = inputs.to_str().unwrap();
    let status = dir.run(&[inputs, "-n"]).status();
    unpacked_is_the_same(&dir, &[inputs], status);
}

#[test]
fn lines_are_those_of_a_run_without_packs_but_for_the_path() {
    let dir = inputs(10);
    let lines = |more: &[&str]| {
        let all = [&["in", "-o", "out", "--format", "json"], more].concat();
        dir.run(&all).json()
    };
    let packed = lines(&["--pack", "tar"]);
    let single = lines(&[]);
    assert_eq!(packed.len(), single.len());
    for (mut packed, mut single) in packed.into_iter().zip(single) {
        let path = packed["output"].take();
        let expected = single["output"].take();
        if let (Some(path), Some(expected)) = (path.as_str(), expected.as_str()) {
            let below = path.strip_prefix("out/documents-00000.tar/").unwrap();
            assert_eq!(Some(below), expected.strip_prefix("out/"));
        }
        assert_eq!(packed, single);
    }
}

#[test]
fn other_programs_and_the_index_find_the_same_entries() {
    let dir = inputs(10);
    dir.run(&["in", "-o", "out", "--pack", "tar"]);
    dir.run(&["in", "-o", "out", "--pack", "zip", "--pack-name", "z"]);
    let index = |name: &str| {
        let text = String::from_utf8(dir.read(name)).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let lines: Vec<Value> = lines.collect();
        lines[1..lines.len() - 1].to_vec()
    };
    let entries = index("out/documents-00000.index.jsonl");
    let pack = dir.read("out/documents-00000.tar");
    let mut archive = tar::Archive::new(&*pack);
    for (found, entry) in archive.entries().unwrap().zip(&entries) {
        let found = found.unwrap();
        let header = found.header();
        assert_eq!(found.path().unwrap().to_str(), entry["path"].as_str());
        assert_eq!(header.mode().unwrap(), 0o644);
        assert_eq!(
            [header.mtime(), header.uid(), header.gid()].map(Result::unwrap),
            [0; 3]
        );
    }
    let mut archive =
        zip::ZipArchive::new(std::io::Cursor::new(dir.read("out/z-00000.zip"))).unwrap();
    let in_zip = index("out/z-00000.index.jsonl");
    assert_eq!(
        (archive.len(), in_zip.len()),
        (entries.len(), entries.len())
    );
    for (index, (entry, in_zip)) in entries.iter().zip(&in_zip).enumerate() {
        // Reading to the end compares the sum that zip keeps.
        let mut found = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        std::io::copy(&mut found, &mut bytes).unwrap();
        let at = entry["offset"].as_u64().unwrap() as usize;
        assert!(bytes == pack[at..at + bytes.len()]);
        assert_eq!(
            [&entry["path"], &entry["sha256"]],
            [&in_zip["path"], &in_zip["sha256"]]
        );
    }
}
