//! Objects of a weight file: their fields, unread, and the search for a key that one object has twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use rigy_base::maps::{HashMap, HashSet};
use rigy_gltf::json::end_of_string;
use rigy_language::schema::Record;

/// Deepest nesting of objects in fields that are skipped; entries need three levels.
const MAX_DEPTH: usize = 128;

/// The fields of one object, unread.
#[derive(Default)]
pub struct Fields<'j> {
    values: HashMap<String, &'j RawValue>,
    has_repeated_key: bool,
}

impl<'j> Fields<'j> {
    /// The value of a field.
    pub fn get(&self, key: &str) -> Option<&'j RawValue> {
        self.values.get(key).copied()
    }

    /// Returns the fault, if any, of this object or, at any depth, of the fields that are not `read`.
    pub fn are_faulty(&self, read: &'static Record) -> bool {
        let mut passed_over = self
            .values
            .iter()
            .filter(|(key, _)| read.field(key).is_none());
        self.has_repeated_key
            || passed_over.any(|(_, value)| fault(value.get().as_bytes()).is_some())
    }
}

impl<'j> Deserialize<'j> for Fields<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'j> Visitor<'j> for Members {
            type Value = Fields<'j>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<Fields<'j>, A::Error> {
                let mut fields = Fields::default();
                while let Some((key, value)) = map.next_entry()? {
                    fields.has_repeated_key |= fields.values.insert(key, value).is_some();
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Finds the first key that an object has twice, or the first object that is nested too deep. `text` is valid JSON. The
/// message ends with the line and the column, both counted from 1, columns in characters.
pub fn fault(text: &[u8]) -> Option<String> {
    let mut keys: Vec<HashSet<String>> = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let begin = at;
        at += 1;
        match byte {
            b'{' if keys.len() == MAX_DEPTH => {
                let place = place(text, begin);
                return Some(format!("nested deeper than {MAX_DEPTH} levels at {place}"));
            }
            b'{' => keys.push(HashSet::default()),
            b'}' => drop(keys.pop()),
            b'"' => {
                at = end_of_string(text, at);
                // A string followed by a colon is a key.
                let is_key = text[at..].trim_ascii_start().starts_with(b":");
                let key: Option<String> = serde_json::from_slice(&text[begin..at]).ok();
                if let (true, Some(keys), Some(key)) = (is_key, keys.last_mut(), key)
                    && let Some(key) = keys.replace(key)
                {
                    let place = place(text, begin);
                    let message =
                        format!("one object has the key {key:?} twice, the second time at {place}");
                    return Some(message);
                }
            }
            _ => {}
        }
    }
    None
}

/// The line and the column of a byte.
fn place(text: &[u8], at: usize) -> String {
    let before = &text[..at];
    let line_start = before.iter().rposition(|byte| *byte == b'\n');
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let in_line = &before[line_start.map_or(0, |newline| newline + 1)..];
    let column = String::from_utf8_lossy(in_line).chars().count() + 1;
    format!("line {line}, column {column}")
}
