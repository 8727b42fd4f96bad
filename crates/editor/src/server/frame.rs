//! Frames: the bytes of messages, each with a header that gives its length.

use std::io::{self, BufRead, Read, Write};

use lsp_server::{Message, RequestId, ResponseError};
use serde::Serialize;
use serde_json::value::RawValue;

/// Longest message in bytes. A weight file that is open may have 16 MiB, and JSON takes at most six bytes for one of them.
pub const MAX_MESSAGE: u64 = 128 << 20;

/// Longest line of a header in bytes.
const MAX_LINE: u64 = 1024;

/// One thing that a client has sent.
#[derive(Debug)]
pub enum Received {
    /// A message.
    Message(Message),
    /// Bytes that are no message, for the reason that this sentence gives. What follows them can be read.
    Unusable(String),
}

/// One thing that the server sends.
#[derive(Debug)]
pub enum Sent {
    /// The answer to a request.
    Response(Response),
    /// A message of another kind.
    Message(Message),
}

/// The answer to a request. Its result is JSON already: the tree of an outline takes longer to make, and to drop, than the outline.
#[derive(Debug)]
pub struct Response {
    /// The request.
    pub id: RequestId,
    /// The result, or the reason why there is none.
    pub result: Result<Box<RawValue>, ResponseError>,
}

impl Sent {
    /// Writes the message as a frame.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Body<'a> {
            jsonrpc: &'static str,
            id: &'a RequestId,
            #[serde(skip_serializing_if = "Option::is_none")]
            result: Option<&'a RawValue>,
            #[serde(skip_serializing_if = "Option::is_none")]
            error: Option<&'a ResponseError>,
        }
        let Response { id, result } = match self {
            Self::Message(message) => return message.write(out),
            Self::Response(response) => response,
        };
        let body = serde_json::to_vec(&Body {
            jsonrpc: "2.0",
            id,
            result: result.as_deref().ok(),
            error: result.as_ref().err(),
        })?;
        write!(out, "Content-Length: {}\r\n\r\n", body.len())?;
        out.write_all(&body)?;
        out.flush()
    }
}

/// Reads the next frame; returns `None` at the end of the input, which may cut a frame off.
///
/// # Errors
/// The error of reading.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(header) = read_header(input)? else {
        return Ok(None);
    };
    let len = match header {
        Header::Len(len) => len,
        Header::Unusable(reason) => return Ok(Some(Received::Unusable(reason))),
    };
    if len > MAX_MESSAGE {
        let skipped = io::copy(&mut input.take(len), &mut io::sink())?;
        let reason =
            format!("a message of {len} bytes was left out; the longest has {MAX_MESSAGE}");
        return Ok((skipped == len).then_some(Received::Unusable(reason)));
    }
    // `read_to_end` takes memory as bytes arrive, and not for the length that the header promises.
    let mut body = Vec::new();
    input.take(len).read_to_end(&mut body)?;
    if (body.len() as u64) < len {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Received::Message(message),
        Err(error) => Received::Unusable(format!("a message is not JSON-RPC: {error}")),
    }))
}

/// The header of a message.
enum Header {
    Len(u64),
    Unusable(String),
}

/// Reads the lines before an empty line; returns `None` at the end of the input.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<Header>> {
    let (mut len, mut faulty) = (None, false);
    loop {
        let mut line = Vec::new();
        if input.take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            break;
        }
        match field(line) {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => {
                len = value.parse().ok();
            }
            Some(_) => {}
            None => faulty = true,
        }
    }
    Ok(Some(match len {
        Some(len) if !faulty => Header::Len(len),
        _ => Header::Unusable(
            "lines that are no header were left out; a header is `Content-Length: N` and an empty line"
                .into(),
        ),
    }))
}

/// Returns the name and the value of a line of a header.
fn field(line: &[u8]) -> Option<(&str, &str)> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    Some((name.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text for each frame: the method of a request, or `-` for what is unusable.
    fn frames(mut bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        while let Some(frame) = read(&mut bytes).unwrap() {
            found.push(match frame {
                Received::Message(Message::Request(request)) => request.method,
                Received::Message(_) => "?".into(),
                Received::Unusable(_) => "-".into(),
            });
        }
        found
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn what_follows_an_unusable_frame_is_read() {
        let good = framed(r#"{"jsonrpc":"2.0","id":1,"method":"good"}"#);
        let bad = framed("{\"method\":");
        let empty = framed("");
        let deep = framed(&"[".repeat(100_000));
        for (bytes, expected) in [
            (good.repeat(2), "good good"),
            (format!("{bad}{good}"), "- good"),
            (format!("{empty}{good}"), "- good"),
            (format!("{deep}{good}"), "- good"),
            (format!("garbage\r\n\r\n{good}"), "- good"),
            (format!("Content-Length: -3\r\n\r\n{good}"), "- good"),
            (format!("{good}Content-Length: 100\r\n\r\n{{"), "good"),
            (format!("Content-Length: {}\r\n\r\n{good}", u64::MAX), ""),
            (
                format!("Content-Length: {}9\r\n\r\n{good}", u64::MAX),
                "- good",
            ),
            (format!("Content-Type: x\r\n{good}"), "good"),
            (format!("\r\n\r\n{good}"), "- - good"),
        ] {
            assert_eq!(frames(bytes.as_bytes()).join(" "), expected, "{bytes:.60}");
        }
        assert_eq!(frames(&[0xff; 5000]), Vec::<String>::new());
    }

    #[test]
    fn a_message_that_is_too_long_is_left_out() {
        let len = MAX_MESSAGE + 1;
        let header = format!("Content-Length: {len}\r\n\r\n");
        let good = framed(r#"{"jsonrpc":"2.0","id":1,"method":"good"}"#);
        let input = header.as_bytes().chain(io::repeat(b' ').take(len));
        let mut input = io::BufReader::new(input.chain(good.as_bytes()));
        assert!(matches!(read(&mut input), Ok(Some(Received::Unusable(_)))));
        assert!(matches!(read(&mut input), Ok(Some(Received::Message(_)))));
    }
}
