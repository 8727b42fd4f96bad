//! The end of a report: counts of a whole run.

use serde::{Deserialize, Serialize};

use super::timings::TimingsReport;
use crate::run::batch::outcome::{Outcome, Status};

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
    pub(crate) fn count(&mut self, status: Status) {
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
