//! JSON that the program prints about documents, tests and pairs, checked by the published JSON Schemas.

use serde_json::Value;

use super::formats::{HOSTILE, hostile, is_harmless};
use crate::support::json_schemas::{Published, batch_lines};
use crate::support::{Dir, PART, USER, document, own_manifest};

#[test]
fn lines_summaries_and_reports_of_documents() {
    let dir = hostile();
    let all = "in -o out --format json --report r.json";
    let ran = dir.run(all);
    let lines = batch_lines(&ran);
    is_harmless(&ran.stdout());
    assert_eq!(
        lines[0]["input"],
        format!("in/{HOSTILE}"),
        "the name is kept"
    );
    let report = dir.json("r.json");
    Published::Batch.accepts("report", [&report]);
    for more in [
        "--timings --force",
        "--shard 0/1",
        "--fail-fast -j1",
        "--positions --emit-expanded expanded",
        "--warn-as-error all --check",
    ] {
        let ran = dir.run(&format!("{all} {more}"));
        batch_lines(&ran);
        let report = dir.json("r.json");
        Published::Batch.accepts("report", [&report]);
    }
    dir.write("parts/u.rigy.yaml", USER);
    dir.write("parts/p.part.yaml", PART.replace("{x: 2", "{x: 0"));
    batch_lines(&dir.run("parts -n --format json"));
}

#[test]
fn a_field_that_the_schema_does_not_name_is_noticed() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let mut lines = dir.run("a.rigy.yaml --format json").json();
    lines[0]["more"] = 1.into();
    let noticed = std::panic::catch_unwind(|| Published::Batch.accepts("line", [&lines[0]]));
    assert!(noticed.is_err());
}

#[test]
fn lines_of_verify_and_diff() {
    let dir = Dir::new();
    let own = own_manifest();
    let own = own.to_str().unwrap();
    let only = "A01_single_bone_bind";
    let lines = dir.run(&format!("verify {own} --only {only} --format json"));
    let lines = lines.json();
    Published::Verify.accepts("test", &lines[..1]);
    Published::Verify.accepts("summary", &lines[1..]);
    dir.write("a/a.rigy.yaml", document("p"));
    dir.run("a");
    dir.write("b/a.rigy.yaml", document("p").replace("x: 1", "x: 2"));
    dir.run("b");
    dir.remove("b/a.p.glb");
    for args in ["a b", "a a", "a/a.glb b/a.glb"] {
        let ran = dir.run(&format!("diff {args} --format json"));
        let lines = ran.json();
        assert!(!lines.is_empty(), "{}", ran.stderr());
        Published::Diff.accepts("pair", &lines);
    }
}

#[test]
fn descriptions_of_documents_and_scenes() {
    let dir = Dir::with("d/u.rigy.yaml", USER);
    dir.write("d/p.part.yaml", PART);
    dir.write("d/a.rigy.yaml", document("p"));
    let inputs = own_manifest().with_file_name("inputs");
    let inputs = inputs.to_str().unwrap();
    let more = "--expanded --pairwise-gaps --intent-checks --format json";
    for path in ["d", inputs] {
        let ran = dir.run(&format!("inspect {path} {more}"));
        let lines = ran.json();
        assert!(lines.len() > 1, "{}", ran.stderr());
        Published::Inspect.accepts("document", &lines);
    }
    let one = dir.run("inspect d/a.rigy.yaml --format json");
    let one: Value = serde_json::from_str(&one.stdout()).unwrap();
    Published::Inspect.accepts("document", [&one]);
}
