//! Messages that have arrived and wait, from which the client may withdraw requests.

use std::collections::VecDeque;

use ls_types::notification::{Cancel, Notification as _};
use ls_types::{CancelParams, NumberOrString};
use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};

/// The messages that wait, in the order in which they have arrived.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: VecDeque<Message>,
}

impl Queue {
    /// Adds a message. One that cancels a request is not added: if the request waits, it is removed, and the answer that
    /// says so is returned. A request that has been answered cannot be cancelled.
    pub fn push(&mut self, message: Message) -> Option<Message> {
        match message {
            Message::Notification(note) if note.method == Cancel::METHOD => self.cancel(note),
            message => {
                self.waiting.push_back(message);
                None
            }
        }
    }

    /// Takes the message that has waited longest.
    pub fn pop(&mut self) -> Option<Message> {
        self.waiting.pop_front()
    }

    fn cancel(&mut self, cancellation: Notification) -> Option<Message> {
        let params: CancelParams = cancellation.extract(Cancel::METHOD).ok()?;
        let id: RequestId = match params.id {
            NumberOrString::Number(number) => number.into(),
            NumberOrString::String(text) => text.into(),
        };
        let at = self.waiting.iter().position(|message| match message {
            Message::Request(request) => request.id == id,
            _ => false,
        })?;
        self.waiting.remove(at);
        let code = ErrorCode::RequestCanceled as i32;
        Some(Response::new_err(id, code, "the client has cancelled the request".into()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_server::Request;
    use serde_json::json;

    #[test]
    fn a_request_that_waits_is_cancelled() {
        let request = |id: i32| Request::new(id.into(), "x".into(), json!({})).into();
        let cancel = |id: i32| Notification::new(Cancel::METHOD.into(), json!({ "id": id })).into();
        let mut queue = Queue::default();
        assert!(queue.push(request(1)).is_none());
        assert!(queue.push(request(2)).is_none());
        let Some(Message::Response(answer)) = queue.push(cancel(1)) else {
            panic!("request 1 waits");
        };
        let error = answer.response_result.unwrap_err();
        assert_eq!(error.code, ErrorCode::RequestCanceled as i32);
        assert!(queue.push(cancel(7)).is_none());
        assert!(matches!(queue.pop(), Some(Message::Request(left)) if left.id == 2.into()));
        assert!(queue.pop().is_none());
    }
}
