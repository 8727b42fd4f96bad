//! The formats of standard output: lines for people, JSON lines, commands for GitHub, and the documents SARIF and
//! JUnit XML.
//!
//! In: outcomes of a batch, or [`Group`]s that other commands make of their results. Out: text. A format has a head, an item
//! for each outcome, which is made on the thread that processed the input, separators, and a tail; so no format needs all
//! outcomes in memory.

mod annotation;
mod format;
mod junit;
mod lines;
mod outcome_format;
mod rule;
mod sarif;

pub use annotation::{Annotation, Case, CaseResult, Group};
pub use format::{End, Format};
pub use lines::json_lines;
pub use outcome_format::{OutcomeFormat, Stream, print_groups};
pub use rule::Rule;
