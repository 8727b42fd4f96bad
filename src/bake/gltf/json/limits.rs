//! What a text may have at most, and a look at one before its tree is built: how deep it is, and how many values it has
//! at least.

/// Deepest nesting of arrays and objects. Real files need about ten levels.
pub const MAX_DEPTH: usize = 128;

/// Most values in one text: a tree takes 32 bytes for each and a text can hold one in every two bytes.
pub const MAX_VALUES: usize = 1 << 24;

/// Why a text is no JSON, or not one that is read here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at byte {offset}")]
pub struct SyntaxError {
    /// Bytes before the place in the text.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

/// Looks for more than a tree may have, which takes no memory.
///
/// # Errors
/// If the text is nested deeper than [`MAX_DEPTH`], or certainly has more than [`MAX_VALUES`] values. What is no JSON is
/// left to the parser.
pub(super) fn check_limits(text: &str) -> Result<(), SyntaxError> {
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
