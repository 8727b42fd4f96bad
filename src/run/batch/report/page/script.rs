//! JSON in the elements `script` of a page.

use serde::Serialize;

use rigy_base::terminal;

/// Returns a value as JSON that an element `script` of an HTML file and a file of JavaScript may hold: `<` and the characters of
/// [`terminal::is_control`] are escaped, so no text can end the element, begin a comment, end a line, or change how the file is shown.
pub fn script_json(value: &impl Serialize) -> String {
    // `<` stands inside strings only.
    terminal::json(value).replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_end_its_script_element() {
        let text = "</script><!--\u{2028}\u{2029}\u{202e}\"";
        let json = script_json(&text);
        assert!(
            !json.contains(['<', '\u{2028}', '\u{2029}', '\u{202e}']),
            "{json}"
        );
        let back: String = serde_json::from_str(&json).unwrap();
        assert_eq!(back, text);
        assert_eq!(script_json(&"plain"), "\"plain\"");
    }
}
