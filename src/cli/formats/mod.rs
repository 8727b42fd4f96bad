//! The formats of standard output: lines for people and editors, JSON lines, commands for GitHub, and the documents SARIF and
//! JUnit XML.
//!
//! In: outcomes of a batch, or [`Group`]s that other commands make of their results. Out: text. A format has a head, an item
//! for each outcome, which is made on the thread that processed the input, separators, and a tail; so no format needs all
//! outcomes in memory.

mod annotation;
mod concise;
mod github;
mod human;
mod json;
mod junit;
mod rule;
mod sarif;
mod stream;

use clap::ValueEnum;

use crate::run::batch::{LastLine, Outcome};

pub use annotation::{Annotation, Case, CaseResult, Group};
pub use json::lines as json_lines;
pub use rule::Rule;
pub use stream::{Stream, print_groups};

/// A format of standard output for the commands that process inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutcomeFormat {
    /// A summary or tables; findings go to standard error
    Human,
    /// A line for each finding, then the summary
    Concise,
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

/// Prints outcomes in one format.
pub trait Printer: Sync {
    /// Returns the text before the first outcome.
    fn head(&self) -> String {
        String::new()
    }

    /// Returns an outcome as text, empty if the format does not show it, with times if `timings` is true.
    fn outcome(&self, outcome: &Outcome, timings: bool) -> String;

    /// Returns the text between two outcomes that are shown.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Returns the text after the last outcome.
    fn tail(&self, end: &End<'_>) -> String;

    /// Returns true if the items have all that is to be said of findings, so that nothing goes to standard error.
    fn has_findings(&self) -> bool {
        false
    }
}

/// A format that shows groups of cases with annotations, whatever command they come from.
pub trait Annotated: Sync {
    /// Returns the text before the first group.
    fn head(&self) -> String {
        String::new()
    }

    /// Returns a group as text, empty if the format does not show it.
    fn group(&self, group: &Group) -> String;

    /// Returns the text between two groups that are shown.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Returns the text after the last group. Formats for people end in the summary.
    fn tail(&self, end: &End<'_>) -> String {
        match end.quiet {
            true => String::new(),
            false => format!("{}\n", end.sentence),
        }
    }

    /// Returns true if people read the groups, so that nothing goes to standard error.
    fn is_for_people(&self) -> bool {
        true
    }
}

impl<A: Annotated> Printer for A {
    fn head(&self) -> String {
        Annotated::head(self)
    }

    fn outcome(&self, outcome: &Outcome, timings: bool) -> String {
        self.group(&Group::of_outcome(outcome, timings))
    }

    fn separator(&self) -> &'static str {
        Annotated::separator(self)
    }

    fn tail(&self, end: &End<'_>) -> String {
        Annotated::tail(self, end)
    }

    fn has_findings(&self) -> bool {
        self.is_for_people()
    }
}

impl OutcomeFormat {
    /// Returns the word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Github => "github",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
        }
    }

    /// Returns the printer of outcomes in this format.
    pub fn printer(self) -> &'static dyn Printer {
        match self {
            Self::Human => &human::Human,
            Self::Concise => &concise::Concise,
            Self::Json => &json::Json,
            Self::Github => &github::Github,
            Self::Sarif => &sarif::Sarif,
            Self::Junit => &junit::Junit,
        }
    }

    /// Returns the format as one of groups; `None` for text for people and for JSON, which each command has in its own form.
    pub fn annotated(self) -> Option<&'static dyn Annotated> {
        match self {
            Self::Human | Self::Json => None,
            Self::Concise => Some(&concise::Concise),
            Self::Github => Some(&github::Github),
            Self::Sarif => Some(&sarif::Sarif),
            Self::Junit => Some(&junit::Junit),
        }
    }

    /// Returns true if all of standard output is one document, which nothing can follow.
    pub fn is_document(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit)
    }
}
