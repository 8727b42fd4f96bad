//! SARIF 2.1.0: one log with one run.
//!
//! The rules stand before the results, which are written as they come, so they are all the rules there are, and not only those
//! that results cite.

use serde::Serialize;
use serde_json::{Value, json};

use super::annotation::{Region, Spot};
use super::format::{End, Format};
use super::{Annotation, Group, Rule};
use rigy_base::{terminal, uri};

/// SARIF 2.1.0.
pub struct Sarif;

impl Format for Sarif {
    fn head(&self) -> String {
        let driver = json!({
            "name": "rigy-batch",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": Rule::all().map(rule).collect::<Vec<_>>(),
        });
        let driver = terminal::json(&driver);
        format!(
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\
             \"tool\":{{\"driver\":{driver}}},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n"
        )
    }

    fn group(&self, group: &Group) -> String {
        let results: Vec<String> = group
            .annotations
            .iter()
            .map(SarifResult::new)
            .map(|result| terminal::json(&result))
            .collect();
        results.join(",\n")
    }

    fn separator(&self) -> &'static str {
        ",\n"
    }

    fn tail(&self, end: &End) -> String {
        let notification =
            |text: &str| json!({"level": "error", "message": {"text": message_text(text)}});
        let mut notifications: Vec<Value> =
            end.failures.iter().map(|text| notification(text)).collect();
        if end.is_partial {
            notifications.push(notification(end.sentence));
        }
        let invocation = json!({
            "executionSuccessful": notifications.is_empty(),
            "toolExecutionNotifications": notifications,
        });
        let invocation = terminal::json(&invocation);
        format!("\n],\"invocations\":[{invocation}]}}]}}\n")
    }

    fn has_findings(&self) -> bool {
        false
    }
}

/// Returns a rule as a reportingDescriptor.
fn rule(rule: Rule) -> Value {
    let level = if rule.is_warning() {
        "warning"
    } else {
        "error"
    };
    let (meaning, mend) = rule.meaning_and_mend();
    let (meaning, mend) = (message_text(meaning), message_text(mend));
    let example = match rule {
        Rule::Code(code) => format!("\n\n`rigy-batch explain {code}` has more."),
        _ => String::new(),
    };
    json!({
        "id": rule.id(),
        "shortDescription": {"text": message_text(rule.title())},
        "fullDescription": {"text": meaning},
        "help": {"text": mend, "markdown": format!("{meaning}\n\n{mend}{example}")},
        "defaultConfiguration": {"level": level},
    })
}

/// A result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Value,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    /// Its number, by which messages could refer to it; only of related locations.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

impl SarifResult {
    fn new(annotation: &Annotation) -> Self {
        let related = |(id, spot)| Location {
            id: Some(id),
            message: Some(json!({"text": "imported here"})),
            ..Location::new(spot)
        };
        Self {
            rule_id: annotation.rule.id(),
            rule_index: annotation.rule.index(),
            level: annotation.level(),
            message: json!({
                "text": message_text(&annotation.message_with_path(&annotation.message)),
            }),
            locations: annotation.spot.iter().map(Location::new).collect(),
            related_locations: annotation
                .importers
                .iter()
                .enumerate()
                .map(related)
                .collect(),
        }
    }
}

impl Location {
    fn new(spot: &Spot) -> Self {
        let logical = json!({"fullyQualifiedName": spot.path});
        let is_part = !spot.path.is_empty();
        Self {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: json!({"uri": uri::of_path(&spot.file)}),
                region: spot.region,
            },
            logical_locations: is_part.then_some(logical).into_iter().collect(),
            message: None,
        }
    }
}

/// Returns a text as a message of SARIF has it: braces, which would enclose the number of an argument, are doubled, and
/// brackets that would make a link are no link (sections 3.11.5 and 3.11.6 of SARIF 2.1.0).
fn message_text(text: &str) -> String {
    text.replace('{', "{{")
        .replace('}', "}}")
        .replace("](", "\\](")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_arguments_and_no_links() {
        assert_eq!(message_text("{0} of a[1]"), "{{0}} of a[1]");
        assert_eq!(message_text("[x](http://y)"), "[x\\](http://y)");
    }
}
