//! The choice of a format, and printing in it.

use clap::ValueEnum;

use super::annotation::Group;
use super::format::{End, Format};
use super::{junit, lines, sarif};
use crate::cli::output::Output;

rigy_base::named! {
    /// A format of standard output for the commands that process inputs.
    #[derive(ValueEnum)]
    pub enum OutcomeFormat {
        /// A summary or tables; findings go to standard error
        Human = "human",
        /// One JSON object on each line
        Json = "json",
        /// Workflow commands, by which GitHub Actions shows findings at their lines
        Github = "github",
        /// A SARIF 2.1.0 log
        Sarif = "sarif",
        /// JUnit XML
        Junit = "junit",
    }
}

impl OutcomeFormat {
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
pub fn print_groups(out: &mut Output, format: &dyn Format, groups: &[Group], end: &End) {
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
