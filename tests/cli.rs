//! The program in a temporary directory: arguments, exit statuses, names, JSON, and bad files among good ones.

mod support;

use rigy_batch::kernel::simd::Isa;
use serde_json::{Value, json};
use support::{Dir, document, own_manifest};

const BAD: &str =
    "version: \"0.5\"\nmeshes:\n  - id: m\n    primitives: []\n  - id: m\n    primitives: []\n";

#[test]
fn a_directory_becomes_exports_and_bakes_beside_the_inputs() {
    let dir = Dir::new();
    dir.write("models/sub/a.rigy.yaml", document("bow"));
    dir.write("models/b.rigy.yml", document("é /"));
    dir.write("models/.hidden/c.rigy.yaml", document("x"));
    dir.write("models/notes.yaml", "not ours");
    let ran = dir.run(&["models"]);
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    assert_eq!(ran.stdout(), "2 documents: 4 written\n");
    let glbs: Vec<String> = dir
        .files()
        .into_iter()
        .filter(|f| f.ends_with(".glb"))
        .collect();
    let expected = [
        "models/b.%C3%A9%20%2F.glb",
        "models/b.glb",
        "models/sub/a.bow.glb",
        "models/sub/a.glb",
    ];
    assert_eq!(glbs, expected);
    assert_eq!(dir.files().len(), 8, "nothing else is left behind");
    let ran = dir.run(&["models"]);
    assert_eq!(ran.stdout(), "2 documents: 0 written, 4 unchanged\n");
}

#[test]
fn output_mirrors_the_tree_and_a_file_is_taken_whatever_its_name() {
    let dir = Dir::new();
    dir.write("in/x/a.rigy.yaml", document("p"));
    dir.write("odd.txt", document("p"));
    let ran = dir.run(&["in", "odd.txt", "-o", "out", "--quiet"]);
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
fn a_bad_file_spoils_only_itself() {
    let dir = Dir::new();
    dir.write("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", BAD);
    dir.write("d/c.rigy.yaml", document("p"));
    let ran = dir.run(&["d", "--format", "json"]);
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
    assert_eq!(lines[5], json!({ "summary": summary }));
    let stderr = ran.stderr();
    assert!(
        stderr.contains("d/b.rigy.yaml:5:9") && stderr.contains("V01"),
        "{stderr}"
    );
    assert!(!dir.files().contains(&"d/b.glb".to_owned()));
}

#[test]
fn json_fields_come_in_the_published_order() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    let ran = dir.run(&["a.rigy.yaml", "--format", "json"]);
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
        "{\"summary\":{\"inputs\":1,\"written\":2,\"unchanged\":0,\"failed\":0,\"warnings\":0}}\n"
    ));
    let sha = ran.json()[0]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(sha.len(), 64);
}

#[test]
fn one_error_in_a_pose_keeps_every_output_back() {
    let dir = Dir::new();
    let text = document("p").replace("rotation: [0.6, 0.8, 0, 0]", "translation: [1.0e+39, 0, 0]");
    dir.write("a.rigy.yaml", text);
    let ran = dir.run(&["a.rigy.yaml", "--format", "json"]);
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    assert_eq!(lines[0]["status"], "failed");
    assert_eq!(lines[1]["errors"][0]["code"], "U15");
    assert_eq!(dir.files(), ["a.rigy.yaml"]);
}

#[test]
fn poses_can_be_chosen() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    dir.write("b.rigy.yaml", document("q"));
    let glbs = |dir: &Dir| {
        dir.files()
            .into_iter()
            .filter(|f| f.ends_with(".glb"))
            .collect::<Vec<_>>()
    };
    assert_eq!(dir.run(&[".", "--poses", "none"]).status(), 0);
    assert_eq!(glbs(&dir), ["a.glb", "b.glb"]);
    assert_eq!(dir.run(&[".", "--poses", "p"]).status(), 0);
    assert_eq!(glbs(&dir), ["a.glb", "a.p.glb", "b.glb"]);
    let ran = dir.run(&[".", "--poses", "q,absent"]);
    assert_eq!(ran.status(), 1);
    assert!(
        ran.stderr().contains("no document has a pose `absent`"),
        "{}",
        ran.stderr()
    );
    assert_eq!(glbs(&dir), ["a.glb", "a.p.glb", "b.glb", "b.q.glb"]);
}

#[test]
fn what_cannot_start_exits_with_two_and_writes_nothing() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    for args in [
        &[][..],
        &["nowhere"],
        &["a.rigy.yaml", "--isa", "mmx"],
        &["a.rigy.yaml", "-j", "0"],
        &["a.rigy.yaml", "-j", "1025"],
        &["a.rigy.yaml", "--no-such-option"],
        &["a.rigy.yaml", "-o", "a.rigy.yaml"],
        &["a.rigy.yaml", "--report", "no/such/directory/r.json"],
        &["verify"],
        &["verify", "nowhere.json"],
        &["verify", "a.rigy.yaml"],
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status(), 2, "{args:?}: {}", ran.stderr());
        assert!(!ran.stderr().is_empty());
    }
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
        let dir = Dir::new();
        dir.write(first, document(pose));
        dir.write(second, document("other"));
        let ran = dir.run(&["."]);
        assert_eq!(ran.status(), 2, "{first} {second}: {}", ran.stdout());
        assert!(ran.stderr().contains("both write"), "{}", ran.stderr());
        assert_eq!(dir.files().len(), 2);
    }
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    dir.write("a.b.rigy.yaml", document("q"));
    assert_eq!(
        dir.run(&["."]).status(),
        0,
        "names that only look alike are fine"
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
    let ran = dir.run(&["."]);
    assert_eq!(ran.status(), 1);
    assert!(
        ran.stderr()
            .contains("pose `P` and pose `p` would both write"),
        "{}",
        ran.stderr()
    );
    let glbs: Vec<String> = dir
        .files()
        .into_iter()
        .filter(|f| f.ends_with(".glb"))
        .collect();
    assert_eq!(glbs, ["b.glb", "b.p.glb"]);
}

#[test]
fn a_dry_run_says_what_it_would_do_and_writes_nothing() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    let ran = dir.run(&[".", "--dry-run"]);
    assert_eq!(
        (ran.status(), ran.stdout().as_str()),
        (0, "1 document: 2 to write\n")
    );
    assert_eq!(dir.files(), ["a.rigy.yaml"]);
}

#[test]
fn a_tampered_output_is_noticed_and_force_rewrites_all() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    dir.run(&["."]);
    let mut bytes = dir.read("a.glb");
    let good = bytes.clone();
    *bytes.last_mut().unwrap() ^= 1;
    dir.write("a.glb", &bytes);
    assert_eq!(
        dir.run(&["."]).stdout(),
        "1 document: 1 written, 1 unchanged\n"
    );
    assert_eq!(dir.read("a.glb"), good);
    assert_eq!(
        dir.run(&[".", "--force"]).stdout(),
        "1 document: 2 written\n"
    );
}

#[test]
fn the_report_holds_every_line_and_the_summary() {
    let dir = Dir::new();
    dir.write("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", BAD);
    let ran = dir.run(&["d", "--format", "json", "--report", "r.json"]);
    let report: serde_json::Value = serde_json::from_slice(&dir.read("r.json")).unwrap();
    let lines = ran.json();
    assert_eq!(report["outputs"].as_array().unwrap()[..], lines[..3]);
    assert_eq!(report["summary"], lines[3]["summary"]);
}

#[test]
fn weight_files_stay_inside_the_root() {
    let dir = Dir::new();
    let weights = "{\"primitive_id\": \"b\", \"vertex_count\": 24}";
    let map = "weights: [], weight_maps: [{primitive_id: b, source: ../w.json}]";
    dir.write("d/a.rigy.yaml", document("p").replace("weights: []", map));
    dir.write("w.json", weights);
    let ran = dir.run(&["d", "--format", "json"]);
    assert_eq!(ran.status(), 1);
    let error = &ran.json()[0]["errors"][0];
    assert_eq!(
        (&error["code"], &error["category"]),
        (&json!("U14"), &json!("ParseError"))
    );
    assert_eq!(dir.run(&["d", "--root", "."]).status(), 0);
}

#[test]
fn a_large_weight_file_is_mapped_or_read_with_the_same_bytes() {
    let dir = Dir::new();
    let entry = |v: usize| {
        format!("{{\"vertex\": {v}, \"bones\": [{{\"bone_id\": \"r\", \"weight\": 0.5}}]}}")
    };
    let entries: Vec<String> = (0..30_000).map(|i| entry(i % 24)).collect();
    let weights = format!(
        "{{\"primitive_id\": \"b\", \"vertex_count\": 24.0, \"influences\": [{}]}}",
        entries.join(",")
    );
    assert!(weights.len() as u64 > rigy_batch::io::MAP_THRESHOLD);
    let map = "weights: [], weight_maps: [{primitive_id: b, source: w.json}]";
    dir.write("a.rigy.yaml", document("p").replace("weights: []", map));
    dir.write("w.json", weights);
    assert_eq!(dir.run(&["."]).status(), 0);
    assert_eq!(
        dir.run(&[".", "--no-mmap"]).stdout(),
        "1 document: 0 written, 2 unchanged\n"
    );
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_offset() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", b"version: \"0.5\"\n# \xff\n");
    let ran = dir.run(&[".", "--format", "json"]);
    let error = &ran.json()[0]["errors"][0];
    assert_eq!(error["category"], "ParseError");
    assert!(
        error["message"].as_str().unwrap().contains("byte 17"),
        "{error}"
    );
}

#[test]
fn help_and_version_and_completions_are_there() {
    let dir = Dir::new();
    let help = dir.run(&["--help"]).stdout();
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
    assert!(
        dir.run(&["--version"])
            .stdout()
            .contains(env!("CARGO_PKG_VERSION"))
    );
    assert!(
        dir.run(&["--completions", "bash"])
            .stdout()
            .contains("rigy-batch")
    );
    for (page, words) in [
        (
            &["--man"][..],
            [".TH rigy-batch 1", "\\-\\-shard", "EXIT STATUS"],
        ),
        (&["--man=bake"], [".TH", "\\-\\-frames", "EXIT STATUS"]),
        (&["--man", "bake"], [".TH", "\\-\\-frames", "EXIT STATUS"]),
    ] {
        let ran = dir.run(page);
        assert_eq!(ran.status(), 0);
        for word in words {
            assert!(ran.stdout().contains(word), "{page:?}: {word}");
        }
    }
    for page in [
        &["--man=nothing"][..],
        &["--man", "nothing"],
        &["--man", "bake", "x"],
    ] {
        let ran = dir.run(page);
        assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""), "{page:?}");
    }
}

#[test]
fn spellings_of_one_path_are_one_path() {
    let dir = Dir::new();
    dir.write("x/a.rigy.yaml", document("p"));
    let here = dir.path().join("x/a.rigy.yaml").display().to_string();
    let ran = dir.run(&["x/a.rigy.yaml", "x/../x/a.rigy.yaml", &here]);
    assert_eq!(ran.stdout(), "1 document: 2 written\n");
    dir.write("x/a.rigy.yml", document("q"));
    let ran = dir.run(&["x/a.rigy.yaml", "./x/a.rigy.yml"]);
    assert_eq!(ran.status(), 2, "{}", ran.stdout());
}

#[test]
fn a_directory_in_the_way_of_one_output_keeps_all_back() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    dir.write("a.p.glb/x", "");
    let ran = dir.run(&[".", "--format", "json"]);
    assert_eq!(ran.status(), 1);
    for line in &ran.json()[..2] {
        assert_eq!(
            (&line["status"], &line["sha256"]),
            (&json!("failed"), &json!(null))
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
fn weight_files_are_judged_field_by_field() {
    let head = "\"primitive_id\": \"b\", \"vertex_count\": 24";
    let entry = |vertex: &str, bone: &str, weight: &str| {
        format!(
            "{{{head}, \"influences\": [{{\"vertex\": {vertex}, \"bones\": [{{\"bone_id\": {bone}, \"weight\": {weight}}}]}}]}}"
        )
    };
    for (weights, code) in [
        (format!("{{{head}}}"), None),
        (
            "{\"primitive_id\": \"b\", \"extra\": 1e999, \"vertex_count\": 24.0}".into(),
            None,
        ),
        (format!("{{{head}, \"vertex_count\": 24}}"), Some("V20")),
        (entry("23", "\"r\"", "1"), None),
        (entry("0", "\"r\"", "-0.0"), None),
        (format!("{{{head}, \"weights\": []}}"), Some("V20")),
        (format!("{{{head}, \"influences\": null}}"), Some("V20")),
        (format!("{{{head}, \"influences\": [{{}}]}}"), Some("V20")),
        ("[]".into(), Some("V20")),
        ("{".into(), Some("V20")),
        ("\u{feff}{}".into(), Some("V20")),
        ("{}".into(), Some("V22")),
        (
            "{\"primitive_id\": \"c\", \"vertex_count\": 8}".into(),
            Some("V22"),
        ),
        (
            "{\"primitive_id\": \"b\", \"vertex_count\": \"24\"}".into(),
            Some("V21"),
        ),
        (entry("24", "\"r\"", "1"), Some("V19")),
        (entry("-1", "\"r\"", "1"), Some("V19")),
        (entry("1e400", "\"r\"", "1"), Some("V19")),
        (entry("true", "\"r\"", "1"), Some("V19")),
        (entry("0", "\"nobody\"", "1"), Some("V16")),
        (entry("0", "7", "1"), Some("V20")),
        (entry("0", "\"r\"", "1.5"), Some("V18")),
        (entry("0", "\"r\"", "1e400"), Some("V18")),
        (entry("0", "\"r\"", "true"), Some("V18")),
    ] {
        let dir = Dir::new();
        let map = "weights: [], weight_maps: [{primitive_id: b, source: w.json}]";
        dir.write("a.rigy.yaml", document("p").replace("weights: []", map));
        dir.write("w.json", &weights);
        let ran = dir.run(&[".", "--format", "json"]);
        let found = ran.json()[0]["errors"][0]["code"]
            .as_str()
            .map(str::to_owned);
        assert_eq!(found.as_deref(), code, "{weights}");
    }
}

#[test]
fn fail_fast_starts_nothing_after_a_failure() {
    let dir = Dir::new();
    dir.write("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", BAD);
    dir.write("d/c.rigy.yaml", document("p"));
    let ran = dir.run(&["d", "-j", "1", "--fail-fast"]);
    let said = "stopped after 2 of 3: 2 documents: 2 written, 1 failed\n";
    assert_eq!((ran.status(), ran.stdout().as_str()), (1, said));
    assert!(!dir.files().contains(&"d/c.glb".to_owned()));
}

#[test]
fn verify_refuses_a_test_that_no_manifest_has() {
    let manifest = support::own_manifest();
    let manifest = manifest.to_str().unwrap();
    let ran = Dir::new().run(&["verify", manifest, "--only", "A01_single_bone_bind,nope"]);
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    assert!(ran.stderr().contains("`nope`"), "{}", ran.stderr());
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_reading_is_no_reason_to_stop() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", BAD);
    dir.write("b.rigy.yaml", document("p"));
    let program = assert_cmd::cargo::cargo_bin!("rigy-batch");
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    let mut command = std::process::Command::new(program);
    command
        .current_dir(dir.path())
        .args([".", "--format", "json"]);
    let status = command.stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(dir.files().contains(&"b.p.glb".to_owned()));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_a_failure_unless_nobody_reads_on() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    dir.run(&[".", "--report", "r.json"]);
    let own = own_manifest();
    let own = own.to_str().unwrap();
    let bench = [
        "bench",
        "--vertices",
        "1",
        "--seconds",
        "1",
        "-j1",
        "--isa",
        "scalar",
    ];
    let json = ["--format", "json"];
    for (args, status) in [
        (&["."][..], 1),
        (&[".", json[0], json[1]], 1),
        (&[".", "--check"], 1),
        (&["verify", own, "--only", "A01_single_bone_bind"], 1),
        (&bench, 1),
        (&["merge-reports", "r.json"], 2),
        (&["--man"], 2),
        (&["--completions", "bash"], 2),
        (&["--help"], 2),
        (&["--version"], 2),
    ] {
        let ran = |out: std::process::Stdio| {
            let mut command =
                std::process::Command::new(assert_cmd::cargo::cargo_bin!("rigy-batch"));
            let command = command.current_dir(dir.path()).args(args).stdout(out);
            support::Ran(command.output().unwrap())
        };
        let full = std::fs::File::options().write(true).open("/dev/full");
        let full = ran(full.unwrap().into());
        assert_eq!(full.status(), status, "{args:?}: {}", full.stderr());
        let said = full.stderr();
        assert!(
            said.starts_with("rigy-batch: standard output: No space left"),
            "{args:?}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
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

#[test]
fn no_input_is_said_however_quiet_and_files_skipped_by_their_name_are_counted() {
    let dir = Dir::new();
    dir.write("in/a.rigy.yaml", document("p"));
    for args in [&["bake", "in", "-q"][..], &["out", "-q"]] {
        std::fs::create_dir_all(dir.path().join("out")).unwrap();
        let ran = dir.run(args);
        assert_eq!((ran.status(), ran.stdout().as_str()), (0, ""));
        assert!(ran.stderr().contains("found\n"), "{}", ran.stderr());
    }
    dir.run(&["in", "-o", "out", "--poses", "none"]);
    for name in ["x.baked.glb", "x.baked.0000.glb"] {
        dir.write(&format!("other/{name}"), dir.read("out/a.glb"));
    }
    let ran = dir.run(&["bake", "other", "-q"]);
    assert_eq!(ran.status(), 0);
    let said = ran.stderr();
    assert!(
        said.contains("but 2 named `*.baked.*`") && said.contains("outright"),
        "{said}"
    );
    // As it says.
    let ran = dir.run(&["bake", "other/x.baked.glb", "-o", "plain"]);
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    assert!(dir.files().contains(&"plain/x.baked.glb".to_owned()));
}

#[test]
fn a_file_that_the_other_command_is_for_says_so() {
    let dir = Dir::new();
    dir.write("a.rigy.yaml", document("p"));
    dir.run(&["a.rigy.yaml"]);
    dir.write("a.gltf", r#"{"asset": {"version": "2.0"}}"#);
    for (args, advice) in [
        (&["a.glb"][..], "`rigy-batch bake`"),
        (&["a.gltf"], "`rigy-batch bake`"),
        (&["bake", "a.rigy.yaml"], "`rigy-batch PATH"),
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status(), 1, "{args:?}");
        let said = ran.stderr();
        assert!(
            said.contains("help: ") && said.contains(advice),
            "{args:?}: {said}"
        );
    }
}

#[test]
fn a_bench_measures_every_case_and_names_it_in_the_documented_fields() {
    let dir = Dir::new();
    bench_cases(&dir, "1000", &Isa::available(), &[1]);
    // Large enough to be cut for threads.
    bench_cases(&dir, "20001", &[Isa::Baseline], &[1, 2]);
}

/// Measures on two threads and compares the cases that are reported.
fn bench_cases(dir: &Dir, vertices: &str, sets: &[Isa], threads: &[usize]) {
    let mut arguments = vec!["bench", "--vertices", vertices, "--seconds", "1", "-j", "2"];
    arguments.extend(["--format", "json"]);
    if let [isa] = sets {
        arguments.extend(["--isa", isa.name()]);
    }
    let ran = dir.run(&arguments);
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
    let fields = [
        "solver",
        "workload",
        "isa",
        "threads",
        "vertices",
        "seconds",
        "mverts_per_second",
        "over_memcpy",
    ];
    for line in ran.stdout().lines() {
        let places = fields.map(|field| line.find(&format!("\"{field}\":")));
        assert!(places.is_sorted() && places[0].is_some(), "{line}");
    }
    let mut expected = Vec::new();
    for threads in threads {
        expected.push(json!(["memcpy", "copy", null, threads]));
        for solver in ["lbs", "dqs"] {
            for workload in ["random", "ring", "mix"] {
                for isa in sets {
                    expected.push(json!([solver, workload, isa.name(), threads]));
                }
            }
        }
    }
    let lines = ran.json();
    let case = |line: &Value| {
        json!([
            line["solver"],
            line["workload"],
            line["isa"],
            line["threads"]
        ])
    };
    assert_eq!(lines.iter().map(case).collect::<Vec<_>>(), expected);
    for line in &lines {
        assert_eq!(line.as_object().unwrap().len(), fields.len(), "{line}");
        assert_eq!(line["vertices"].to_string(), vertices);
        for number in ["seconds", "mverts_per_second", "over_memcpy"] {
            assert!(line[number].as_f64().unwrap() > 0.0, "{line}");
        }
        if line["solver"] == "memcpy" {
            assert_eq!(line["over_memcpy"], 1.0);
        }
    }
}

#[test]
fn a_bench_keeps_to_the_instruction_set_that_is_asked_for() {
    let dir = Dir::new();
    let few = ["bench", "--vertices", "9", "--seconds", "1", "-j", "1"];
    let ran = dir.run(&[&few[..], &["--isa", "scalar", "--format", "json"]].concat());
    assert_eq!(ran.status(), 0);
    let lines = ran.json();
    assert_eq!(
        lines.len(),
        1 + 2 * 3,
        "a copy, two solvers, three workloads"
    );
    assert!(lines[0]["isa"].is_null());
    assert!(lines[1..].iter().all(|line| line["isa"] == "scalar"));
    let ran = dir.run(&[&few[..], &["--isa", "mmx"]].concat());
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    assert!(ran.stderr().contains("mmx"));
    let ran = dir.run(&["bench", "--vertices", "0"]);
    assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""));
    assert!(ran.stderr().contains("--vertices"));
}

#[test]
fn a_manifest_without_tests_proves_nothing_and_fails() {
    let dir = Dir::new();
    dir.write("none.json", r#"{"tests": []}"#);
    let own = own_manifest();
    let own = own.to_str().unwrap();
    for args in [
        &["verify", "none.json"][..],
        &["verify", "none.json", "--format", "json"],
        &["verify", own, "none.json", "--only", "A01_single_bone_bind"],
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status(), 2, "{args:?}: {}", ran.stdout());
        assert!(
            ran.stderr().contains("`none.json` has no tests"),
            "{}",
            ran.stderr()
        );
    }
    let ran = dir.run(&["verify", own, "--only", "absent"]);
    assert_eq!(ran.status(), 2);
    assert!(
        ran.stderr().contains("no manifest has a test `absent`"),
        "{}",
        ran.stderr()
    );
}
