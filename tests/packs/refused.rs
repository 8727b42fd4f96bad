//! Options that do not go with packs, and files that packs do not replace.

use super::one;

#[test]
fn options_that_make_no_sense_with_packs_are_named() {
    let dir = one();
    for (args, word) in [
        (&["in", "--pack", "tar"][..], "--output"),
        (&["in", "-o", "out", "--pack", "rar"], "rar"),
        (&["in", "-o", "out", "--pack", "tar", "--check"], "--check"),
        (&["in", "-o", "out", "--pack", "tar", "--prune"], "--prune"),
        (&["in", "-o", "out", "--pack", "tar", "--watch"], "--watch"),
        (&["in/a.rigy.yaml", "-o", "-", "--pack", "tar"], "--pack"),
        (
            &["in/a.rigy.yaml", "-o", "b.glb", "--pack", "tar"],
            "--pack",
        ),
        (
            &["in", "-o", "out", "--pack", "tar", "--pack-name", "a/b"],
            "a/b",
        ),
        (
            &["in", "-o", "out", "--pack", "tar", "--pack-size", "0"],
            "--pack-size",
        ),
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status(), 2, "{args:?}");
        assert!(ran.stderr().contains(word), "{args:?}: {}", ran.stderr());
    }
    let ran = dir.run(&[
        "bake", "a.glb", "--to", "obj", "-o", "x.obj", "--pack", "tar",
    ]);
    assert_eq!(ran.status(), 2);
    assert!(
        ran.stderr().contains("name one after `-o`"),
        "{}",
        ran.stderr()
    );
    assert_eq!(dir.files(), ["in/a.rigy.yaml"]);
    let ran = dir.run(&["in", "-o", "out", "--pack", "tar", "-n"]);
    assert_eq!(
        (ran.status(), dir.files()),
        (0, vec!["in/a.rigy.yaml".to_owned()])
    );
}

#[test]
fn a_file_that_is_no_pack_is_not_replaced() {
    for name in [
        "documents-00000.tar",
        "documents-00003.zip",
        "documents.packs.json",
        "documents-00000.index.jsonl",
    ] {
        let dir = one();
        dir.write(&format!("out/{name}"), "mine");
        let ran = dir.run(&["in", "-o", "out", "--pack", "tar"]);
        assert_eq!(ran.status(), 2, "{name}: {}", ran.stderr());
        assert!(ran.stderr().contains(name), "{}", ran.stderr());
        assert_eq!(dir.files(), ["in/a.rigy.yaml", &format!("out/{name}")]);
    }
    // Other names are none of its business.
    let dir = one();
    dir.write("out/other-00000.tar", "mine");
    assert_eq!(dir.run(&["in", "-o", "out", "--pack", "tar"]).status(), 0);
    assert_eq!(dir.read("out/other-00000.tar"), b"mine");
    assert_eq!(dir.run(&["unpack", "out", "-o", "files"]).status(), 0);
}

#[test]
fn a_file_that_an_input_refers_to_is_not_replaced_by_a_pack() {
    let dir = one();
    let user = include_str!("../../conformance/inputs/H01_rigid.rigy.yaml");
    let part = include_str!("../../conformance/inputs/parts/wheel.part.yaml");
    dir.write("in/part-00000.tar", part);
    // Beside an index, the part counts as a pack of an earlier run.
    assert_eq!(
        dir.run(&["in", "-o", "packs", "--pack", "tar", "--pack-name", "part"])
            .status(),
        0
    );
    dir.write(
        "in/part-00000.index.jsonl",
        dir.read("packs/part-00000.index.jsonl"),
    );
    dir.write(
        "in/user.rigy.yaml",
        user.replace("parts/wheel.part.yaml", "part-00000.tar"),
    );
    let packs = |output: &str| {
        let args = ["in", "-o", output, "--pack", "tar", "--pack-name", "part"];
        dir.run(&[&args[..], &["--allow-warnings", "all"]].concat())
    };
    let ran = packs("packs");
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let ran = packs("in");
    assert_eq!(ran.status(), 2, "{}", ran.stdout());
    assert!(
        ran.stderr().contains("an input refers to it"),
        "{}",
        ran.stderr()
    );
    assert_eq!(dir.read("in/part-00000.tar"), part.as_bytes());
}
