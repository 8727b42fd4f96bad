//! The state of the exchange with a client.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::notification::{LogMessage, Notification as _};
use ls_types::{LogMessageParams, MessageType};
use lsp_server::{Message, Notification};

use super::document::Document;
use super::findings::Places;
use super::frame::Sent;
use super::host::Host;
use super::judge;
use super::overlay::{Files, Overlay, Texts};
use super::positions::Encoding;
use super::published::{Documents, Published, Report};
use crate::assist::RecentTexts;
use rigy_base::diag::Diagnostic;
use rigy_base::limits::Limits;
use rigy_base::terminal::printable;

/// A language server.
pub struct Server {
    pub(super) host: &'static dyn Host,
    /// The limits on each document.
    pub(super) limits: Limits,
    pub(super) state: State,
    pub(super) encoding: Encoding,
    /// The identities of the directories that the client has open. References may not leave them.
    pub(super) folders: Vec<PathBuf>,
    /// True if the client lets the server ask for files to be watched.
    pub(super) can_watch: bool,
    pub(super) documents: Documents,
    /// The URIs of the documents that are to be judged.
    pub(super) waiting: VecDeque<String>,
    pub(super) published: Published,
    /// The texts of the last request about a position.
    pub(super) recent_texts: RecentTexts,
}

/// The state of the exchange with the client.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    Uninitialized,
    Running,
    ShutDown,
    /// The client wants the program to end; true if it has asked for `shutdown` before.
    Ended(bool),
}

impl Server {
    /// Returns a server that has had no message.
    pub fn new(host: &'static dyn Host, limits: Limits) -> Self {
        Self {
            host,
            limits,
            state: State::default(),
            encoding: Encoding::default(),
            folders: Vec::new(),
            can_watch: false,
            documents: Documents::default(),
            waiting: VecDeque::new(),
            published: Published::default(),
            recent_texts: RecentTexts::default(),
        }
    }

    /// Takes a message and returns the messages that it calls for.
    pub fn receive(&mut self, message: Message) -> Vec<Sent> {
        match message {
            Message::Request(request) => vec![Sent::Response(self.answer(request))],
            Message::Notification(notification) => self
                .note(notification)
                .into_iter()
                .map(Sent::Message)
                .collect(),
            Message::Response(_) => Vec::new(), // nothing depends on what the client answers
        }
    }

    /// Returns the message that tells the client about something that it has sent and that is no message.
    pub fn unusable(&self, reason: String) -> Message {
        logged(&reason)
    }

    /// Returns `Some` once the client wants the program to end; true if it has asked for `shutdown` before.
    pub fn ended(&self) -> Option<bool> {
        match self.state {
            State::Ended(in_order) => Some(in_order),
            _ => None,
        }
    }

    /// Returns true if a document is to be judged.
    pub fn has_work(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Judges one document and passes its findings to `send`. The work ends early, and is done again by a later call, when
    /// `is_stale` returns true.
    pub fn work(&mut self, is_stale: &dyn Fn() -> bool, send: &mut dyn FnMut(Message)) {
        let Some(uri) = self.waiting.pop_front() else {
            return;
        };
        let Some(document) = self.documents.get(&uri) else {
            return;
        };
        let overlay = self.overlay(document);
        let (documents, encoding) = (&self.documents, self.encoding);
        let published = &mut self.published;
        let mut publish = |findings: Vec<_>| {
            let files = Files::new(&overlay, documents.values(), encoding);
            let report = Report {
                findings: Places::new(document, files).by_uri(&findings),
                files: overlay.identities(),
            };
            published
                .update(&document.uri, report, documents)
                .into_iter()
                .for_each(&mut *send);
        };
        let judged = catch_unwind(AssertUnwindSafe(|| {
            let (host, limits) = (self.host, self.limits);
            judge::judge(document, &overlay, host, limits, is_stale, &mut publish)
        }));
        // A panic is a bug of this program and not a fault of the client.
        let is_done = judged.unwrap_or_else(|_| {
            publish(vec![Diagnostic::panicked(&document.name())]);
            true
        });
        if !is_done {
            self.waiting.push_back(uri);
        }
    }

    /// Returns a loader for the files to which a document refers.
    pub(super) fn overlay(&self, document: &Document) -> Overlay {
        Overlay::new(self.host, self.root_of(document).as_deref(), self.texts())
    }

    /// Returns the directory that the references of a document may not leave: the innermost directory that the client has
    /// open and that contains it, or else its own; `None` for a document that is no file.
    pub(super) fn root_of(&self, document: &Document) -> Option<PathBuf> {
        if !document.is_file {
            return None;
        }
        self.folders
            .iter()
            .filter(|folder| document.identity.starts_with(folder))
            .max_by_key(|folder| folder.as_os_str().len())
            .map(PathBuf::as_path)
            .or(document.identity.parent())
            .map(Path::to_owned)
    }

    /// Returns the texts of all open documents.
    fn texts(&self) -> Arc<Texts> {
        let texts = self
            .documents
            .values()
            .map(|document| (document.identity.clone(), document.text.clone()));
        Arc::new(texts.collect())
    }

    /// Lets a document be judged that is open, and those that refer to it.
    pub(super) fn judge_later(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        let importers = self.published.importers(&document.identity);
        for uri in std::iter::once(uri.to_owned()).chain(importers) {
            self.enqueue(uri);
        }
    }

    /// Lets all open documents be judged.
    pub(super) fn judge_all_later(&mut self) {
        let mut uris: Vec<String> = self.documents.keys().cloned().collect();
        uris.sort_unstable();
        uris.into_iter().for_each(|uri| self.enqueue(uri));
    }

    pub(super) fn enqueue(&mut self, uri: String) {
        let is_judged = self.documents.get(&uri).is_some_and(|it| it.is_judged);
        if is_judged && !self.waiting.contains(&uri) {
            self.waiting.push_back(uri);
        }
    }
}

/// Returns a message that the client logs. What the client has sent is escaped in it.
pub fn logged(text: &str) -> Message {
    let params = LogMessageParams {
        typ: MessageType::WARNING,
        message: printable(text),
    };
    Notification::new(LogMessage::METHOD.to_owned(), params).into()
}
