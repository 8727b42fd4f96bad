//! Reasons why reports cannot be merged.

use std::io;

/// Why reports cannot be merged.
#[derive(Debug, thiserror::Error)]
#[error("`{report}`{}: {fault}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct MergeError {
    /// The report.
    pub report: String,
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is wrong with it.
    pub fault: MergeFault,
}

/// What is wrong with a report.
#[derive(Debug, thiserror::Error)]
pub enum MergeFault {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// What comes of all reports cannot be written.
    #[error("it cannot be written: {0}")]
    Write(#[source] io::Error),
    /// Not what this program writes.
    #[error("this is no line of a report or of JSON lines: {0}")]
    Malformed(String),
    /// The summary is missing.
    #[error("it ends before its summary")]
    Cut,
    /// Something stands behind the summary.
    #[error("it goes on after its summary")]
    Longer,
    /// The lines do not add up to the summary.
    #[error("its lines do not add up to its summary")]
    Sum,
    /// Inputs that were not done are not in it.
    #[error(
        "it is of a run that was interrupted, or ended early by `--fail-fast`; run that part again"
    )]
    Interrupted,
    /// Lines that are not in the order of their inputs.
    #[error("`{0}` does not come in order; reports of different versions cannot be merged")]
    Disorder(String),
    /// An input that another report has, too.
    #[error("`{input}` is in `{other}`, too{}", if *.same { ", word for word" } else { ", and something else is said of it" })]
    Twice {
        /// The input.
        input: String,
        /// The other report.
        other: String,
        /// Whether both say the same.
        same: bool,
    },
    /// An output that another input has written.
    #[error("output `{0}` is that of another input, too")]
    OutputTwice(String),
    /// A shard that is there twice, of another number of shards, or of no shards.
    #[error("{0}")]
    Shard(String),
}
