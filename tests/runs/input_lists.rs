//! Runs over an input list: the same outputs and reports as a search. `tests/transcripts/lists.md` has what lists may say.

use crate::support::{Dir, document};

/// Documents in a tree, one of which is bad, and a list of all, which is not sorted.
fn tree() -> Dir {
    let dir = Dir::new();
    let mut list = String::from("./b/broken.rigy.yaml\n\n");
    for n in 0..24 {
        let folder = ["", "b/", "b-c/", "b/c/", "é/"][n % 5];
        dir.write(&format!("in/{folder}{n}.rigy.yaml"), document("p"));
        list.push_str(&format!("{folder}{n}.rigy.yaml\n"));
    }
    dir.write("in/b/broken.rigy.yaml", "version: [");
    dir.write("list", list);
    dir
}

#[test]
fn shards_of_a_list_are_the_whole() {
    for command in ["", "bake"] {
        let dir = tree();
        let mut root = "in";
        if command == "bake" {
            dir.run("in -o models --poses none");
            std::fs::remove_dir_all(dir.path().join("in")).unwrap();
            dir.write("models/bad.glb", "glTF");
            let list: Vec<String> = dir
                .glbs()
                .iter()
                .map(|path| path.replace("models/", ""))
                .collect();
            dir.write("list", list.join("\n"));
            root = "models";
        }
        let end = "-o out --report";
        let whole = dir.run(&format!("{command} {root} {end} whole.json"));
        assert_eq!(whole.status(), 1);
        let (report, files) = (dir.read("whole.json"), dir.tree());
        std::fs::remove_dir_all(dir.path().join("out")).unwrap();
        let listed = format!("{root} --inputs-from list");
        let one = dir.run(&format!("{command} {listed} {end} whole.json"));
        assert_eq!(
            (one.status(), one.stdout()),
            (1, whole.stdout()),
            "{}",
            one.stderr()
        );
        assert!(dir.tree() == files, "one run over the list");
        std::fs::remove_dir_all(dir.path().join("out")).unwrap();
        for shard in ["0/3", "1/3", "2/3"] {
            let name = format!("{}.json", &shard[..1]);
            let ran = dir.run(&format!("{command} {listed} --shard {shard} {end} {name}"));
            assert!(ran.status() < 2, "{}", ran.stderr());
        }
        let merged = dir.run("merge-reports 2.json 0.json 1.json");
        assert_eq!(merged.stdout().as_bytes(), report, "{}", merged.stderr());
        for name in ["0.json", "1.json", "2.json"] {
            dir.remove(name);
        }
        assert!(dir.tree() == files, "three shards");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_list_that_ends_before_its_stated_length_is_refused() {
    // Files in sysfs state the length of a page.
    let list = "/sys/devices/system/cpu/online";
    if !std::path::Path::new(list).exists() {
        return eprintln!("skipped: this system has no sysfs");
    }
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run(&format!("--inputs-from {list} -n"))
        .exits_saying(2, "it changed while it was being read");
}
