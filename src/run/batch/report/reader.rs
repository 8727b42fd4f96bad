//! Reading reports and JSON lines, one line at a time.

use std::io::{self, BufRead, Read};

use super::writer::{FIRST_WITHOUT_VERSION, JSON_VERSION, version_of_first};

/// The longest line in bytes.
const MAX_LINE_LEN: u64 = 64 << 20;

/// Reads the lines of a report file, or JSON lines.
pub(crate) struct Lines<R> {
    reader: R,
    /// The number of the line that was read last, from 1.
    pub number: usize,
    /// True for a report, which is one JSON object over all lines; false for JSON lines.
    framed: bool,
    text: Vec<u8>,
}

/// A line that has been read.
pub(crate) enum Item {
    /// The JSON object of an output.
    Line(String),
    /// The JSON object of the summary.
    End(String),
    /// The report has this version, which is newer than those that are read.
    Newer(u32),
}

/// Returns the version of a report that begins with this line, 1 if it names none; `None` for JSON lines.
fn report_version(line: &str) -> Option<u32> {
    let is_without = line == FIRST_WITHOUT_VERSION;
    version_of_first(line).or(is_without.then_some(1))
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
    /// Reads the next line; returns `None` at the end of the file.
    pub fn next(&mut self) -> io::Result<Option<Item>> {
        let Some(mut text) = self.text()? else {
            return Ok(None);
        };
        if self.number == 1
            && let Some(version) = report_version(&text)
        {
            if version > JSON_VERSION {
                return Ok(Some(Item::Newer(version)));
            }
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
        let text = self.text.trim_ascii_end();
        let text = std::str::from_utf8(text);
        let text = text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Some(text.to_owned()))
    }
}
