//! Formats of `fmt`, `diff` and `verify`, combinations that are refused, and commands that have only text and JSON.

use super::{hostile, is_harmless};
use crate::support::{Dir, assert_contains, document, own_manifest};

#[test]
fn fmt_reports_documents_that_would_change() {
    let dir = hostile();
    dir.write(
        "in/wide.rigy.yaml",
        "version: \"0.5\"\nmeshes:\n     - {id: m, primitives: []}\n",
    );
    let args = "fmt --check in/wide.rigy.yaml --format github";
    let ran = dir.run(args);
    let out = ran.stdout();
    assert_eq!(ran.status(), 1, "{out}{}", ran.stderr());
    let expected = "::error file=in/wide.rigy.yaml,title=layout%3A layout is not canonical::";
    assert!(out.starts_with(expected), "{out}");
    let ran = dir.run("fmt --check in --format github");
    let out = ran.stdout();
    is_harmless(&out);
    assert!(out.contains(expected), "{out}");
    let place = "::error file=in/none.rigy.yaml,line=1,endLine=1,col=10,";
    assert!(out.contains(place), "{out}");
    assert!(
        out.lines().last().unwrap().starts_with("4 files: "),
        "{out}"
    );
    assert_eq!(ran.stderr(), "");
    for (args, word) in [
        ("fmt --diff in --format junit", "--diff"),
        ("fmt - --format sarif", "standard input"),
        ("fmt in --format json", "no `--format json`"),
    ] {
        let ran = dir.run(args);
        assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""), "{args:?}");
        ran.says(word);
    }
}

#[test]
fn diff_reports_pairs_that_differ() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run("a.rigy.yaml");
    for (pair, count) in [(["a.glb", "a.glb"], 0), (["a.glb", "a.p.glb"], 1)] {
        let ran = dir.run(&["diff", pair[0], pair[1], "--format", "github", "-q"]);
        let out = ran.stdout();
        assert_eq!((ran.status(), out.lines().count()), (count, count as usize));
        assert!(
            count == 0 || out.starts_with("::error file=a.p.glb,title=difference"),
            "{out}"
        );
    }
    let ran = dir.run("diff a.glb a.p.glb --format sarif");
    let log: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "difference");
}

#[test]
fn verify_reports_tests_as_cases() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let test = r#"{"id": "T<1>", "type": "negative", "input": "a.rigy.yaml", "expected_error_type": "ParseError"}"#;
    dir.write("m.json", format!("{{\"tests\": [{test}]}}"));
    let ran = dir.run("verify m.json --format junit");
    let out = ran.stdout();
    let xml = roxmltree::Document::parse(&out).unwrap();
    let case = xml.descendants().find(|node| node.has_tag_name("testcase"));
    assert_eq!(case.unwrap().attribute("name"), Some("T<1>"));
    assert_eq!((ran.status(), out.matches("<failure ").count()), (1, 1));
    let own = own_manifest();
    let own = own.to_str().unwrap();
    let args = format!("verify {own} --only A01_single_bone_bind --format");
    let ran = dir.run(&format!("{args} junit"));
    assert_eq!(
        (ran.status(), ran.stdout().matches("<failure ").count()),
        (0, 0)
    );
    ran.prints("name=\"A01_single_bone_bind\"");
}

#[test]
fn two_texts_for_one_standard_output_are_refused() {
    let dir = hostile();
    for format in ["json", "github", "sarif", "junit"] {
        let with = |more: &str| {
            let ran = dir.run(&format!("in -n --format {format} {more}"));
            assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""), "{more:?}");
            let named = format!("`--format {format}`");
            ran.says(&named);
        };
        with("--report -");
        with("--emit-expanded -");
    }
    for format in ["sarif", "junit"] {
        dir.run(&format!("in --watch --format {format}"))
            .exits_saying(2, "--watch");
    }
}

#[test]
fn commands_with_results_of_their_own_have_text_and_json() {
    let dir = Dir::new();
    for args in ["explain V11", "bench"] {
        let ran = dir.run(&format!("{args} --format sarif"));
        assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""), "{args:?}");
        let said = ran.stderr();
        assert_contains(&said, &["invalid value 'sarif' for '--format <FORMAT>'"]);
    }
}
