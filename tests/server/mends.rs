//! Code actions: the edit that is offered for a finding removes it.

use serde_json::{Value, json};

use super::client::Client;
use crate::support::document;

const FILE: &str = "file:///a/b.rigy.yaml";

/// Opens a text and returns the code of its first finding, and the actions that are offered for all findings.
fn actions(client: &mut Client, text: &str) -> (String, Vec<Value>) {
    client.open(FILE, 1, text);
    let (found, message) = client.findings(FILE);
    let code = found[0].split(' ').next().unwrap().to_owned();
    let findings = &message["params"]["diagnostics"];
    let params = json!({
        "textDocument": {"uri": FILE}, "range": findings[0]["range"], "context": {"diagnostics": findings}
    });
    let answer = client.request("textDocument/codeAction", params);
    (code, answer["result"].as_array().expect("a list").clone())
}

fn applied(text: &str, action: &Value) -> String {
    let edit = &action["edit"]["changes"][FILE][0];
    let offset = |end: &str| {
        let at = &edit["range"][end];
        let lines = text
            .split_inclusive('\n')
            .take(at["line"].as_u64().unwrap() as usize);
        lines.map(str::len).sum::<usize>() + at["character"].as_u64().unwrap() as usize
    };
    let mut text = text.to_owned();
    text.replace_range(
        offset("start")..offset("end"),
        edit["newText"].as_str().unwrap(),
    );
    text
}

#[test]
fn the_edit_that_is_offered_for_a_finding_removes_it() {
    let sound = document("p");
    for (from, to, code, title) in [
        ("armatures:", "armaturs:", "V33", "Replace by `armatures`"),
        ("mesh_id: m", "mesh_id: \"mm\"", "V08", "Replace by `m`"),
        ("bones: {r:", "bones: {rr:", "U02", "Replace by `r`"),
        ("parent: none, ", "", "V34", "Insert `parent: \"none\"`"),
        ("solver: dqs", "solver: dqz", "U10", "Replace by `dqs`"),
        ("version:", "versoin:", "V34", "Replace by `version`"),
    ] {
        let (mut client, _) = Client::with(None, json!({}));
        let text = sound.replacen(from, to, 1);
        let (found, actions) = actions(&mut client, &text);
        assert_eq!(actions.len(), 1, "{to}: {found} {actions:?}");
        assert_eq!((&*found, &actions[0]["title"]), (code, &json!(title)));
        assert_eq!(actions[0]["diagnostics"][0]["code"], code);
        let changes = json!([{"text": applied(&text, &actions[0])}]);
        let document = json!({"uri": FILE, "version": 2});
        let params = json!({"textDocument": document, "contentChanges": changes});
        client.notify("textDocument/didChange", params);
        let (left, _) = client.findings(FILE);
        assert!(left.is_empty(), "{to}: {left:?}");
    }
}

#[test]
fn a_field_of_a_later_version_raises_the_version() {
    let (mut client, _) = Client::with(None, json!({}));
    let text = "version: \"0.6\"\nparams: {a: 1}\n";
    let (_, actions) = actions(&mut client, text);
    assert_eq!(actions[0]["title"], "Declare version 0.10");
    let expected = "version: \"0.10\"\nparams: {a: 1}\n";
    assert_eq!(applied(text, &actions[0]), expected);
}

#[test]
fn nothing_is_offered_for_other_kinds_and_elsewhere() {
    let (mut client, _) = Client::with(None, json!({}));
    let text = document("p").replace("armatures:", "armaturs:");
    assert_eq!(actions(&mut client, &text).1.len(), 1);
    let mut ask = |line: u32, only: Value| {
        let range = json!({
            "start": {"line": line, "character": 0}, "end": {"line": line, "character": 3}
        });
        let params = json!({
            "textDocument": {"uri": FILE}, "range": range, "context": {"diagnostics": [], "only": only}
        });
        let answer = client.request("textDocument/codeAction", params);
        answer["result"].as_array().expect("a list").len()
    };
    assert_eq!(ask(2, json!(["quickfix"])), 1);
    assert_eq!(ask(2, json!(["refactor"])), 0);
    assert_eq!(ask(0, json!(["quickfix"])), 0);
}
