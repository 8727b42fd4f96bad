//! A whole exchange: initialize, open, edits, findings in two files, formatting, the end.

use serde_json::{Value, json};

use super::client::Client;
use super::{two_files, uri};
use crate::support::{Dir, PART, USER, document};

fn none() -> Vec<String> {
    Vec::new()
}

#[test]
fn the_server_says_what_it_can_do_and_ends_in_order() {
    for (offered, encoding) in [
        (json!({}), "utf-16"),
        (
            json!({"general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]}}),
            "utf-8",
        ),
        (
            json!({"general": {"positionEncodings": ["utf-16"]}}),
            "utf-16",
        ),
        (json!({"general": 7}), "utf-16"),
    ] {
        let (mut client, result) = Client::with(None, offered);
        let capabilities = &result["capabilities"];
        assert_eq!(capabilities["positionEncoding"], encoding);
        assert_eq!(capabilities["textDocumentSync"]["change"], 2, "incremental");
        assert_eq!(capabilities["documentFormattingProvider"], true);
        let kinds = &capabilities["codeActionProvider"]["codeActionKinds"];
        assert_eq!(*kinds, json!(["quickfix", "source.format"]));
        assert_eq!(result["serverInfo"]["name"], "rigy-batch");
        assert_eq!(
            client.request("shutdown", Value::Null)["result"],
            Value::Null
        );
        let refused = client.request("textDocument/formatting", json!({}));
        assert_eq!(refused["error"]["code"], -32600);
        client.notify("exit", Value::Null);
        assert_eq!(client.status(), 0);
    }
}

#[test]
fn findings_follow_the_edits_of_a_document() {
    let (mut client, _) = Client::with(None, json!({}));
    let (_dir, _, user) = two_files();
    client.open(&user, 1, USER);
    assert_eq!(client.findings(&user).0, none());
    // `from: [a, b, c]` becomes `from: [a, b, x]`.
    let line = USER.lines().nth(3).unwrap();
    let at = line.find("c], to").unwrap() as u32;
    client.edit(&user, 2, 3, at, at + 1, "x");
    let (found, message) = client.findings(&user);
    let expected = format!("V29 3:{at} import `p` has no anchor `x`");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with(&expected), "{found:?}");
    assert_eq!(message["params"]["version"], 2);
    let finding = &message["params"]["diagnostics"][0];
    assert_eq!(finding["range"]["end"]["character"], at + 1);
    assert_eq!(
        json!([finding["severity"], finding["source"]]),
        json!([1, "rigy-batch"])
    );
    client.edit(&user, 3, 3, at, at + 1, "c");
    assert_eq!(client.findings(&user).0, none());
}

#[test]
fn a_part_that_is_edited_and_not_saved_counts_for_its_importers() {
    let (mut client, _) = Client::with(None, json!({}));
    let (_dir, part, user) = two_files();
    client.open(&user, 1, USER);
    assert_eq!(client.findings(&user).0, none());
    client.open(&part, 1, PART);
    assert_eq!(client.findings(&user).0, none());
    // A dimension of 0 is a fault of the part.
    let at = PART.lines().nth(1).unwrap().find("x: 2").unwrap() as u32 + 3;
    client.edit(&part, 2, 1, at, at + 1, "0");
    let (found, message) = client.findings(&part);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with(&format!("V07 1:{at} ")), "{found:?}");
    assert_eq!(message["params"]["version"], 2);
    let importer = &message["params"]["diagnostics"][0]["relatedInformation"][0];
    assert_eq!(importer["location"]["uri"], user);
    assert_eq!(importer["location"]["range"]["start"]["line"], 1);
    assert_eq!(
        client.findings(&user).0,
        none(),
        "the fault is not in the importer"
    );
    // Without the editor's text, that of the disk counts again.
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": part}}),
    );
    client.wait_for(|message| {
        let params = &message["params"];
        params["uri"] == *part && params["diagnostics"] == json!([])
    });
}

#[test]
fn findings_in_files_that_are_not_open_go_to_these_files_and_end_with_the_importer() {
    let (mut client, _) = Client::with(None, json!({}));
    let (dir, part, user) = two_files();
    dir.write("p.part.yaml", PART.replace("x: 2", "x: 0"));
    client.open(&user, 1, USER);
    assert_eq!(client.findings(&part).0.len(), 1);
    dir.write("p.part.yaml", PART);
    let changes = json!({"changes": [{"uri": part, "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    assert_eq!(client.findings(&part).0, none());
    dir.write("p.part.yaml", PART.replace("x: 2", "x: 0"));
    client.notify(
        "textDocument/didSave",
        json!({"textDocument": {"uri": user}}),
    );
    assert_eq!(client.findings(&part).0.len(), 1);
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": user}}),
    );
    assert_eq!(client.findings(&part).0, none());
}

#[test]
fn two_documents_that_report_one_fault_show_it_once() {
    let (mut client, _) = Client::with(None, json!({}));
    let (dir, part, user) = two_files();
    dir.write("p.part.yaml", PART.replace("x: 2", "x: 0"));
    let other = user.replace("u.rigy", "v.rigy");
    client.open(&user, 1, USER);
    assert_eq!(client.findings(&part).0.len(), 1);
    client.open(&other, 1, USER);
    let (found, message) = client.findings(&part);
    assert_eq!(found.len(), 1);
    let importers = &message["params"]["diagnostics"][0]["relatedInformation"];
    assert_eq!(importers.as_array().unwrap().len(), 2);
}

#[test]
fn the_open_directory_is_the_root() {
    let dir = Dir::new();
    let root = dir.path().canonicalize().unwrap();
    dir.write("p.part.yaml", PART);
    let text = USER.replace("p.part", "../p.part");
    dir.write("sub/u.rigy.yaml", &text);
    let user = uri(&root.join("sub/u.rigy.yaml"));
    let (mut client, _) = Client::with(None, json!({}));
    client.open(&user, 1, &text);
    let found = client.findings(&user).0;
    assert!(found[0].starts_with("U14 "), "{found:?}");
    let (mut client, _) = Client::with(Some(&root), json!({}));
    client.open(&user, 1, &text);
    assert_eq!(client.findings(&user).0, none());
}

#[test]
fn positions_are_in_the_units_that_were_agreed() {
    let text = document("p").replacen("id: m,", "id: m\u{1f980},", 1);
    for (offered, width) in [(json!([]), 2), (json!(["utf-8"]), 4)] {
        let offered = json!({"general": {"positionEncodings": offered}});
        let (mut client, _) = Client::with(None, offered);
        client.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": "untitled:x", "languageId": "rigy", "version": 1, "text": text}}),
        );
        let found = client.findings("untitled:x").0;
        assert!(found[0].starts_with("V08 3:21 "), "{found:?}");
        // Behind the crab, on its line: `primitives` loses its last character.
        let line = text.lines().nth(1).unwrap();
        let before = line.find("\u{1f980}").unwrap() as u32 + width;
        let at = before + ", primitives".len() as u32;
        client.edit("untitled:x", 2, 1, at - 1, at, "");
        let found = client.findings("untitled:x").0;
        let expected = format!("V33 1:{} a mesh has no field `primitive`", before + 2);
        assert!(
            found.iter().any(|it| it.starts_with(&expected)),
            "{found:?}"
        );
    }
}

#[test]
fn formatting_gives_the_lines_that_fmt_changes() {
    let (mut client, _) = Client::with(None, json!({}));
    let dir = Dir::new();
    let text = "version:   \"0.5\"\nmeshes:\n    -   id: m\n        primitives: []\n";
    dir.write("a.rigy.yaml", text);
    let file = uri(&dir.path().canonicalize().unwrap().join("a.rigy.yaml"));
    client.open(&file, 1, text);
    let params =
        json!({"textDocument": {"uri": file}, "options": {"tabSize": 8, "insertSpaces": true}});
    let answer = client.request("textDocument/formatting", params.clone());
    let edits = answer["result"].as_array().unwrap();
    assert_eq!(edits.len(), 1);
    assert_eq!(
        edits[0]["range"]["start"],
        json!({"line": 0, "character": 0})
    );
    assert_eq!(edits[0]["range"]["end"], json!({"line": 4, "character": 0}));
    dir.run("fmt a.rigy.yaml");
    let formatted = String::from_utf8(dir.read("a.rigy.yaml")).unwrap();
    assert_eq!(edits[0]["newText"], formatted);
    // A text in canonical layout has no edits, and one that is no YAML has no answer.
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": file, "version": 2}, "contentChanges": [{"text": formatted}]}),
    );
    assert_eq!(
        client.request("textDocument/formatting", params.clone())["result"],
        json!([])
    );
    client.edit(&file, 3, 0, 0, 0, "[");
    assert_eq!(
        client.request("textDocument/formatting", params)["result"],
        Value::Null
    );
}

#[test]
fn of_several_edits_that_arrive_together_only_the_last_is_judged() {
    let (mut client, _) = Client::with(None, json!({}));
    let (_dir, _, user) = two_files();
    let mut bytes = Vec::new();
    let open = json!({"uri": user, "languageId": "yaml", "version": 0, "text": USER});
    let mut add = |method: &str, params: Value| {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        bytes.extend(super::client::framed(&message.to_string()));
    };
    add("textDocument/didOpen", json!({ "textDocument": open }));
    for version in 1..=200 {
        let changes = json!([{"text": if version % 2 == 0 { USER } else { "[" }}]);
        let document = json!({"uri": user, "version": version});
        add(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
    }
    client.write(&bytes);
    let mut judged = 0;
    loop {
        let message = client.findings(&user).1;
        judged += 1;
        if message["params"]["version"] == 200 {
            break;
        }
    }
    assert!(judged < 100, "{judged} of 201 texts were judged");
}

#[test]
fn a_client_that_can_watch_files_is_asked_to() {
    let watching = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let (mut client, _) = Client::with(None, watching);
    let asked = client.wait_for(|message| message["method"] == "client/registerCapability");
    let registration = &asked["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": null}));
    assert_eq!(
        client.request("shutdown", Value::Null)["result"],
        Value::Null
    );
}

#[test]
fn a_longer_text_is_judged_and_formatted_within_the_limits_of_the_command() {
    let comments = "# a line of a comment\n".repeat((11 << 20) / 10 / 22);
    let text = document("p").replace("version:", "version:  ") + &comments;
    let (uri, params) = ("untitled:long.rigy.yaml", json!({}));
    for (options, is_taken) in [(&[][..], false), (&["--limit", "bytes=2M"], true)] {
        let (mut client, _) = Client::start_with(options).greeted(None, params.clone());
        client.open(uri, 1, &text);
        let (findings, _) = client.findings(uri);
        let is_refused = findings.iter().any(|it| it.contains("`--limit bytes=N`"));
        assert_eq!(is_refused, !is_taken, "{findings:?}");
        let asked =
            json!({"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": true}});
        let edits = client.request("textDocument/formatting", asked)["result"].take();
        assert_eq!(edits.is_array(), is_taken, "{edits}");
    }
}
