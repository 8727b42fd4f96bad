//! Numbers that take the place of others, alone or in brackets.

use std::ops::Range;

use crate::assist::sketch::{Sketch, Value};
use rigy_language::yaml::plain_scalar;

/// Returns the bytes of the numbers that begin at an offset, and the text of those that take their place; `None` if other
/// numbers stand there, or if they stand there in another layout, or with comments, which would be lost.
pub fn replaced(
    text: &str,
    sketch: &Sketch,
    start: usize,
    from: &[f64],
    to: &[f64],
) -> Option<(Range<usize>, String)> {
    let node = sketch
        .nodes()
        .filter(|node| node.range.start == start)
        .find(|node| match &node.value {
            Value::List(items) => items.len() == from.len(),
            Value::Scalar(_) => from.len() == 1,
            _ => false,
        })?;
    let written = text.get(node.range.clone())?;
    let is_bracketed = written.starts_with('[') && !written.contains('#');
    let items = match &node.value {
        Value::List(items) if is_bracketed => items.clone(),
        Value::Scalar(_) => return scalar(written, node.range.clone(), from, to),
        _ => return None,
    };
    let found = items.iter().map(|item| {
        let range = sketch.raw(*item).range.clone();
        number(text.get(range)?)
    });
    is_same(found, from).then(|| (node.range.clone(), list(to)))
}

/// Returns the edit of a single number.
fn scalar(
    written: &str,
    range: Range<usize>,
    from: &[f64],
    to: &[f64],
) -> Option<(Range<usize>, String)> {
    let [to] = to else { return None };
    is_same([number(written)].into_iter(), from).then(|| (range, shown(*to)))
}

/// Returns the number that a field reads from a scalar.
fn number(written: &str) -> Option<f64> {
    let quotes: &[char] = &['"', '\''];
    plain_scalar(written.trim().trim_matches(quotes).into())?.number()
}

/// Returns numbers as a list in one line.
fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| shown(*number)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Returns a number as text that reads back to the same bits.
fn shown(number: f64) -> String {
    let text = format!("{number:?}");
    // Without its point, `-0.0` would be the whole number 0.
    match text.strip_suffix(".0") {
        Some(whole) if whole != "-0" => whole.to_owned(),
        _ => text,
    }
}

/// Returns true if the numbers are these, to the bit.
fn is_same(found: impl Iterator<Item = Option<f64>>, expected: &[f64]) -> bool {
    found
        .map(|number| number.map(f64::to_bits))
        .eq(expected.iter().map(|number| Some(number.to_bits())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_replaced_only_where_they_stand() {
        let quaternion = [0.9848, 0.1736, 0.0, 0.0];
        let unit = [0.1 + 0.2, -0.0, 1e-300, 5e-324];
        for (text, is_found) in [
            ("k: [0.9848, 0.1736, 0, 0]\n", true),
            ("k: [ 0.9848,\n  1736e-4, 0.0, \"0\" ]\n", true),
            ("k: [0.9848, 0.1736, 0, 1]\n", false),
            ("k: [0.9848, 0.1736, 0]\n", false),
            ("k: [0.9848, # a\n 0.1736, 0, 0]\n", false),
            ("k: *a\n", false),
            ("k: \"[0.9848, 0.1736, 0, 0]\"\n", false),
        ] {
            let edit = replaced(text, &Sketch::read(text), 3, &quaternion, &unit);
            assert_eq!(edit.is_some(), is_found, "{text}");
            let Some((range, new)) = edit else { continue };
            let mut text = text.to_owned();
            text.replace_range(range, &new);
            // The new text reads back to the numbers that were written.
            let again = replaced(&text, &Sketch::read(&text), 3, &unit, &quaternion);
            assert!(again.is_some(), "{text}");
        }
        let (range, new) =
            replaced("k: 90\n", &Sketch::read("k: 90\n"), 3, &[90.0], &[1.5]).unwrap();
        assert_eq!((range, &*new), (3..5, "1.5"));
    }
}
