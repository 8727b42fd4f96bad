//! Requests about a position of a document: the answers of `assist` with positions and URIs.

use serde_json::{Value, json};

use super::client::Client;
use super::two_files;
use crate::support::{Dir, PART, USER};

/// A client with a document open that places a part, which is on the disk.
struct Opened {
    client: Client,
    dir: Dir,
    part: String,
    user: String,
}

impl Opened {
    fn new() -> Self {
        let (dir, part, user) = two_files();
        let root = dir.path().canonicalize().unwrap();
        let (mut client, _) = Client::with(Some(&root), json!({}));
        client.open(&user, 1, USER);
        Self {
            client,
            dir,
            part,
            user,
        }
    }

    /// Asks about the place behind the first `after` in the document.
    fn ask(&mut self, method: &str, after: &str, more: Value) -> Value {
        let at = USER.find(after).unwrap() + after.len();
        let line = USER[..at].matches('\n').count();
        let character = at - USER[..at].rfind('\n').map_or(0, |at| at + 1);
        let mut params = json!({
            "textDocument": {"uri": self.user}, "position": {"line": line, "character": character}
        });
        let more = more.as_object().unwrap().clone();
        params.as_object_mut().unwrap().extend(more);
        self.client
            .request(&format!("textDocument/{method}"), params)
    }
}

fn text_of(text: &str, range: &Value) -> String {
    let at = |end: &str| range[end]["character"].as_u64().unwrap() as usize;
    assert_eq!(range["start"]["line"], range["end"]["line"]);
    let line = range["start"]["line"].as_u64().unwrap() as usize;
    text.lines().nth(line).unwrap()[at("start")..at("end")].to_owned()
}

#[test]
fn a_definition_is_in_the_file_that_has_it() {
    let mut opened = Opened::new();
    let answer = opened.ask("definition", "from: [", json!({}));
    let found = answer["result"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{answer}");
    assert_eq!(found[0]["uri"], opened.part);
    assert_eq!(found[0]["range"]["start"]["line"], 2);
    assert_eq!(text_of(PART, &found[0]["range"]), "a");
    let answer = opened.ask("definition", " to: [", json!({}));
    assert_eq!(answer["result"][0]["uri"], opened.user);
    // The text in the editor counts, not that on the disk.
    let (part, moved) = (opened.part.clone(), format!("# a line above\n{PART}"));
    opened.client.open(&part, 1, &moved);
    let answer = opened.ask("definition", "from: [", json!({}));
    assert_eq!(answer["result"][0]["range"]["start"]["line"], 3);
}

#[test]
fn references_are_with_or_without_the_definition() {
    let mut opened = Opened::new();
    for (with, count) in [(true, 2), (false, 1)] {
        let context = json!({"context": {"includeDeclaration": with}});
        let answer = opened.ask("references", "import: ", context);
        let found = answer["result"].as_array().unwrap();
        assert_eq!(found.len(), count, "{answer}");
        assert!(found.iter().all(|it| text_of(USER, &it["range"]) == "p"));
    }
}

#[test]
fn a_name_is_changed_in_all_files() {
    let mut opened = Opened::new();
    let answer = opened.ask("prepareRename", "from: [", json!({}));
    assert_eq!(answer["result"]["placeholder"], "a", "{answer}");
    assert_eq!(text_of(USER, &answer["result"]["range"]), "a");
    let answer = opened.ask("rename", "from: [", json!({"newName": "corner"}));
    let changes = answer["result"]["changes"].as_object().unwrap();
    assert_eq!(changes.len(), 2, "{answer}");
    for (file, text) in [(&opened.part, PART), (&opened.user, USER)] {
        let edits = changes[file].as_array().unwrap();
        assert_eq!(edits.len(), 1);
        assert_eq!(edits[0]["newText"], "corner");
        assert_eq!(text_of(text, &edits[0]["range"]), "a");
    }
    let refused = opened.ask("rename", "from: [", json!({"newName": "b"}));
    assert_eq!(refused["error"]["code"], -32803, "{refused}");
    let refused = opened.ask("prepareRename", "atta", json!({}));
    assert_eq!(refused["error"]["code"], -32803, "{refused}");
}

#[test]
fn hover_explains_fields_and_the_codes_of_findings() {
    let mut opened = Opened::new();
    let answer = opened.ask("hover", "atta", json!({}));
    assert_eq!(text_of(USER, &answer["result"]["range"]), "attach3");
    assert_eq!(answer["result"]["contents"]["kind"], "markdown");
    assert!(!answer.to_string().contains("V29"), "{answer}");
    // An anchor that the part does not have.
    opened
        .dir
        .write("p.part.yaml", PART.replace("{id: a,", "{id: z,"));
    let user = opened.user.clone();
    let saved = json!({"textDocument": {"uri": user}});
    opened.client.notify("textDocument/didSave", saved);
    opened.client.wait_for(|message| {
        let found = &message["params"]["diagnostics"];
        message["params"]["uri"] == *user && found[0]["code"] == "V29"
    });
    let answer = opened.ask("hover", "from: [", json!({}));
    let text = answer["result"]["contents"]["value"].as_str().unwrap();
    assert!(text.contains("**V29**"), "{answer}");
}

#[test]
fn proposals_replace_what_has_been_typed() {
    let mut opened = Opened::new();
    let answer = opened.ask("completion", "import: p", json!({}));
    let found = answer["result"].as_array().unwrap();
    let import = found.iter().find(|it| it["label"] == "p").unwrap();
    assert_eq!(text_of(USER, &import["textEdit"]["range"]), "p");
    assert_eq!(import["textEdit"]["newText"], "p");
    let order = found.iter().map(|it| it["sortText"].as_str().unwrap());
    assert_eq!(
        order.collect::<std::collections::BTreeSet<_>>().len(),
        found.len()
    );
}

#[test]
fn the_outline_is_a_tree_of_elements() {
    let mut opened = Opened::new();
    let params = json!({"textDocument": {"uri": opened.user}});
    let answer = opened.client.request("textDocument/documentSymbol", params);
    let found = answer["result"].as_array().unwrap();
    let names: Vec<&str> = found.iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(names.contains(&"i") && names.contains(&"p"), "{names:?}");
    for symbol in found {
        assert_eq!(
            text_of(USER, &symbol["selectionRange"]),
            symbol["name"].as_str().unwrap()
        );
    }
}

#[test]
fn a_document_that_is_not_open_has_no_answers() {
    let mut opened = Opened::new();
    let user = opened.user.clone();
    let closed = json!({"textDocument": {"uri": user}});
    opened.client.notify("textDocument/didClose", closed);
    let answer = opened.ask("hover", "atta", json!({}));
    assert_eq!(answer["error"]["code"], -32602);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("is not open"), "{message}");
}
