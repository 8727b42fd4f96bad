//! The beginning of the exchange with a client: the capabilities of both sides.

use std::path::PathBuf;

use ls_types::notification::{DidChangeWatchedFiles, Notification as _};
use ls_types::request::{RegisterCapability, Request as _};
use ls_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, InitializeResult,
    OneOf, PositionEncodingKind, Registration, RegistrationParams, RenameOptions, SaveOptions,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use lsp_server::{Message, Request};
use serde_json::Value;

use super::actions::FORMAT;
use super::positions::Encoding;
use super::state::{Server, State};
use super::uri;

/// The files whose changes on the disk concern open documents.
const WATCHED: &str = "**/*.{yaml,yml,json}";

/// Characters after which a client asks for proposals, besides letters: those that begin a value, a key, a param or an expression.
const TRIGGERS: [&str; 7] = [" ", "[", "{", ",", "\"", "$", "="];

impl Server {
    /// Takes the capabilities and the open directories of the client, and returns the capabilities of the server.
    ///
    /// The parameters are read field by field, so that one that has an unexpected form does not keep a client out.
    pub(super) fn initialize(&mut self, params: &Value) -> InitializeResult {
        self.state = State::Running;
        let mut offered = params
            .pointer("/capabilities/general/positionEncodings")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        self.encoding = if offered.any(|name| name == PositionEncodingKind::UTF8.as_str()) {
            Encoding::Utf8
        } else {
            Encoding::Utf16
        };
        let watching = "/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration";
        self.can_watch = params.pointer(watching).and_then(Value::as_bool) == Some(true);
        self.folders = folders(params)
            .map(|path| self.host.identity(&path))
            .collect();
        InitializeResult {
            capabilities: capabilities(self.encoding),
            server_info: Some(ServerInfo {
                name: "rigy-batch".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            offset_encoding: None, // clangd's own way to say it
        }
    }

    /// Returns the request that the client tell of files that change on the disk, if it can.
    pub(super) fn watch(&self) -> Option<Message> {
        let options = DidChangeWatchedFilesRegistrationOptions {
            watchers: vec![FileSystemWatcher {
                glob_pattern: GlobPattern::String(WATCHED.to_owned()),
                kind: None,
            }],
        };
        let registration = Registration {
            id: "files".to_owned(),
            method: DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        let params = RegistrationParams {
            registrations: vec![registration],
        };
        let id = "watch".to_owned().into();
        let request = Request::new(id, RegisterCapability::METHOD.to_owned(), params);
        self.can_watch.then(|| request.into())
    }
}

/// Returns the directories that the client has open.
fn folders(params: &Value) -> impl Iterator<Item = PathBuf> {
    let folders = params
        .pointer("/workspaceFolders")
        .and_then(Value::as_array);
    let uris: Vec<&Value> = match folders {
        Some(folders) => folders
            .iter()
            .filter_map(|folder| folder.get("uri"))
            .collect(),
        None => params.get("rootUri").into_iter().collect(),
    };
    uris.into_iter()
        .filter_map(|uri| uri::path_of(uri.as_str()?))
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let synchronization = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(SaveOptions::default().into()),
        ..TextDocumentSyncOptions::default()
    };
    let folders = WorkspaceFoldersServerCapabilities {
        supported: Some(true),
        change_notifications: Some(OneOf::Left(true)),
    };
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(synchronization)),
        document_formatting_provider: Some(OneOf::Left(true)),
        hover_provider: Some(true.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, FORMAT]),
            ..CodeActionOptions::default()
        })),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(folders),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}
