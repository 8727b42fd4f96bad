//! Printed text: JSON lines and the report, help and manual pages, and a standard output that takes no more.

use std::process::{Command, Stdio};

use rigy_batch::Isa;

use super::BAD;
use crate::support::skinned::skinned;
use crate::support::{Arguments, Dir, Ran, assert_contains, document, own_manifest, program};

#[test]
fn json_fields_come_in_the_published_order() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let ran = dir.run("a.rigy.yaml --format json");
    let out = ran.stdout();
    let mut at = 0;
    for key in [
        "input", "pose", "output", "status", "sha256", "bytes", "warnings", "errors",
    ] {
        let found = out.find(&format!("\"{key}\":")).unwrap();
        assert!(found >= at, "{key}");
        at = found;
    }
    assert!(out.ends_with(
        "{\"summary\":{\"inputs\":1,\"written\":2,\"unchanged\":0,\"failed\":0,\"warnings\":0},\"version\":1}\n"
    ));
    let sha = ran.json()[0]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(sha.len(), 64);
}

#[test]
fn the_report_holds_every_line_and_the_summary() {
    let dir = Dir::with("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", BAD);
    let ran = dir.run("d --format json --report r.json");
    let report = dir.json("r.json");
    let lines = ran.json();
    assert_eq!(report["outputs"].as_array().unwrap()[..], lines[..3]);
    assert_eq!(report["summary"], lines[3]["summary"]);
}

#[test]
fn help_and_version_and_completions_are_there() {
    let dir = Dir::new();
    let help = dir.run("--help").stdout();
    for word in [
        "--output",
        "--poses",
        "--jobs",
        "--format",
        "--report",
        "--isa",
        "verify",
        "Exit status",
    ] {
        assert!(help.contains(word), "{word}");
    }
    let release = concat!("rigy-batch ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(dir.run("-V").stdout(), release);
    let version = dir.run("--version").stdout();
    let rest = version.strip_prefix(release).expect("the release is first");
    let used = format!("{} is used", Isa::best().name());
    assert!(rest.starts_with("commit: "), "{rest}");
    assert_contains(rest, &["instruction sets: scalar, baseline"]);
    assert!(rest.trim_end().ends_with(&used), "{rest}");
    assert!(
        dir.run("--completions bash")
            .stdout()
            .contains("rigy-batch")
    );
    for (page, words) in [
        ("--man", [".TH rigy-batch 1", "\\-\\-shard", "EXIT STATUS"]),
        ("--man=bake", [".TH", "\\-\\-frames", "EXIT STATUS"]),
        ("--man bake", [".TH", "\\-\\-frames", "EXIT STATUS"]),
    ] {
        let ran = dir.run(page).good();
        for word in words {
            ran.prints(word);
        }
    }
    for page in ["--man=nothing", "--man nothing", "--man bake x"] {
        let ran = dir.run(page);
        assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""), "{page:?}");
    }
}

#[test]
fn the_help_of_a_command_explains_it() {
    let dir = Dir::new();
    for (command, words) in [
        ("bake", "For each input `stem.glb`"),
        ("verify", "Documents are compiled, and what comes out"),
        ("diff", "A has what is expected, B what was found"),
        ("palette", "one moment, as rigy-batch itself uses them"),
        ("bench", "There are three workloads"),
        ("preview", "Every machine draws the same pixels"),
        ("view", "The page needs no server and no network"),
    ] {
        let text = dir.run(&format!("{command} --help")).stdout();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{command}: {text}");
        assert!(
            !dir.run(&format!("{command} -h")).stdout().contains(words),
            "{command}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_does_not_stop_the_run() {
    let dir = Dir::with("a.rigy.yaml", BAD);
    dir.write("b.rigy.yaml", document("p"));
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let mut command = Command::new(program());
    command
        .current_dir(dir.path())
        .args([".", "--format", "json"]);
    let status = command.stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(75));
    assert!(dir.files().contains(&"b.p.glb".to_owned()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_failure_to_print_fails_the_run_unless_the_reader_has_gone() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run(". --report r.json");
    let own = own_manifest();
    let own = own.to_str().unwrap();
    let bench = "bench --vertices 1 --seconds 1 -j1 --isa scalar";
    let (fox, doc) = ("m.glb", "a.rigy.yaml");
    dir.write(fox, skinned(3, 0.0).glb());
    for args in [
        ".",
        ". --format json",
        ". --format junit",
        ". --check",
        &format!("bake {fox} -n"),
        &format!("verify {own} --only A01_single_bone_bind"),
        bench,
        "merge-reports r.json",
        "inspect a.rigy.yaml --format json",
        &format!("inspect {fox}"),
        &format!("palette {doc}"),
        &format!("palette {fox}"),
        &format!("diff {fox} {fox}"),
        &format!("diff {fox} {fox} --format sarif"),
        "schema",
        "explain",
        "explain V11 --format json",
        "init new",
        "--man",
        "--completions bash",
        "--help",
        "bake -h",
        "--version",
    ] {
        let ran = |out: Stdio| {
            let mut command = Command::new(program());
            let command = command
                .current_dir(dir.path())
                .args(args.words())
                .stdout(out);
            Ran::of(command)
        };
        let full = std::fs::File::options().write(true).open("/dev/full");
        let full = ran(full.unwrap().into());
        assert_eq!(full.status(), 75, "{args:?}: {}", full.stderr());
        let said = full.stderr();
        assert!(
            said.starts_with("rigy-batch: standard output: No space left"),
            "{args:?}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
        if args == "init new" {
            continue; // its files are there now
        }
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let closed = ran(closed.into());
        assert_eq!(
            (closed.status(), closed.stderr().as_str()),
            (0, ""),
            "{args:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn results_in_the_place_of_files_that_find_no_space_may_pass() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("m.glb", skinned(3, 0.0).glb());
    for args in [
        "a.rigy.yaml -o -",
        "bake m.glb -o -",
        "a.rigy.yaml -n --report -",
        "a.rigy.yaml -n --emit-expanded -",
        "preview m.glb -o -",
        "preview m.glb",
        "view m.glb --no-open -o pages",
        "merge-reports r.json -o -",
    ] {
        dir.run("a.rigy.yaml -n -q --report r.json").good();
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = Command::new(program());
        command.current_dir(dir.path()).args(args.words());
        Ran::of(command.stdout(full.unwrap())).exits_saying(75, "standard output: No space left");
    }
}
