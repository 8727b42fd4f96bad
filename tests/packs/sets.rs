//! Sets of packs: what a rerun leaves, and what a reader says of sets that are not whole.

use super::inputs;
use crate::support::Dir;

const SMALL: [&str; 6] = ["in", "-o", "out", "--pack-size", "20K", "--pack"];

fn run(dir: &Dir, more: &[&str]) {
    let ran = dir.run(&[&SMALL[..], more].concat());
    assert!(ran.status() <= 1, "{}", ran.stderr());
}

fn names(dir: &Dir) -> Vec<String> {
    let names = dir.files().into_iter();
    names.filter(|name| name.starts_with("out/")).collect()
}

#[test]
fn a_rerun_replaces_its_own_set_and_leaves_no_surplus() {
    let dir = inputs(30);
    run(&dir, &["tar"]);
    let many = names(&dir);
    run(&dir, &["zip"]);
    assert!(names(&dir).iter().all(|name| !name.ends_with(".tar")));
    std::fs::remove_dir_all(dir.path().join("in/b-c")).unwrap();
    std::fs::remove_dir_all(dir.path().join("in/b")).unwrap();
    run(&dir, &["tar"]);
    let fewer = names(&dir);
    assert!(fewer.len() < many.len() && fewer.iter().all(|name| many.contains(name)));
    assert_eq!(dir.run(&["verify", "out"]).status(), 0);
    // Without any input that can be made there is a list without packs.
    std::fs::remove_dir_all(dir.path().join("in")).unwrap();
    dir.write("in/broken.rigy.yaml", "version: [");
    run(&dir, &["tar"]);
    assert_eq!(names(&dir), ["out/documents.packs.json"]);
    assert_eq!(dir.run(&["unpack", "out", "-o", "files"]).status(), 0);
}

#[test]
fn a_set_that_is_not_whole_is_refused() {
    let dir = inputs(30);
    run(&dir, &["tar"]);
    let refused = |word: &str| {
        for args in [&["unpack", "out", "-o", "files"][..], &["verify", "out"]] {
            let ran = dir.run(args);
            assert_ne!(ran.status(), 0, "{word}: {}", ran.stdout());
            let said = ran.stderr() + &ran.stdout();
            assert!(said.contains(word), "{word}: {said}");
        }
    };
    let list = dir.path().join("out/documents.packs.json");
    let text = std::fs::read(&list).unwrap();
    std::fs::remove_file(&list).unwrap();
    refused("has not ended");
    std::fs::write(&list, &text).unwrap();
    let index = dir.path().join("out/documents-00001.index.jsonl");
    let lines = std::fs::read_to_string(&index).unwrap();
    std::fs::remove_file(&index).unwrap();
    refused("documents-00001");
    std::fs::write(&index, lines.lines().next().unwrap()).unwrap();
    refused("documents-00001.index.jsonl");
    std::fs::write(&index, &lines).unwrap();
    let pack = dir.path().join("out/documents-00001.tar");
    let bytes = std::fs::read(&pack).unwrap();
    std::fs::write(&pack, &bytes[..bytes.len() - 512]).unwrap();
    refused("documents-00001");
    let mut changed = bytes.clone();
    changed[700] ^= 1;
    std::fs::write(&pack, &changed).unwrap();
    refused("documents-00001.tar");
    // The first entry begins after a header of 512 bytes. Its path stands in the line after the first of the index.
    let entry: serde_json::Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    assert_eq!(entry["offset"], 512);
    refused(entry["path"].as_str().unwrap());
    std::fs::remove_file(&pack).unwrap();
    refused("documents-00001.tar");
    std::fs::write(&pack, &bytes).unwrap();
    assert_eq!(dir.run(&["verify", "out"]).status(), 0);
}

#[test]
fn missing_shards_are_named() {
    let dir = inputs(20);
    for shard in ["0/4", "2/4"] {
        run(&dir, &["tar", "--shard", shard]);
    }
    let ran = dir.run(&["unpack", "out", "-o", "files"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("1/4, 3/4"), "{}", ran.stderr());
    for shard in ["1/4", "3/4"] {
        run(&dir, &["tar", "--shard", shard]);
    }
    assert_eq!(dir.run(&["unpack", "out", "-o", "files"]).status(), 0);
    // One list is whole by itself.
    assert_eq!(
        dir.run(&["verify", "out/documents-2-of-4.packs.json"])
            .status(),
        0
    );
    run(&dir, &["tar", "--shard", "0/2"]);
    let ran = dir.run(&["verify", "out"]);
    assert!(
        ran.stderr().contains("2 and in 4 shards"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_run_that_stops_early_reports_what_is_in_packs_and_leaves_no_list() {
    let dir = inputs(30);
    let ran = dir.run(
        &[
            &SMALL[..],
            &["tar", "--fail-fast", "-j1", "--format", "json"],
        ]
        .concat(),
    );
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    let (last, lines) = lines.split_last().unwrap();
    assert_eq!(last["interrupted"], true);
    assert!(lines.iter().any(|line| line["status"] == "failed"));
    let listed = dir.run(&["unpack", "out", "--list"]);
    assert_eq!(listed.status(), 2, "{}", listed.stderr());
    for line in lines.iter().filter(|line| line["status"] == "written") {
        let path = line["output"].as_str().unwrap();
        let seen = dir.run(&["inspect", path, "--format", "json"]);
        assert_eq!(seen.status(), 0, "{path}: {}", seen.stderr());
    }
}
