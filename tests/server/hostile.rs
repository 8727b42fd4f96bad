//! Clients that send malformed messages: the server answers or ignores them, and goes on.

use serde_json::{Value, json};

use super::client::{Client, framed};

fn assert_alive(client: &mut Client) {
    let answer = client.request("no/such/request", json!({}));
    assert_eq!(answer["error"]["code"], -32601);
}

#[test]
fn nothing_is_answered_before_initialize() {
    let mut client = Client::start();
    client.notify("textDocument/didOpen", json!({"nonsense": true}));
    let answer = client.request("textDocument/hover", json!({}));
    assert_eq!(answer["error"]["code"], -32002);
    assert!(client.request("initialize", Value::Null)["result"].is_object());
    let again = client.request("initialize", json!({}));
    assert_eq!(again["error"]["code"], -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 1, "without `shutdown`");
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    for begun in [false, true] {
        let mut client = match begun {
            true => Client::with(None, json!({})).0,
            false => Client::start(),
        };
        assert_eq!(client.status_at_end_of_input(), 1);
    }
    let mut client = Client::start();
    client.write(b"Content-Length: 100\r\n\r\n{\"jsonrpc\"");
    assert_eq!(client.status_at_end_of_input(), 1);
}

#[test]
fn what_arrived_before_the_end_of_the_input_is_judged() {
    let (mut client, _) = Client::with(None, json!({}));
    let document = json!({"uri": "untitled:x", "languageId": "rigy", "version": 1, "text": "["});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    assert_eq!(client.status_at_end_of_input(), 1);
    let rest = client.rest();
    let found = rest
        .iter()
        .filter(|it| it["method"] == "textDocument/publishDiagnostics");
    assert_eq!(found.count(), 1, "{rest:?}");
}

#[test]
fn garbage_between_messages_is_logged_and_left_out() {
    let (mut client, _) = Client::with(None, json!({}));
    let garbage: [&[u8]; 7] = [
        b"garbage\r\n\r\n",
        b"\xff\xfe\x00\r\n\r\n",
        b"Content-Length: nine\r\n\r\n",
        b"Content-Length: 99999999999999999999999\r\n\r\n",
        &framed("{"),
        &framed("[]"),
        &framed("\u{0}"),
    ];
    for bytes in garbage {
        client.write(bytes);
        let logged = client.wait_for(|message| message["method"] == "window/logMessage");
        assert_eq!(logged["params"]["type"], 2, "a warning");
        assert_alive(&mut client);
    }
}

#[test]
fn parameters_of_any_form_are_survived() {
    let (mut client, _) = Client::with(None, json!({}));
    let text = "version: \"0.5\"\nmeshes: []\n";
    let uris = [
        "untitled:x.rigy.yaml",
        "file:///no/such/directory/%00/x.rigy.yaml",
        "file:///no/such/directory/%ff%FE%zz/x.rigy.yaml",
        "file://elsewhere/x.rigy.yaml",
        "file:///",
        "file:///..",
        "vscode-notebook-cell:/a.rigy.yaml#x",
        "rigy:",
        "file:///proc/self/mem/x.rigy.yaml",
    ];
    let positions = [0, 1, 7, u32::MAX];
    for uri in uris {
        client.open(uri, i32::MIN, text);
        for line in positions {
            for character in positions {
                client.edit(uri, 2, line, character, 0, "\u{1f980}\r");
            }
        }
        let document =
            json!({"textDocument": {"uri": uri}, "options": {"tabSize": 0, "insertSpaces": false}});
        client.request("textDocument/formatting", document);
        let far = json!({"line": u32::MAX, "character": u32::MAX});
        let ranges = [
            (json!({"line": 0, "character": 9}), far.clone()),
            (far, json!({"line": 0, "character": 0})),
        ];
        for (start, end) in ranges {
            let params = json!({
                "textDocument": {"uri": uri}, "range": {"start": start, "end": end},
                "context": {"diagnostics": [], "only": [""]}
            });
            client.request("textDocument/codeAction", params);
        }
        client.open(uri, 9, text); // a second time
        client.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
        client.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
        client.edit(uri, 3, 0, 0, 0, "x"); // not open any more
    }
    let values = [
        json!(null),
        json!(7),
        json!("x"),
        json!([]),
        json!({}),
        json!([[[]]]),
    ];
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didSave",
        "textDocument/formatting",
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/definition",
        "textDocument/references",
        "textDocument/prepareRename",
        "textDocument/rename",
        "textDocument/documentSymbol",
        "textDocument/codeAction",
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeWorkspaceFolders",
        "workspace/didChangeConfiguration",
        "$/cancelRequest",
        "$/setTrace",
        "initialized",
    ] {
        for value in &values {
            client.notify(method, value.clone());
            client.request(method, value.clone());
        }
    }
    assert_alive(&mut client);
}

#[test]
fn a_request_that_waits_can_be_cancelled() {
    let (mut client, _) = Client::with(None, json!({}));
    // Both arrive at once, so the request is either answered or cancelled, and the server goes on.
    let request = json!({"jsonrpc": "2.0", "id": "a", "method": "no/such/request", "params": {}});
    let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "a"}});
    client.write(&[framed(&request.to_string()), framed(&cancel.to_string())].concat());
    let answer = client.wait_for(|message| message["id"] == "a");
    let code = answer["error"]["code"].as_i64().unwrap();
    assert!([-32601, -32800].contains(&code), "{answer}");
    assert_alive(&mut client);
}

#[test]
fn a_document_that_is_too_long_has_a_finding() {
    let (mut client, _) = Client::with(None, json!({}));
    let text = format!("version: \"0.5\" #{}\n", "x".repeat(1 << 20));
    let document = json!({"uri": "untitled:x", "languageId": "rigy", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let found = client.findings("untitled:x").0;
    assert!(found[0].contains("the limit is 1048576"), "{found:?}");
}

#[test]
fn surfaces_of_too_many_samples_have_a_finding() {
    let (mut client, _) = Client::with(None, json!({}));
    let surface = "{type: implicit_surface, id: 's${i}', iso: 5, \
                   domain: {aabb: {min: [0, 0, 0], max: [1, 1, 1]}, grid: {nx: 125, ny: 125, nz: 125}}, \
                   ops: [{op: add, field: metaball_sphere@1, strength: 1, radius: 1}]}";
    let text = format!(
        "version: \"0.13\"\nmeshes: [{{id: m, primitives: [{{repeat: {{count: 10000, as: i, body: {surface}}}}}]}}]\n"
    );
    let document = json!({"uri": "untitled:x", "languageId": "rigy", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    // The server says first what it finds without building the document.
    let diagnostics = |message: &Value| message["params"]["diagnostics"][0].clone();
    let found = client.wait_for(|message| !diagnostics(message).is_null());
    let said = diagnostics(&found)["message"].to_string();
    assert!(
        said.contains("too much work on samples of implicit surfaces"),
        "{said}"
    );
}

#[test]
fn unfinished_texts_have_answers() {
    let (mut client, _) = Client::with(None, json!({}));
    let uri = "untitled:x.rigy.yaml";
    let whole = "version: \"0.12\"\nparams: {w: 2}\nmaterials: {m: {base_color: [1, 0, 0, 1]}}\nmeshes: [{id: m, x: \"=$w\"}]\n";
    for (at, _) in whole.char_indices() {
        client.open(uri, 1, &whole[..at]);
        let params = json!({"textDocument": {"uri": uri}, "position": {"line": 9, "character": 0}});
        for method in ["documentSymbol", "hover", "completion"] {
            let answer = client.request(&format!("textDocument/{method}"), params.clone());
            assert!(answer["error"].is_null(), "{method} {at}: {answer}");
        }
    }
}
