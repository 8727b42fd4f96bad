//! The formats of standard output: lines for people, JSON lines, commands for GitHub, and the documents SARIF and
//! JUnit XML.
//!
//! In: outcomes of a batch, or [`Group`]s that other commands make of their results. Out: text. A format has a head, an item
//! for each outcome, which is made on the thread that processed the input, separators, and a tail; so no format needs all
//! outcomes in memory.

mod annotation;
mod junit;
mod lines;
mod rule;
mod sarif;

use clap::ValueEnum;

use super::output::Output;
use crate::run::batch::{LastLine, Outcome};

pub use annotation::{Annotation, Case, CaseResult, Group};
pub use lines::json_lines;
pub use rule::Rule;

/// A format of standard output for the commands that process inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutcomeFormat {
    /// A summary or tables; findings go to standard error
    Human,
    /// One JSON object on each line
    Json,
    /// Workflow commands, by which GitHub Actions shows findings at their lines
    Github,
    /// A SARIF 2.1.0 log
    Sarif,
    /// JUnit XML
    Junit,
}

/// The end of a run.
pub struct End<'a> {
    /// The counts and times of a batch; `None` for other commands.
    pub last: Option<&'a LastLine>,
    /// The summary for people.
    pub sentence: &'a str,
    /// True if people want no summary.
    pub quiet: bool,
    /// Failures that belong to no input.
    pub failures: &'a [String],
    /// True if inputs are missing, because the run was interrupted or has ended early.
    pub is_partial: bool,
}

impl<'a> End<'a> {
    /// Returns the end of a command that has finished, with its summary for people.
    pub fn of_sentence(sentence: &'a str, quiet: bool) -> Self {
        Self {
            last: None,
            sentence,
            quiet,
            failures: &[],
            is_partial: false,
        }
    }
}

/// A format of standard output.
pub trait Format: Sync {
    /// Returns the text before the first item.
    fn head(&self) -> String {
        String::new()
    }

    /// Returns the results about an input as text, empty if the format does not show them.
    fn group(&self, _: &Group) -> String {
        String::new()
    }

    /// Returns an outcome of a batch as text, empty if the format does not show it, with times if `timings` is true.
    fn outcome(&self, outcome: &Outcome, timings: bool) -> String {
        self.group(&Group::of_outcome(outcome, timings))
    }

    /// Returns the text between two items that are shown.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Returns the text after the last item. Formats for people end in the summary.
    fn tail(&self, end: &End<'_>) -> String {
        if end.quiet {
            return String::new();
        }
        format!("{}\n", end.sentence)
    }

    /// Returns true if the items say of findings all that people need, so that nothing goes to standard error.
    fn has_findings(&self) -> bool {
        true
    }
}

impl OutcomeFormat {
    /// Returns the word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Github => "github",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
        }
    }

    /// Returns the format.
    pub fn format(self) -> &'static dyn Format {
        match self {
            Self::Human => &lines::Human,
            Self::Json => &lines::Json,
            Self::Github => &lines::Github,
            Self::Sarif => &sarif::Sarif,
            Self::Junit => &junit::Junit,
        }
    }

    /// Returns the format if it shows groups; `None` for text for people and for JSON, which each command has in its own form.
    pub fn of_groups(self) -> Option<&'static dyn Format> {
        (!matches!(self, Self::Human | Self::Json)).then(|| self.format())
    }

    /// Returns true if all of standard output is one document, which nothing can follow.
    pub fn is_document(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit)
    }
}

/// Adds to each item what must stand before it.
#[derive(Default)]
pub struct Stream {
    has_items: bool,
}

impl Stream {
    /// Returns the text that stands before an item: nothing before the first, and before each other one `separator`.
    pub fn before_item(&mut self, separator: &'static str) -> &'static str {
        let is_first = !std::mem::replace(&mut self.has_items, true);
        if is_first { "" } else { separator }
    }
}

/// Prints the results of a command that has all of them at hand.
pub fn print_groups(out: &mut Output, format: &dyn Format, groups: &[Group], end: &End<'_>) {
    let mut stream = Stream::default();
    out.bytes(format.head().as_bytes());
    for group in groups {
        let text = format.group(group);
        if !text.is_empty() {
            out.bytes(stream.before_item(format.separator()).as_bytes());
            out.bytes(text.as_bytes());
        }
    }
    out.bytes(format.tail(end).as_bytes());
}
