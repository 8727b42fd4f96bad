//! The end of a report: counts of a whole run.

use serde::{Deserialize, Serialize};

use super::timings::TimingsReport;
use super::writer::JSON_VERSION;
use crate::run::batch::outcome::{Outcome, Status};
use rigy_base::terminal;

/// Counts of inputs and outputs of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Inputs.
    pub inputs: usize,
    /// Outputs with status `written`.
    pub written: usize,
    /// Outputs with status `unchanged`.
    pub unchanged: usize,
    /// Outputs with status `failed`.
    pub failed: usize,
    /// Inputs that were left out because they lack the animation that was asked for; left out itself if it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: usize,
    /// Outputs of earlier runs that were removed, or would be in a dry run; left out itself if it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub removed: usize,
    /// Warnings about all inputs.
    pub warnings: usize,
}

/// Counts of inputs, each once: together they are all inputs of a run.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct InputCounts {
    /// Inputs with a new output, and none that has failed.
    pub written: usize,
    /// Inputs whose outputs all had their content already.
    pub unchanged: usize,
    /// Inputs with an output that has failed.
    pub failed: usize,
    /// Inputs that were left out, as their options ask.
    pub skipped: usize,
}

impl InputCounts {
    /// Adds an input. Outputs of earlier runs that were removed belong to none.
    pub fn add(&mut self, outcome: &Outcome) {
        let has = |status| outcome.records.iter().any(|record| record.status == status);
        if outcome.is_removal() {
            return;
        }
        let count = if outcome.has_failed() {
            &mut self.failed
        } else if has(Status::Written) {
            &mut self.written
        } else if has(Status::Skipped) {
            &mut self.skipped
        } else {
            &mut self.unchanged
        };
        *count += 1;
    }

    /// Adds the counts of other inputs.
    pub fn merge(&mut self, other: &Self) {
        self.written += other.written;
        self.unchanged += other.unchanged;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// The last line of JSON lines, and of a report.
#[derive(Debug, Default, Serialize)]
pub struct LastLine {
    /// The counts and times of the run.
    pub summary: Ended,
    /// The shard of the inputs, as `I/N`, if the run was not about all inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// True if inputs are missing because the run was interrupted or ended at the first failure.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// True if nothing was written: lines say what would be.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// The counts of a run, and its times on request.
#[derive(Debug, Default, Serialize)]
pub struct Ended {
    /// The counts.
    #[serde(flatten)]
    pub counts: Summary,
    /// Times of inputs and stages, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<TimingsReport>,
    /// Seconds that the whole run has taken, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl LastLine {
    /// Returns the last line of a complete run over all inputs, without times.
    pub fn of(counts: Summary) -> Self {
        Self {
            summary: Ended {
                counts,
                ..Ended::default()
            },
            ..Self::default()
        }
    }

    /// Returns the last of JSON lines, which has the version, without a line break.
    pub fn to_json_line(&self) -> String {
        /// The line with its version.
        #[derive(Serialize)]
        struct Versioned<'a> {
            #[serde(flatten)]
            last: &'a LastLine,
            version: u32,
        }
        terminal::json(&Versioned {
            last: self,
            version: JSON_VERSION,
        })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Summary {
    /// Adds an input with its outputs and warnings; outputs that were removed count without their input.
    pub fn add(&mut self, outcome: &Outcome) {
        self.inputs += usize::from(!outcome.is_removal());
        self.warnings += outcome.warnings.len();
        for record in &outcome.records {
            self.count(record.status);
        }
    }

    /// Adds one output.
    pub(crate) fn count(&mut self, status: Status) {
        match status {
            Status::Written => self.written += 1,
            Status::Unchanged => self.unchanged += 1,
            Status::Failed => self.failed += 1,
            Status::Skipped => self.skipped += 1,
            Status::Removed => self.removed += 1,
        }
    }

    /// Returns the number of files that were changed, or would be in a dry run.
    pub fn changes(&self) -> usize {
        self.written + self.removed
    }

    /// Adds the counts of another summary.
    pub fn merge(&mut self, other: &Self) {
        self.inputs += other.inputs;
        self.written += other.written;
        self.unchanged += other.unchanged;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.removed += other.removed;
        self.warnings += other.warnings;
    }
}
