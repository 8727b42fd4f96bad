//! A server in this process, with one document open.

use std::path::Path;

use rigy_batch::Limits;
use rigy_batch::base::paths::Slashed;
use rigy_batch::cli::lsp::Machine;
use rigy_batch::kernel::random::Random;
use rigy_batch::server::Server;
use rigy_batch::server::frame::Sent;
use rigy_batch::server::lsp_server::{self, Message, Notification, Request};
use rigy_batch::server::uri::path_of;
use serde_json::{Value, json};

use super::{Compared, uri};

/// Requests about a document.
const QUESTIONS: [&str; 8] = [
    "hover",
    "completion",
    "definition",
    "references",
    "prepareRename",
    "rename",
    "documentSymbol",
    "formatting",
];

pub struct Judged {
    server: Server,
    uri: String,
    /// The text that the client has.
    pub text: String,
    version: i32,
    is_utf8: bool,
}

impl Judged {
    /// Opens a document; positions are agreed to be in UTF-8 or UTF-16.
    pub fn open(path: &Path, text: &str, is_utf8: bool) -> Self {
        let encodings = if is_utf8 { json!(["utf-8"]) } else { json!([]) };
        let params = json!({"capabilities": {"general": {"positionEncodings": encodings}}});
        let mut server = Server::new(&Machine, Limits::DEFAULT);
        let request = Request::new(1.into(), "initialize".into(), params);
        assert_eq!(server.receive(request.into()).len(), 1);
        let mut judged = Self {
            server,
            uri: uri(path),
            text: text.to_owned(),
            version: 1,
            is_utf8,
        };
        let document = json!({"uri": judged.uri, "languageId": "yaml", "version": 1, "text": text});
        judged.notify("didOpen", json!({ "textDocument": document }));
        judged
    }

    fn notify(&mut self, what: &str, params: Value) {
        let notification = Notification::new(format!("textDocument/{what}"), params);
        let answers = self.server.receive(Message::Notification(notification));
        assert!(answers.is_empty(), "{answers:?}");
    }

    /// Changes the text to another, by the part that differs.
    pub fn change(&mut self, text: &str) {
        let pairs = || self.text.chars().zip(text.chars());
        let mut before: usize = pairs()
            .take_while(|(old, new)| old == new)
            .map(|(old, _)| old.len_utf8())
            .sum();
        // No position lies between CR and LF.
        before -= usize::from(before > 0 && text.as_bytes()[before - 1] == b'\r');
        let (old, new) = (&self.text[before..], &text[before..]);
        let mut after: usize = old
            .chars()
            .rev()
            .zip(new.chars().rev())
            .take_while(|(old, new)| old == new)
            .map(|(old, _)| old.len_utf8())
            .sum();
        after -= usize::from(after > 0 && old.as_bytes()[old.len() - after] == b'\n');
        let end = self.text.len() - after;
        let range = json!({"start": self.position(before), "end": self.position(end)});
        let changes = json!([{"range": range, "text": &new[..new.len() - after]}]);
        self.version += 1;
        let document = json!({"uri": self.uri, "version": self.version});
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("didChange", params);
        self.text = text.to_owned();
    }

    fn position(&self, offset: usize) -> Value {
        let text = self.text.as_bytes();
        let is_start = |at: &usize| {
            let is_pair = text[at - 1] == b'\r' && text.get(*at) == Some(&b'\n');
            matches!(text[at - 1], b'\n' | b'\r') && !is_pair
        };
        let starts: Vec<usize> = (1..=offset).filter(is_start).collect();
        let start = starts.last().copied().unwrap_or(0);
        let before = &self.text[start..offset];
        let character = match self.is_utf8 {
            true => before.len(),
            false => before.encode_utf16().count(),
        };
        json!({"line": starts.len(), "character": character})
    }

    /// Lets the server work while another message waits. Returns the number of messages that it sends.
    pub fn work_interrupted(&mut self) -> usize {
        let mut sent = 0;
        self.server.work(&|| true, &mut |_| sent += 1);
        sent
    }

    pub fn findings(&mut self) -> Vec<Compared> {
        let mut last = std::collections::BTreeMap::new();
        while self.server.has_work() {
            self.server.work(&|| false, &mut |message| {
                let Message::Notification(it) = message else {
                    panic!("{message:?}");
                };
                last.insert(it.params["uri"].to_string(), it.params);
            });
        }
        let own = |name: &str| path_of(name).unwrap().slashed().to_string();
        let mut findings = Vec::new();
        for params in last.into_values() {
            let file = own(params["uri"].as_str().unwrap());
            let text = match params["uri"] == *self.uri {
                true => self.text.clone(),
                false => std::fs::read_to_string(&file).unwrap_or_default(),
            };
            for finding in params["diagnostics"].as_array().unwrap() {
                let (line, column) = self.column(&text, &finding["range"]["start"]);
                let mut message = finding["message"]
                    .as_str()
                    .unwrap()
                    .replace("\nhelp: ", "; ");
                for importer in finding["relatedInformation"]
                    .as_array()
                    .into_iter()
                    .flatten()
                {
                    let name = own(importer["location"]["uri"].as_str().unwrap());
                    let of = match name == own(&self.uri) {
                        true => self.text.clone(),
                        false => std::fs::read_to_string(&name).unwrap_or_default(),
                    };
                    let at = self.column(&of, &importer["location"]["range"]["start"]);
                    message += &format!(" (imported at {name}:{}:{})", at.0, at.1);
                }
                let code = finding["code"].as_str().map(str::to_owned);
                findings.push((file.clone(), code, message, line, column));
            }
        }
        findings.sort();
        findings
    }

    /// Asks something about a random position; the server has to answer without a panic.
    pub fn ask(&mut self, random: &mut Random) {
        let method = *random.pick(&QUESTIONS);
        let lines = self.text.lines().count() + 2;
        let position = json!({"line": random.below(lines), "character": random.below(60)});
        let params = json!({
            "textDocument": {"uri": self.uri}, "position": position, "newName": "renamed",
            "context": {"includeDeclaration": true}, "options": {"tabSize": 2, "insertSpaces": true}
        });
        let request = Request::new(2.into(), format!("textDocument/{method}"), params);
        let answers = self.server.receive(request.into());
        let [Sent::Response(answer)] = &answers[..] else {
            panic!("{answers:?}");
        };
        if let Err(error) = &answer.result {
            let panicked = lsp_server::ErrorCode::InternalError as i32;
            assert_ne!(
                error.code, panicked,
                "{method} at {position}:\n{}",
                self.text
            );
        }
    }

    /// The line and the column in characters of a position, both from 1.
    fn column(&self, text: &str, position: &Value) -> (u64, u64) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line = position["line"].as_u64().unwrap();
        let units = position["character"].as_u64().unwrap() as usize;
        let units = match self.text.starts_with('\u{feff}') && line == 0 {
            true => units.saturating_sub(if self.is_utf8 { 3 } else { 1 }),
            false => units,
        };
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let content = text.split('\n').nth(line as usize).unwrap_or_default();
        let mut counted = 0;
        let width = |c: char| {
            if self.is_utf8 {
                c.len_utf8()
            } else {
                c.len_utf16()
            }
        };
        let before = content.chars().take_while(|c| {
            counted += width(*c);
            counted <= units
        });
        (line + 1, before.count() as u64 + 1)
    }
}
