//! Report files: one JSON object over all lines and the summary.

use std::io::{self, BufRead, BufReader, Read, Write};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::summary::LastLine;
use crate::run::batch::outcome::Status;
use rigy_base::maps::HashMap;

/// Writes a report: one JSON object with all lines and the summary, each on a line of its own.
pub struct ReportWriter<W> {
    out: W,
    empty: bool,
}

/// The version of reports and JSON lines that this program writes, and the newest that it reads. A field that goes or gets
/// another meaning makes a new version; a field that is added does not.
pub const JSON_VERSION: u32 = 1;

/// The first line of a report from before reports had versions.
pub const FIRST_WITHOUT_VERSION: &str = "{\"outputs\":[";

/// Returns the first line of a report.
fn first() -> String {
    format!("{{\"version\":{JSON_VERSION},\"outputs\":[")
}

/// Returns the version that the first line of a report names; `None` for another line.
pub fn version_of_first(line: &str) -> Option<u32> {
    line.strip_prefix("{\"version\":")?
        .strip_suffix(",\"outputs\":[")?
        .parse()
        .ok()
}

/// Returns true if a file is a complete report or empty, so that a new report may replace it.
///
/// # Errors
/// If it cannot be read.
pub fn is_report(file: impl Read) -> io::Result<bool> {
    has_shape::<ReportShape>(file)
}

/// Returns true if a file is empty or JSON from which a value of `T` can be read.
///
/// # Errors
/// If it cannot be read.
pub fn has_shape<T: DeserializeOwned>(file: impl Read) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(64 << 10, file);
    if file.fill_buf()?.is_empty() {
        return Ok(true);
    }
    match serde_json::from_reader::<_, T>(file) {
        Ok(_) => Ok(true),
        Err(error) if error.is_io() => Err(error.into()),
        Err(_) => Ok(false),
    }
}

/// The fields that every report has; their values are checked and not kept.
#[derive(Deserialize)]
#[expect(dead_code)]
struct ReportShape {
    outputs: Vec<LineShape>,
    summary: HashMap<String, IgnoredAny>,
}

/// The fields that every line has.
#[derive(Deserialize)]
#[expect(dead_code)]
struct LineShape {
    input: IgnoredAny,
    status: Status,
}

impl<W: Write> ReportWriter<W> {
    /// Writes the beginning of a report.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(mut out: W) -> io::Result<Self> {
        out.write_all(first().as_bytes())?;
        Ok(Self { out, empty: true })
    }

    /// Writes the line of one output.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        let separator = if self.empty { "\n" } else { ",\n" };
        self.empty = false;
        self.out.write_all(separator.as_bytes())?;
        self.out.write_all(line.as_bytes())
    }

    /// Writes the end of the report. Returns the writer that was passed to [`begin`](Self::begin).
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(mut self, last: &LastLine) -> io::Result<W> {
        writeln!(self.out, "\n],{}", &rigy_base::terminal::json(last)[1..])?;
        Ok(self.out)
    }
}
