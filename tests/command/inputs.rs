//! Inputs as the user gives them: directories, files of any name, spellings of a path, and bad files among good ones.

use rigy_batch::base::paths::Slashed;
use serde_json::json;

use super::BAD;
use crate::support::{Dir, assert_contains, document};

#[test]
fn a_directory_becomes_exports_and_bakes_beside_the_inputs() {
    let dir = Dir::with("models/sub/a.rigy.yaml", document("bow"));
    dir.write("models/b.rigy.yml", document("é /"));
    dir.write("models/.hidden/c.rigy.yaml", document("x"));
    dir.write("models/notes.yaml", "not ours");
    let ran = dir.run("models");
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    assert_eq!(ran.stdout(), "2 documents: 2 written (4 outputs)\n");
    let expected = [
        "models/b.%C3%A9%20%2F.glb",
        "models/b.glb",
        "models/sub/a.bow.glb",
        "models/sub/a.glb",
    ];
    assert_eq!(dir.glbs(), expected);
    assert_eq!(dir.files().len(), 8, "nothing else is left behind");
    let ran = dir.run("models");
    assert_eq!(ran.stdout(), "2 documents: 2 unchanged\n");
}

#[test]
fn a_bad_file_spoils_only_itself() {
    let dir = Dir::with("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", BAD);
    dir.write("d/c.rigy.yaml", document("p"));
    let ran = dir.run("d --format json");
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    let statuses: Vec<&str> = lines[..5]
        .iter()
        .map(|l| l["status"].as_str().unwrap())
        .collect();
    assert_eq!(
        statuses,
        ["written", "written", "failed", "written", "written"]
    );
    let expected = json!({
        "input": "d/b.rigy.yaml", "pose": null, "output": null, "status": "failed", "sha256": null, "bytes": null,
        "warnings": [],
        "errors": [{
            "category": "ValidationError", "code": "V01", "message": "there is already a mesh `m`",
            "path": "meshes[1].id", "file": "d/b.rigy.yaml", "line": 5, "column": 9
        }]
    });
    assert_eq!(lines[2], expected);
    let summary = json!({"inputs": 3, "written": 4, "unchanged": 0, "failed": 1, "warnings": 0});
    assert_eq!(lines[5], json!({ "summary": summary, "version": 1 }));
    let stderr = ran.stderr();
    assert_contains(&stderr, &["d/b.rigy.yaml:5:9", "V01"]);
    assert!(!dir.files().contains(&"d/b.glb".to_owned()));
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_offset() {
    let dir = Dir::with("a.rigy.yaml", b"version: \"0.5\"\n# \xff\n");
    let ran = dir.run(". --format json");
    let error = &ran.json()[0]["errors"][0];
    assert_eq!(error["category"], "ParseError");
    assert!(
        error["message"].as_str().unwrap().contains("byte 17"),
        "{error}"
    );
}

#[test]
fn runs_that_cannot_start_exit_with_two_and_write_nothing() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    for args in [
        "",
        "nowhere",
        "a.rigy.yaml --isa mmx",
        "a.rigy.yaml -j 0",
        "a.rigy.yaml -j 1025",
        "a.rigy.yaml --no-such-option",
        "a.rigy.yaml -o a.rigy.yaml",
        "a.rigy.yaml --report no/such/directory/r.json",
        "verify",
        "verify nowhere.json",
        "verify a.rigy.yaml",
    ] {
        let ran = dir.run(args).exits(2);
        assert!(!ran.stderr().is_empty());
    }
    assert_eq!(dir.files(), ["a.rigy.yaml"]);
}

#[test]
fn spellings_of_one_path_are_one_path() {
    let dir = Dir::with("x/a.rigy.yaml", document("p"));
    let here = dir.path().join("x/a.rigy.yaml").slashed().to_string();
    let ran = dir.run(&format!("x/a.rigy.yaml x/../x/a.rigy.yaml {here}"));
    assert_eq!(ran.stdout(), "1 document: 1 written (2 outputs)\n");
    dir.write("x/a.rigy.yml", document("q"));
    dir.run("x/a.rigy.yaml ./x/a.rigy.yml").exits(2);
}

#[test]
fn fail_fast_starts_nothing_after_a_failure() {
    let dir = Dir::with("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", BAD);
    dir.write("d/c.rigy.yaml", document("p"));
    let ran = dir.run("d -j 1 --fail-fast");
    let said = "stopped after 2 of 3: 2 documents: 1 written (2 outputs), 1 failed\n";
    assert_eq!((ran.status(), ran.stdout().as_str()), (1, said));
    assert!(!dir.files().contains(&"d/c.glb".to_owned()));
}

#[test]
fn a_run_without_inputs_does_not_start_and_names_the_command_for_the_files_there() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.write("yaml/a.yaml", document("p"));
    dir.write("empty/readme", "");
    dir.run("in -o out --poses none");
    for name in ["x.baked.glb", "x.baked.0000.glb"] {
        dir.write(&format!("other/{name}"), dir.read("out/a.glb"));
    }
    let files = dir.tree();
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("bake in -q", "but one Rigy document; to compile it, run `rigy-batch in`"),
        ("out -q", "but one glTF file; to bake it, run `rigy-batch bake out`"),
        ("yaml", "but one other YAML file; to compile it, name it on the command line"),
        ("bake other", "but 2 files that are named like outputs (*.baked.*); to bake them, name them"),
        ("empty -o new", "name another directory"),
    ];
    for (args, said) in rows {
        let ran = dir.run(args);
        assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
        ran.says(said);
        ran.says("`--allow-empty`");
        dir.run(&format!("{args} --allow-empty")).good();
    }
    assert!(dir.tree() == files, "nothing is written");
    // As it says.
    let ran = dir.run("bake other/x.baked.glb -o plain");
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    assert!(dir.files().contains(&"plain/x.baked.glb".to_owned()));
}

#[test]
fn commands_without_outputs_do_not_start_without_inputs_either() {
    let dir = Dir::with("empty/notes.txt", "");
    for args in ["inspect empty", "fmt empty"] {
        let ran = dir
            .run(args)
            .exits_saying(2, "found; name another directory, or files");
        assert_eq!(ran.stdout(), "", "{args}");
    }
}

#[test]
fn a_file_that_the_other_command_is_for_says_so() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run("a.rigy.yaml");
    dir.write("a.gltf", r#"{"asset": {"version": "2.0"}}"#);
    for (args, advice) in [
        ("a.glb", "`rigy-batch bake`"),
        ("a.gltf", "`rigy-batch bake`"),
        ("bake a.rigy.yaml", "`rigy-batch PATH"),
    ] {
        let ran = dir.run(args).exits(1);
        let said = ran.stderr();
        assert_contains(&said, &["help: ", advice]);
    }
}

#[test]
#[cfg(unix)]
fn urls_of_files_are_paths() {
    let dir = Dir::with("my models/a.rigy.yaml", document("p"));
    let root = dir.path().slashed();
    let (input, output) = (
        format!("file://{root}/my%20models"),
        format!("file://{root}/out"),
    );
    let ran = dir.run(&format!("{input} -o {output}"));
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    assert_eq!(dir.glbs(), ["out/a.glb", "out/a.p.glb"]);
    dir.write(
        "rigy-batch.toml",
        format!("[documents]\noutput = \"file://{root}/again\"\n"),
    );
    let ran = dir.run("'my models'");
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    assert!(dir.glbs().contains(&"again/a.glb".to_owned()));
}

#[test]
fn urls_of_stores_are_refused_with_a_way() {
    let dir = Dir::new();
    for args in [
        "s3://bucket/in",
        "bake in -o gs://bucket/out",
        "inspect az://bucket/in",
    ] {
        dir.run(args).exits_saying(2, "copy the files here");
    }
}
