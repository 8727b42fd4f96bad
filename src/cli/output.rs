//! Standard output.

use std::io::{ErrorKind, Read, Write};

use super::messages::print_message;
use super::status::{FAILED, Fatal, Result, TRY_AGAIN, is_transient};
use super::{interrupt, stream};

/// Copies all of a text to standard output.
pub fn print(text: &mut impl Read) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = std::io::copy(text, &mut out).and_then(|_| out.flush());
    written.or_else(ignore_closed_reader)
}

/// Turns a failed write to standard output into an error, unless the reader has closed the other end, as `head` does.
pub fn ignore_closed_reader(error: std::io::Error) -> Result<()> {
    match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(StandardOutput(error).into()),
    }
}

/// Standard output has refused a write.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
struct StandardOutput(#[source] std::io::Error);

/// The message about a result for which there is no standard output.
pub const CLOSED: &str =
    "standard output is closed, so what was to go there is lost; open it, or name a file instead";

/// Standard output. After a write has failed, everything that follows is dropped.
pub struct Output {
    open: bool,
    /// The failure of a write for another reason than a closed reader. The message has been printed.
    pub fault: Option<Fatal>,
    /// The run was interrupted while the reader read nothing, and the rest was dropped. The message has been printed.
    pub unread: bool,
}

impl Output {
    pub fn new() -> Self {
        Self {
            open: true,
            fault: None,
            unread: false,
        }
    }

    /// Standard output in the place of a file, which must not be lost: one that is closed has failed from the start.
    pub fn in_place_of_a_file() -> Self {
        let mut out = Self::new();
        if stream::is_closed(std::io::stdout()) {
            (out.open, out.fault) = (false, Some(CLOSED.into()));
            print_message(&CLOSED);
        }
        out
    }

    pub fn line(&mut self, text: &str) {
        self.bytes(format!("{text}\n").as_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        if !self.open {
            return;
        }
        let Err(error) = stream::write_all(std::io::stdout().lock(), bytes) else {
            return;
        };
        self.open = false;
        if error.kind() == ErrorKind::TimedOut {
            self.unread = true;
            print_message(&"nothing reads standard output; the rest of it is left out");
        } else if let Err(fault) = ignore_closed_reader(error) {
            print_message(&fault);
            self.fault = Some(fault);
        }
    }

    /// Returns the exit status of a command that had this `status` but for its standard output.
    pub fn status(&self, status: u8) -> u8 {
        match &self.fault {
            Some(_) if status == interrupt::INTERRUPTED => status,
            Some(fault) if status == TRY_AGAIN || is_transient(&**fault) => TRY_AGAIN,
            Some(_) => FAILED,
            None => status,
        }
    }

    pub fn json(&mut self, value: &impl serde::Serialize) {
        self.line(&rigy_base::terminal::json(value));
    }
}
