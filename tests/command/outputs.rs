//! Outputs: their names, the choice of those that are written, and faults that keep back all outputs of an input.

use serde_json::json;

use crate::support::{Dir, document};

#[test]
fn output_mirrors_the_tree_and_a_file_is_taken_whatever_its_name() {
    let dir = Dir::with("in/x/a.rigy.yaml", document("p"));
    dir.write("odd.txt", document("p"));
    let ran = dir.run("in odd.txt -o out --quiet");
    assert_eq!((ran.status(), ran.stdout().as_str()), (0, ""));
    let files = dir.files();
    let out: Vec<&String> = files.iter().filter(|f| f.starts_with("out")).collect();
    assert_eq!(
        out,
        [
            "out/odd.txt.glb",
            "out/odd.txt.p.glb",
            "out/x/a.glb",
            "out/x/a.p.glb"
        ]
    );
}

#[test]
fn poses_can_be_chosen() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("b.rigy.yaml", document("q"));
    assert_eq!(dir.run(". --poses none").status(), 0);
    assert_eq!(dir.glbs(), ["a.glb", "b.glb"]);
    assert_eq!(dir.run(". --poses p").status(), 0);
    assert_eq!(dir.glbs(), ["a.glb", "a.p.glb", "b.glb"]);
    dir.run(". --poses q,absent")
        .exits_saying(1, "no document has a pose `absent`");
    assert_eq!(dir.glbs(), ["a.glb", "a.p.glb", "b.glb", "b.q.glb"]);
}

#[test]
fn one_error_in_a_pose_keeps_every_output_back() {
    let dir = Dir::new();
    let text = document("p").replace("rotation: [0.6, 0.8, 0, 0]", "translation: [1.0e+39, 0, 0]");
    dir.write("a.rigy.yaml", text);
    let ran = dir.run("a.rigy.yaml --format json");
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    assert_eq!(lines[0]["status"], "failed");
    assert_eq!(lines[1]["errors"][0]["code"], "U15");
    assert_eq!(dir.files(), ["a.rigy.yaml"]);
}

#[test]
fn outputs_that_would_be_one_file_are_refused_before_anything_is_written() {
    for (first, second, pose) in [
        ("a.rigy.yaml", "a.rigy.yml", "p"),
        ("a.rigy.yaml", "A.rigy.yaml", "p"),
        ("a.rigy.yaml", "a.p.rigy.yaml", "p"),
        ("a.rigy.yaml", "a.P.rigy.yaml", "p"),
        ("\u{e9}.rigy.yaml", "e\u{301}.rigy.yaml", "p"),
    ] {
        let dir = Dir::with(first, document(pose));
        dir.write(second, document("other"));
        dir.run(".").exits_saying(2, "both write");
        assert_eq!(dir.files().len(), 2);
    }
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("a.b.rigy.yaml", document("q"));
    assert_eq!(
        dir.run(".").status(),
        0,
        "names that only look alike are fine"
    );
}

#[test]
fn two_paths_with_one_output_are_told_what_to_type() {
    let dir = Dir::with("in/a/sub/x.rigy.yaml", document("p"));
    dir.write("in/b/sub/x.rigy.yaml", document("p"));
    let ran = dir.run("in/a in/b -o out").exits(2);
    let said = ran.stderr();
    let advice = "rigy-batch: run each PATH by itself, with a directory of its own after `-o`; or give `in`, which holds both, as the only PATH: its tree is mirrored below `-o`\n";
    assert!(said.ends_with(advice), "{said}");
    assert_eq!(dir.run("in -o out").status(), 0);
    // Beside each other, only names help.
    dir.write("c/x.rigy.yaml", document("p"));
    dir.write("c/x.rigy.yml", document("p"));
    let ran = dir.run("c");
    let said = ran.stderr();
    assert!(
        said.contains("rename one of them") && !said.contains("PATH"),
        "{said}"
    );
}

#[test]
fn two_poses_of_one_file_name_fail_that_document() {
    let dir = Dir::new();
    dir.write(
        "a.rigy.yaml",
        document("p").replace("poses: [", "poses: [{id: \"P\", bones: {}}, "),
    );
    dir.write("b.rigy.yaml", document("p"));
    dir.run(".")
        .exits_saying(1, "pose `P` and pose `p` would both write");
    assert_eq!(dir.glbs(), ["b.glb", "b.p.glb"]);
}

#[test]
fn a_dry_run_names_every_file_and_what_would_become_of_it() {
    let dir = Dir::with("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", document("p"));
    dir.run("d -o out");
    dir.write("d/a.rigy.yaml", document("q"));
    dir.write("d/c.rigy.yaml", super::BAD);
    dir.write("out/b.glb", "tampered with");
    let files = dir.tree();
    let ran = dir.run("d -o out --check --prune");
    let expected = "\
unchanged  out/a.glb
new        out/a.q.glb
replaced   out/b.glb
unchanged  out/b.p.glb
failed     d/c.rigy.yaml
removed    out/a.p.glb
3 documents: 2 to write, 1 failed; 1 output to remove
";
    assert_eq!((ran.status(), ran.stdout().as_str()), (1, expected));
    assert!(dir.tree() == files, "nothing is written");
    let quiet = dir.run("d -o out --check -q");
    assert_eq!((quiet.status(), quiet.stdout().as_str()), (1, ""));
}

#[test]
fn a_tampered_output_is_noticed_and_force_rewrites_all() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run(".");
    let mut bytes = dir.read("a.glb");
    let good = bytes.clone();
    *bytes.last_mut().unwrap() ^= 1;
    dir.write("a.glb", &bytes);
    assert_eq!(dir.run(".").stdout(), "1 document: 1 written\n");
    assert_eq!(dir.read("a.glb"), good);
    assert_eq!(
        dir.run(". --force").stdout(),
        "1 document: 1 written (2 outputs)\n"
    );
}

#[test]
fn a_directory_in_the_way_of_one_output_keeps_all_back() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("a.p.glb/x", "");
    let ran = dir.run(". --format json");
    assert_eq!(ran.status(), 1);
    for line in &ran.json()[..2] {
        assert_eq!(
            json!([line["status"], line["sha256"]]),
            json!(["failed", null])
        );
        assert!(
            line["errors"][0]["message"]
                .as_str()
                .unwrap()
                .contains("a.p.glb")
        );
    }
    assert_eq!(dir.files(), ["a.p.glb/x", "a.rigy.yaml"]);
}

#[test]
fn a_name_with_an_ending_that_no_output_has_is_refused_by_every_command() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("m.glb", crate::support::skinned::skinned(3, 0.0).glb());
    dir.run("a.rigy.yaml -n --report r.json").good();
    let before = dir.tree();
    let (glb, all) = (
        "a name that ends in `.glb`;",
        "`.glb`, `.obj`, `.stl`, `.ply` or `.usda`",
    );
    for (args, takes) in [
        ("a.rigy.yaml -o x.fbx", glb),
        (
            "a.rigy.yaml -o lamp.obj",
            "of which `rigy-batch bake FILE.glb -o FILE.obj` makes one",
        ),
        ("a.rigy.yaml -o lamp.GLB", glb),
        ("a.rigy.yaml -o lamp.json -n", glb),
        (". -o x.gltf", "`-o` takes a directory;"),
        (
            ". -o x.tar",
            "`tar --sort=name --exclude=.rigy-batch -cf x.tar DIR` packs a directory",
        ),
        (
            "bake m.glb -o x.tar",
            "`tar --sort=name --exclude=.rigy-batch -cf x.tar DIR` packs a directory",
        ),
        (
            ". -o lamp.glb",
            "with one input file there is `-o FILE.glb`, too",
        ),
        (
            "a.rigy.yaml -o out.v2",
            "a directory of this name is `out.v2/`",
        ),
        (
            "a.rigy.yaml -o out/1.0",
            "a directory of this name is `out/1.0/`",
        ),
        (
            "a.rigy.yaml --emit-expanded e.yaml",
            "`--emit-expanded` takes a directory;",
        ),
        ("bake m.glb -o x.abc", all),
        ("bake m.glb -o x.png", all),
        ("bake m.glb -o x.obj --to stl", "ends in `.stl`;"),
        ("bake m.glb -o x.stl --as morph", glb),
        (
            "bake . -o x.stl",
            "with one input file there is `-o FILE.glb`, too",
        ),
        ("palette m.glb -o x.fbx", "ends in `.json`"),
        ("merge-reports r.json -o x.fbx", "ends in `.json`"),
        ("bake m.glb -o x.exr --as vat", "`-o` takes a directory;"),
        ("preview m.glb -o x.fbx", "`.png`"),
        ("view m.glb --no-open -o x.fbx", "`-o` takes a directory;"),
        ("diff m.glb m.glb --html x.fbx", "`.html` or `.htm`"),
    ] {
        dir.run(args).exits_saying(2, takes);
    }
    assert_eq!(dir.tree(), before);
    // A directory is named with a slash, or is there.
    dir.run("a.rigy.yaml -o out.v2/ --poses none").good();
    dir.run("bake m.glb -o out.v2").good();
    assert_eq!(dir.glbs(), ["m.glb", "out.v2/a.glb", "out.v2/m.glb"]);
}
