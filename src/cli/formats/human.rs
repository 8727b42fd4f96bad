//! Text for people: findings go to standard error, and standard output has the summary.

use super::{End, Printer};
use crate::cli::summary::table;
use crate::run::batch::Outcome;

/// Text for people.
pub struct Human;

impl Printer for Human {
    fn outcome(&self, _: &Outcome, _: bool) -> String {
        String::new()
    }

    fn tail(&self, end: &End<'_>) -> String {
        if end.quiet {
            return String::new();
        }
        let timings = end.last.and_then(|last| last.summary.timings.as_ref());
        let table = timings.map(|timings| format!("{}\n", table(timings)));
        format!("{}\n{}", end.sentence, table.unwrap_or_default())
    }
}
