//! The language server: a scripted client before the program, and random edits before the findings of the command line.

mod client;
mod edits;
mod exchange;
mod hostile;
mod judged;
mod mends;
mod questions;
mod workspace;

use rigy_batch::base::paths::Slashed;
use std::path::Path;

use serde_json::Value;

use crate::support::{Dir, PART, USER};

/// A finding as the server and the command line are compared by it: file, code, message, line and column, from 1.
type Compared = (String, Option<String>, String, u64, u64);

fn uri(path: &Path) -> String {
    let path = path.slashed().to_string().replace(':', "%3A");
    assert!(
        path.chars()
            .all(|c| c.is_ascii_alphanumeric() || "/._-%".contains(c)),
        "{path}"
    );
    format!("file:///{}", path.trim_start_matches('/'))
}

/// A directory with a part and the document that places it, and the URIs of the part and of the document.
fn two_files() -> (Dir, String, String) {
    let dir = Dir::with("p.part.yaml", PART);
    dir.write("u.rigy.yaml", USER);
    let root = dir.path().canonicalize().unwrap();
    let [part, user] = ["p.part.yaml", "u.rigy.yaml"].map(|name| uri(&root.join(name)));
    (dir, part, user)
}

/// The message, the code and the beginning of each finding of `textDocument/publishDiagnostics`, sorted.
fn brief(diagnostics: &Value) -> Vec<String> {
    let diagnostics = diagnostics.as_array().unwrap().iter();
    let mut brief: Vec<String> = diagnostics
        .map(|it| {
            let start = &it["range"]["start"];
            let code = it["code"].as_str().unwrap_or("-");
            format!(
                "{code} {}:{} {}",
                start["line"],
                start["character"],
                it["message"].as_str().unwrap()
            )
        })
        .collect();
    brief.sort();
    brief
}
