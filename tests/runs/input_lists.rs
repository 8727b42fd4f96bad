//! Runs over an input list: the same outputs and reports as a search, whatever the list says about the tree.

use crate::support::{Dir, document};

/// Documents in two trees, one of which is bad.
fn tree() -> Dir {
    let dir = Dir::new();
    for n in 0..24 {
        let (root, folder) = (
            ["in", "more"][n % 2],
            ["", "b/", "b-c/", "b/c/", "é/"][n % 5],
        );
        dir.write(&format!("{root}/{folder}{n}.rigy.yaml"), document("p"));
    }
    dir.write("in/b/broken.rigy.yaml", "version: [");
    dir
}

fn planned(dir: &Dir, args: &[&str]) {
    let ran = dir.run(&[&["plan"], args, &["--shards", "3", "--inputs-to", "list"]].concat());
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
}

#[test]
fn shards_of_a_list_are_the_whole() {
    for command in [&[][..], &["bake"]] {
        let dir = tree();
        if command == ["bake"] {
            dir.run(&["in", "more", "-o", "models", "--poses", "none"]);
            for name in ["in", "more"] {
                std::fs::remove_dir_all(dir.path().join(name)).unwrap();
            }
            dir.write("models/bad.glb", "glTF");
            planned(&dir, &["models", "--bake"]);
        } else {
            planned(&dir, &["more", "in"]);
        }
        let roots: &[&str] = if command == ["bake"] {
            &["models"]
        } else {
            &["more", "in"]
        };
        let end = ["-o", "out", "--report"];
        let whole = dir.run(&[command, roots, &end, &["whole.json"]].concat());
        assert_eq!(whole.status(), 1);
        let (report, files) = (dir.read("whole.json"), dir.tree());
        std::fs::remove_dir_all(dir.path().join("out")).unwrap();
        let one = dir.run(&[command, &["--inputs-from", "list"], &end, &["whole.json"]].concat());
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
            let list = ["--inputs-from", "list", "--shard", shard];
            let ran = dir.run(&[command, &list[..], &end, &[&name]].concat());
            assert!(ran.status() < 2, "{}", ran.stderr());
        }
        let merged = dir.run(&["merge-reports", "2.json", "0.json", "1.json"]);
        assert_eq!(merged.stdout().as_bytes(), report, "{}", merged.stderr());
        for name in ["0.json", "1.json", "2.json"] {
            std::fs::remove_file(dir.path().join(name)).unwrap();
        }
        assert!(dir.tree() == files, "three shards");
    }
}

#[test]
fn a_list_has_the_same_bytes_each_time_and_replaces_nothing_but_a_list() {
    let dir = tree();
    planned(&dir, &["in", "more"]);
    let first = dir.read("list");
    dir.write("in/sub/.rigyignore", "");
    planned(&dir, &["in", "more"]);
    assert_eq!(dir.read("list"), first);
    let text = String::from_utf8(first).unwrap();
    assert_eq!(text.lines().count(), 25 + 2, "{text}");
    let ran = dir.run(&["plan", "in", "--inputs-to", "in/0.rigy.yaml"]);
    assert_eq!(ran.status(), 2);
    assert!(
        ran.stderr().contains("is no input list"),
        "{}",
        ran.stderr()
    );
    assert_eq!(dir.read("in/0.rigy.yaml"), document("p").into_bytes());
    let ran = dir.run(&["plan", "in/0.rigy.yaml", "--inputs-to", "other"]);
    assert!(
        ran.stderr().contains("takes directories"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_tree_may_be_at_another_place() {
    let dir = tree();
    planned(&dir, &["in", "more"]);
    let whole = dir.run(&["in", "more", "-n", "--format", "json"]);
    for name in ["in", "more"] {
        std::fs::create_dir_all(dir.path().join("mnt")).unwrap();
        let to = dir.path().join("mnt").join(name);
        std::fs::rename(dir.path().join(name), to).unwrap();
    }
    let there = [
        "mnt/in",
        "mnt/more",
        "--inputs-from",
        "list",
        "-n",
        "--format",
        "json",
    ];
    let moved = dir.run(&there);
    assert_eq!(
        moved.stdout().replace("mnt/", ""),
        whole.stdout(),
        "{}",
        moved.stderr()
    );
    let ran = dir.run(&["mnt/in", "--inputs-from", "list"]);
    assert_eq!(ran.status(), 2);
    assert!(
        ran.stderr().contains("it has 2 roots, and 1 are given"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_configuration_file_beside_the_root_holds_for_the_list_too() {
    let dir = tree();
    planned(&dir, &["in"]);
    dir.write("in/rigy-batch.toml", "[documents]\nposes = \"none\"\n");
    let whole = dir.run(&["in", "-n", "--format", "json"]);
    let listed = dir.run(&["--inputs-from", "list", "-n", "--format", "json"]);
    assert_eq!(listed.stdout(), whole.stdout());
    assert!(!whole.stdout().contains("\"pose\":\"p\""));
}

#[test]
fn a_file_that_is_gone_or_no_file_any_more_fails_and_the_others_do_not() {
    let dir = tree();
    planned(&dir, &["in", "more"]);
    std::fs::remove_file(dir.path().join("in/0.rigy.yaml")).unwrap();
    std::fs::remove_file(dir.path().join("in/b/6.rigy.yaml")).unwrap();
    std::fs::create_dir(dir.path().join("in/b/6.rigy.yaml")).unwrap();
    let ran = dir.run(&["--inputs-from", "list", "-o", "out", "--format", "json"]);
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    let failed = lines.iter().filter(|line| line["status"] == "failed");
    let failed: Vec<_> = failed
        .map(|line| {
            (
                line["input"].as_str().unwrap(),
                line["errors"][0]["message"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(failed.len(), 3, "{failed:?}");
    assert_eq!(failed[0].0, "in/0.rigy.yaml");
    assert!(
        failed[0]
            .1
            .contains("it is gone, though the input list has it"),
        "{failed:?}"
    );
    assert_eq!(failed[1].0, "in/b/6.rigy.yaml");
    assert!(failed[1].1.contains("it is a directory now"), "{failed:?}");
    assert_eq!(dir.glbs().len(), 2 * 22);
}

#[cfg(unix)]
#[test]
fn a_list_does_not_lead_out_of_its_roots() {
    let dir = tree();
    dir.write("secret/s.rigy.yaml", document("p"));
    let entries = |paths: &[&str]| {
        let lines = paths
            .iter()
            .map(|path| format!("{{\"path\":\"{path}\",\"bytes\":1}}\n"));
        let (lines, count) = (lines.collect::<String>(), paths.len());
        format!(
            "{{\"inputs\":\"documents\",\"version\":1,\"roots\":[\"in\"]}}\n{lines}{{\"end\":{{\"inputs\":{count},\"bytes\":{count}}}}}\n"
        )
    };
    std::os::unix::fs::symlink("../secret", dir.path().join("in/way")).unwrap();
    std::os::unix::fs::symlink("../secret/s.rigy.yaml", dir.path().join("in/s.rigy.yaml")).unwrap();
    dir.write(
        "list",
        entries(&["0.rigy.yaml", "s.rigy.yaml", "way/s.rigy.yaml"]),
    );
    let ran = dir.run(&["--inputs-from", "list", "-o", "out", "--format", "json"]);
    let lines = ran.json();
    assert_eq!(lines.len(), 2 + 2 + 1, "{lines:?}");
    assert!(
        lines[2]["errors"][0]["message"]
            .as_str()
            .unwrap()
            .contains("it is a link now")
    );
    assert!(
        lines[3]["errors"][0]["message"]
            .as_str()
            .unwrap()
            .contains("a link leads to")
    );
    for bad in ["../secret/s.rigy.yaml", "/etc/passwd", "b/../0.rigy.yaml"] {
        dir.write("list", entries(&[bad]));
        let ran = dir.run(&["--inputs-from", "list", "-o", "out2"]);
        assert_eq!(ran.status(), 2);
        let said = ran.stderr();
        assert!(
            said.contains("`list`, line 2") && said.contains("no path below a root"),
            "{said}"
        );
    }
    assert!(!dir.path().join("out2").exists());
}

#[test]
fn options_that_do_not_go_with_a_list_are_refused() {
    let dir = tree();
    planned(&dir, &["in"]);
    for (args, said) in [
        (
            &["bake", "--inputs-from", "list"][..],
            "run `rigy-batch --inputs-from list`",
        ),
        (&["--inputs-from", "list", "--prune"], "cannot be used with"),
        (
            &["--inputs-from", "list", "--exclude", "b"],
            "cannot be used with",
        ),
        (&["--inputs-from", "nowhere"], "nowhere"),
        (
            &["--inputs-from", "in/0.rigy.yaml"],
            "this is no input list",
        ),
        (&["--inputs-from", "list", "-o", "-"], "`-o -`"),
        (&["in", "-n"], ""),
    ] {
        let ran = dir.run(args);
        assert_eq!(
            ran.status(),
            if said.is_empty() { 1 } else { 2 },
            "{args:?}: {}",
            ran.stderr()
        );
        assert!(ran.stderr().contains(said), "{args:?}: {}", ran.stderr());
    }
}

/// Bakes GLBs over one another: each shard knows its own inputs alone.
#[test]
fn a_shard_replaces_no_file_that_may_be_an_input_of_another() {
    let dir = Dir::new();
    dir.write("d/a.rigy.yaml", document("p"));
    dir.run(&["d", "--poses", "none"]);
    let model = dir.read("d/a.glb");
    for n in 0..6 {
        // The output of `n.vrm` would be `n.glb`, which is an input, too.
        dir.write(&format!("in/{n}.vrm"), &model);
    }
    planned(&dir, &["in", "--bake"]);
    for n in 0..6 {
        dir.write(&format!("in/{n}.glb"), "an input of another shard");
    }
    for shard in ["0/2", "1/2"] {
        let args = [
            "bake",
            "--inputs-from",
            "list",
            "--shard",
            shard,
            "-o",
            "in",
        ];
        let ran = dir.run(&args);
        assert_eq!(ran.status(), 1, "{}", ran.stderr());
        assert!(
            ran.stderr().contains("an input of another shard may be"),
            "{}",
            ran.stderr()
        );
    }
    for n in 0..6 {
        assert_eq!(
            dir.read(&format!("in/{n}.glb")),
            b"an input of another shard"
        );
    }
}

#[test]
fn clashes_are_found_when_the_list_is_written() {
    let dir = tree();
    dir.write("in/A.rigy.yaml", document("p"));
    dir.write("in/a.rigy.yml", document("p"));
    let ran = dir.run(&["plan", "in", "--inputs-to", "list"]);
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("both write"), "{}", ran.stderr());
    assert!(!dir.path().join("list").exists());
}
