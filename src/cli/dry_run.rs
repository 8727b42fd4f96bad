//! The lines of `-n` and `--check`: what would become of each file.

use std::path::Path;

use super::batch_args::Batch;
use super::formats::OutcomeFormat;
use super::render::printable;
use crate::io::exists;
use crate::run::batch::{Outcome, OutputRecord, Status};

/// Returns a line for each output of an input, if people are to see what a run would do; else nothing.
pub fn lines(outcome: &Outcome, args: &Batch) -> String {
    let is_human = args.common.format == OutcomeFormat::Human;
    if !args.writes_nothing() || !is_human || args.common.quiet {
        return String::new();
    }
    let lines = outcome.records.iter();
    lines.map(|record| line(record, &outcome.input)).collect()
}

/// Returns the line of an output: a word, then its path, or that of the input if the output is not known.
fn line(record: &OutputRecord, input: &Path) -> String {
    let path = record.path.as_deref();
    let word = match record.status {
        Status::Written if path.is_some_and(exists) => "replaced",
        Status::Written => "new",
        Status::Unchanged => "unchanged",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
        Status::Removed => "removed",
    };
    let path = path.unwrap_or(input).display().to_string();
    format!("{word:<9}  {}\n", printable(&path))
}
