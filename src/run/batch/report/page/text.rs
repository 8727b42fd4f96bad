//! Text for HTML pages: JSON in script elements, base64, and relative URLs.

use std::fmt::Write;

use serde::Serialize;

/// Returns a value as JSON that an element `script` of an HTML file and a file of JavaScript may hold: `<`, U+2028 and
/// U+2029 are escaped, so no text can end the element, begin a comment, or end a line.
pub fn script_json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("the values of a page are plain structs");
    // These characters appear inside strings only.
    let is_special = |c: char| matches!(c, '<' | '\u{2028}' | '\u{2029}');
    if !json.contains(is_special) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            '<' => escaped.push_str("\\u003c"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns bytes as base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            let is_padding = digit > group.len();
            text.push(match is_padding {
                true => '=',
                false => DIGITS[value as usize].into(),
            });
        }
    }
    text
}

/// Returns the name of a file as a part of a URL: bytes other than letters, digits and `-`, `.`, `_`, `~` of ASCII are
/// written as `%` and two digits.
pub fn percent_encoded(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name {
        match byte {
            b'-' | b'.' | b'_' | b'~' => text.push((*byte).into()),
            byte if byte.is_ascii_alphanumeric() => text.push((*byte).into()),
            byte => write!(text, "%{byte:02X}").expect("a string takes every write"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_end_its_script_element() {
        let text = "</script><!--\u{2028}\u{2029}\u{202e}\"";
        let json = script_json(&text);
        assert!(!json.contains(['<', '\u{2028}', '\u{2029}']), "{json}");
        let back: String = serde_json::from_str(&json).unwrap();
        assert_eq!(back, text);
        assert_eq!(script_json(&"plain"), "\"plain\"");
    }

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
            ("\u{7ff}\u{fff}", "37/gv78="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn names_are_parts_of_urls() {
        assert_eq!(percent_encoded(b"a b#1.html"), "a%20b%231.html");
        assert_eq!(percent_encoded(b"../\xff\""), "..%2F%FF%22");
    }
}
