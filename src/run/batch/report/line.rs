//! The JSON line of each output, as it is written and as merging reads it.

use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::summary::Summary;
use crate::bake::SkinReport;
use crate::run::batch::outcome::{Outcome, RecordMoment, Status};
use rigy_base::diag::{Diagnostic, Finding};
use rigy_base::paths::Slashed;

/// One output, in the form of JSON lines and reports.
#[derive(Debug, Serialize)]
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
    /// Warnings, each on the line of the first output that it concerns; those about the whole input on its first line.
    pub warnings: Vec<Finding>,
    /// Errors; empty unless the output has failed. Those about the whole input are on its first failed line, and a failed
    /// line without errors of its own has the first of the input.
    pub errors: Vec<Finding>,
    /// Seconds spent on the output, on request. The first line of an input includes the time that its outputs share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Outcome {
    /// Returns one line for each output, in the order of the outputs, with times if `timings` is true.
    pub fn lines(&self, timings: bool) -> Vec<Line> {
        let findings = |list: Vec<&Diagnostic>| list.into_iter().map(Finding::new).collect();
        let input = self.input.shown();
        self.records
            .iter()
            .zip(self.placed())
            .enumerate()
            .map(|(index, (record, placed))| Line {
                input: input.clone(),
                pose: record.pose.clone(),
                moment: record.moment.clone(),
                output: record.path.as_ref().map(|path| path.shown()),
                beside: record.is_beside,
                status: record.status,
                sha256: record.sha256.clone(),
                bytes: record.bytes,
                warnings: findings(placed.warnings),
                errors: findings(placed.errors),
                seconds: timings.then(|| self.seconds_of(index)),
            })
            .collect()
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

/// The fields of a line, most of which are only checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "what merging does not need is checked and passed on as text"
)]
pub struct OutputLine {
    pub input: String,
    pose: Option<String>,
    animation: Option<String>,
    time: Option<f64>,
    frame: Option<u32>,
    keys: Option<u64>,
    deviation: Option<f64>,
    #[serde(default)]
    skins: Vec<SkinReport>,
    pub output: Option<String>,
    /// Several inputs may share such a file.
    #[serde(default)]
    pub beside: bool,
    pub status: Status,
    sha256: Option<String>,
    bytes: Option<u64>,
    pub warnings: Vec<Finding>,
    errors: Vec<Finding>,
    seconds: Option<f64>,
}

/// The fields of the last line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    #[serde(deserialize_with = "counts")]
    pub summary: Summary,
    pub shard: Option<String>,
    #[serde(default)]
    pub interrupted: bool,
    #[serde(default)]
    pub dry_run: bool,
    /// The version of JSON lines; reports have it in their first line.
    pub version: Option<u32>,
}

/// Fields of a summary that are not merged.
const NOT_MERGED: [&str; 2] = ["timings", "seconds"];

/// Reads the counts of a summary.
fn counts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Summary, D::Error> {
    let mut fields = serde_json::Map::deserialize(deserializer)?;
    for field in NOT_MERGED {
        fields.remove(field);
    }
    Summary::deserialize(serde_json::Value::Object(fields)).map_err(Error::custom)
}
