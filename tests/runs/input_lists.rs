//! Runs over an input list: the same outputs and reports as a search, whatever the list says about the tree.

use rigy_batch::base::paths::Slashed;

use crate::support::{Dir, assert_contains, document};

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
fn paths_end_with_line_breaks_of_both_kinds_or_with_nul_and_come_from_a_pipe() {
    let dir = tree();
    let whole = dir.run("in -n --format json");
    let lines = String::from_utf8(dir.read("list")).unwrap();
    for (text, nul) in [
        (lines.replace('\n', "\r\n"), false),
        (lines.replace('\n', "\0"), true),
        (lines.trim_end().to_owned(), false),
        (format!("{lines}{lines}"), false),
    ] {
        let nul = if nul { "-0" } else { "" };
        let args = format!("in --inputs-from - -n --format json {nul}");
        let ran = dir.run_on(text.as_bytes(), &args);
        assert_eq!(ran.stdout(), whole.stdout(), "{}", ran.stderr());
    }
}

#[test]
fn without_a_directory_paths_are_relative_to_the_current_one() {
    let dir = tree();
    let whole = dir.run(". -n --format json");
    let list = String::from_utf8(dir.read("list")).unwrap();
    let list: String = list
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| format!("in/{line}\n"))
        .collect();
    dir.write("list", list);
    let listed = dir.run("--inputs-from list -n --format json");
    assert_eq!(listed.stdout(), whole.stdout(), "{}", listed.stderr());
    // A path may be absolute if the directory is.
    let root = dir.path().canonicalize().unwrap();
    let root = root.slashed();
    let absolute = format!("{root}/in/0.rigy.yaml\n");
    dir.run_on(
        absolute.as_bytes(),
        &format!("{root} --inputs-from - -o out"),
    )
    .good();
    assert!(dir.path().join("out/in/0.glb").exists());
}

#[test]
fn a_configuration_file_beside_the_root_holds_for_the_list_too() {
    let dir = tree();
    dir.write("in/rigy-batch.toml", "[documents]\nposes = \"none\"\n");
    let whole = dir.run("in -n --format json");
    let listed = dir.run("in --inputs-from list -n --format json");
    assert_eq!(listed.stdout(), whole.stdout());
    assert!(!whole.stdout().contains("\"pose\":\"p\""));
}

#[test]
fn a_file_that_is_gone_or_no_file_fails_and_the_others_do_not() {
    let dir = tree();
    dir.remove("in/0.rigy.yaml");
    dir.remove("in/b/6.rigy.yaml");
    std::fs::create_dir(dir.path().join("in/b/6.rigy.yaml")).unwrap();
    let ran = dir.run("in --inputs-from list -o out --format json");
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    let failed = lines.iter().filter(|line| line["status"] == "failed");
    let failed: Vec<_> = failed
        .map(|line| {
            let message = line["errors"][0]["message"].as_str().unwrap();
            (line["input"].as_str().unwrap(), message)
        })
        .collect();
    assert_eq!(failed.len(), 3, "{failed:?}");
    assert_eq!(failed[0].0, "in/0.rigy.yaml");
    assert!(
        failed[0]
            .1
            .contains("the input list names it, but it is not there"),
        "{failed:?}"
    );
    assert_eq!(failed[1].0, "in/b/6.rigy.yaml");
    assert!(failed[1].1.contains("it is a directory"), "{failed:?}");
    assert_eq!(dir.glbs().len(), 2 * 22);
}

#[cfg(unix)]
#[test]
fn a_list_does_not_lead_out_of_its_root() {
    let dir = tree();
    dir.write("secret/s.rigy.yaml", document("p"));
    std::os::unix::fs::symlink("../secret", dir.path().join("in/way")).unwrap();
    std::os::unix::fs::symlink("../secret/s.rigy.yaml", dir.path().join("in/s.rigy.yaml")).unwrap();
    dir.write("list", "0.rigy.yaml\ns.rigy.yaml\nway/s.rigy.yaml\n");
    let ran = dir.run("in --inputs-from list -o out --format json");
    let lines = ran.json();
    assert_eq!(lines.len(), 2 + 2 + 1, "{lines:?}");
    let message = |line: usize| lines[line]["errors"][0]["message"].as_str().unwrap();
    assert!(message(2).contains("it is a link"), "{lines:?}");
    assert!(message(3).contains("a link leads to"), "{lines:?}");
    let long = "x".repeat(70_000);
    for (bad, said) in [
        ("../secret/s.rigy.yaml", "does not lie below `in`"),
        ("/etc/passwd", "does not lie below `in`"),
        ("b/../0.rigy.yaml", "does not lie below `in`"),
        (".", "does not lie below `in`"),
        ("0.rigy.yaml\0", "`-0`"),
        (&long, "more than 65536 bytes"),
    ] {
        dir.write("list", format!("0.rigy.yaml\n{bad}\n"));
        let ran = dir.run("in --inputs-from list -o out2");
        assert_eq!(ran.status(), 2);
        let error = ran.stderr();
        assert_contains(&error, &["`list`, line 2", said]);
    }
    assert!(!dir.path().join("out2").exists());
}

#[test]
fn options_that_do_not_go_with_a_list_are_refused() {
    let dir = tree();
    dir.write("empty", "\n");
    for (args, said) in [
        ("--inputs-from list --prune", "cannot be used with"),
        ("--inputs-from list --exclude b", "cannot be used with"),
        ("--inputs-from nowhere", "nowhere"),
        ("in b --inputs-from list", "takes one PATH"),
        ("in/0.rigy.yaml --inputs-from list", "is no directory"),
        ("in --inputs-from list -o -", "`-o -`"),
        ("in --inputs-from empty", "names no inputs"),
        ("in -0", "--inputs-from"),
    ] {
        dir.run(args).exits_saying(2, said);
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
