//! Folds, colours, words and values, with positions of the protocol.

use serde_json::{Value, json};

use super::client::Client;

const FILE: &str = "file:///a/b.rigy.yaml";

const TEXT: &str = "version: \"0.12\"\nparams: {w: 2}\nmaterials:\n  \"\u{1f980}\": {base_color: [1, 0.5, 0, 1]}\nmeshes:\n- id: \"\u{1f980}\"\n  primitives:\n  - {type: box, id: b, dimensions: {x: $w, y: \"=$w / 4\", z: 1}}\n";

/// Opens a text and asks about it.
fn ask(client: &mut Client, method: &str, more: Value) -> Value {
    let mut params = json!({"textDocument": {"uri": FILE}});
    let more = more.as_object().unwrap().clone();
    params.as_object_mut().unwrap().extend(more);
    let answer = client.request(&format!("textDocument/{method}"), params);
    answer["result"].clone()
}

fn opened(encoding: &str) -> Client {
    let capabilities = json!({"general": {"positionEncodings": [encoding]}});
    let (mut client, _) = Client::with(None, capabilities);
    client.open(FILE, 1, TEXT);
    client
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}})
}

#[test]
fn lines_of_lists_and_mappings_are_folded_once() {
    let found = ask(&mut opened("utf-16"), "foldingRange", json!({}));
    let lines = found.as_array().unwrap().iter();
    let lines: Vec<_> = lines.map(|it| [&it["startLine"], &it["endLine"]]).collect();
    let expected: [[u32; 2]; 4] = [[2, 3], [4, 7], [5, 7], [6, 7]];
    assert_eq!(json!(lines), json!(expected), "{found}");
}

#[test]
fn colours_are_found_and_written() {
    for (encoding, shift) in [("utf-16", 0), ("utf-8", 2)] {
        let mut client = opened(encoding);
        let here = range(3, 21 + shift, 35 + shift);
        let found = ask(&mut client, "documentColor", json!({}));
        let color = json!({"red": 1.0, "green": 0.5, "blue": 0.0, "alpha": 1.0});
        assert_eq!(found, json!([{"range": here, "color": color}]));
        let color = json!({"red": 0.25, "green": 2, "blue": -1, "alpha": 0.33333});
        let found = ask(
            &mut client,
            "colorPresentation",
            json!({"range": here, "color": color}),
        );
        assert_eq!(found[0]["label"], "[0.25, 1, 0, 0.333]");
        assert_eq!(
            found[0]["textEdit"],
            json!({"range": here, "newText": "[0.25, 1, 0, 0.333]"})
        );
        let elsewhere = json!({"range": range(4, 0, 3), "color": color});
        assert_eq!(ask(&mut client, "colorPresentation", elsewhere), json!([]));
    }
}

#[test]
fn words_are_told_by_their_distances() {
    for (encoding, id) in [("utf-16", 2), ("utf-8", 4)] {
        let mut client = opened(encoding);
        let found = ask(&mut client, "semanticTokens/full", json!({}));
        let data: Vec<u64> = serde_json::from_value(found["data"].clone()).unwrap();
        // `version`; `params` and `w`; `materials`; the quoted id of a material.
        let expected = [
            [0, 0, 7, 0, 0],
            [1, 0, 6, 0, 0],
            [0, 9, 1, 4, 1],
            [1, 0, 9, 0, 0],
            [1, 3, id, 9, 1],
        ];
        assert_eq!(data[..25], *expected.as_flattened(), "{encoding}");
        let part = json!({"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}});
        let found = ask(&mut client, "semanticTokens/range", part);
        assert_eq!(found["data"], json!([1, 0, 6, 0, 0, 0, 9, 1, 4, 1]));
    }
}

#[test]
fn values_are_shown_behind_their_texts() {
    let all = json!({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}});
    let found = ask(&mut opened("utf-16"), "inlayHint", all);
    let shown = found.as_array().unwrap().iter();
    let shown: Vec<_> = shown
        .map(|it| json!([it["position"]["character"], it["label"]]))
        .collect();
    let line = TEXT.lines().nth(7).unwrap();
    let behind = |part: &str| line.find(part).unwrap() + part.len();
    let expected = json!([[behind("x: $w"), "= 2"], [behind("/ 4\""), "= 0.5"]]);
    assert_eq!(json!(shown), expected, "{found}");
    let above = json!({"range": range(0, 0, 5)});
    assert_eq!(ask(&mut opened("utf-16"), "inlayHint", above), json!([]));
}
