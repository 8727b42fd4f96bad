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
    fn names_are_parts_of_urls() {
        assert_eq!(percent_encoded(b"a b#1.html"), "a%20b%231.html");
        assert_eq!(percent_encoded(b"../\xff\""), "..%2F%FF%22");
    }
}
