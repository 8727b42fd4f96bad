//! Reports: files that they replace, their content when a run ends early, and messages when they cannot be written.

use rigy_batch::base::paths::Slashed;
use serde_json::Value;

use crate::support::{Dir, Ran, assert_contains, document, program};

const REPORT: &str = "{\"outputs\":[\n],\"summary\":{}}\n";

fn report(dir: &Dir, name: &str) -> Value {
    dir.json(name)
}

fn is_refused(ran: &Ran, name: &str) {
    let said = ran.stderr();
    assert_eq!((ran.status(), ran.stdout()), (2, String::new()), "{said}");
    assert!(said.contains(&format!("`{name}`")), "{said}");
    assert!(said.contains("name another file"), "{said}");
}

#[test]
fn a_report_replaces_nothing_but_a_report() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.write("in/part.yaml", "version: \"0.5\"\n");
    dir.write("lines.json", "{\"input\":\"a\"}\n");
    dir.write("half.json", "{\"outputs\"");
    let before = dir.tree();
    for name in ["in/a.rigy.yaml", "in/part.yaml", "lines.json", "half.json"] {
        for more in ["", "-n", "--watch"] {
            let ran = dir.run(&format!("in -o out --report {name} {more}"));
            is_refused(&ran, name);
        }
    }
    assert_eq!(dir.tree(), before);
    assert!(!dir.path().join("out").exists(), "nothing was begun");

    // Outputs and the notes of an earlier run.
    assert_eq!(dir.run("in -o out").status(), 0);
    let before = dir.tree();
    let cache = dir.read("out/.rigy-batch/cache");
    for name in ["out/a.glb", "out/.rigy-batch/cache"] {
        is_refused(&dir.run(&format!("in -o out --report {name}")), name);
        is_refused(&dir.run(&format!("bake out --report {name}")), name);
    }
    assert_eq!(dir.tree(), before);
    assert_eq!(dir.read("out/.rigy-batch/cache"), cache);

    // A report, and an empty file as `mktemp` makes it, are there to be replaced.
    for content in [REPORT, ""] {
        dir.write("r.json", content);
        assert_eq!(dir.run("in -o out --report r.json").status(), 0);
        assert_eq!(report(&dir, "r.json")["summary"]["unchanged"], 2);
    }
}

#[test]
fn a_report_does_not_replace_an_output_of_its_own_run() {
    for there in [None, Some(REPORT)] {
        let dir = Dir::with("a.rigy.yaml", document("p"));
        if let Some(content) = there {
            dir.write("a.p.positions.json", content);
        }
        let ran = dir.run("a.rigy.yaml --positions --report a.p.positions.json");
        assert_eq!(
            (ran.status(), ran.stdout().as_str()),
            (1, "1 document: 1 written (3 outputs)\n")
        );
        let said = ran.stderr();
        assert_contains(
            &said,
            &["the report could not be written: `a.p.positions.json`"],
        );
        assert_ne!(dir.read("a.p.positions.json"), REPORT.as_bytes());
        assert_eq!(
            dir.files(),
            ["a.glb", "a.p.glb", "a.p.positions.json", "a.rigy.yaml"]
        );
    }
}

#[test]
fn a_report_or_a_page_has_no_name_of_an_input() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.write("empty.rigy.yaml", "");
    for name in ["empty.rigy.yaml", "new.rigs.yaml", "a.p.glb", "b.gltf"] {
        for option in ["--report", "--html"] {
            let ran = dir.run(&format!("a.rigy.yaml {option} {name}"));
            ran.exits_saying(2, "has the name of an input");
        }
    }
    assert_eq!(dir.files(), ["a.rigy.yaml", "empty.rigy.yaml"]);
}

#[test]
fn merging_replaces_none_of_the_reports_and_nothing_else() {
    let dir = Dir::new();
    for name in ["a", "b", "c", "d"] {
        dir.write(&format!("in/{name}.rigy.yaml"), document("p"));
    }
    for (shard, name) in [("0/2", "0.json"), ("1/2", "1.json")] {
        dir.run(&format!("in -n --shard {shard} --report {name}"));
    }
    let before = dir.tree();
    for output in ["0.json", "./1.json", "in/../0.json"] {
        let ran = dir.run(&format!("merge-reports 0.json 1.json -o {output}"));
        is_refused(&ran, output);
    }
    let ran = dir.run("merge-reports 0.json 1.json -o in/a.rigy.yaml");
    is_refused(&ran, "in/a.rigy.yaml");
    assert_eq!(dir.tree(), before);
    dir.write("all.json", REPORT);
    dir.run("merge-reports 0.json 1.json -o all.json").good();
    assert_eq!(report(&dir, "all.json")["summary"]["inputs"], 4);
}

#[test]
fn reports_of_other_versions_are_refused() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.run("in -n --report r.json");
    let lines = dir.run("in -n --format json").stdout();
    let framed = String::from_utf8(dir.read("r.json")).unwrap();
    assert!(
        framed.starts_with("{\"version\":1,\"outputs\":[\n"),
        "{framed}"
    );
    assert!(lines.ends_with(",\"version\":1}\n"), "{lines}");
    for text in [&framed, &lines] {
        let unversioned = text
            .replace("\"version\":1,", "")
            .replace(",\"version\":1", "");
        assert!(!unversioned.contains("version"), "{unversioned}");
        let of_version =
            |number: u32| text.replace("\"version\":1", &format!("\"version\":{number}"));
        for (other, words) in [
            (unversioned, "it has no version"),
            (of_version(0), "it has no version"),
            (of_version(2), "it has version 2, which is newer than 1"),
        ] {
            dir.write("other.json", other);
            is_not_merged(&dir, "other.json", words);
        }
    }
}

fn is_not_merged(dir: &Dir, name: &str, words: &str) {
    let merged = dir.run(&format!("merge-reports {name}"));
    let said = merged.stderr();
    assert_eq!(
        (merged.status(), merged.stdout()),
        (2, String::new()),
        "{words}: {said}"
    );
    assert_contains(&said, &[&format!("`{name}`"), words]);
}

#[test]
fn reports_with_values_that_no_run_writes_are_not_merged() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", "version: [");
    let run = "in -o out --timings --force";
    dir.run(&format!("{run} --report r.json"));
    let lines = dir.run(&format!("{run} --format json")).stdout();
    let framed = String::from_utf8(dir.read("r.json")).unwrap();
    for (text, first) in [(&framed, "line 2"), (&lines, "line 1")] {
        dir.write("good.json", text);
        dir.run("merge-reports good.json").good();
        #[rustfmt::skip] // a row stays a line
        let rows = [
            ("\"bytes\":", "\"bytes\":-", first),
            ("\"pose\":", "\"colour\":1,\"pose\":", "unknown field `colour`"),
            ("\"category\":", "\"kind\":1,\"category\":", "unknown field `kind`"),
            ("\"inputs\":2", "\"files\":2,\"inputs\":2", "unknown field `files`"),
            ("\"failed\":1", "\"failed\":-1", "this is no line of a report"),
            ("\"warnings\":0,\"timings\"", "\"warnings\":0,\"hours\":1,\"timings\"", "unknown field `hours`"),
        ];
        for (from, to, words) in rows {
            let changed = text.replacen(from, to, 1);
            assert_ne!(&changed, text, "{from}");
            dir.write("changed.json", changed);
            is_not_merged(&dir, "changed.json", words);
        }
        let mark = |encoding: &str| {
            format!("line 1: it begins with a byte order mark (BOM) of {encoding}")
        };
        let marked = format!("\u{feff}{text}");
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        dir.write("marked.json", marked);
        is_not_merged(&dir, "marked.json", &mark("UTF-8"));
        dir.write("wide.json", wide);
        is_not_merged(&dir, "wide.json", &mark("UTF-16"));
    }
}

#[test]
fn a_run_that_ends_at_the_first_failure_says_that_inputs_are_missing() {
    let dir = Dir::with("d/a.rigy.yaml", document("p"));
    dir.write("d/b.rigy.yaml", "version: [");
    dir.write("d/c.rigy.yaml", document("q"));
    let args = "d -j 1 --fail-fast --report r.json --poses q";
    let ran = dir.run(&format!("{args} --format json"));
    assert_eq!(ran.status(), 1);
    assert_eq!(ran.json().last().unwrap()["interrupted"], true);
    assert_eq!(report(&dir, "r.json")["interrupted"], true);
    assert!(
        !ran.stderr().contains("no document has"),
        "{}",
        ran.stderr()
    );
    let merged = dir.run("merge-reports r.json");
    assert_eq!((merged.status(), merged.stdout()), (2, String::new()));
    merged.says("--fail-fast");

    // A run that failed at the last input has lost nothing.
    dir.remove("d/c.rigy.yaml");
    let ran = dir.run("d -j 1 --fail-fast --report r.json");
    assert_eq!(
        (ran.status(), ran.stdout().as_str()),
        (1, "2 documents: 1 written, 1 failed\n")
    );
    assert!(report(&dir, "r.json").get("interrupted").is_none());
    assert_eq!(dir.run("merge-reports r.json").status(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn errors_of_writing_a_report_name_it() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    for name in ["no/such/directory/r.json", "/proc/r.json"] {
        let ran = dir.run(&format!("a.rigy.yaml -n --report {name}"));
        assert_eq!(ran.status(), 2);
        let said = ran.stderr();
        assert_contains(&said, &[&format!("cannot write the report `{name}`")]);
    }
    // The limit on the length of files is in blocks of 1024 bytes.
    for index in 0..40 {
        dir.write(&format!("in/{index}.rigy.yaml"), document("p"));
    }
    let run = |blocks: &str, args: &str| {
        let first = format!("trap '' XFSZ; ulimit -f {blocks}");
        let script = format!("{first}; exec '{}' {args}", program().slashed());
        let mut command = std::process::Command::new("bash");
        command.current_dir(dir.path()).args(["-c", &script]);
        Ran::of(&mut command)
    };
    let none = run("0", "in -n --report r.json");
    assert_eq!(none.status(), 2);
    none.says("`r.json`");
    let few = run("4", "in -n --report r.json");
    assert_eq!(few.status(), 1);
    let expected = "the report could not be written: cannot write `r.json`";
    few.says(expected);
    assert!(!dir.path().join("r.json").exists());
    assert_eq!(dir.run("in -n --report w.json").status(), 0);
    let merged = run("4", "merge-reports w.json -o r.json");
    assert_eq!(merged.status(), 2);
    let expected = "`r.json`: it cannot be written";
    merged.says(expected);
    assert!(!dir.path().join("r.json").exists());
}

/// Root may write anywhere, so a directory stands in the way of the notes.
#[test]
fn errors_of_the_whole_run_are_no_lines_of_its_report() {
    let dir = Dir::with("in/a.rigy.yaml", document("p"));
    dir.write("in/b.rigy.yaml", document("p"));
    dir.write("out/.rigy-batch/cache/in-the-way", "");
    let ran = dir
        .run("in -o out --report r.json --format json -q")
        .exits_saying(1, "out/.rigy-batch/cache");
    let lines = ran.json();
    assert_eq!(lines.len(), 5);
    assert_eq!(
        (
            &lines[4]["summary"]["inputs"],
            &lines[4]["summary"]["failed"]
        ),
        (&2.into(), &0.into())
    );
    assert!(report(&dir, "r.json").get("interrupted").is_none());
    let merged = dir.run("merge-reports r.json");
    assert_eq!(
        merged.stdout().as_bytes(),
        dir.read("r.json"),
        "{}",
        merged.stderr()
    );
}
