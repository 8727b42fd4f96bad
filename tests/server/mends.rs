//! Code actions: the edit that is offered for a finding removes it.

use serde_json::{Value, json};

use super::client::Client;
use super::uri;
use crate::support::{Dir, PART, USER, document};

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

/// A primitive.
const BOX: &str = "{type: box, id: b, dimensions: {x: 1, y: 1, z: 1}}";

#[test]
fn each_kind_of_mend_removes_its_finding() {
    let mesh = format!("meshes: [{{id: m, primitives: [{BOX}]}}]");
    let rig = |pose: &str, range: &str| {
        let side = "{bone_id: r, weight: 1}";
        format!(
            "version: \"0.6\"\n{mesh}\n\
             armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}]}}]\n\
             bindings:\n- mesh_id: m\n  armature_id: a\n  skinning_solver: lbs\n  weights: []\n  weight_maps:\n  \
             - {{primitive_id: b, gradients: [{{axis: y, range: {range}, from: {side}, to: {side}}}]}}\n\
             poses: [{{id: p, bones: {{r: {{rotation: {pose}}}}}}}]\n"
        )
    };
    let with = |version: &str, rest: &str| format!("version: \"{version}\"\n{mesh}\n{rest}\n");
    let material = |color: &str| {
        with(
            "0.8",
            &format!("materials: {{red: {{base_color: {color}}}}}"),
        )
    };
    let of_params = |size: &str| {
        format!(
            "version: \"0.12\"\nparams: {{height: 2}}\n\
             meshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: {size}, y: 1, z: 1}}}}]}}]\n"
        )
    };
    let leaning = |child: &str| {
        format!(
            "version: \"0.5\"\nmeshes: [{{id: m, primitives: [{BOX}, {{type: box, id: c, dimensions: {{x: 1}}}}]}}]\n\
             armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, \
             {{id: s, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}}]}}]\n\
             bindings: [{{mesh_id: m, armature_id: a, weights: [{{primitive_id: b, bones: [{{bone_id: r, weight: 1}}]}}, \
             {{primitive_id: c, bones: [{{bone_id: s, weight: 1}}]}}]}}]\n\
             poses: [{{id: p, bones: {{r: {{rotation: [0.6, 0, 0, 0.8]}}, s: {{{child}}}}}}}]\n"
        )
    };
    let mut faults = Vec::new();
    for (code, title, text) in [
        (
            "W24",
            "[-0.96, -0.28, 0]",
            leaning("translation: [0, 1, 0]"),
        ),
        (
            "V33",
            "`translation`",
            leaning("position: [-0.96, -0.28, 0]"),
        ),
        (
            "U10",
            "{bone_id: r, weight: 1}",
            leaning("translation: [2, 1, 0]").replacen("{bone_id: r, weight: 1}", "r", 1),
        ),
        ("U10", "$height", of_params("height")),
        ("V68", "=2*$height", of_params("\"=2*height\"")),
        ("W04", "[0.70710", rig("[0.7071, 0.7071, 0, 0]", "[0, 1]")),
        ("W19", "[1, 0, 0, 0]", rig("[0, 0, 0, 1]", "[0, 1]")),
        ("U04", "[0, 1]", rig("[1, 0, 0, 0]", "[1, 0]")),
        ("V40", "[1, 0.502, 0, 1]", material("[255, 128, 0, 255]")),
        (
            "V69",
            "=$height * 2 + $height",
            of_params("\"=$heigth * 2 + $height\""),
        ),
        ("V59", "$height", of_params("$heigth")),
        ("V60", "=$height * 2", of_params("\"$height * 2\"")),
        ("U10", "1.8", of_params("180cm")),
        ("U10", "1", of_params("“1”")),
        (
            "U10",
            "\"7\"",
            format!("version: \"0.5\"\nmeshes: [{{id: 7, primitives: [{BOX}]}}]\n"),
        ),
        (
            "U10",
            "Declare version 0.12",
            with("0.12", "").replace("\"0.12\"", "0.12"),
        ),
        ("U10", "0.5", with("0.5", "").replace('"', "”")),
        ("V34", "Insert `version: \"0.13\"`", format!("{mesh}\n")),
        ("V33", "id: m", with("0.5", "").replace("{id: m", "{id:m")),
        (
            "U10",
            "none",
            rig("[1, 0, 0, 0]", "[0, 1]").replace("parent: none", "parent: null"),
        ),
        (
            "V77",
            "Declare version 0.12",
            with("0.11", "").replace(
                "dimensions",
                "transform: {rotation_quat: [1, 0, 0, 0]}, dimensions",
            ),
        ),
        (
            "-",
            "Declare version",
            with("0.5", "")
                .replace("0.5", "0.8")
                .replace("type: box", "tags: [t], type: box"),
        ),
        (
            "U10",
            "Replace by spaces",
            "version: \"0.5\"\nmeshes:\n\t- id: m\n".into(),
        ),
        (
            "U10",
            "Replace by spaces",
            "version: \"0.5\"\nmeshes:\n  - {id: m}\n \u{a0}- {id: n}\n".into(),
        ),
        ("U10", "#", with("0.5", "// a comment")),
        ("U10", "\"null\"", with("0.5", "null: 1")),
    ] {
        if let Err(fault) = mended(&text, code, title) {
            faults.push(format!("{code} {title}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Applies the action with a title for a finding with a code; `Err` if there is none, or if the finding is still there.
fn mended(text: &str, code: &str, title: &str) -> Result<(), String> {
    let bytes = json!({"general": {"positionEncodings": ["utf-8"]}});
    let (mut client, _) = Client::with(None, bytes);
    client.open(FILE, 1, text);
    let (found, message) = client.findings(FILE);
    let listed = |message: &Value| {
        let findings = message["params"]["diagnostics"].as_array().unwrap();
        findings.clone()
    };
    let is_meant = |it: &&Value| it["code"].as_str().unwrap_or("-") == code;
    let findings = listed(&message);
    let finding = findings.iter().find(is_meant);
    let finding = finding.ok_or(format!("{found:?}"))?;
    let params = json!({
        "textDocument": {"uri": FILE}, "range": finding["range"], "context": {"diagnostics": []}
    });
    let answer = client.request("textDocument/codeAction", params);
    let is_it = |it: &&Value| it["title"].as_str().unwrap().contains(title);
    let action = answer["result"].as_array().unwrap().iter().find(is_it);
    let action = action.ok_or(format!("{answer} {found:?}"))?;
    let changes = json!([{"text": applied(text, action)}]);
    let document = json!({"uri": FILE, "version": 2});
    let params = json!({"textDocument": document, "contentChanges": changes});
    client.notify("textDocument/didChange", params);
    let (left, message) = client.findings(FILE);
    let is_same = |it: &Value| it["message"] == finding["message"];
    match listed(&message).iter().any(is_same) {
        true => Err(format!("{left:?}")),
        false => Ok(()),
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

#[test]
fn the_layout_is_offered_where_it_is_not_canonical() {
    let (mut client, _) = Client::with(None, json!({}));
    let untidy = "version:   \"0.5\"\nmeshes: []\n";
    let tidy = "version: \"0.5\"\nmeshes: []\n";
    let mut ask = |text: &str, context: Value| {
        client.open(FILE, 1, text);
        client.findings(FILE);
        let range =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
        let params = json!({"textDocument": {"uri": FILE}, "range": range, "context": context});
        let answer = client.request("textDocument/codeAction", params);
        answer["result"].as_array().expect("a list").clone()
    };
    let only = |kind: &str| json!({"diagnostics": [], "only": [kind]});
    for (text, context, count) in [
        (untidy, only("source.format"), 1),
        (untidy, only("source"), 1),
        (untidy, only(""), 1),
        (untidy, json!({"diagnostics": [], "triggerKind": 1}), 1),
        (untidy, json!({"diagnostics": []}), 0),
        (untidy, only("source.fixAll"), 0),
        (untidy, only("sour"), 0),
        (tidy, only("source"), 0),
        ("version: [", only("source"), 0),
    ] {
        let found = ask(text, context.clone());
        assert_eq!(found.len(), count, "{text} {context}");
        let Some(action) = found.first() else {
            continue;
        };
        assert_eq!(action["kind"], "source.format");
        assert_eq!(applied(text, action), tidy);
    }
}

#[test]
fn a_name_of_a_part_keeps_the_name_of_the_import() {
    let part = PART
        .replace("0.5", "0.12")
        .replace("type: box", "material: red, type: box");
    let part = part + "materials: {red: {base_color: [1, 0, 0, 1]}}\n";
    let own = "meshes: [{id: m, primitives: [{type: box, id: b, material: p.rod, dimensions: {x: 1, y: 1, z: 1}}]}]\n";
    let anchor = USER.replace("from: [a,", "from: [p.aa,");
    let material = USER.replace("0.5", "0.12") + own;
    for (text, code, meant) in [(&anchor, "V29", "p.a"), (&material, "V42", "p.red")] {
        let dir = Dir::with("p.part.yaml", &part);
        let root = dir.path().canonicalize().unwrap();
        let file = uri(&root.join("u.rigy.yaml"));
        let (mut client, _) = Client::with(Some(&root), json!({}));
        client.open(&file, 1, text);
        let (found, message) = client.findings(&file);
        let findings = message["params"]["diagnostics"].as_array().unwrap();
        let finding = findings.iter().find(|it| it["code"] == code);
        let finding = finding.unwrap_or_else(|| panic!("{code}: {found:?}"));
        let params = json!({
            "textDocument": {"uri": file}, "range": finding["range"], "context": {"diagnostics": []}
        });
        let answer = client.request("textDocument/codeAction", params);
        let edit = &answer["result"][0]["edit"]["changes"][&file][0];
        assert_eq!(edit["newText"], meant, "{code}: {answer}");
    }
}
