//! Requests and their answers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ls_types::TextEdit;
use ls_types::request::{Formatting, Initialize, Request as _, Shutdown};
use lsp_server::{ErrorCode, Request, ResponseError};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::document::Document;
use super::frame;
use super::notifications::not_open;
use super::state::{Server, State};
use rigy_base::terminal::printable;
use rigy_models::compile;

/// The result of a request as JSON.
pub type Answer = Result<Box<RawValue>, ResponseError>;

impl Server {
    /// Answers a request. A panic is caught, because it is a bug of this program, and the other requests are to be answered.
    pub(super) fn answer(&mut self, request: Request) -> frame::Response {
        let id = request.id.clone();
        let work = AssertUnwindSafe(|| self.result(request));
        let result = catch_unwind(work).unwrap_or_else(|_| {
            let message = "rigy-batch panicked on this request; that is a bug in rigy-batch";
            Err(error(ErrorCode::InternalError, message.into()))
        });
        frame::Response { id, result }
    }

    fn result(&mut self, request: Request) -> Answer {
        match (self.state, request.method.as_str()) {
            (State::Uninitialized, Initialize::METHOD) => value(self.initialize(&request.params)),
            (State::Uninitialized, _) => Err(error(
                ErrorCode::ServerNotInitialized,
                "the first request is `initialize`".into(),
            )),
            (State::Running, Shutdown::METHOD) => {
                self.state = State::ShutDown;
                value(())
            }
            (State::Running, Formatting::METHOD) => {
                let params = params::<Formatting>(request)?;
                let document = self.open_document(params.text_document.uri.as_str())?;
                value(self.formatted(document))
            }
            (State::Running, Initialize::METHOD) => Err(error(
                ErrorCode::InvalidRequest,
                "the server has been initialized; `initialize` comes once".into(),
            )),
            (State::Running, _) => self.assist(request),
            (State::ShutDown | State::Ended(_), _) => Err(error(
                ErrorCode::InvalidRequest,
                "the server has been shut down; only `exit` may follow".into(),
            )),
        }
    }

    /// Returns an open document.
    pub(super) fn open_document(&self, uri: &str) -> Result<&Document, ResponseError> {
        self.documents
            .get(uri)
            .ok_or_else(|| error(ErrorCode::InvalidParams, not_open(uri)))
    }

    /// Returns the edit that puts a document into canonical layout, if it needs one; `None` for other files, and for a text that
    /// is no YAML, whose findings say so.
    pub(super) fn formatted(&self, document: &Document) -> Option<Vec<TextEdit>> {
        if !document.is_judged {
            return None;
        }
        let formatted = compile::format(&document.name(), &document.text, &self.limits).ok()?;
        let edit = difference(&document.text, &formatted)
            .map(|(range, new)| TextEdit::new(self.range(document, &range), new.to_owned()));
        Some(edit.into_iter().collect())
    }
}

/// Returns the parameters of a request.
pub fn params<R: ls_types::request::Request>(request: Request) -> Result<R::Params, ResponseError> {
    serde_json::from_value(request.params).map_err(|json| {
        let message = format!(
            "the parameters of `{}` have another form: {json}",
            R::METHOD
        );
        error(ErrorCode::InvalidParams, message)
    })
}

/// Returns a result as JSON.
pub fn value(result: impl Serialize) -> Answer {
    to_raw_value(&result).map_err(|fault| error(ErrorCode::InternalError, fault.to_string()))
}

/// Returns the error of a request, with a sentence for people.
pub fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError {
        code: code as i32,
        message: printable(&message),
        data: None,
    }
}

/// Returns the bytes of the lines of a text that differ from those of another, and the lines of the other; `None` if the texts
/// are equal.
/// Lines before and after stay, so that the client keeps cursors and folds in them.
fn difference<'t>(text: &str, other: &'t str) -> Option<(std::ops::Range<usize>, &'t str)> {
    if text == other {
        return None;
    }
    let same = |(one, two): &(&str, &str)| one == two;
    let len = |(one, _): (&str, &str)| one.len();
    let lines = |text: &'t str| text.split_inclusive('\n');
    let before: usize = text
        .split_inclusive('\n')
        .zip(lines(other))
        .take_while(same)
        .map(len)
        .sum();
    let (rest, other_rest) = (&text[before..], &other[before..]);
    let after: usize = rest
        .split_inclusive('\n')
        .rev()
        .zip(other_rest.split_inclusive('\n').rev())
        .take_while(same)
        .map(len)
        .sum();
    let range = before..text.len() - after;
    Some((range, &other_rest[..other_rest.len() - after]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_differ_are_replaced() {
        for (text, other) in [
            ("a\nb\nc\n", "a\nx\nc\n"),
            ("a\nb\n", "a\nb\nc\n"),
            ("a\na\na\n", "a\na\n"),
            ("a\nb", "a\nb\n"),
            ("", "a\n"),
            ("a\r\nb\r\n", "a\nb\n"),
        ] {
            let (range, new) = difference(text, other).unwrap();
            let mut edited = text.to_owned();
            edited.replace_range(range, new);
            assert_eq!(edited, other);
        }
        assert_eq!(difference("a\nb\nc\n", "a\nx\nc\n"), Some((2..4, "x\n")));
        assert_eq!(difference("a\n", "a\n"), None);
    }
}
