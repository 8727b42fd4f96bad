//! Answers to requests about a position of a document: explanations, proposals, definitions, references, new names; and the
//! outline.
//!
//! [`assist`] finds them in texts and bytes; this module has the positions and the URIs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range as Bytes;

use ls_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, GotoDefinition, HoverRequest,
    PrepareRenameRequest, References, Rename, Request as _,
};
use ls_types::{
    Hover, HoverContents, Location as LspLocation, NumberOrString, PrepareRenameResponse, Range,
    TextDocumentPositionParams, TextEdit,
};
use lsp_server::{ErrorCode, Request, ResponseError};
use serde_json::json;

use super::document::Document;
use super::overlay::{Files, Overlay};
use super::positions::Cursor;
use super::proposals::{markdown, outline, proposal};
use super::requests::{Answer, error, params, value};
use super::state::Server;
use super::workspace;
use crate::assist::{self, RecentTexts};
use rigy_base::loader::Location;
use rigy_base::paths::Slashed;

/// A position in an open document, with the files that an answer may need.
struct Asked<'a> {
    document: &'a Document,
    offset: usize,
    overlay: Overlay,
    /// The files in which references are looked for.
    searched: Vec<Location>,
    recent: &'a RecentTexts,
}

impl Asked<'_> {
    fn source(&self) -> assist::Source<'_> {
        self.document.source()
    }

    fn files(&self) -> assist::Files<'_> {
        assist::Files {
            loader: &self.overlay,
            searched: &self.searched,
            listed: None,
            recent: Some(self.recent),
        }
    }
}

impl Server {
    /// Answers a request about the contents of a document.
    pub(super) fn assist(&self, request: Request) -> Answer {
        match request.method.as_str() {
            HoverRequest::METHOD => {
                let params = params::<HoverRequest>(request)?;
                self.hover(&self.asked(&params.text_document_position_params)?)
            }
            Completion::METHOD => {
                let params = params::<Completion>(request)?;
                self.completion(&self.asked(&params.text_document_position)?)
            }
            GotoDefinition::METHOD => {
                let params = params::<GotoDefinition>(request)?;
                self.definition(&self.asked(&params.text_document_position_params)?)
            }
            References::METHOD => {
                let params = params::<References>(request)?;
                let with_definitions = params.context.include_declaration;
                let asked = self.asked_over_workspace(&params.text_document_position)?;
                self.references(&asked, with_definitions)
            }
            PrepareRenameRequest::METHOD => {
                let params = params::<PrepareRenameRequest>(request)?;
                self.nameable(&self.asked_over_workspace(&params)?)
            }
            Rename::METHOD => {
                let params = params::<Rename>(request)?;
                let asked = self.asked_over_workspace(&params.text_document_position)?;
                self.rename(&asked, &params.new_name)
            }
            CodeActionRequest::METHOD => self.actions(&params::<CodeActionRequest>(request)?),
            DocumentSymbolRequest::METHOD => {
                let params = params::<DocumentSymbolRequest>(request)?;
                let document = self.open_document(params.text_document.uri.as_str())?;
                self.symbols(document)
            }
            method => Err(error(
                ErrorCode::MethodNotFound,
                format!("`{method}` is not among the requests that this server answers"),
            )),
        }
    }

    fn asked(&self, at: &TextDocumentPositionParams) -> Result<Asked<'_>, ResponseError> {
        let document = self.open_document(at.text_document.uri.as_str())?;
        let open = self.documents.values();
        Ok(Asked {
            offset: document
                .lines
                .offset(&document.text, at.position, self.encoding),
            overlay: self.overlay(document),
            recent: &self.recent_texts,
            searched: open.map(|it| it.location.clone()).collect(),
            document,
        })
    }

    /// Returns the question about a position whose answer may lie in any file of the workspace.
    fn asked_over_workspace(
        &self,
        at: &TextDocumentPositionParams,
    ) -> Result<Asked<'_>, ResponseError> {
        let mut asked = self.asked(at)?;
        if let Some(root) = self.root_of(asked.document) {
            let found =
                workspace::files_below(self.host, &root, self.limits.bytes).map_err(failed)?;
            asked.searched.extend(found);
        }
        Ok(asked)
    }

    pub(super) fn range(&self, document: &Document, bytes: &Bytes<usize>) -> Range {
        let position = |at: usize| document.lines.position(&document.text, at, self.encoding);
        Range::new(position(bytes.start), position(bytes.end))
    }

    fn files<'a>(&'a self, asked: &'a Asked) -> Files<'a> {
        Files::new(&asked.overlay, self.documents.values(), self.encoding)
    }

    /// Explains the field or the name at a position, and the codes of the findings there.
    fn hover(&self, asked: &Asked) -> Answer {
        let document = asked.document;
        let position = document
            .lines
            .position(&document.text, asked.offset, self.encoding);
        let (range, text) = assist::hover(asked.source(), asked.offset, &asked.files())
            .map(|it| (it.range, it.text))
            .unzip();
        let codes: BTreeSet<String> = self
            .published
            .findings(&document.uri)
            .into_iter()
            .filter(|it| it.range.start <= position && position <= it.range.end)
            .filter_map(|finding| match finding.code {
                Some(NumberOrString::String(code)) => Some(code),
                _ => None,
            })
            .collect();
        let codes = codes.iter().filter_map(|code| assist::code_text(code));
        let texts: Vec<String> = text.into_iter().chain(codes).collect();
        value((!texts.is_empty()).then(|| Hover {
            contents: HoverContents::Markup(markdown(texts.join("\n\n---\n\n"))),
            range: range.map(|range| self.range(document, &range)),
        }))
    }

    fn completion(&self, asked: &Asked) -> Answer {
        let root = self.root_of(asked.document);
        let listed = || {
            root.as_deref().map_or(Vec::new(), |root| {
                workspace::references_below(self.host, root)
            })
        };
        let files = assist::Files {
            listed: Some(&listed),
            ..asked.files()
        };
        let found = assist::completion(asked.source(), asked.offset, &files);
        let proposals = found.into_iter().enumerate().map(|(rank, found)| {
            let range = self.range(asked.document, &found.range);
            proposal(found, rank, range)
        });
        value(proposals.collect::<Vec<_>>())
    }

    fn definition(&self, asked: &Asked) -> Answer {
        let found = assist::definition(asked.source(), asked.offset, &asked.files());
        let mut files = self.files(asked);
        let places = found
            .iter()
            .filter_map(|it| files.location(&it.location, &it.range));
        value(places.collect::<Vec<LspLocation>>())
    }

    fn references(&self, asked: &Asked, with_definitions: bool) -> Answer {
        let found = assist::references(asked.source(), asked.offset, &asked.files());
        let mut files = self.files(asked);
        let places = found
            .iter()
            .filter(|it| with_definitions || !it.is_definition)
            .filter_map(|it| files.location(&it.target.location, &it.target.range));
        value(places.collect::<Vec<LspLocation>>())
    }

    fn nameable(&self, asked: &Asked) -> Answer {
        let found =
            assist::nameable(asked.source(), asked.offset, &asked.files()).map_err(failed)?;
        value(PrepareRenameResponse::RangeWithPlaceholder {
            range: self.range(asked.document, &found.range),
            placeholder: found.name,
        })
    }

    fn rename(&self, asked: &Asked, name: &str) -> Answer {
        let edits =
            assist::rename(asked.source(), asked.offset, name, &asked.files()).map_err(failed)?;
        let mut files = self.files(asked);
        let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        for edit in edits {
            let target = edit.target;
            let at = files
                .location(&target.location, &target.range)
                .ok_or_else(|| {
                    let file = target.location.0.slashed();
                    let reason = format!("`{file}` cannot be read; nothing has been renamed");
                    failed(reason)
                })?;
            changes
                .entry(at.uri.as_str().to_owned())
                .or_default()
                .push(TextEdit::new(at.range, edit.text));
        }
        value(json!({ "changes": changes }))
    }

    fn symbols(&self, document: &Document) -> Answer {
        let found = assist::symbols(document.source(), Some(&self.recent_texts));
        let cursor = Cursor::new(&document.text, &document.lines, self.encoding);
        let cursor = RefCell::new(cursor);
        let range = |bytes: &Bytes<usize>| {
            let mut cursor = cursor.borrow_mut();
            let start = cursor.position(bytes.start);
            Range::new(start, cursor.position(bytes.end))
        };
        value(outline(found, &range))
    }
}

fn failed(reason: String) -> ResponseError {
    error(ErrorCode::RequestFailed, reason)
}
