//! From YAML text to plain values: merge keys resolved, scalars coerced as `language.md` 1.3 says.
//!
//! Where the YAML crate forgets how a scalar was written, the oracle cannot follow `language.md`
//! 1.1: integers beyond u64 are refused, a plain `-00` is read as the string (-0.0), a plain
//! `.5e3` as a number, and a quoted `<<` key still merges. Keep these out of compared documents.

use serde_yaml::{Mapping, Value};

/// The root mapping of a document, with every `<<` resolved.
pub fn load(text: &str) -> Value {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree: Value = serde_yaml::from_str(text).expect("valid YAML");
    merged(&tree)
}

/// Resolves `<<` from the leaves up, so that a merged mapping may itself merge another.
/// (`Value::apply_merge` leaves such an inner `<<` unresolved.)
fn merged(value: &Value) -> Value {
    match value {
        Value::Sequence(items) => Value::Sequence(items.iter().map(merged).collect()),
        Value::Mapping(mapping) => Value::Mapping(merged_mapping(mapping)),
        other => other.clone(),
    }
}

/// `language.md` 1.1: a local key overrides a merged one; of several sources the earlier wins.
fn merged_mapping(mapping: &Mapping) -> Mapping {
    let mut result = Mapping::new();
    for (key, value) in mapping {
        if key.as_str() != Some("<<") {
            result.insert(key.clone(), merged(value));
        }
    }
    let sources = match mapping.get("<<") {
        None => Vec::new(),
        Some(Value::Sequence(list)) => list.iter().collect(),
        Some(single) => vec![single],
    };
    for source in sources {
        let source = source.as_mapping().expect("a mapping to merge");
        for (key, value) in merged_mapping(source) {
            if !result.contains_key(&key) {
                result.insert(key, value);
            }
        }
    }
    result
}

/// A field of an object; an explicit null equals absence (`language.md` 1.3).
pub fn field<'a>(object: &'a Value, key: &str) -> Option<&'a Value> {
    object.get(key).filter(|value| !value.is_null())
}

/// A list field; absent means empty.
pub fn list<'a>(object: &'a Value, key: &str) -> &'a [Value] {
    match field(object, key) {
        None => &[],
        Some(value) => value.as_sequence().expect("a list"),
    }
}

/// A map field as pairs in document order; absent means empty.
pub fn pairs<'a>(object: &'a Value, key: &str) -> Vec<(&'a str, &'a Value)> {
    match field(object, key) {
        None => Vec::new(),
        Some(value) => {
            let mapping = value.as_mapping().expect("a mapping");
            let pair = |(key, value): (&'a Value, &'a Value)| (key.as_str().expect("a key"), value);
            mapping.iter().map(pair).collect()
        }
    }
}

/// A required string field.
pub fn string(object: &Value, key: &str) -> String {
    let value = field(object, key).unwrap_or_else(|| panic!("missing {key}"));
    let text = value.as_str();
    text.unwrap_or_else(|| panic!("{key} is not a string"))
        .to_string()
}

/// An optional string field; the empty string counts as none.
pub fn filled_string(object: &Value, key: &str) -> Option<String> {
    field(object, key)?;
    Some(string(object, key)).filter(|text| !text.is_empty())
}

/// An optional tuple of exactly N numbers.
pub fn tuple<const N: usize>(object: &Value, key: &str) -> Option<[f64; N]> {
    let items = field(object, key)?
        .as_sequence()
        .expect("a list of numbers");
    let numbers: Vec<f64> = items.iter().map(number).collect();
    Some(
        numbers
            .try_into()
            .unwrap_or_else(|_| panic!("{key} has a wrong length")),
    )
}

/// `language.md` 1.3, number: integers, floats, booleans, numeric strings.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::Number(number) => number.as_f64().expect("a number"),
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::String(text) => numeric_string(text),
        _ => panic!("not a number"),
    }
}

/// The numeric string grammar of `language.md` 1.3. The YAML reader also hands over as strings a
/// few plain integers that 1.1 resolves: `010`, `1_000`, `0x_ff`; they get the value 1.1 gives.
fn numeric_string(text: &str) -> f64 {
    let text = text.trim().replace('_', "");
    let unsigned = text.trim_start_matches(['+', '-']);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            let integer = u128::from_str_radix(digits, radix).expect("digits");
            return 0.0 + sign * (integer as f64);
        }
    }
    text.parse().expect("a numeric string")
}

/// `language.md` 1.3, integer, for the non-negative ones: -0.0 is 0.
pub fn index(value: &Value) -> usize {
    let number = number(value);
    assert!(
        number >= 0.0 && number.fract() == 0.0,
        "not an index: {number}"
    );
    number as usize
}
