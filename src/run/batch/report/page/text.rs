//! Text for HTML pages: JSON in script elements.

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
}
