//! JUnit XML, read back by a parser of XML.

use roxmltree::{Document, Node};

use super::{HOSTILE, HOSTILE_ID, hostile, is_harmless};

fn children<'a>(node: Node<'a, 'a>, name: &'static str) -> Vec<Node<'a, 'a>> {
    node.children()
        .filter(|child| child.has_tag_name(name))
        .collect()
}

/// A text as a reader of XML gets it: characters that XML cannot have are replaced.
fn legal(text: &str) -> String {
    text.replace(['\u{1b}', '\u{fffe}'], "\u{fffd}")
}

#[test]
fn suites_have_their_cases_and_counts() {
    let dir = hostile();
    let ran = dir.run("in -o out --format junit --timings");
    let out = ran.stdout();
    is_harmless(&out);
    let document = Document::parse(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let suites = children(root, "testsuite");
    assert_eq!(suites.len(), 3, "{out}");
    for suite in &suites {
        let cases = children(*suite, "testcase");
        let with = |name| {
            let has = |case: &&Node| !children(**case, name).is_empty();
            cases.iter().filter(has).count().to_string()
        };
        let count = |name| suite.attribute(name).unwrap().to_owned();
        assert_eq!(count("tests"), cases.len().to_string());
        assert_eq!(count("failures"), with("failure"));
        assert_eq!(
            (count("errors"), count("skipped")),
            (with("error"), with("skipped"))
        );
        for case in cases {
            assert_eq!(case.attribute("classname"), suite.attribute("name"));
            assert!(case.attribute("time").unwrap().parse::<f64>().unwrap() >= 0.0);
        }
    }
    let name = legal(&format!("in/{HOSTILE}"));
    assert_eq!(suites[0].attribute("name"), Some(&*name));
    let failure = suites[0]
        .descendants()
        .find(|node| node.has_tag_name("failure"));
    let failure = failure.unwrap();
    assert_eq!(failure.attribute("type"), Some("V01"));
    let message = failure.attribute("message").unwrap();
    assert!(message.contains(&legal(HOSTILE_ID[1])), "{message:?}");
    assert!(failure.text().unwrap().contains(": error V01: "));
    let good = children(suites[1], "testcase");
    let names: Vec<_> = good
        .iter()
        .map(|case| case.attribute("name").unwrap())
        .collect();
    assert_eq!(names, ["out/good.glb", "out/good.p.glb"]);
    let warnings = children(good[0], "system-out");
    assert!(
        warnings[0].text().unwrap().contains(": warning W03: "),
        "{out}"
    );
    assert!(
        ran.stderr().contains("error[V01]"),
        "people see findings, too"
    );
}

#[test]
fn a_failure_that_belongs_to_no_input_is_an_error() {
    let dir = hostile();
    let args = "in/good.rigy.yaml -n --poses none,q --format";
    let ran = dir.run(&format!("{args} junit"));
    let out = ran.stdout();
    let document = Document::parse(&out).unwrap();
    let suites = children(document.root_element(), "testsuite");
    let last = suites.last().unwrap();
    assert_eq!(
        (ran.status(), last.attribute("errors")),
        (1, Some("2")),
        "{out}"
    );
    let error = last.descendants().find(|node| node.has_tag_name("error"));
    assert!(
        error
            .unwrap()
            .text()
            .unwrap()
            .contains("no document has a pose"),
        "{out}"
    );
    let ran = dir.run(&format!("{args} sarif"));
    let log: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(
        invocation["toolExecutionNotifications"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn a_run_over_nothing_is_a_whole_document() {
    let dir = hostile();
    dir.write("empty/readme", "");
    let ran = dir.run("empty --allow-empty --format junit");
    let out = ran.stdout();
    let document = Document::parse(&out).unwrap();
    assert_eq!(children(document.root_element(), "testsuite").len(), 0);
    let ran = dir.run("empty --allow-empty --format sarif");
    let log: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 0);
}
