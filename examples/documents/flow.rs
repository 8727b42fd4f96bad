//! A value in flow style, on one line: `{x: 1.0, y: [2, "three"]}`.

use serde_yaml::Value;

use super::spelling;
use super::verbatim::Verbatim;

pub fn text(value: &Value, verbatim: &Verbatim) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) if number.is_f64() => {
            spelling::plain_decimal(number.as_f64().unwrap_or_default())
        }
        Value::Number(number) => number.to_string(),
        Value::String(string) => scalar(string, verbatim),
        Value::Sequence(items) => format!(
            "[{}]",
            joined(items.iter().map(|item| text(item, verbatim)))
        ),
        Value::Mapping(mapping) => {
            let pairs = mapping
                .iter()
                .map(|(key, value)| format!("{}: {}", text(key, verbatim), text(value, verbatim)));
            format!("{{{}}}", joined(pairs))
        }
        Value::Tagged(_) => unreachable!("tags are written verbatim"),
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Words stand bare; everything else is quoted.
fn scalar(string: &str, verbatim: &Verbatim) -> String {
    if let Some(text) = verbatim.hidden(string) {
        return text.into();
    }
    let word = string
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_');
    if word && !spelling::needs_quotes(string) {
        string.into()
    } else {
        spelling::double_quoted(string)
    }
}
