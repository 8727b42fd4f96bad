//! The fields of reports and JSON lines, as merging reads them: a field that this program does not write is refused, because nothing
//! tells how those of several reports belong together.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::summary::Summary;
use crate::base::diag::Finding;
use crate::run::batch::outcome::Status;

/// The fields of a line, most of which are only checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "what merging does not need is checked and passed on as text"
)]
pub(super) struct OutputLine {
    pub input: String,
    pose: Option<String>,
    animation: Option<String>,
    time: Option<f64>,
    frame: Option<u32>,
    keys: Option<u64>,
    deviation: Option<f64>,
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
pub(super) struct End {
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
