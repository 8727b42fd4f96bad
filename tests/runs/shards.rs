//! Runs over parts of the inputs: together they write the same as one run, and their reports merge to its report.

use std::collections::BTreeSet;

use crate::documents::{self, Size};
use crate::support::{Dir, Ran, document};

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

fn inputs(ran: &Ran) -> BTreeSet<String> {
    let lines = ran.json();
    let inputs = lines.iter().filter_map(|line| line["input"].as_str());
    inputs.map(str::to_owned).collect()
}

#[test]
fn an_input_stays_in_its_shard_when_others_come_and_go() {
    let dir = Dir::new();
    for name in ["a", "b", "c", "d", "e", "f"] {
        dir.write(&format!("d/{name}.rigy.yaml"), document("p"));
    }
    let part = || inputs(&dir.run("d -n --format json --shard 1/2"));
    let before = part();
    assert!((1..6).contains(&before.len()));
    for name in ["0", "b2", "x/a", "z"] {
        dir.write(&format!("d/{name}.rigy.yaml"), document("p"));
    }
    std::fs::remove_file(dir.path().join(before.first().unwrap())).unwrap();
    let after = part();
    assert!(before.iter().skip(1).all(|input| after.contains(input)));
    let elsewhere = inputs(&dir.run("d -n --format json --shard 0/2"));
    assert!(elsewhere.is_disjoint(&after));
    assert_eq!(elsewhere.len() + after.len(), 9);
}

#[test]
fn every_shard_refuses_a_clash_and_none_complains_of_a_pose_elsewhere() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("b.rigy.yaml", document("q"));
    for shard in ["0/3", "1/3", "2/3"] {
        let ran = dir.run(&format!(". --poses q -n --shard {shard}"));
        assert_eq!((ran.status(), ran.stderr()), (0, String::new()));
        let out = ran.stdout();
        let last = out.lines().last().unwrap();
        assert!(last.starts_with(&format!("shard {shard}: ")), "{out}");
    }
    dir.write("A.rigy.yml", document("p"));
    for shard in ["0/3", "1/3", "2/3"] {
        dir.run(&format!(". --shard {shard}"))
            .exits_saying(2, "both write");
    }
    assert_eq!(dir.files().len(), 3);
}

#[test]
fn reports_that_do_not_go_together_are_refused_by_name() {
    let dir = Dir::new();
    for name in ["a", "b", "c", "d", "e"] {
        dir.write(&format!("d/{name}.rigy.yaml"), document("p"));
    }
    for index in ["0", "1"] {
        let (shard, name) = (format!("{index}/2"), format!("{index}.json"));
        dir.run(&format!("d -n --shard {shard} --report {name}"));
    }
    dir.run("d -n --report all.json");
    dir.run("d -n --shard 0/3 --report third.json");
    let text = |name: &str| String::from_utf8(dir.read(name)).unwrap();
    let lines = |name: &str| text(name).lines().map(str::to_owned).collect::<Vec<_>>();
    let zero = lines("0.json");
    dir.write("cut.json", zero[..zero.len() - 1].join("\n"));
    dir.write("longer.json", text("0.json") + "{}\n");
    let fewer = [&zero[..1], &zero[2..]].concat();
    dir.write("fewer.json", fewer.join("\n"));
    let other = text("0.json").replace("\"sha256\":\"", "\"sha256\":\"0");
    dir.write(
        "other.json",
        other.replace("\"shard\":\"0/2\"", "\"shard\":\"1/2\""),
    );
    let swapped = text("all.json").replace("/a.", "/z.");
    dir.write("disorder.json", swapped.replacen("/z.", "/a.", 2));
    dir.write(
        "interrupted.json",
        text("0.json").replace("\"shard\"", "\"interrupted\":true,\"shard\""),
    );
    let claims = text("1.json").replace("\"output\":\"d/", "\"output\":\"d/../d/");
    let first = zero[1].split("\"output\":\"").nth(1).unwrap();
    let first = first.split('"').next().unwrap();
    let stolen = claims.split("\"output\":\"").nth(1).unwrap();
    let stolen = stolen.split('"').next().unwrap();
    dir.write("claims.json", claims.replacen(stolen, first, 1));
    dir.write("array.json", "[1]\n");
    dir.write("empty.json", "");
    for (reports, said) in [
        ("0.json", "1/2 is missing"),
        ("0.json 0.json", "is in `0.json`, too, word for word"),
        ("0.json 1.json all.json", "too, word for word"),
        ("0.json other.json", "something else is said of it"),
        ("0.json claims.json", "is that of another input"),
        (
            "0.json third.json",
            "it is of shard 0/3, but there is one of 2 shards",
        ),
        ("1.json cut.json", "`cut.json`: it ends before its summary"),
        ("1.json longer.json", "`longer.json`: it goes on"),
        ("1.json fewer.json", "`fewer.json`: its lines do not add up"),
        ("disorder.json", "`disorder.json`, line"),
        ("1.json interrupted.json", "interrupted"),
        ("array.json", "`array.json`, line 1"),
        ("empty.json", "ends before"),
        ("nowhere.json", "nowhere.json"),
    ] {
        dir.run(&format!("merge-reports -o m.json {reports}"))
            .exits_saying(2, said);
        let ran = dir.run(&format!("merge-reports {reports}"));
        assert_eq!(ran.stdout(), "", "{reports:?}");
    }
    assert!(!dir.path().join("m.json").exists());
    let merged = dir.run("merge-reports 1.json 0.json");
    assert_eq!(merged.stdout(), text("all.json"));
}
