//! What machines are told: one line per output, and a summary (`design.md` §1).

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::Duration;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::outcome::{Outcome, Status};
use super::timings::TimingsReport;
use crate::base::diag::Diagnostic;

/// One output, as JSON lines and reports give it.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The document.
    pub input: String,
    /// The pose, or null for the ordinary export and for documents that fail before their poses are known.
    pub pose: Option<String>,
    /// The file, or null for documents that fail before their poses are known.
    pub output: Option<String>,
    /// `written`, `unchanged` or `failed`.
    pub status: Status,
    /// SHA-256 of the output, if there is one.
    pub sha256: Option<String>,
    /// Length of the output in bytes, if there is one.
    pub bytes: Option<u64>,
    /// Warnings of the document; given on its first line only.
    pub warnings: Vec<Finding>,
    /// Why the output failed; empty otherwise. The first failed line of a document has all its errors, the
    /// others repeat the first of them.
    pub errors: Vec<Finding>,
    /// Time spent on the output; the first line of an input also has what its outputs share. Given if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// An error or a warning.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// One of the six categories.
    pub category: &'static str,
    /// The code, or null where the contract gives none.
    pub code: Option<&'static str>,
    /// A sentence, what to try where that helps, and where the file was imported if it was.
    pub message: String,
    /// Path inside the document, or null if the finding is about the whole file.
    pub path: Option<String>,
    /// The file it is about.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column in characters, from 1.
    pub column: Option<u32>,
}

/// How a whole run went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Documents.
    pub inputs: usize,
    /// Lines with status `written`.
    pub written: usize,
    /// Lines with status `unchanged`.
    pub unchanged: usize,
    /// Lines with status `failed`.
    pub failed: usize,
    /// Warnings.
    pub warnings: usize,
}

/// The end of JSON lines, and of a report.
#[derive(Clone, Debug, Serialize)]
pub struct LastLine {
    /// How the run went.
    pub summary: Ended,
    /// Which part of the inputs it was about, as `I/N`, if not about all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Whether inputs are missing, for it was interrupted or ended at the first failure.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// How a run went, and how long it took if anybody wants to know.
#[derive(Clone, Debug, Serialize)]
pub struct Ended {
    /// What became of inputs and outputs.
    #[serde(flatten)]
    pub counts: Summary,
    /// Times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<TimingsReport>,
    /// Seconds that a round of a watch took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl LastLine {
    /// The end of a run over everything.
    pub fn of(counts: Summary) -> Self {
        Self {
            summary: Ended {
                counts,
                timings: None,
                seconds: None,
            },
            shard: None,
            interrupted: false,
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("reports are plain structs")
    }
}

/// A report on its way to a file: all lines and the summary as one JSON object, still a line each.
pub struct ReportWriter<W> {
    out: W,
    empty: bool,
}

/// The first line of a report.
pub(super) const FIRST: &str = "{\"outputs\":[";

/// Whether a file is a whole report, or empty: what a report may replace.
///
/// # Errors
/// Reading it.
pub fn is_report(file: impl Read) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(64 << 10, file);
    if file.fill_buf()?.is_empty() {
        return Ok(true);
    }
    match serde_json::from_reader::<_, ReportShape>(file) {
        Ok(_) => Ok(true),
        Err(error) if error.is_io() => Err(error.into()),
        Err(_) => Ok(false),
    }
}

/// The fields that every report has, with nothing kept of them.
#[derive(Deserialize)]
struct ReportShape {
    #[serde(rename = "outputs")]
    _outputs: EachLine,
    #[serde(rename = "summary")]
    _summary: HashMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
struct LineShape {
    #[serde(rename = "input")]
    _input: IgnoredAny,
    #[serde(rename = "status")]
    _status: Status,
}

/// A list of lines of which each is looked at and none is kept.
struct EachLine;

impl<'de> Deserialize<'de> for EachLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Self)
    }
}

impl<'de> Visitor<'de> for EachLine {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the lines of a report")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<Self, A::Error> {
        while lines.next_element::<LineShape>()?.is_some() {}
        Ok(self)
    }
}

impl<W: Write> ReportWriter<W> {
    /// Begins a report.
    ///
    /// # Errors
    /// Writing it.
    pub fn begin(mut out: W) -> io::Result<Self> {
        out.write_all(FIRST.as_bytes())?;
        Ok(Self { out, empty: true })
    }

    /// One output.
    ///
    /// # Errors
    /// Writing it.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        let separator = if self.empty { "\n" } else { ",\n" };
        self.empty = false;
        self.out.write_all(separator.as_bytes())?;
        self.out.write_all(line.as_bytes())
    }

    /// The end. What was written to comes back.
    ///
    /// # Errors
    /// Writing it.
    pub fn end(mut self, last: &LastLine) -> io::Result<W> {
        writeln!(self.out, "\n],{}", &last.to_json()[1..])?;
        Ok(self.out)
    }
}

impl Finding {
    /// The facts of a diagnostic.
    pub fn new(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.place.as_ref();
        let position = place.and_then(|place| place.position);
        Self {
            category: diagnostic.category.name(),
            code: diagnostic.code.map(|code| code.name()),
            message: sentence(diagnostic),
            path: position.and(place).map(|place| place.path.clone()),
            file: place.map(|place| place.file.clone()),
            line: position.map(|(line, _)| line),
            column: position.map(|(_, column)| column),
        }
    }
}

/// Everything that people are told apart from the place itself.
fn sentence(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        text = format!("{text}; {help}");
    }
    for importer in &diagnostic.importers {
        let (line, column) = importer.position.unwrap_or_default();
        text = format!("{text} (imported at {}:{line}:{column})", importer.file);
    }
    text
}

impl Summary {
    /// Counts one document in.
    pub fn add(&mut self, outcome: &Outcome) {
        self.inputs += 1;
        self.warnings += outcome.warnings.len();
        for record in &outcome.records {
            self.count(record.status);
        }
    }

    /// Counts one output in.
    pub(super) fn count(&mut self, status: Status) {
        match status {
            Status::Written => self.written += 1,
            Status::Unchanged => self.unchanged += 1,
            Status::Failed => self.failed += 1,
        }
    }

    /// Counts what another has counted, too.
    pub fn merge(&mut self, other: &Self) {
        self.inputs += other.inputs;
        self.written += other.written;
        self.unchanged += other.unchanged;
        self.failed += other.failed;
        self.warnings += other.warnings;
    }
}

impl Outcome {
    /// The lines of a document, in the order of its outputs, with times if they are wanted.
    pub fn lines(&self, timings: bool) -> Vec<Line> {
        let alone: Duration = self.records.iter().map(|record| record.time).sum();
        let shared = self.times.total().saturating_sub(alone);
        let time = |index: usize| match index {
            0 => self.records[0].time + shared,
            _ => self.records[index].time,
        };
        let findings = |list: &[Diagnostic]| list.iter().map(Finding::new).collect();
        let input = self.input.display().to_string();
        let first_failed = self.records.iter().position(|r| r.status == Status::Failed);
        // Every failed line says why, but only the first says everything.
        let errors = |index: usize| match first_failed {
            Some(first) if first == index => &*self.errors,
            _ => &self.errors[..self.errors.len().min(1)],
        };
        let records = self.records.iter().enumerate();
        records
            .map(|(index, record)| Line {
                input: input.clone(),
                pose: record.pose.clone(),
                output: record.path.as_ref().map(|path| path.display().to_string()),
                status: record.status,
                sha256: record.sha256.clone(),
                bytes: record.bytes,
                warnings: findings(if index == 0 { &self.warnings } else { &[] }),
                errors: findings(if record.status == Status::Failed {
                    errors(index)
                } else {
                    &[]
                }),
                seconds: timings.then(|| time(index).as_secs_f64()),
            })
            .collect()
    }
}
