//! Reports and JSON lines, line by line.

use std::io::{self, BufRead, Read};

use super::writer::FIRST;

/// Longest line that is read.
const LONGEST_LINE: u64 = 64 << 20;

/// The lines of a report file, or JSON lines.
pub(crate) struct Lines<R> {
    reader: R,
    /// Number of the line that was read last, from 1.
    pub number: usize,
    /// Whether it is a report: one JSON object over all lines.
    framed: bool,
    text: Vec<u8>,
}

/// One line.
pub(crate) enum Item {
    /// An output, as an object.
    Line(String),
    /// The summary, as an object.
    End(String),
}

impl<R> Lines<R> {
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            number: 0,
            framed: false,
            text: Vec::new(),
        }
    }
}

impl<R: BufRead> Lines<R> {
    /// The next line, if there is one.
    pub fn next(&mut self) -> io::Result<Option<Item>> {
        let Some(mut text) = self.text()? else {
            return Ok(None);
        };
        if self.number == 1 && text == FIRST {
            self.framed = true;
            match self.text()? {
                Some(first) => text = first,
                None => return Ok(None),
            }
        }
        Ok(Some(match (self.framed, text.strip_prefix("],")) {
            (true, Some(end)) => Item::End(format!("{{{end}")),
            (true, None) => Item::Line(text.strip_suffix(',').unwrap_or(&text).to_owned()),
            (false, _) if text.starts_with("{\"summary\":") => Item::End(text),
            (false, _) => Item::Line(text),
        }))
    }

    /// The next line of text, without its end.
    fn text(&mut self) -> io::Result<Option<String>> {
        self.text.clear();
        let mut reader = (&mut self.reader).take(LONGEST_LINE);
        if reader.read_until(b'\n', &mut self.text)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.text.len() as u64 == LONGEST_LINE {
            return Err(crate::base::loader::too_large(
                LONGEST_LINE,
                LONGEST_LINE - 1,
            ));
        }
        let text = self.text.trim_ascii_end();
        let text = std::str::from_utf8(text);
        let text = text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Some(text.to_owned()))
    }
}
