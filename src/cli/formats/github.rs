//! Workflow commands of GitHub Actions: `::error file=…,line=…::message`, by which findings are shown at their lines.
//!
//! A command is one line. In data `%`, CR and LF are percent-encoded, in values of properties `:` and `,` as well. Other
//! control characters are escaped as in all text for people.

use super::{Annotated, Annotation, Group};
use crate::base::terminal::is_control;

/// Workflow commands.
pub struct Github;

impl Annotated for Github {
    fn group(&self, group: &Group) -> String {
        let commands = group.annotations.iter().map(command);
        commands
            .flat_map(|command| [command, "\n".into()])
            .collect()
    }
}

/// Returns the command for an annotation.
fn command(annotation: &Annotation) -> String {
    let mut properties: Vec<(&str, String)> = Vec::new();
    if let Some(spot) = &annotation.spot {
        // GitHub compares the file with the paths of the repository, which have `/`.
        let file = spot.file.display().to_string();
        let file = if cfg!(windows) {
            file.replace('\\', "/")
        } else {
            file
        };
        properties.push(("file", file));
        if let Some(region) = spot.region {
            properties.push(("line", region.line.to_string()));
            properties.push(("endLine", region.line.to_string()));
            properties.push(("col", region.column.to_string()));
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
            escaped.push_str(&format!("%{:02X}", u32::from(c)));
        } else if is_control(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped
}
