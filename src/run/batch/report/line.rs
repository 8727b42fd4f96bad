//! The JSON line of each output.

use std::time::Duration;

use serde::Serialize;

use crate::base::diag::{Diagnostic, Finding};
use crate::run::batch::outcome::{Outcome, RecordMoment, Status};

/// One output, in the form of JSON lines and reports.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The input.
    pub input: String,
    /// The pose; null for the export, for glTF files, and for documents that fail before their poses are known.
    pub pose: Option<String>,
    /// Animation, time and frame of a glTF file; documents, and files that fail before their outputs are known, have none of the
    /// three fields.
    #[serde(flatten)]
    pub moment: Option<RecordMoment>,
    /// The file; null for inputs that fail before their outputs are known.
    pub output: Option<String>,
    /// True for a file beside other outputs, such as an image, which several inputs may share.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
    /// `written`, `unchanged`, `failed`, `skipped` or `removed`.
    pub status: Status,
    /// SHA-256 of the output in hexadecimal; null if the output has failed or no hash was requested.
    pub sha256: Option<String>,
    /// Length of the output in bytes; null if the output has failed.
    pub bytes: Option<u64>,
    /// Warnings about the input, on its first line only.
    pub warnings: Vec<Finding>,
    /// Errors; empty unless the output has failed. The first failed line of an input has all its errors, the others have
    /// only the first of them.
    pub errors: Vec<Finding>,
    /// Seconds spent on the output, on request. The first line of an input includes the time that its outputs share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Outcome {
    /// Returns one line for each output, in the order of the outputs, with times if `timings` is true.
    pub fn lines(&self, timings: bool) -> Vec<Line> {
        let findings = |list: &[Diagnostic]| list.iter().map(Finding::new).collect();
        let input = self.input.display().to_string();
        let records = self.records.iter().enumerate();
        records
            .map(|(index, record)| Line {
                input: input.clone(),
                pose: record.pose.clone(),
                moment: record.moment.clone(),
                output: record.path.as_ref().map(|path| path.display().to_string()),
                beside: record.is_beside,
                status: record.status,
                sha256: record.sha256.clone(),
                bytes: record.bytes,
                warnings: findings(self.warnings_of(index)),
                errors: findings(self.errors_of(index)),
                seconds: timings.then(|| self.seconds_of(index)),
            })
            .collect()
    }

    /// Returns the warnings that the line of a record has: all of the input on the first, none on the others.
    pub fn warnings_of(&self, index: usize) -> &[Diagnostic] {
        if index == 0 { &self.warnings } else { &[] }
    }

    /// Returns the errors that the line of a record has: all of the input on the first one that has failed, the first of them
    /// on the others that have failed, else none.
    pub fn errors_of(&self, index: usize) -> &[Diagnostic] {
        if self.records[index].status != Status::Failed {
            return &[];
        }
        let earlier = &self.records[..index];
        match earlier.iter().any(|record| record.status == Status::Failed) {
            true => &self.errors[..self.errors.len().min(1)],
            false => &self.errors,
        }
    }

    /// Returns the seconds that the line of a record has. Those of the first include the time that the outputs share.
    pub fn seconds_of(&self, index: usize) -> f64 {
        let own = self.records[index].time;
        if index > 0 {
            return own.as_secs_f64();
        }
        let alone: Duration = self.records.iter().map(|record| record.time).sum();
        (own + self.times.total().saturating_sub(alone)).as_secs_f64()
    }
}
