//! The trait of formats of standard output, and the end of a run that they print.

use super::annotation::Group;
use crate::run::batch::{LastLine, Outcome};

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
    fn tail(&self, end: &End) -> String {
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
