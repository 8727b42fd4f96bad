//! The structure of texts by our reader and by another.

/// Asserts that both readers find the same in a text.
pub fn compare(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        crate::second_reader::compare(text.strip_prefix('\u{feff}').unwrap_or(text));
    }
}
