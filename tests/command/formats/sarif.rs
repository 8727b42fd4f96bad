//! SARIF logs: what must hold between their parts, and the published schema where it is at hand.

use serde_json::Value;

use super::{HOSTILE, HOSTILE_ID, hostile, is_harmless};
use crate::support::{Dir, PART, Ran, USER, document};

/// The variable that names the file of the published schema, sarif-schema-2.1.0.json.
const SCHEMA: &str = "RIGY_SARIF_SCHEMA";

/// Reads the log of a run, which must be valid by the published schema, if that is there.
fn log(ran: &Ran) -> Value {
    let out = ran.stdout();
    is_harmless(&out);
    let log: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
    match std::env::var_os(SCHEMA) {
        None => println!(
            "{SCHEMA} names no schema: the log is not validated (scripts/prove formats does that)"
        ),
        Some(path) => {
            let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            let schema = jsonschema::validator_for(&schema).unwrap();
            let errors: Vec<String> = schema
                .iter_errors(&log)
                .map(|error| error.to_string())
                .collect();
            assert_eq!(errors, Vec::<String>::new());
        }
    }
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    log
}

/// Undoes the escapes of messages (sections 3.11.5 and 3.11.6 of SARIF 2.1.0).
fn message(result: &Value) -> String {
    let text = result["message"]["text"].as_str().unwrap();
    text.replace("{{", "{")
        .replace("}}", "}")
        .replace("\\](", "](")
}

fn decoded(uri: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        bytes.push(match first {
            b'%' => {
                let (digits, after) = rest.split_at(2);
                rest = after;
                u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap()
            }
            byte => *byte,
        });
    }
    bytes
}

#[test]
fn results_have_rules_messages_and_places() {
    let dir = hostile();
    let ran = dir.run("in -o out --format sarif");
    let log = log(&ran);
    assert_eq!((ran.status(), &log["version"]), (1, &"2.1.0".into()));
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let results = run["results"].as_array().unwrap();
    let rules: Vec<&Value> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(rules, ["V01", "W03", "U10"]);
    let levels: Vec<&Value> = results.iter().map(|result| &result["level"]).collect();
    assert_eq!(levels, ["error", "warning", "error"]);
    assert!(
        message(&results[0]).contains(HOSTILE_ID[1]),
        "{}",
        results[0]
    );
    let location = &results[0]["locations"][0];
    let physical = &location["physicalLocation"];
    let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
    assert!(
        uri.starts_with("in/") && !uri[3..].contains(['/', ':', ' ', '<']),
        "{uri}"
    );
    assert_eq!(decoded(uri), format!("in/{HOSTILE}").as_bytes());
    let region = &physical["region"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"]),
        (&5.into(), &9.into())
    );
    assert_eq!(
        location["logicalLocations"][0]["fullyQualifiedName"],
        "meshes[1].id"
    );
    assert!(
        ran.stderr().contains("error[V01]"),
        "people see findings, too"
    );
}

#[test]
fn importers_are_related_locations_and_findings_without_a_code_have_a_rule() {
    let dir = Dir::with("u.rigy.yaml", USER);
    dir.write(
        "p.part.yaml",
        PART.replace("dimensions: {x: 2", "dimensions: {x: 0"),
    );
    let placed = log(&dir.run(". -n --format sarif"));
    let results = placed["runs"][0]["results"].as_array().unwrap();
    let related = &results[0]["relatedLocations"][0]["physicalLocation"];
    assert_eq!(related["artifactLocation"]["uri"], "./u.rigy.yaml");
    assert_eq!(related["region"]["startLine"], 2);
    assert_eq!(results[0]["ruleId"], "V07");
    dir.write("cut.glb", "glTF but cut off");
    let cut = log(&dir.run("bake cut.glb -n --format sarif"));
    assert_eq!(cut["runs"][0]["results"][0]["ruleId"], "ParseError");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_keep_their_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    let name = std::ffi::OsStr::from_bytes(b"n\xff\xfe.rigy.yaml");
    std::fs::write(dir.path().join(name), super::bad("m")).unwrap();
    for format in ["github", "junit", "json"] {
        let ran = dir.run(&format!(". -n --format {format}"));
        ran.prints("n\u{fffd}\u{fffd}.rigy");
    }
    let log = log(&dir.run(". -n --format sarif"));
    let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let uri = location["artifactLocation"]["uri"].as_str().unwrap();
    assert_eq!(decoded(uri), b"./n\xff\xfe.rigy.yaml");
}

#[test]
fn a_good_run_has_no_results() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let log = log(&dir.run("a.rigy.yaml --format sarif"));
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}
