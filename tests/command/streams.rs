//! Standard input in the place of an input file, and standard output in that of an output.

use rigy_batch::base::paths::Slashed;
use std::process::Command;

use crate::support::skinned::skinned;
use crate::support::{Dir, PART, Ran, USER, assert_contains, document, program};

#[test]
#[cfg(unix)]
fn a_closed_standard_output_in_the_place_of_a_file_is_a_failure() {
    let dir = compiled();
    assert_eq!(dir.run("a.rigy.yaml --report r.json").status(), 0);
    let by_shell = |args: &str, to: &str| {
        let script = format!("exec '{}' {args} {to}", program().slashed());
        let mut command = Command::new("sh");
        command.current_dir(dir.path()).args(["-c", &script]);
        Ran::of(&mut command)
    };
    for (args, status) in [
        ("a.rigy.yaml -o -", 1),
        ("a.rigy.yaml -o /dev/stdout", 1),
        ("a.rigy.yaml -n --report -", 1),
        ("merge-reports r.json", 2),
        ("merge-reports r.json -o -", 2),
    ] {
        let closed = by_shell(args, ">&-");
        let said = closed.stderr();
        assert_eq!(closed.status(), status, "{args}: {said}");
        assert!(said.contains("standard output is closed"), "{args}: {said}");
        for open in [">/dev/null", "| cat"] {
            assert_eq!(by_shell(args, open).status(), 0, "{args} {open}");
        }
    }
    // The program writes files nevertheless, and a summary that cannot be printed is no failure.
    assert_eq!(by_shell("a.rigy.yaml -o made", ">&-").status(), 0);
    assert_eq!(dir.read("made/a.glb"), dir.read("ref/a.glb"));
}

/// A directory with a document, and its outputs in `ref`.
fn compiled() -> Dir {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    assert_eq!(dir.run("a.rigy.yaml -o ref").status(), 0);
    dir
}

/// The entries of the directory itself.
fn entries(dir: &Dir) -> Vec<String> {
    let entries = std::fs::read_dir(dir.path()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_document_goes_from_standard_input_to_a_file() {
    let dir = compiled();
    let ran = dir.run_on(&dir.read("a.rigy.yaml"), "- -o b.glb").good();
    assert_eq!(ran.stdout(), "1 document: 1 written (2 outputs)\n");
    assert_eq!(dir.read("b.glb"), dir.read("ref/a.glb"));
    assert_eq!(dir.read("b.p.glb"), dir.read("ref/a.p.glb"));
    let names = ["a.rigy.yaml", "b.glb", "b.p.glb", "ref"];
    assert_eq!(entries(&dir), names, "no cache and no private directory");
    let again = dir.run_on(&dir.read("a.rigy.yaml"), "- -o b.glb");
    assert_eq!(again.stdout(), "1 document: 1 unchanged\n");
}

#[test]
fn one_output_goes_to_standard_output() {
    let dir = compiled();
    let text = dir.read("a.rigy.yaml");
    for (args, output) in [
        ("", "ref/a.glb"),
        ("--poses none", "ref/a.glb"),
        ("--poses p", "ref/a.p.glb"),
    ] {
        let of_file = dir.run(&format!("a.rigy.yaml -o - {args}"));
        let of_stream = dir.run_on(&text, &format!("- -o - {args}"));
        for ran in [of_file, of_stream] {
            assert_eq!(ran.status(), 0, "{args:?}: {}", ran.stderr());
            assert!(ran.output.stdout == dir.read(output), "{args:?}");
            assert_eq!(ran.stderr(), "1 document: 1 written\n", "{args:?}");
        }
    }
    assert_eq!(entries(&dir), ["a.rigy.yaml", "ref"], "nothing is left");
}

#[test]
#[cfg(unix)]
fn paths_of_standard_input_and_pipes_are_streams() {
    let dir = compiled();
    let text = dir.read("a.rigy.yaml");
    let ran = dir.run_on(&text, "/dev/stdin -o -");
    assert!(
        ran.output.stdout == dir.read("ref/a.glb"),
        "{}",
        ran.stderr()
    );
    let pipe = dir.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let writer = std::thread::spawn(move || std::fs::write(pipe, text).unwrap());
    let ran = dir.run("pipe -o -");
    writer.join().unwrap();
    assert!(
        ran.output.stdout == dir.read("ref/a.glb"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn a_bad_document_writes_nothing() {
    let dir = Dir::new();
    for args in [["-", "-o", "-"], ["-", "-o", "x.glb"]] {
        let ran = dir
            .run_on(super::BAD.as_bytes(), &args)
            .exits_saying(1, "--> standard input:5:9");
        assert!(!ran.output.stdout.starts_with(b"glTF"));
        assert!(entries(&dir).is_empty(), "{:?}", entries(&dir));
    }
    dir.run_on(&[b' '; 2000], "- -o - --limit bytes=1000")
        .exits_saying(1, "the limit is 1000");
    let ran = dir.run_on(document("p").as_bytes(), "- -o - --poses q");
    assert_eq!((ran.status(), ran.output.stdout.len()), (1, 0));
    ran.says("no document has a pose `q`");
}

#[test]
fn references_of_standard_input_stay_below_the_root() {
    let dir = Dir::with("in/p.part.yaml", PART);
    dir.write("in/user.rigy.yaml", USER);
    let expected = dir.run("in/user.rigy.yaml -o -").output.stdout;
    assert!(expected.starts_with(b"glTF"));
    let below = dir.run_on(USER.as_bytes(), "- -o - --root in");
    assert!(below.output.stdout == expected, "{}", below.stderr());
    let here = dir.run_on(USER.as_bytes(), "- -o -");
    assert_eq!(
        here.status(),
        1,
        "there is no such file in the current directory"
    );
    let out = USER.replace("p.part.yaml", "../p.part.yaml");
    assert_ne!(out, USER);
    let out = dir.run_on(out.as_bytes(), "- -o - --root in");
    assert_eq!(out.status(), 1);
    assert!(out.output.stdout.is_empty());
}

#[test]
fn a_gltf_file_is_baked_from_stream_to_stream() {
    let dir = Dir::with("a.glb", skinned(100, 1.0).glb());
    assert_eq!(dir.run("bake a.glb -o ref").status(), 0);
    let expected = dir.read("ref/a.glb");
    let glb = dir.read("a.glb");
    let ran = dir.run_on(&glb, "bake - -o -");
    assert!(ran.output.stdout == expected, "{}", ran.stderr());
    assert_eq!(ran.stderr(), "1 file: 1 written\n");
    assert!(dir.run("bake a.glb -o -").output.stdout == expected);
    assert_eq!(dir.run_on(&glb, "bake - -o b.glb").status(), 0);
    assert!(dir.read("b.glb") == expected);

    dir.write("data/a.bin", skinned(100, 1.0).bin);
    let text = skinned(100, 1.0).gltf("a.bin");
    let ran = dir
        .run_on(text.as_bytes(), "bake - -o - --root data")
        .good();
    assert!(ran.output.stdout.starts_with(b"glTF"));
    let ran = dir.run_on(text.as_bytes(), "bake - -o -").exits(1);
    assert!(ran.output.stdout.is_empty());
}

#[test]
fn an_output_that_is_large_goes_to_standard_output_whole() {
    let dir = Dir::with("a.glb", skinned(720_000, 1.0).glb());
    assert_eq!(dir.run("bake a.glb -o b.glb").status(), 0);
    let expected = dir.read("b.glb");
    assert!(
        expected.len() > 8 << 20,
        "it is not made in memory otherwise"
    );
    let ran = dir.run("bake a.glb -o -");
    assert!(ran.output.stdout == expected, "{}", ran.stderr());
}

#[test]
fn several_outputs_are_refused() {
    let dir = Dir::with("a.glb", skinned(10, 1.0).glb());
    let ran = dir.run("bake a.glb -o - --textures beside");
    assert_eq!(ran.status(), 0, "it has no textures: {}", ran.stderr());
    let animated = skinned(10, 1.0).moving("A", 1.0).moving("B", 1.0);
    dir.write("b.glb", animated.glb());
    for args in ["--frames @2", "--animation all --as step"] {
        let ran = dir.run(&format!("bake b.glb -o - {args}"));
        assert_eq!((ran.status(), ran.output.stdout.len()), (1, 0), "{args:?}");
        let said = ran.stderr();
        assert_contains(&said, &["outputs, and standard output takes one"]);
        assert!(said.contains("`--animation` and `--time`"), "{said}");
    }
    dir.run("bake b.glb -o - --animation B --time 0.5").good();
    let step = dir.run("bake b.glb -o - --animation B --as step");
    assert!(step.output.stdout.starts_with(b"glTF"), "{}", step.stderr());
}

#[test]
fn options_that_do_not_go_with_streams_are_refused() {
    let dir = compiled();
    for (args, reason) in [
        ("-", "name the output with `-o FILE.glb`, or `-o -`"),
        ("bake -", "name the output with `-o FILE.glb`, or `-o -`"),
        ("- -o out", "`out` is taken for a directory"),
        ("- a.rigy.yaml -o out", "stands alone"),
        (". -o -", "name one file as PATH"),
        ("a.rigy.yaml ref -o -", "name one file as PATH"),
        ("- -o - --format json", "would both go to standard output"),
        ("- -o - --report -", "would both go to standard output"),
        (
            "- -o - --emit-expanded -",
            "would both go to standard output",
        ),
        ("- -o - --poses p,q", "name one pose"),
        ("- -o - --positions", "`--positions` does not go"),
        ("- -o - --check", "`--check` does not go"),
        ("- -o a.glb --watch", "`--watch` does not go"),
        ("- -o a.glb --prune", "`--prune` does not go"),
        ("inspect - a.rigy.yaml", "stands alone"),
    ] {
        let ran = dir
            .run_on(document("p").as_bytes(), args)
            .exits_saying(2, reason);
        assert!(ran.output.stdout.is_empty(), "{args:?}");
    }
    assert_eq!(entries(&dir), ["a.rigy.yaml", "ref"]);
}

#[test]
fn reports_and_expanded_documents_of_streams_are_as_those_of_files() {
    let dir = Dir::new();
    let args = "- -o - --report r.json";
    let ran = dir.run_on(document("p").as_bytes(), &args);
    let report = dir.json("r.json");
    let line = &report["outputs"][0];
    assert_eq!(
        (&line["input"], &line["output"]),
        (&"standard input".into(), &"-".into())
    );
    assert_eq!(line["bytes"], ran.output.stdout.len());
    assert_eq!(report["summary"]["written"], 1);

    let args = "- -o x.glb -q --emit-expanded -";
    let ran = dir.run_on(document("p").as_bytes(), &args);
    assert!(
        ran.stdout().starts_with("# Expanded by rigy-batch"),
        "{}",
        ran.stderr()
    );

    let ran = dir.run_on(document("p").as_bytes(), "- -n -o -");
    assert!(ran.output.stdout.is_empty() && ran.status() == 0);
    ran.says("1 document: 1 to write");
}

#[test]
fn standard_input_is_inspected() {
    let dir = compiled();
    let ran = dir.run_on(&dir.read("ref/a.glb"), "inspect -");
    assert!(
        ran.stdout().starts_with("standard input: glb"),
        "{}",
        ran.stderr()
    );
    let of_stream = dir.run_on(&dir.read("a.rigy.yaml"), "inspect - --format json");
    let of_file = dir.run("inspect a.rigy.yaml --format json");
    assert_eq!(of_stream.stdout(), of_file.stdout());
    let gltf = skinned(3, 0.0).gltf("data:,");
    let ran = dir.run_on(gltf.as_bytes(), "inspect -");
    assert!(!ran.stderr().contains("YAML"), "{}", ran.stderr());
}
