//! Numbers as scalars of YAML.

use crate::language::yaml::{Kind, numeric_text, plain_scalar};

/// Returns the number that a field reads from a scalar.
pub fn number(written: &str) -> Option<f64> {
    let quotes: &[char] = &['"', '\''];
    match plain_scalar(written.trim().trim_matches(quotes).into())? {
        Kind::Int(int) => Some(int.nearest),
        Kind::Float(value) => Some(value),
        Kind::Str(text) => numeric_text(&text),
        _ => None,
    }
}

/// Returns numbers as a list in one line.
pub fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| shown(*number)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Returns a number as text that reads back to the same bits.
pub fn shown(number: f64) -> String {
    let text = format!("{number:?}");
    // Without its point, `-0.0` would be the whole number 0.
    match text.strip_suffix(".0") {
        Some(whole) if whole != "-0" => whole.to_owned(),
        _ => text,
    }
}
