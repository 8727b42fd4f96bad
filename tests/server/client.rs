//! A client that speaks the protocol to the real program over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::program;

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next_id: i64,
}

impl Client {
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the program with options.
    pub fn start_with(options: &[&str]) -> Self {
        let mut command = Command::new(program());
        command
            .arg("lsp")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            messages,
            next_id: 1,
        }
    }

    /// Starts the program with a directory open, and tells what the client can do.
    pub fn with(folder: Option<&Path>, capabilities: Value) -> (Self, Value) {
        Self::start().greeted(folder, capabilities)
    }

    /// Initializes the server.
    pub fn greeted(mut self, folder: Option<&Path>, capabilities: Value) -> (Self, Value) {
        let folders = folder.map(|path| json!([{"uri": super::uri(path), "name": "x"}]));
        let params = json!({
            "processId": null, "rootUri": null, "workspaceFolders": folders, "capabilities": capabilities,
        });
        let result = self.request("initialize", params)["result"].take();
        self.notify("initialized", json!({}));
        (self, result)
    }

    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub fn send(&mut self, message: &Value) {
        self.write(&framed(&message.to_string()));
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and returns the answer, past all other messages.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.wait_for(|message| message["id"] == id && message.get("method").is_none())
    }

    pub fn open(&mut self, uri: &str, version: i32, text: &str) {
        let document = json!({"uri": uri, "languageId": "yaml", "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn edit(&mut self, uri: &str, version: i32, line: u32, from: u32, to: u32, text: &str) {
        let range = json!({
            "start": {"line": line, "character": from}, "end": {"line": line, "character": to}
        });
        let document = json!({"uri": uri, "version": version});
        let changes = json!([{"range": range, "text": text}]);
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    pub fn wait_for(&self, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message = message.expect("the message comes");
            if is_meant(&message) {
                return message;
            }
        }
    }

    pub fn findings(&self, uri: &str) -> (Vec<String>, Value) {
        let message = self.wait_for(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        });
        (super::brief(&message["params"]["diagnostics"]), message)
    }

    pub fn rest(&self) -> Vec<Value> {
        std::iter::from_fn(|| self.messages.recv_timeout(PATIENCE).ok()).collect()
    }

    pub fn status_at_end_of_input(&mut self) -> i32 {
        drop(self.input.take());
        self.status()
    }

    pub fn status(&mut self) -> i32 {
        for _ in 0..6000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().expect("the program exits by itself");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().unwrap();
        panic!("the program does not end");
    }
}

pub fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut len = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(value) => len = value.parse().ok(),
            None => break,
        }
    }
    let mut body = vec![0; len.expect("every header has a length")];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("every body is JSON"))
}
