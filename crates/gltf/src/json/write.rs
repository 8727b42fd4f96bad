//! Writing a JSON tree as text without white space.

use std::collections::BTreeMap;

use super::Value;

impl Value<'_> {
    /// Returns the text of this value: numbers as they were written, strings with the fewest escapes.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_to(&mut text);
        text
    }

    /// Returns the text of this object with other values in the place of some elements of the array that is its member
    /// `key`: those of `replaced`, by index.
    pub fn to_text_with(&self, key: &str, replaced: &BTreeMap<usize, Value<'_>>) -> String {
        let mut text = String::new();
        write_list(
            ['{', '}'],
            self.members(),
            &mut text,
            |_, (name, value), text| {
                write_string(name, text);
                text.push(':');
                match value {
                    Value::Array(elements) if name == key => {
                        write_list(['[', ']'], elements, text, |at, element, text| {
                            replaced.get(&at).unwrap_or(element).write_to(text);
                        });
                    }
                    _ => value.write_to(text),
                }
            },
        );
        text
    }

    /// Appends the text of this value.
    pub fn write_to(&self, text: &mut String) {
        match self {
            Value::Null => text.push_str("null"),
            Value::Bool(true) => text.push_str("true"),
            Value::Bool(false) => text.push_str("false"),
            Value::Number(number) => text.push_str(number),
            Value::String(string) => write_string(string, text),
            Value::Array(elements) => {
                let write = |_, element: &Value<'_>, text: &mut String| element.write_to(text);
                write_list(['[', ']'], elements, text, write);
            }
            Value::Object(members) => {
                write_list(['{', '}'], members, text, |_, (key, value), text| {
                    write_string(key, text);
                    text.push(':');
                    value.write_to(text);
                })
            }
        }
    }
}

/// Appends `items`, separated by commas, between brackets; `write` appends one, given its index.
fn write_list<T>(
    [open, close]: [char; 2],
    items: &[T],
    text: &mut String,
    write: impl Fn(usize, &T, &mut String),
) {
    text.push(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        write(at, item, text);
    }
    text.push(close);
}

/// Appends a string with quotes and escapes.
fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\u{1f}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
}
