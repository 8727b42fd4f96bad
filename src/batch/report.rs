//! What machines are told: one line per output, and a summary (`design.md` §1).

use serde::Serialize;

use super::outcome::{Outcome, Status};
use crate::diag::Diagnostic;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
    pub summary: Summary,
    /// Which part of the inputs it was about, as `I/N`, if not about all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Whether it was interrupted, so that inputs are missing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

impl LastLine {
    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("reports are plain structs")
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
            match record.status {
                Status::Written => self.written += 1,
                Status::Unchanged => self.unchanged += 1,
                Status::Failed => self.failed += 1,
            }
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
    /// The lines of a document, in the order of its outputs.
    pub fn lines(&self) -> Vec<Line> {
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
            })
            .collect()
    }
}
