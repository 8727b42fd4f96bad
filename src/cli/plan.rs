//! The lines of `-n` and `--check`: what would become of each file.

use std::path::Path;

use super::batch_args::Batch;
use super::common_args::Format;
use super::render::printable;
use crate::io::exists;
use crate::run::batch::{Outcome, OutputRecord, Status};

/// Returns a line for each output of an input, if people are to see what a run would do; else nothing.
pub fn lines(outcome: &Outcome, args: &Batch) -> Vec<String> {
    let are_shown =
        args.writes_nothing() && args.common.format == Format::Human && !args.common.quiet;
    match are_shown {
        true => (outcome.records.iter())
            .map(|record| line(record, &outcome.input))
            .collect(),
        false => Vec::new(),
    }
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
    format!("{word:<9}  {}", printable(&path))
}
