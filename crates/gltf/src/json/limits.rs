//! The limits of a text, and the error that it exceeds one or is not JSON.

/// Deepest nesting of arrays and objects. Real files need about ten levels.
pub const MAX_DEPTH: usize = 128;

/// Most values in one text: a tree takes 32 bytes for each value, while a text needs as little as two.
pub const MAX_VALUES: usize = 1 << 24;

/// Longest text in bytes that is parsed without a check beforehand: its tree is small, and the parser counts, too.
const SHORT: usize = 1 << 20;

/// The error that a text is not JSON or exceeds a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at byte {offset}")]
pub struct SyntaxError {
    /// Offset of the error in the text, in bytes.
    pub offset: usize,
    /// The reason.
    pub message: String,
}

/// Checks the depth of a long text, and a lower bound of its number of values. Other errors are left to the parser.
///
/// # Errors
/// If the text is nested deeper than [`MAX_DEPTH`], or certainly has more than [`MAX_VALUES`] values.
pub fn check_limits(text: &str) -> Result<(), SyntaxError> {
    let bytes = text.as_bytes();
    if bytes.len() <= SHORT {
        return Ok(());
    }
    // Each comma separates two values, or two members with a value each.
    let mut depth = 0;
    let mut values = 1;
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
            // An empty array at this depth is allowed; the elements of another one would be one level deeper.
            (depth, _) if depth > MAX_DEPTH + 1 => format!("nested deeper than {MAX_DEPTH} levels"),
            (_, values) if values > MAX_VALUES => format!("more than {MAX_VALUES} values"),
            _ => continue,
        };
        let offset = at - 1;
        return Err(SyntaxError { offset, message });
    }
    Ok(())
}

/// The offset after the quote that ends the string whose first byte is at `at`.
pub fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' => at += 1,
            _ => {}
        }
    }
    at.min(bytes.len())
}
