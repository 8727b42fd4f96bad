//! `--prune` for documents: what is removed, and all that must stay.

use std::fs;

use serde_json::Value;

use crate::support::skinned::skinned;
use crate::support::{Dir, assert_contains, document};

fn with_poses(poses: &[&str]) -> String {
    let pose = |id: &&str| format!("{{id: {id}, bones: {{tower: {{translation: [0, 1, 0]}}}}}}");
    let poses: Vec<String> = poses.iter().map(pose).collect();
    format!(
        r#"version: "0.5"
meshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: 1, y: 1, z: 1}}}}]}}]
armatures: [{{id: a, bones: [{{id: tower, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}]}}]
bindings: [{{mesh_id: m, armature_id: a, weights: [{{primitive_id: b, bones: [{{bone_id: tower, weight: 1}}]}}]}}]
poses: [{}]
"#,
        poses.join(", ")
    )
}

/// Two documents with the poses `p` and `q`, compiled into `out`.
fn made() -> Dir {
    let dir = Dir::new();
    for name in ["a", "b"] {
        dir.write(&format!("in/{name}.rigy.yaml"), with_poses(&["p", "q"]));
    }
    run(&dir, "", 0);
    dir
}

/// Runs over `in`; returns the names of the removed files and the last line.
fn run(dir: &Dir, more: &str, status: i32) -> (Vec<String>, Value) {
    let args = format!("in -o out --format json {more}");
    let ran = dir.run(&args).exits(status);
    let mut lines = ran.json();
    let last = lines.pop().unwrap();
    let removed = lines.iter().filter(|line| line["status"] == "removed");
    let name = |line: &Value| line["output"].as_str().unwrap().to_owned();
    let removed: Vec<String> = removed.map(name).collect();
    let counted = last["summary"]
        .get("removed")
        .map_or(0, |count| count.as_u64().unwrap());
    assert_eq!(counted as usize, removed.len());
    (removed, last)
}

fn pruned(dir: &Dir, more: &str) -> Vec<String> {
    run(dir, &format!("--prune {more}"), 0).0
}

fn outputs(dir: &Dir) -> Vec<String> {
    let files = dir.files().into_iter();
    files.filter(|name| name.starts_with("out")).collect()
}

const ALL: [&str; 6] = [
    "out/a.glb",
    "out/a.p.glb",
    "out/a.q.glb",
    "out/b.glb",
    "out/b.p.glb",
    "out/b.q.glb",
];

#[test]
fn outputs_of_a_document_that_is_gone_are_removed() {
    let dir = made();
    assert!(pruned(&dir, "").is_empty());
    dir.remove("in/a.rigy.yaml");
    dir.write("out/a.own.glb", "somebody's");
    let list = run(&dir, "--prune -n", 0);
    assert_eq!(
        (&*list.0, &list.1["dry_run"]),
        (&ALL.map(str::to_owned)[..3], &true.into())
    );
    assert_eq!(run(&dir, "--prune --check", 1).0, ALL[..3]);
    assert_eq!(run(&dir, "--check", 0).1["dry_run"], true);
    assert_eq!(outputs(&dir).len(), 7);
    let (removed, last) = run(&dir, "--prune", 0);
    assert_eq!(removed, ALL[..3]);
    assert_eq!(last.get("dry_run"), None);
    assert_eq!(last["summary"]["inputs"], 1);
    assert_eq!(
        outputs(&dir),
        ["out/a.own.glb", "out/b.glb", "out/b.p.glb", "out/b.q.glb"]
    );
    assert!(pruned(&dir, "").is_empty());
    // The file comes back at the same place: nobody takes it for the old one.
    dir.write("out/a.glb", "new");
    assert!(pruned(&dir, "").is_empty());
}

#[test]
fn files_of_earlier_runs_are_counted_without_prune() {
    let dir = made();
    let told = |more: &str| dir.run(&format!("in -o out {more}")).stderr();
    assert_eq!(told(""), "");
    dir.remove("in/a.rigy.yaml");
    dir.write("out/a.p.glb", "changed");
    let line = "2 files of earlier runs are left in `out`: `out/a.glb`, `out/a.q.glb`; `--prune` removes them";
    assert!(told("").contains(line), "{}", told(""));
    assert_eq!(told("--quiet"), "");
    assert_eq!(outputs(&dir).len(), 6);
    assert_eq!(pruned(&dir, ""), ["out/a.glb", "out/a.q.glb"]);
    assert_eq!(told(""), "");
}

#[test]
fn people_read_the_names_of_removed_files() {
    let dir = Dir::new();
    let poses: Vec<String> = (10..34).map(|n| format!("p{n}")).collect();
    let poses: Vec<&str> = poses.iter().map(String::as_str).collect();
    dir.write("in/a.rigy.yaml", with_poses(&poses));
    run(&dir, "", 0);
    dir.write("in/a.rigy.yaml", with_poses(&["p10"]));
    let ran = dir.run("in -o out --prune -n");
    ran.prints("removed    out/a.p11.glb\n");
    ran.prints("; 23 outputs to remove");
    let ran = dir.run("in -o out --prune");
    let text = ran.stdout();
    assert_eq!(text.matches("removed `").count(), 20, "{text}");
    assert_contains(&text, &["… and 3 more", "; 23 outputs removed"]);
    assert_eq!(outputs(&dir), ["out/a.glb", "out/a.p10.glb"]);
}

#[test]
fn poses_that_a_document_has_no_more_are_removed_also_after_other_runs() {
    let dir = made();
    dir.write("in/a.rigy.yaml", with_poses(&["p"]));
    // A run without `--prune` must not make the cache forget what it leaves.
    run(&dir, "", 0);
    run(&dir, "--force", 0);
    assert_eq!(pruned(&dir, ""), ["out/a.q.glb"]);
    assert_eq!(outputs(&dir).len(), 5);
}

#[test]
fn a_failed_document_keeps_all_it_has() {
    let dir = made();
    dir.write("in/a.rigy.yaml", with_poses(&["p"]).replace("box", "bix"));
    assert!(run(&dir, "--prune", 1).0.is_empty());
    assert_eq!(outputs(&dir), ALL);
    // Nothing is removed after `--fail-fast`, even of other documents.
    dir.remove("in/b.rigy.yaml");
    assert!(run(&dir, "--prune --fail-fast", 1).0.is_empty());
    assert_eq!(run(&dir, "--prune", 1).0, ALL[3..]);
}

#[test]
fn outputs_that_the_options_leave_out_are_removed() {
    let dir = made();
    run(&dir, "--positions", 0);
    assert_eq!(outputs(&dir).len(), 10);
    let positions = ["a.p", "a.q", "b.p", "b.q"].map(|name| format!("out/{name}.positions.json"));
    assert_eq!(pruned(&dir, ""), positions);
    assert_eq!(pruned(&dir, "--poses p"), [ALL[2], ALL[5]]);
    assert_eq!(outputs(&dir).len(), 4);
}

#[test]
fn files_that_have_changed_or_that_no_run_has_written_stay() {
    let dir = made();
    dir.write("in/a.rigy.yaml", with_poses(&[]));
    dir.write("out/a.r.glb", dir.read("out/a.q.glb"));
    let same = dir.read("out/a.q.glb");
    dir.write("out/a.q.glb", same); // the same bytes, written by somebody else
    assert_eq!(pruned(&dir, ""), ["out/a.p.glb"]);
    assert!(outputs(&dir).contains(&"out/a.q.glb".to_owned()));
    // The same holds for all that an input has left that is gone.
    let same = dir.read("out/b.p.glb");
    dir.write("out/b.p.glb", same);
    dir.remove("in/b.rigy.yaml");
    assert_eq!(pruned(&dir, ""), ["out/b.glb", "out/b.q.glb"]);
    assert!(outputs(&dir).contains(&"out/b.p.glb".to_owned()));
}

#[test]
fn inputs_elsewhere_are_none_of_this_runs_business() {
    let dir = made();
    dir.write("more/c.rigy.yaml", with_poses(&["p"]));
    assert_eq!(dir.run("more -o out").status(), 0);
    dir.remove("more/c.rigy.yaml");
    // `more` is not searched; and a PATH that is a file says nothing about its neighbours.
    assert!(pruned(&dir, "").is_empty());
    dir.remove("in/a.rigy.yaml");
    dir.run("in/b.rigy.yaml -o out --prune").good();
    assert_eq!(outputs(&dir).len(), 8);
    // A directory without inputs may be one that is not mounted.
    dir.remove("in/b.rigy.yaml");
    assert!(pruned(&dir, "--allow-empty").is_empty());
    assert_eq!(outputs(&dir).len(), 8);
}

#[test]
fn a_path_without_inputs_keeps_its_outputs_beside_other_paths() {
    let dir = made();
    dir.write("more/c.rigy.yaml", with_poses(&["p"]));
    dir.write("in/sub/d.rigy.yaml", with_poses(&["p"]));
    let paths = "more in in/sub -o out";
    assert_eq!(dir.run(paths).status(), 0);
    let all = outputs(&dir);
    dir.remove("more/c.rigy.yaml");
    dir.remove("in/sub/d.rigy.yaml");
    dir.remove("in/b.rigy.yaml");
    let ran = dir.run(&format!("{paths} --prune")).good();
    for spared in ["`more` has no inputs now", "`in/sub` has no inputs now"] {
        ran.says(spared);
    }
    assert!(!ran.stderr().contains("`in` has"), "{}", ran.stderr());
    let left: Vec<String> = all
        .into_iter()
        .filter(|name| !name.starts_with("out/b"))
        .collect();
    assert_eq!(outputs(&dir), left);
    // As one of the directories below `in` it is not spared.
    assert_eq!(pruned(&dir, ""), ["out/sub/d.glb", "out/sub/d.p.glb"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_keeps_its_outputs() {
    use std::os::unix::fs::symlink;
    let dir = made();
    dir.write("disk/c.rigy.yaml", with_poses(&["p"]));
    symlink("../disk", dir.path().join("in/link")).unwrap();
    let paths = "in in/link -o out --prune";
    assert_eq!(dir.run(paths).status(), 0);
    let all = outputs(&dir);
    for mounted in [true, false] {
        fs::remove_dir_all(dir.path().join("disk")).unwrap();
        if mounted {
            fs::create_dir(dir.path().join("disk")).unwrap();
        }
        dir.run(paths);
        assert_eq!(outputs(&dir), all, "{mounted}");
    }
}

#[test]
fn shards_remove_what_is_theirs_and_their_reports_can_be_merged() {
    let dir = Dir::new();
    let names: Vec<String> = (0..12).map(|n| format!("in/{n:02}.rigy.yaml")).collect();
    for name in &names {
        dir.write(name, with_poses(&["p", "q"]));
    }
    run(&dir, "", 0);
    for name in &names[..6] {
        dir.remove(name);
    }
    dir.write(&names[7], with_poses(&["p"]));
    let whole = "--prune -n --report whole.json";
    let all = run_report(&dir, whole);
    assert_eq!(all.len(), 6 * 3 + 1);
    let mut parts = Vec::new();
    for shard in ["0/2", "1/2"] {
        let report = format!("{}.json", &shard[..1]);
        let part = run_report(
            &dir,
            &format!("--prune -n --shard {shard} --report {report}"),
        );
        assert!(!part.is_empty() && part.len() < all.len());
        parts.extend(part);
    }
    parts.sort();
    assert_eq!(parts, all);
    dir.run("merge-reports 1.json 0.json -o merged.json").good();
    assert_eq!(dir.read("merged.json"), dir.read("whole.json"));
    // A report of a run that writes does not go with one of a dry run.
    run_report(&dir, "--prune --shard 1/2 --report 1.json");
    dir.run("merge-reports 1.json 0.json")
        .exits_saying(2, "`-n` or `--check`");
}

/// Runs over `in` with a report, which goes to a file; returns the names of the removed files.
fn run_report(dir: &Dir, more: &str) -> Vec<String> {
    dir.run(&format!("in -o out --quiet {more}")).good();
    let (_, report) = more.rsplit_once(' ').unwrap();
    let report = dir.json(report);
    let lines = report["outputs"].as_array().unwrap().iter();
    let removed = lines.filter(|line| line["status"] == "removed");
    removed
        .map(|line| line["output"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_file_that_the_run_reads_stays() {
    let dir = Dir::with("in/a.rigy.yaml", with_poses(&["p", "q"]));
    assert_eq!(dir.run("in --positions").status(), 0);
    dir.write("in/a.rigy.yaml", with_poses(&["p"]));
    // Another document takes its weights from it now; that it fails makes no difference.
    let reader = with_poses(&["p"]).replace(
        "weights: [{primitive_id: b, bones: [{bone_id: tower, weight: 1}]}]",
        "weights: [], weight_maps: [{primitive_id: b, source: a.q.positions.json}]",
    );
    dir.write("in/b.rigy.yaml", reader);
    let ran = dir.run("in --positions --prune");
    assert_eq!(ran.status(), 1);
    assert!(!ran.stdout().contains("a.q.positions"), "{}", ran.stdout());
    ran.prints("removed `in/a.q.glb`");
    assert!(dir.path().join("in/a.q.positions.json").exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = Dir::with("in/sub/a.rigy.yaml", with_poses(&["p"]));
    dir.write("in/b.rigy.yaml", with_poses(&["p", "q"]));
    run(&dir, "", 0);
    let at = |name: &str| dir.path().join(name);
    // The directory of outputs is elsewhere now, and a link leads there; another output is a link to the file itself.
    fs::rename(at("out/sub"), at("moved")).unwrap();
    symlink("../moved", at("out/sub")).unwrap();
    fs::rename(at("out/b.q.glb"), at("out/real.glb")).unwrap();
    symlink("real.glb", at("out/b.q.glb")).unwrap();
    fs::remove_file(at("in/sub/a.rigy.yaml")).unwrap();
    dir.write("in/b.rigy.yaml", with_poses(&["p"]));
    assert!(pruned(&dir, "").is_empty());
    assert!(at("moved/a.glb").exists() && at("out/real.glb").exists());
    // Inside the root, it is no different.
    fs::remove_file(at("out/sub")).unwrap();
    fs::rename(at("moved"), at("out/inside")).unwrap();
    symlink("inside", at("out/sub")).unwrap();
    assert!(pruned(&dir, "").is_empty());
    fs::remove_file(at("out/sub")).unwrap();
    fs::rename(at("out/inside"), at("out/sub")).unwrap();
    assert_eq!(pruned(&dir, ""), ["out/sub/a.glb", "out/sub/a.p.glb"]);
}

#[test]
fn the_directory_of_the_cache_is_tagged_once() {
    let dir = made();
    assert_eq!(dir.read("out/.rigy-batch/.gitignore"), b"*\n");
    let tag = dir.read("out/.rigy-batch/CACHEDIR.TAG");
    assert!(tag.starts_with(b"Signature: 8a477f597d28d172789f06886806bc55\n"));
    // One that a user has written stays, and one that is missing is written by a run that has nothing to do.
    dir.write("out/.rigy-batch/.gitignore", "cache\n");
    dir.remove("out/.rigy-batch/CACHEDIR.TAG");
    run(&dir, "", 0);
    assert_eq!(dir.read("out/.rigy-batch/.gitignore"), b"cache\n");
    assert_eq!(dir.read("out/.rigy-batch/CACHEDIR.TAG"), tag);
    // A dry run writes nothing, and a run without a cache leaves no directory.
    fs::remove_dir_all(dir.path().join("out")).unwrap();
    run(&dir, "-n", 0);
    assert!(!dir.path().join("out").exists());
    dir.write("bad/a.rigy.yaml", "version: 1");
    assert_eq!(dir.run("bad -o other").status(), 1);
    assert!(!dir.path().join("other/.rigy-batch").exists());
}

#[test]
fn outputs_that_were_named_one_by_one_are_none_of_later_runs() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("m.glb", skinned(3, 0.0).glb());
    let outputs = [
        ("a.rigy.yaml -o rest.glb --poses none", "rest.glb"),
        ("a.rigy.yaml -o lamp.glb", "lamp.p.glb"),
        ("bake m.glb -o still.glb", "still.glb"),
        ("bake m.glb -o print.stl", "print.stl"),
        ("bake m.glb -o y.obj --to obj", "y.obj"),
        ("bake m.glb -o sub/x.glb --up y", "sub/x.glb"),
    ];
    for more in ["", "", "--prune"] {
        for (args, _) in outputs {
            let said = dir.run(&format!("{args} {more}")).good().stderr();
            assert!(!said.contains("prune"), "{args}: {said}");
        }
    }
    for (args, file) in outputs {
        assert!(dir.path().join(file).exists(), "{args}");
    }
    assert!(!dir.path().join(".rigy-batch").exists());
    assert!(!dir.path().join("sub/.rigy-batch").exists());
    // The file is written where it differs, and left alone where it does not.
    dir.write("rest.glb", "something else");
    for expected in ["1 written", "1 unchanged"] {
        let ran = dir.run(outputs[0].0).good();
        assert_eq!(ran.stdout(), format!("1 document: {expected}\n"));
    }
    // What a run into a directory has written stays there, too.
    dir.run("a.rigy.yaml -o out").good();
    dir.run("a.rigy.yaml -o out/own.glb --poses none --prune")
        .good();
    let left = dir.run("a.rigy.yaml -o out --poses none");
    left.says("1 file of an earlier run is left in `out`: `out/a.p.glb`; `--prune` removes it");
    dir.run("a.rigy.yaml -o out --poses none --prune").good();
    let there = dir.glbs();
    assert_eq!(
        there.iter().filter(|name| name.starts_with("out/")).count(),
        2,
        "{there:?}"
    );
}
