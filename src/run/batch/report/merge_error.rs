//! Reasons why reports cannot be merged.

use std::io;

use super::writer::JSON_VERSION;

/// The reason why reports cannot be merged, with the report and line that it is about.
#[derive(Debug, thiserror::Error)]
#[error("`{report}`{}: {fault}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct MergeError {
    /// The name of the report.
    pub report: String,
    /// The line, from 1; `None` if the fault is about the whole report.
    pub line: Option<usize>,
    /// The fault.
    #[source]
    pub fault: MergeFault,
}

/// A fault of a report.
#[derive(Debug, thiserror::Error)]
pub enum MergeFault {
    /// The report cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// The merged report cannot be written.
    #[error("it cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The line has a form that this program does not write.
    #[error("this is no line of a report or of JSON lines: {0}")]
    Malformed(String),
    /// The report is of a newer version than those that are read.
    #[error(
        "it has version {0}, which is newer than {JSON_VERSION}; merge it with the rigy-batch that has written it, or a later one"
    )]
    Newer(u32),
    /// The report names no version, or one from before the first.
    #[error(
        "it has no version, so a program has written it that is older than versions of reports; run that part again"
    )]
    WithoutVersion,
    /// The summary is missing.
    #[error("it ends before its summary")]
    Cut,
    /// There are lines after the summary.
    #[error("it goes on after its summary")]
    Longer,
    /// The lines do not add up to the summary.
    #[error("its lines do not add up to its summary")]
    Sum,
    /// Inputs are missing because the run has ended early.
    #[error(
        "it is of a run that was interrupted, or ended early by `--fail-fast`; run that part again"
    )]
    Interrupted,
    /// Lines are not in the order of their inputs.
    #[error("`{0}` does not come in order; reports of different versions cannot be merged")]
    Disorder(String),
    /// Another report has the same input.
    #[error("`{input}` is in `{other}`, too{}", if *.same { ", word for word" } else { ", and something else is said of it" })]
    Twice {
        /// The input that both reports have.
        input: String,
        /// The name of the other report.
        other: String,
        /// True if both reports have the same line about it.
        same: bool,
    },
    /// Two inputs have the same output.
    #[error("output `{0}` is that of another input, too")]
    OutputTwice(String),
    /// The report is of a dry run and the first one is not, or the other way round.
    #[error("{}", if *.is_dry { "it is of a run with `-n` or `--check`, though the first one is not" } else { "it is of a run that has written, though the first one is of a run with `-n` or `--check`" })]
    DryRun {
        /// True if this report is of a dry run.
        is_dry: bool,
    },
    /// The report is of a shard that another report has too, of a different number of shards, or of no shard while others
    /// are; or the report of a shard is missing.
    #[error("{0}")]
    Shard(String),
}
