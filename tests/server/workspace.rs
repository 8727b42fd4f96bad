//! References and new names in files of the workspace that are not open.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::client::Client;
use super::uri;
use crate::support::{Dir, PART, USER};

const CONTRACT: &str = "contract_version: \"1\"\nrequired_anchors: [a, b]\n";

/// A part with importers: two that name its anchors, one of them by an escaped path; one that only names a contract that names
/// them; and one that a search leaves out.
fn workspace() -> Dir {
    let dir = Dir::with("p.part.yaml", PART);
    let from = |path: &str| USER.replace("p.part.yaml", path);
    dir.write("u.rigy.yaml", USER);
    dir.write("sub/escaped.rigy.yaml", from("\"../p\\x2epart.yaml\""));
    dir.write("c.ricy.yaml", CONTRACT);
    let bound = "version: \"0.5\"\nimports: {p: {source: p.part.yaml, contract: c.ricy.yaml}}\n";
    dir.write("bound.rigy.yaml", bound);
    dir.write(
        "unrelated.rigy.yaml",
        "version: \"0.5\"\nanchors: [{id: a, translation: [0, 0, 0]}]\n",
    );
    dir.write(".rigyignore", "old/\n");
    dir.write("old/u.rigy.yaml", from("../p.part.yaml"));
    dir
}

/// Asks about the anchor `a` of the part, which alone is open.
fn ask(dir: &Dir, folder: bool, method: &str, more: Value) -> Value {
    let root = dir.path().canonicalize().unwrap();
    let (mut client, _) = Client::with(folder.then_some(&root), json!({}));
    let part = uri(&root.join("p.part.yaml"));
    client.open(&part, 1, PART);
    let line = PART.lines().nth(2).unwrap();
    let character = line.find("id: a").unwrap() + 4;
    let mut params = json!({
        "textDocument": {"uri": part}, "position": {"line": 2, "character": character}
    });
    let more = more.as_object().unwrap().clone();
    params.as_object_mut().unwrap().extend(more);
    client.request(&format!("textDocument/{method}"), params)
}

/// Applies the edits of an answer, and returns the names of the files that they change.
fn apply(dir: &Dir, answer: &Value) -> Vec<String> {
    let root = uri(&dir.path().canonicalize().unwrap());
    let mut names = Vec::new();
    for (file, edits) in answer["result"]["changes"].as_object().unwrap() {
        let name = file.strip_prefix(&format!("{root}/")).unwrap().to_owned();
        let text = String::from_utf8(dir.read(&name)).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the last to the first, so that no edit moves another.
        let mut edits: Vec<&Value> = edits.as_array().unwrap().iter().collect();
        let number = |it: &Value| it.as_u64().unwrap() as usize;
        edits.sort_by_key(|it| number(&it["range"]["start"]["character"]));
        for edit in edits.into_iter().rev() {
            let [start, end] = ["start", "end"].map(|end| &edit["range"][end]);
            let range = number(&start["character"])..number(&end["character"]);
            lines[number(&start["line"])].replace_range(range, edit["newText"].as_str().unwrap());
        }
        dir.write(&name, lines.join("\n") + "\n");
        names.push(name);
    }
    names
}

fn compiled(dir: &Dir) -> BTreeMap<String, Vec<u8>> {
    let out = Dir::new();
    dir.run(&[".", "-o", out.path().to_str().unwrap()]).good();
    let files = out.files().into_iter();
    files.map(|name| (name.clone(), out.read(&name))).collect()
}

#[test]
fn a_new_name_reaches_importers_that_are_not_open() {
    let dir = workspace();
    let before = compiled(&dir);
    assert_eq!(before.len(), 4, "{:?}", before.keys());
    let answer = ask(&dir, true, "rename", json!({"newName": "corner"}));
    let changed = apply(&dir, &answer);
    let expected = [
        "c.ricy.yaml",
        "p.part.yaml",
        "sub/escaped.rigy.yaml",
        "u.rigy.yaml",
    ];
    assert_eq!(changed, expected, "{answer}");
    let user = String::from_utf8(dir.read("u.rigy.yaml")).unwrap();
    assert!(
        user.contains("from: [corner, b, c], to: [a, b, c]"),
        "{user}"
    );
    assert_eq!(compiled(&dir), before);
}

#[test]
fn references_are_found_in_files_that_are_not_open() {
    let dir = workspace();
    let context = json!({"context": {"includeDeclaration": false}});
    // Without a folder, the directory of the document counts, and references may not leave it.
    for folder in [true, false] {
        let answer = ask(&dir, folder, "references", context.clone());
        let found = answer["result"].as_array().unwrap().iter();
        let mut files: Vec<&str> = found
            .map(|it| it["uri"].as_str().unwrap().rsplit('/').next().unwrap())
            .collect();
        files.sort_unstable();
        assert_eq!(files, ["c.ricy.yaml", "escaped.rigy.yaml", "u.rigy.yaml"]);
    }
}

#[test]
fn a_name_that_too_many_files_may_have_is_not_changed() {
    let dir = workspace();
    for number in 0..1100 {
        dir.write(
            &format!("many/{number}.rigy.yaml"),
            "# p.part.yaml\nversion: \"0.5\"\n",
        );
    }
    let refused = ask(&dir, true, "rename", json!({"newName": "corner"}));
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("open a smaller folder"), "{message}");
}

#[test]
fn paths_of_files_of_the_folder_are_proposed() {
    let dir = workspace();
    let root = dir.path().canonicalize().unwrap();
    let (mut client, _) = Client::with(Some(&root), json!({}));
    let user = uri(&root.join("sub/new.rigy.yaml"));
    let text = "version: \"0.5\"\nimports: {p: {source: }}\n";
    client.open(&user, 1, text);
    let params = json!({"textDocument": {"uri": user}, "position": {"line": 1, "character": 22}});
    let answer = client.request("textDocument/completion", params);
    let found = answer["result"].as_array().unwrap().iter();
    let labels: Vec<&str> = found.map(|it| it["label"].as_str().unwrap()).collect();
    let expected = [
        "escaped.rigy.yaml",
        "../bound.rigy.yaml",
        "../p.part.yaml",
        "../u.rigy.yaml",
        "../unrelated.rigy.yaml",
    ];
    assert_eq!(labels, expected, "{answer}");
}
