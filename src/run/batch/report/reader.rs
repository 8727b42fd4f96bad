//! Reading reports and JSON lines, one line at a time, and the reasons why they cannot be merged.

use std::io::{self, BufRead, Read};

use super::writer::{FIRST_WITHOUT_VERSION, JSON_VERSION, version_of_first};

/// The longest line in bytes.
const MAX_LINE_LEN: u64 = 64 << 20;

/// Reads the lines of a report file, or JSON lines.
pub struct Lines<R> {
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
pub enum Item {
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
            return Err(rigy_base::loader::too_large(MAX_LINE_LEN, MAX_LINE_LEN - 1));
        }
        let mark = MARKS.iter().find(|(mark, _)| self.text.starts_with(mark));
        if let Some((_, encoding)) = mark.filter(|_| self.number == 1) {
            let message = format!(
                "it begins with a byte order mark (BOM) of {encoding}; save it as UTF-8 without one"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let text = self.text.trim_ascii_end();
        let text = std::str::from_utf8(text)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Some(text.to_owned()))
    }
}

/// The reason why reports cannot be merged, with the report and line that it is about.
#[derive(Debug, thiserror::Error)]
#[error("`{report}`{}: {fault}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct MergeError {
    /// The name of the report.
    pub report: String,
    /// The line, from 1; `None` if the fault is about the whole report.
    pub line: Option<usize>,
    /// The fault.
    #[source]
    pub fault: MergeFault,
}

/// A fault of a report.
#[derive(Debug, thiserror::Error)]
pub enum MergeFault {
    /// The report cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// The merged report cannot be written.
    #[error("it cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The line has a form that this program does not write.
    #[error("this is no line of a report or of JSON lines: {0}")]
    Malformed(String),
    /// The report is of a newer version than those that are read.
    #[error(
        "it has version {0}, which is newer than {JSON_VERSION}; merge it with the rigy-batch that has written it, or a later one"
    )]
    Newer(u32),
    /// The report names no version, or none that there is.
    #[error("it has no version, so it is no report of this program; run that part again")]
    WithoutVersion,
    /// The summary is missing.
    #[error("it ends before its summary")]
    Cut,
    /// There are lines after the summary.
    #[error("it goes on after its summary")]
    Longer,
    /// The lines do not add up to the summary.
    #[error("its lines do not add up to its summary")]
    Sum,
    /// Inputs are missing because the run has ended early.
    #[error(
        "it is of a run that was interrupted, or ended early by `--fail-fast`; run that part again"
    )]
    Interrupted,
    /// Lines are not in the order of their inputs.
    #[error("`{0}` does not come in order; reports of different versions cannot be merged")]
    Disorder(String),
    /// Another report has the same input.
    #[error("`{input}` is in `{other}`, too{}", if *.same { ", word for word" } else { ", and something else is said of it" })]
    Twice {
        /// The input that both reports have.
        input: String,
        /// The name of the other report.
        other: String,
        /// True if both reports have the same line about it.
        same: bool,
    },
    /// Two inputs have the same output.
    #[error("output `{0}` is that of another input, too")]
    OutputTwice(String),
    /// The report is of a dry run and the first one is not, or the other way round.
    #[error("{}", if *.is_dry { "it is of a run with `-n` or `--check`, though the first one is not" } else { "it is of a run that has written, though the first one is of a run with `-n` or `--check`" })]
    DryRun {
        /// True if this report is of a dry run.
        is_dry: bool,
    },
    /// The report is of a shard that another report has too, of a different number of shards, or of no shard while others
    /// are; or the report of a shard is missing.
    #[error("{0}")]
    Shard(String),
}
