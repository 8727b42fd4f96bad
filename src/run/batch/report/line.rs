//! The JSON line of each output.

use std::time::Duration;

use serde::Serialize;

use crate::base::diag::Diagnostic;
use crate::run::batch::outcome::{Outcome, Status};

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
