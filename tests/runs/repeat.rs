//! Second runs: unchanged inputs are not done again, and every change is noticed.

use std::fs;
use std::path::Path;

use crate::support::{Dir, PART, USER};

/// A document that draws a warning, so that answers of the cache can be seen from outside.
const WARNED: &str = r#"version: "0.5"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1, y: 1, z: 1}}]}]
armatures: [{id: a, bones: [{id: tower, parent: none, head: [0, 0.5, 0], tail: [0, 10, 0]}]}]
bindings: [{mesh_id: m, armature_id: a, weights: [{primitive_id: b, bones: [{bone_id: tower, weight: 1}]}]}]
poses: [{id: up, bones: {tower: {translation: [0, 1, 0]}}}]
"#;

const PLAIN: &str = r#"version: "0.5"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1, y: 1, z: 1}}]}]
"#;

const CACHE: &str = "out/.rigy-batch/cache";

fn made() -> Dir {
    let dir = Dir::with("in/a.rigy.yaml", WARNED);
    dir.write("in/b.rigy.yaml", PLAIN);
    dir.write("in/c.rigy.yaml", USER);
    dir.write("in/p.part.yaml", PART);
    dir
}

fn statuses(dir: &Dir, more: &str) -> Vec<(String, String)> {
    let args = format!("in -o out --format json {more}");
    let ran = dir.run(&args).good();
    let lines = ran.json();
    let outputs = lines.iter().filter(|line| line.get("output").is_some());
    outputs
        .map(|line| {
            let name = Path::new(line["output"].as_str().unwrap())
                .file_name()
                .unwrap();
            let status = line["status"].as_str().unwrap();
            (name.to_str().unwrap().to_owned(), status.to_owned())
        })
        .collect()
}

fn changed(dir: &Dir, more: &str) -> Vec<String> {
    let all = statuses(dir, more);
    assert_eq!(all.len(), 4, "{all:?}");
    let changed = all.into_iter().filter(|(_, status)| status != "unchanged");
    changed.map(|(name, _)| name).collect()
}

fn notes(dir: &Dir) -> usize {
    let cache = String::from_utf8(dir.read(CACHE)).unwrap();
    cache
        .lines()
        .filter(|line| line.contains("made_of"))
        .count()
}

const ALL: [&str; 4] = ["a.glb", "a.up.glb", "b.glb", "c.glb"];

#[test]
fn the_second_run_believes_the_first() {
    let dir = made();
    assert_eq!(changed(&dir, ""), ALL);
    assert_eq!(changed(&dir, ""), [""; 0]);
    // Nothing was done: each work that is done is noted.
    let cache = String::from_utf8(dir.read(CACHE)).unwrap();
    assert_eq!(notes(&dir), 3);
    // It repeats the findings that were noted and no others: a line that has been changed is ignored.
    assert!(cache.contains("root bone"));
    dir.write(CACHE, cache.replace("root bone", "ROOT BONE"));
    let ran = dir.run("in -o out");
    ran.says("root bone");
    assert_eq!(notes(&dir), 4);
    let forced = dir.run("in -o out --force");
    forced.says("root bone");
    forced.prints("3 written (4 outputs)");
}

#[test]
fn a_change_of_any_input_does_again_what_it_is_part_of() {
    let dir = made();
    changed(&dir, "");
    dir.write("in/p.part.yaml", PART.replace("x: 2", "x: 3"));
    assert_eq!(changed(&dir, ""), ["c.glb"]);
    dir.write("in/b.rigy.yaml", PLAIN.replace("x: 1", "x: 4"));
    assert_eq!(changed(&dir, ""), ["b.glb"]);
    // The same bytes once more: nothing to do.
    dir.write("in/b.rigy.yaml", PLAIN.replace("x: 1", "x: 4"));
    assert_eq!(changed(&dir, ""), [""; 0]);
    // A file that is no part takes the place of the part.
    dir.remove("in/p.part.yaml");
    assert_eq!(dir.run("in -o out").status(), 1);
}

#[test]
#[cfg(unix)]
fn a_file_moved_outside_the_root_is_refused_though_its_bytes_are_the_same() {
    let dir = made();
    changed(&dir, "");
    let part = dir.path().join("in/p.part.yaml");
    fs::rename(&part, dir.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", &part).unwrap();
    dir.run("in -o out").exits_saying(1, "U14");
    fs::remove_file(&part).unwrap();
    fs::rename(dir.path().join("elsewhere"), dir.path().join("in/other")).unwrap();
    std::os::unix::fs::symlink("other", &part).unwrap();
    assert_eq!(changed(&dir, ""), [""; 0], "inside, links are followed");
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_elsewhere_is_noticed_though_the_part_is_the_same() {
    let dir = Dir::new();
    let part = PART.replace(
        "anchors:",
        "armatures: [{id: rig, bones: [{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}, \
         {id: s, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}]}]\n\
         bindings: [{mesh_id: m, armature_id: rig, weights: [], weight_maps: [{primitive_id: b, source: w.json}]}]\nanchors:",
    );
    let weights = |bone: &str| {
        let one = |vertex| {
            format!(
                "{{\"vertex\": {vertex}, \"bones\": [{{\"bone_id\": \"{bone}\", \"weight\": 1}}]}}"
            )
        };
        let all: Vec<String> = (0..24).map(one).collect();
        let all = all.join(", ");
        format!("{{\"primitive_id\": \"b\", \"vertex_count\": 24, \"influences\": [{all}]}}")
    };
    dir.write("in/a.rigy.yaml", USER.replace("p.part", "now/p.part"));
    for (place, bone) in [("one", "r"), ("two", "s")] {
        dir.write(&format!("in/{place}/p.part.yaml"), &part);
        dir.write(&format!("in/{place}/w.json"), weights(bone));
    }
    let now = dir.path().join("in/now");
    std::os::unix::fs::symlink("one", &now).unwrap();
    assert_eq!(statuses(&dir, "")[0].1, "written");
    let first = dir.read("out/a.glb");
    assert_eq!(statuses(&dir, "")[0].1, "unchanged");
    fs::remove_file(&now).unwrap();
    std::os::unix::fs::symlink("two", &now).unwrap();
    assert_eq!(dir.run("in -o out --check").status(), 1);
    assert_eq!(statuses(&dir, "")[0].1, "written");
    assert_ne!(dir.read("out/a.glb"), first);
}

#[test]
#[cfg(unix)]
fn a_link_that_closes_a_circle_is_noticed_though_the_text_is_the_same() {
    let dir = Dir::new();
    let text = "version: \"0.5\"\nimports: {p: {source: s/c.part}}\n";
    dir.write("in/a.rigy.yaml", text);
    dir.write("in/s/c.part", text);
    dir.write("in/s/s/c.part", PLAIN);
    assert_eq!(statuses(&dir, "")[0].1, "written");
    assert_eq!(statuses(&dir, "")[0].1, "unchanged");
    let part = dir.path().join("in/s/c.part");
    fs::remove_file(&part).unwrap();
    std::os::unix::fs::symlink("../a.rigy.yaml", &part).unwrap();
    dir.run("in -o out").exits_saying(1, "U05");
}

#[test]
fn files_that_are_only_newer_are_noted_again_and_not_read_each_time() {
    let dir = made();
    changed(&dir, "");
    let noted = notes(&dir);
    let touch = |name: &str| dir.write(name, dir.read(name));
    touch("in/p.part.yaml");
    assert_eq!(dir.run("in -o out --check").status(), 0);
    assert_eq!(notes(&dir), noted, "a check writes nothing");
    assert_eq!(changed(&dir, ""), [""; 0]);
    assert_eq!(notes(&dir), noted + 1);
    assert_eq!(changed(&dir, ""), [""; 0]);
    assert_eq!(notes(&dir), noted + 1, "by now it is known");
}

#[test]
#[cfg(unix)]
fn outputs_that_are_gone_or_tampered_with_are_made_again() {
    let dir = made();
    changed(&dir, "");
    let path = dir.path().join("out/b.glb");
    let good = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(changed(&dir, ""), ["b.glb"]);
    // As long as before, and as old as before.
    let modified = path.metadata().unwrap().modified().unwrap();
    let mut bad = good.clone();
    bad[200] ^= 1;
    fs::write(&path, bad).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(modified).unwrap();
    drop(file);
    assert_eq!(changed(&dir, ""), ["b.glb"]);
    assert_eq!(fs::read(&path).unwrap(), good);
}

#[test]
fn other_options_are_another_job() {
    let dir = made();
    changed(&dir, "");
    assert_eq!(statuses(&dir, "--poses none").len(), 3);
    assert_eq!(changed(&dir, ""), [""; 0]);
    let promoted = dir.run("in -o out --warn-as-error W03");
    assert_eq!(
        promoted.status(),
        1,
        "a warning that fails its input is not forgotten"
    );
    let silent = dir.run("in -o out --allow-warnings all");
    assert!(!silent.stderr().contains("W03"), "{}", silent.stderr());
}

#[test]
fn a_cache_that_is_broken_or_gone_changes_nothing() {
    let dir = made();
    changed(&dir, "");
    let cache = dir.read(CACHE);
    for broken in [&cache[..cache.len() / 2], b"{}\n[1,2\n\xff", b""] {
        dir.write(CACHE, broken);
        assert_eq!(changed(&dir, ""), [""; 0]);
    }
    fs::remove_dir_all(dir.path().join("out/.rigy-batch")).unwrap();
    assert_eq!(changed(&dir, ""), [""; 0]);
    assert_eq!(notes(&dir), 3);
}

#[test]
fn check_writes_nothing_and_says_whether_anything_would_change() {
    let dir = made();
    let check = || dir.run("in -o out --check");
    assert_eq!(check().status(), 1);
    assert!(!dir.path().join("out").exists());
    changed(&dir, "");
    assert_eq!(check().status(), 0);
    let before = dir.tree();
    dir.write("in/b.rigy.yaml", PLAIN.replace("x: 1", "x: 5"));
    assert_eq!(check().status(), 1);
    dir.write("in/b.rigy.yaml", PLAIN);
    assert_eq!(dir.tree(), before);
}
