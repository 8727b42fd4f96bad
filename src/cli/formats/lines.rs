//! The formats in lines: the summary for people, JSON lines, and workflow commands of GitHub Actions.

use super::format::{End, Format};
use super::{Annotation, Group};
use crate::cli::summary::times;
use crate::run::batch::{LastLine, Outcome};
use rigy_base::paths::Slashed;
use rigy_base::terminal::{self, is_control};

/// Text for people.
pub struct Human;

impl Format for Human {
    fn outcome(&self, _: &Outcome, _: bool) -> String {
        String::new()
    }

    fn has_findings(&self) -> bool {
        false
    }

    fn tail(&self, end: &End) -> String {
        if end.quiet {
            return String::new();
        }
        let timings = end.last.and_then(|last| last.summary.timings.as_ref());
        let table = timings.map(|timings| format!("{}\n", times(timings)));
        format!("{}\n{}", end.sentence, table.unwrap_or_default())
    }
}

/// JSON lines.
pub struct Json;

/// Returns the JSON lines of an outcome, without line breaks.
pub fn json_lines(outcome: &Outcome, timings: bool) -> Vec<String> {
    outcome.lines(timings).iter().map(terminal::json).collect()
}

impl Format for Json {
    fn has_findings(&self) -> bool {
        false
    }

    fn outcome(&self, outcome: &Outcome, timings: bool) -> String {
        json_lines(outcome, timings)
            .iter()
            .flat_map(|line| [line, "\n"])
            .collect()
    }

    fn tail(&self, end: &End) -> String {
        end.last
            .map(LastLine::to_json_line)
            .map_or(String::new(), |line| format!("{line}\n"))
    }
}

/// Workflow commands, `::error file=…,line=…::MESSAGE`, by which GitHub shows findings at their lines.
///
/// A command is one line. In data `%`, CR and LF are percent-encoded, in values of properties `:` and `,` as well. Other
/// control characters are escaped as in all text for people.
pub struct Github;

impl Format for Github {
    fn group(&self, group: &Group) -> String {
        group
            .annotations
            .iter()
            .map(command)
            .flat_map(|command| [command, "\n".into()])
            .collect()
    }
}

/// Returns the command for an annotation.
fn command(annotation: &Annotation) -> String {
    let mut properties: Vec<(&str, String)> = Vec::new();
    if let Some(spot) = &annotation.spot {
        // GitHub compares the file with the paths of the repository, which have `/`.
        let file = spot.file.shown();
        let file = if cfg!(windows) {
            file.replace('\\', "/")
        } else {
            file
        };
        properties.push(("file", file));
        if let Some(region) = spot.region {
            properties.push(("line", region.start_line.to_string()));
            properties.push(("endLine", region.start_line.to_string()));
            properties.push(("col", region.start_column.to_string()));
            properties.push(("endColumn", region.end_column.to_string()));
        }
    }
    let rule = annotation.rule;
    properties.push(("title", format!("{}: {}", rule.id(), rule.title())));
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", escaped(value, &['%', '\r', '\n', ':', ','])))
        .collect();
    let message = annotation.message_with_path(&annotation.sentence);
    let message = escaped(&message, &['%', '\r', '\n']);
    format!(
        "::{} {}::{message}",
        annotation.level(),
        properties.join(",")
    )
}

/// Returns a text with the characters of `encoded` percent-encoded and other control characters escaped.
fn escaped(text: &str, encoded: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if encoded.contains(&c) {
            escaped += &format!("%{:02X}", u32::from(c));
        } else if is_control(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}
