//! Notifications of the client: changes of documents, directories and files.

use std::path::Path;

use ls_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Exit, Initialized, Notification as _,
};
use ls_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams,
};
use lsp_server::{Message, Notification};

use super::document::Document;
use super::state::{Server, State, logged};
use super::uri;

/// Messages for the client, or a sentence that says why a notification makes no sense.
type Noted = Result<Vec<Message>, String>;

impl Server {
    /// Takes a notification and returns the messages that it calls for.
    pub(super) fn note(&mut self, notification: Notification) -> Vec<Message> {
        if notification.method == Exit::METHOD {
            self.state = State::Ended(self.state == State::ShutDown);
            return Vec::new();
        }
        if self.state != State::Running {
            return Vec::new(); // the protocol asks servers to drop them
        }
        self.noted(notification)
            .unwrap_or_else(|reason| vec![logged(&reason)])
    }

    fn noted(&mut self, notification: Notification) -> Noted {
        match notification.method.as_str() {
            Initialized::METHOD => Ok(self.watch().into_iter().collect()),
            DidOpenTextDocument::METHOD => self.open(params::<DidOpenTextDocument>(notification)?),
            DidChangeTextDocument::METHOD => {
                self.change(params::<DidChangeTextDocument>(notification)?)
            }
            DidCloseTextDocument::METHOD => {
                self.close(&params::<DidCloseTextDocument>(notification)?)
            }
            DidChangeWorkspaceFolders::METHOD => {
                self.change_folders(&params::<DidChangeWorkspaceFolders>(notification)?)
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.judge_all_later();
                Ok(Vec::new())
            }
            _ => Ok(Vec::new()), // a server may leave out what it does not know
        }
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) -> Noted {
        let item = params.text_document;
        let key = item.uri.as_str().to_owned();
        let identity = |path: &Path| self.host.identity(path);
        let document = Document::new(
            item.uri,
            &item.language_id,
            item.version,
            item.text,
            &identity,
        );
        self.documents.insert(key.clone(), document);
        self.judge_later(&key);
        Ok(Vec::new())
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) -> Noted {
        let uri = params.text_document.uri;
        let document = self
            .documents
            .get_mut(uri.as_str())
            .ok_or_else(|| not_open(uri.as_str()))?;
        let version = params.text_document.version;
        document.edit(version, params.content_changes, self.encoding);
        self.judge_later(uri.as_str());
        Ok(Vec::new())
    }

    /// Forgets a document. From now on the file on the disk counts for those that refer to it.
    fn close(&mut self, params: &DidCloseTextDocumentParams) -> Noted {
        let uri = &params.text_document.uri;
        let document = self
            .documents
            .remove(uri.as_str())
            .ok_or_else(|| not_open(uri.as_str()))?;
        self.waiting.retain(|waiting| waiting != uri.as_str());
        let messages = self.published.remove(uri, &self.documents);
        for importer in self.published.importers(&document.identity) {
            self.enqueue(importer);
        }
        Ok(messages)
    }

    fn change_folders(&mut self, params: &DidChangeWorkspaceFoldersParams) -> Noted {
        let path =
            |uri: &ls_types::Uri| uri::path_of(uri.as_str()).map(|path| self.host.identity(&path));
        let event = &params.event;
        let removed: Vec<_> = event.removed.iter().map(|it| path(&it.uri)).collect();
        self.folders
            .retain(|folder| !removed.contains(&Some(folder.clone())));
        let added = event.added.iter().filter_map(|it| path(&it.uri));
        self.folders.extend(added);
        self.judge_all_later();
        Ok(Vec::new())
    }
}

fn params<N: ls_types::notification::Notification>(
    notification: Notification,
) -> Result<N::Params, String> {
    serde_json::from_value(notification.params).map_err(|error| {
        let method = N::METHOD;
        format!("`{method}` was left out, because its parameters have another form: {error}")
    })
}

/// Returns the reason why nothing can be done with a document.
pub fn not_open(uri: &str) -> String {
    format!("`{uri}` is not open; send `textDocument/didOpen` first")
}
