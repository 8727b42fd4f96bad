//! JSON that the program prints about documents, tests and pairs, checked by the published JSON Schemas.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use rigy_batch::Diagnostic;
use rigy_batch::base::diag::{Category, FullFinding};
use rigy_batch::run::batch::BakeOptions;
use serde_json::{Map, Value, json};

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

/// Adds to a value the fields that it leaves out, with the defaults of its schema.
fn fill(value: &mut Value, schema: &Value, definitions: &Value) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return fill(value, &definitions[name], definitions);
    }
    if let Some(elements) = value.as_array_mut() {
        elements
            .iter_mut()
            .for_each(|element| fill(element, &schema["items"], definitions));
    }
    let (Some(fields), Some(properties)) =
        (value.as_object_mut(), schema["properties"].as_object())
    else {
        return;
    };
    for (name, property) in properties {
        if let Some(default) = property.get("default") {
            fields.entry(name).or_insert_with(|| default.clone());
        }
        if let Some(field) = fields.get_mut(name) {
            fill(field, property, definitions);
        }
    }
}

#[test]
fn the_defaults_of_fields_left_out_are_those_of_the_program() {
    let definitions = &Published::Batch.schema()["$defs"];
    for (name, definition) in definitions.as_object().unwrap() {
        let required = definition["required"].as_array().unwrap();
        for (field, property) in definition["properties"].as_object().unwrap() {
            let is_required = required.contains(&field.as_str().into());
            let has_default = property.get("default").is_some();
            assert!(is_required != has_default, "{name}: {field}");
        }
    }
    let dir = hostile();
    dir.run("in -o out --report left-out.json");
    let mut report = dir.json("left-out.json");
    fill(&mut report, &definitions["report"], definitions);
    Published::Batch.accepts("report", [&report]);
    let line = &report["outputs"][0];
    let filled = [&line["beside"], &line["errors"][0]["transient"]];
    assert!(filled.iter().all(|value| *value == false), "{line}");
    // A report has a line for each output, and begins with its version.
    let lines = report["outputs"].as_array().unwrap().iter();
    let lines: Vec<String> = lines.map(Value::to_string).collect();
    let mut end = report.clone();
    let fields = end.as_object_mut().unwrap();
    fields.retain(|name, _| !["version", "outputs"].contains(&&**name));
    let end = end.to_string();
    let text = format!(
        "{{\"version\":1,\"outputs\":[\n{}\n],{}\n",
        lines.join(",\n"),
        &end[1..]
    );
    dir.write("filled.json", text);
    for name in ["left-out", "filled"] {
        dir.run(&format!("merge-reports {name}.json -o {name}.merged.json"))
            .good();
    }
    let [left_out, filled] = ["left-out", "filled"].map(|name| {
        let mut merged = dir.json(&format!("{name}.merged.json"));
        fill(&mut merged, &definitions["report"], definitions);
        merged
    });
    assert_eq!(left_out, filled);
}

/// The names of the properties of a definition, as JavaScript has them.
fn properties(definition: &str) -> BTreeSet<String> {
    let properties = Published::Bindings.schema()["$defs"][definition]["properties"].clone();
    let properties: Map<String, Value> = serde_json::from_value(properties).unwrap();
    properties.keys().map(|name| in_camel_case(name)).collect()
}

fn in_camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        name + &word[..1].to_uppercase() + &word[1..]
    })
}

#[test]
fn findings_of_bindings_have_the_fields_of_their_schema() {
    let bare = Diagnostic::without_code(Category::FileError, "m");
    let passing = bare.clone().caused_by(&ErrorKind::StorageFull.into());
    assert!(passing.transient);
    for finding in [bare, passing] {
        let full = serde_json::to_value(FullFinding::new(&finding)).unwrap();
        let fields: BTreeSet<String> = full.as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, properties("finding"), "no field is left out");
    }
    // The one finding that JavaScript makes itself, when the module has stopped.
    let own = include_str!("../../bindings/js/lib/error.js");
    let (_, own) = own.split_once("const finding = {").unwrap();
    let (own, _) = own.split_once('}').unwrap();
    let fields = own.lines().filter_map(|line| line.trim().split_once(": "));
    let fields: BTreeSet<String> = fields.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(fields, properties("finding"));
}

#[test]
fn options_of_bindings_are_those_of_a_bake() {
    let read = |fields: Value| serde_json::from_value::<BakeOptions>(fields);
    let unknown = read(json!({"nothing": 1})).unwrap_err().to_string();
    let known: BTreeSet<String> = unknown
        .split('`')
        .skip(3)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    assert_eq!(known, properties("bake_options"), "{unknown}");
    let options = Published::Bindings.schema()["$defs"]["bake_options"]["properties"].clone();
    let options: Map<String, Value> = serde_json::from_value(options).unwrap();
    let job = |options: BakeOptions| format!("{:?}", options.job().unwrap());
    let unset = job(BakeOptions::default());
    for (name, option) in &options {
        let name = in_camel_case(name);
        let default = read(json!({&name: option["default"]})).expect(&name);
        assert_eq!(job(default), unset, "{name}");
        for value in option["enum"].as_array().into_iter().flatten() {
            read(json!({&name: value})).expect(&name);
        }
        let other = json!({&name: {"no": "value"}});
        assert!(read(other).is_err(), "{name}");
    }
}
