//! Requests: the function that the host calls, and its arguments.

use serde::Deserialize;

use crate::answer::{Answer, Refusal};
use crate::bake::Bake;
use crate::diff::Diff;
use crate::documents::{Compile, OfDocument};
#[cfg(feature = "editor")]
use crate::editor;
use crate::inspect::Inspect;
use crate::verify::Verify;

/// The JSON of a request: one key, the function, and its arguments.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Request {
    Compile(Compile),
    OfDocument(OfDocument),
    Bake(Bake),
    Inspect(Inspect),
    Diff(Diff),
    Verify(Verify),
    #[cfg(feature = "editor")]
    Judge(editor::Judge),
    #[cfg(feature = "editor")]
    Complete(editor::At),
    #[cfg(feature = "editor")]
    Hover(editor::At),
    #[cfg(feature = "editor")]
    Explain(editor::Explain),
    #[cfg(feature = "editor")]
    Open(editor::Open),
}

/// Does what a request says.
///
/// # Panics
/// If a part is missing, which `lib/` of the package always writes.
pub fn answer(parts: Vec<Vec<u8>>) -> Answer {
    let (json, inputs) = parts.split_first().expect("the first part is JSON");
    result(json, inputs).unwrap_or_else(Answer::refusal)
}

fn result(json: &[u8], inputs: &[Vec<u8>]) -> Result<Answer, Refusal> {
    let request = serde_json::from_slice(json);
    match request.map_err(|error| Refusal::Malformed(error.to_string()))? {
        Request::Compile(compile) => compile.answer(&inputs[0]),
        Request::OfDocument(request) => request.answer(),
        Request::Bake(bake) => bake.answer(&inputs[0]),
        Request::Inspect(inspect) => inspect.answer(&inputs[0]),
        Request::Diff(diff) => Ok(diff.answer(&inputs[0], &inputs[1])),
        Request::Verify(verify) => verify.answer(&inputs[0]),
        #[cfg(feature = "editor")]
        Request::Judge(judge) => Ok(judge.answer(&inputs[0])),
        #[cfg(feature = "editor")]
        Request::Complete(at) => at.complete(&inputs[0]),
        #[cfg(feature = "editor")]
        Request::Hover(at) => at.hover(&inputs[0]),
        #[cfg(feature = "editor")]
        Request::Explain(explain) => Ok(explain.answer()),
        #[cfg(feature = "editor")]
        Request::Open(open) => open.answer(&inputs[0]),
    }
}
