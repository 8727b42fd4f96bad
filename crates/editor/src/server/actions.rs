//! Code actions: edits that remove findings, and the canonical layout.

use ls_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionTriggerKind,
    Diagnostic as LspDiagnostic, Range, TextEdit,
};
use serde_json::{Value, json};

use super::document::Document;
use super::requests::{Answer, value};
use super::state::Server;
use crate::assist::Mender;
use rigy_base::diag::Mend;
use rigy_base::terminal::printable;

/// The kind of the action that puts a document into canonical layout.
pub const FORMAT: CodeActionKind = CodeActionKind::new("source.format");

/// Most mends of an answer.
const MOST_MENDS: usize = 100;

impl Server {
    /// Returns the actions for a range of a document: the mends of the findings there, and the layout of the whole.
    pub(super) fn actions(&self, params: &CodeActionParams) -> Answer {
        let document = self.open_document(params.text_document.uri.as_str())?;
        let mut actions = Vec::new();
        if is_wanted(params, &CodeActionKind::QUICKFIX) {
            actions.extend(self.mends(document, params.range));
        }
        if is_wanted(params, &FORMAT) {
            actions.extend(self.layout(document));
        }
        value(actions)
    }

    /// Returns the mends of the findings in a range; none while the text is newer than its findings.
    fn mends(&self, document: &Document, range: Range) -> Vec<Value> {
        if self.has_work() {
            return Vec::new();
        }
        let mender = Mender::new(&document.text);
        self.published
            .findings(&document.uri)
            .into_iter()
            .filter(|finding| overlap(finding.range, range))
            .filter_map(|finding| self.mend(document, &mender, finding))
            .take(MOST_MENDS)
            .collect()
    }

    fn mend(&self, document: &Document, mender: &Mender, finding: LspDiagnostic) -> Option<Value> {
        let mend: Mend = serde_json::from_value(finding.data.clone()?).ok()?;
        let (text, range) = (&document.text, finding.range);
        let offset = |at| document.lines.offset(text, at, self.encoding);
        let mending = mender.mending(&(offset(range.start)..offset(range.end)), &mend)?;
        let edit = TextEdit::new(self.range(document, &mending.range), mending.text);
        let action = CodeAction {
            title: printable(&mending.title),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![finding]),
            is_preferred: Some(true),
            ..CodeAction::default()
        };
        with_edits(action, document, &[edit])
    }

    /// Returns the action that puts a document into canonical layout, if it is in another.
    fn layout(&self, document: &Document) -> Option<Value> {
        let edits = self.formatted(document)?;
        let action = CodeAction {
            title: "Put into canonical layout".to_owned(),
            kind: Some(FORMAT),
            ..CodeAction::default()
        };
        let needs_some = !edits.is_empty();
        needs_some.then(|| with_edits(action, document, &edits))?
    }
}

fn with_edits(action: CodeAction, document: &Document, edits: &[TextEdit]) -> Option<Value> {
    let mut action = serde_json::to_value(action).ok()?;
    action["edit"] = json!({"changes": {document.uri.as_str(): edits}});
    Some(action)
}

/// Returns true if the client asks for actions of a kind. One that names no kinds asks for quick fixes; and for all, if the user has
/// asked it to, so that documents are not laid out at each movement of the cursor.
fn is_wanted(params: &CodeActionParams, kind: &CodeActionKind) -> bool {
    let context = &params.context;
    let is_asked = context.trigger_kind == Some(CodeActionTriggerKind::INVOKED);
    let Some(kinds) = &context.only else {
        return is_asked || *kind == CodeActionKind::QUICKFIX;
    };
    kinds.iter().any(|wanted| {
        let rest = kind.as_str().strip_prefix(wanted.as_str());
        rest.is_some_and(|rest| {
            wanted.as_str().is_empty() || rest.is_empty() || rest.starts_with('.')
        })
    })
}

fn overlap(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}
