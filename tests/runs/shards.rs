//! Runs over parts of the inputs: together they write the same as one run, and their reports merge to its report.
//! `tests/transcripts/reports.md` has reports that do not go together.

use crate::documents::{self, Size};
use crate::support::Dir;

/// Documents good and bad, below directories whose names sort differently as text and as paths.
fn tree() -> Dir {
    let dir = Dir::new();
    let folders = ["in", "in/b", "in/b-c", "in/b/c", "in/b c", "in/é"];
    for index in 0..40 {
        let generated = documents::document(5, index, Size::Small);
        let folder = folders[index as usize % folders.len()];
        let stem = documents::stem(index);
        dir.write(&format!("{folder}/{stem}.rigy.yaml"), generated.yaml);
        for (name, text) in generated.files {
            dir.write(&format!("{folder}/{name}"), text);
        }
    }
    dir.write("in/b/broken.rigy.yaml", "version: [");
    dir.write(
        "in/b-c/broken.rigy.yml",
        "version: \"0.5\"\nmesh: []\nposes: 1\n",
    );
    dir
}

/// Runs all shards, with various numbers of threads; the result must equal that of one run.
fn shards_are_the_whole(dir: &Dir, args: &str) {
    let run = |more: &str| dir.run(&format!("{args} -o out --force {more}"));
    let clear = || std::fs::remove_dir_all(dir.path().join("out")).unwrap();
    let whole = run("-j 1 --report whole.json");
    let (report, files) = (dir.read("whole.json"), dir.tree());
    for (count, jobs) in [(1, "64"), (3, "2"), (7, "8")] {
        clear();
        let mut names = Vec::new();
        let mut failed = false;
        for index in 0..count {
            let (name, shard) = (format!("part{index}.json"), format!("{index}/{count}"));
            // Reports and JSON lines do equally.
            if index % 2 == 0 {
                let ran = run(&format!("-j {jobs} --shard {shard} --report {name}"));
                failed |= ran.status() == 1;
            } else {
                let ran = run(&format!("-j {jobs} --shard {shard} --format json"));
                dir.write(&name, ran.stdout());
                failed |= ran.status() == 1;
            }
            names.push(name);
        }
        assert_eq!(failed, whole.status() == 1);
        names.rotate_left(count as usize / 2);
        names.swap(0, count as usize / 3);
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let merged = dir.run(&[&["merge-reports"], &*names].concat());
        assert_eq!(merged.stdout().as_bytes(), report, "{}", merged.stderr());
        let merged = dir.run(&[&["merge-reports", "-o", "m.json"], &*names].concat());
        assert_eq!((merged.status(), dir.read("m.json")), (0, report.clone()));
        for name in names.iter().chain(&["m.json"]) {
            dir.remove(name);
        }
        assert!(dir.tree() == files, "{count} shards");
    }
}

#[test]
fn shards_of_documents_are_the_whole() {
    let dir = tree();
    shards_are_the_whole(&dir, "in");
}

#[test]
fn shards_of_bakes_are_the_whole() {
    let dir = tree();
    dir.run("in -o models --poses none");
    dir.write("models/bad.glb", "glTF");
    shards_are_the_whole(&dir, "bake models --solver dqs");
}
