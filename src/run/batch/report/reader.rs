//! Reading reports and JSON lines, one line at a time.

use std::io::{self, BufRead, Read};

use super::writer::{FIRST_WITHOUT_VERSION, version_of_first};

/// The longest line in bytes.
const MAX_LINE_LEN: u64 = 64 << 20;

/// Reads the lines of a report file, or JSON lines.
pub(crate) struct Lines<R> {
    reader: R,
    /// The number of the line that was read last, from 1.
    pub number: usize,
    /// True for a report, which is one JSON object over all lines; false for JSON lines.
    pub framed: bool,
    /// The version that the first line of a report names.
    pub version: Option<u32>,
    text: Vec<u8>,
}

/// A line that has been read.
pub(crate) enum Item {
    /// The JSON object of an output.
    Line(String),
    /// The JSON object of the summary.
    End(String),
}

/// The marks at the beginning of a text that say how it is encoded, and what that is.
const MARKS: [(&[u8], &str); 3] = [
    (b"\xef\xbb\xbf", "UTF-8"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
];

impl<R> Lines<R> {
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            number: 0,
            framed: false,
            version: None,
            text: Vec::new(),
        }
    }
}

impl<R: BufRead> Lines<R> {
    /// Reads the next line; returns `None` at the end of the file.
    pub fn next(&mut self) -> io::Result<Option<Item>> {
        let Some(mut text) = self.text()? else {
            return Ok(None);
        };
        if self.number == 1 {
            self.version = version_of_first(&text);
            self.framed = self.version.is_some() || text == FIRST_WITHOUT_VERSION;
        }
        if self.number == 1 && self.framed {
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

    /// Reads the next line of text; returns it without its line break.
    fn text(&mut self) -> io::Result<Option<String>> {
        self.text.clear();
        let mut reader = (&mut self.reader).take(MAX_LINE_LEN);
        if reader.read_until(b'\n', &mut self.text)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.text.len() as u64 == MAX_LINE_LEN {
            return Err(crate::base::loader::too_large(
                MAX_LINE_LEN,
                MAX_LINE_LEN - 1,
            ));
        }
        let mark = MARKS.iter().find(|(mark, _)| self.text.starts_with(mark));
        if let Some((_, encoding)) = mark.filter(|_| self.number == 1) {
            let message = format!(
                "it begins with a byte order mark (BOM) of {encoding}; save it as UTF-8 without one"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let text = self.text.trim_ascii_end();
        let text = std::str::from_utf8(text);
        let text = text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Some(text.to_owned()))
    }
}
