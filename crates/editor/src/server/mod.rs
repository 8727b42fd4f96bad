//! The language server: messages of an editor in, findings and answers out.
//!
//! A [`Server`] is a state machine. [`Server::receive`] takes a message and returns answers; [`Server::work`] judges one open
//! document that has changed, or that refers to a file that has changed, when no message waits. So of several edits that
//! arrive together only the last is judged. The texts of open documents overlay the disk ([`overlay`]), the findings are
//! those of `rigy-batch PATH` ([`judge`](mod@judge)), and each goes to the file that it is about, also if that is one that the
//! document imports ([`published`]).
//!
//! [`assist`](crate::assist) answers requests about a position in a text. The disk, threads and the names of outputs are the [`Host`]'s.
//!
//! The messages of a client are untrusted: lengths are checked before memory is taken ([`frame`]), positions outside a text
//! count as its ends ([`positions`]), and a malformed message is answered with an error or ignored.
//!
//! This module does not know standard streams; the program around it has them.

mod actions;
mod assistance;
pub mod document;
pub mod findings;
pub mod frame;
mod host;
pub mod judge;
mod lifecycle;
mod notifications;
pub mod overlay;
pub mod positions;
mod proposals;
pub mod published;
mod queue;
mod requests;
pub mod uri;
mod workspace;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{Message, Notification};
use lsp_types::notification::{LogMessage, Notification as _};
use lsp_types::{LogMessageParams, MessageType};

use crate::assist::RecentTexts;
use document::Document;
use findings::Places;
use frame::Sent;
pub use host::Host;
pub use lsp_server;
use overlay::{Files, Overlay, Texts};
use positions::Encoding;
use published::{Documents, Published, Report};
pub use queue::Queue;
use rigy_base::limits::Limits;
use rigy_base::terminal::printable;

/// A language server.
pub struct Server {
    host: &'static dyn Host,
    state: State,
    encoding: Encoding,
    /// The identities of the directories that the client has open. References may not leave them.
    folders: Vec<PathBuf>,
    /// True if the client lets the server ask for files to be watched.
    can_watch: bool,
    documents: Documents,
    /// The URIs of the documents that are to be judged.
    waiting: VecDeque<String>,
    published: Published,
    /// The texts of the last request about a position.
    recent_texts: RecentTexts,
    /// The limits on each document.
    limits: Limits,
}

/// The state of the exchange with the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
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
            Message::Notification(notification) => {
                let messages = self.note(notification).into_iter();
                messages.map(Sent::Message).collect()
            }
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
        let is_done = judge::judge(
            document,
            &overlay,
            self.host,
            self.limits,
            is_stale,
            &mut |findings| {
                let files = Files::new(&overlay, documents.values(), encoding);
                let report = Report {
                    findings: Places::new(document, files).by_uri(&findings),
                    files: overlay.identities(),
                };
                let messages = published.update(&document.uri, report, documents);
                messages.into_iter().for_each(&mut *send);
            },
        );
        if !is_done {
            self.waiting.push_back(uri);
        }
    }

    /// Returns a loader for the files to which a document refers.
    fn overlay(&self, document: &Document) -> Overlay {
        Overlay::new(self.host, self.root_of(document).as_deref(), self.texts())
    }

    /// Returns the directory that the references of a document may not leave: the innermost directory that the client has
    /// open and that contains it, or else its own; `None` for a document that is no file.
    fn root_of(&self, document: &Document) -> Option<PathBuf> {
        if !document.is_file {
            return None;
        }
        let containing = self.folders.iter();
        let containing = containing.filter(|folder| document.identity.starts_with(folder));
        let folder = containing.max_by_key(|folder| folder.as_os_str().len());
        let root = folder.map(PathBuf::as_path).or(document.identity.parent());
        root.map(Path::to_owned)
    }

    /// Returns the texts of all open documents.
    fn texts(&self) -> Arc<Texts> {
        let documents = self.documents.values();
        let texts = documents.map(|document| (document.identity.clone(), document.text.clone()));
        Arc::new(texts.collect())
    }

    /// Lets a document be judged that is open, and those that refer to it.
    fn judge_later(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        let importers = self.published.importers(&document.identity);
        for uri in std::iter::once(uri.to_owned()).chain(importers) {
            self.enqueue(uri);
        }
    }

    /// Lets all open documents be judged.
    fn judge_all_later(&mut self) {
        let mut uris: Vec<String> = self.documents.keys().cloned().collect();
        uris.sort_unstable();
        uris.into_iter().for_each(|uri| self.enqueue(uri));
    }

    fn enqueue(&mut self, uri: String) {
        let is_judged = self.documents.get(&uri).is_some_and(|it| it.is_judged);
        if is_judged && !self.waiting.contains(&uri) {
            self.waiting.push_back(uri);
        }
    }
}

/// Returns a message that the client logs. What the client has sent is escaped in it.
fn logged(text: &str) -> Message {
    let params = LogMessageParams {
        typ: MessageType::WARNING,
        message: printable(text),
    };
    Notification::new(LogMessage::METHOD.to_owned(), params).into()
}
