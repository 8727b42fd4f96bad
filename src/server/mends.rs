//! Code actions: edits that remove findings.

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Diagnostic as LspDiagnostic, Range, TextEdit,
};
use serde_json::{Value, json};

use super::Server;
use super::document::Document;
use super::requests::{Answer, value};
use crate::assist;
use crate::base::diag::Mend;
use crate::base::terminal::printable;

impl Server {
    /// Returns the mends of the findings in a range of a document; none while a text is newer than its findings.
    pub(super) fn mends(&self, params: &CodeActionParams) -> Answer {
        let document = self.open_document(params.text_document.uri.as_str())?;
        if !is_wanted(params) || self.has_work() {
            return Ok(json!([]));
        }
        let findings = self.published.findings(&document.uri).into_iter();
        let here = findings.filter(|finding| overlap(finding.range, params.range));
        let actions: Vec<Value> = here
            .filter_map(|finding| self.action(document, finding))
            .collect();
        value(actions)
    }

    fn action(&self, document: &Document, finding: LspDiagnostic) -> Option<Value> {
        let mend: Mend = serde_json::from_value(finding.data.clone()?).ok()?;
        let (text, range) = (&document.text, finding.range);
        let offset = |at| document.lines.offset(text, at, self.encoding);
        let at = offset(range.start)..offset(range.end);
        let mending = assist::mending(text, &at, &mend)?;
        let edit = TextEdit::new(self.range(document, &mending.range), mending.text);
        let action = CodeAction {
            title: printable(&mending.title),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![finding]),
            is_preferred: Some(true),
            ..CodeAction::default()
        };
        let mut action = serde_json::to_value(action).ok()?;
        action["edit"] = json!({"changes": {document.uri.as_str(): [edit]}});
        Some(action)
    }
}

/// Returns true if the client asks for all actions, or for quick fixes.
fn is_wanted(params: &CodeActionParams) -> bool {
    let quick_fix = CodeActionKind::QUICKFIX;
    let only = params.context.only.as_ref();
    only.is_none_or(|kinds| kinds.contains(&quick_fix) || kinds.contains(&CodeActionKind::EMPTY))
}

fn overlap(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}
