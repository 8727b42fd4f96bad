//! JSON lines: one object for each output, then the summary.

use super::{End, Printer};
use crate::base::terminal;
use crate::run::batch::{LastLine, Outcome};

/// JSON lines.
pub struct Json;

/// Returns the JSON lines of an outcome, without line breaks.
pub fn lines(outcome: &Outcome, timings: bool) -> Vec<String> {
    let lines = outcome.lines(timings);
    lines.iter().map(terminal::json).collect()
}

impl Printer for Json {
    fn outcome(&self, outcome: &Outcome, timings: bool) -> String {
        let lines = lines(outcome, timings);
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    fn tail(&self, end: &End<'_>) -> String {
        let last = end.last.map(LastLine::to_json_line);
        last.map_or(String::new(), |line| format!("{line}\n"))
    }
}
