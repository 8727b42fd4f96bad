//! A look at a text before its tree is built: how deep it is, and how many values it has at least.

use super::parse::{MAX_DEPTH, MAX_VALUES, SyntaxError};

/// Looks for more than a tree may have, which takes no memory.
///
/// # Errors
/// If the text is nested deeper than [`MAX_DEPTH`], or certainly has more than [`MAX_VALUES`] values. What is no JSON is
/// left to the parser.
pub(super) fn skim(text: &str) -> Result<(), SyntaxError> {
    let bytes = text.as_bytes();
    // Each comma stands between two values, or two members with one each.
    let (mut depth, mut values) = (0, 1);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = usize::saturating_sub(depth, 1),
            b',' => values += 1,
            _ => {}
        }
        let message = match (depth, values) {
            // The innermost may be empty; if it is not, its elements are one level deeper.
            (depth, _) if depth > MAX_DEPTH + 1 => format!("nested deeper than {MAX_DEPTH} levels"),
            (_, values) if values > MAX_VALUES => format!("more than {MAX_VALUES} values"),
            _ => continue,
        };
        let offset = at - 1;
        return Err(SyntaxError { offset, message });
    }
    Ok(())
}

/// The place after the quote that ends a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' => at += 1,
            _ => {}
        }
    }
    at
}
