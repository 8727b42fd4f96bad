//! Text that a terminal may show: the characters that change what it shows, and JSON without them.

use std::fmt::Write;

use serde::Serialize;

/// Returns true for control characters, for characters that change the direction of text or end a line, and for those that
/// cannot be seen.
pub fn is_control(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let ends_a_line = matches!(c, '\u{2028}' | '\u{2029}');
    let is_hidden = matches!(
        c,
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}'
    );
    c.is_control() || turns || ends_a_line || is_hidden
}

/// Returns a text in which the characters of [`is_control`] are escaped.
pub fn printable(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_control(c) {
            escaped.extend(c.escape_default())
        } else {
            escaped.push(c)
        }
    }
    escaped
}

/// Returns a text as XML 1.0 has it in attributes and between tags. Characters that it cannot have are replaced by U+FFFD;
/// tabs, line ends and what would act on a terminal are character references, so that readers get them as they are.
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", u32::from(c))),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if is_control(c) => escaped.push_str(&format!("&#x{:X};", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns a value as JSON on one line, with all characters escaped for which [`is_control`] is true.
///
/// # Panics
/// If the value cannot be JSON, such as a map whose keys are no strings.
pub fn json(value: &impl Serialize) -> String {
    json_for_terminal(serde_json::to_string(value).expect("the value is plain structs"))
}

/// Returns a value as JSON that is indented by two blanks, escaped as by [`json()`].
///
/// # Panics
/// As [`json()`].
pub fn json_indented(value: &impl Serialize) -> String {
    json_for_terminal(serde_json::to_string_pretty(value).expect("the value is plain structs"))
}

/// Returns a JSON text in which the characters of strings are escaped for which [`is_control`] is true. It has the same value.
pub fn json_for_terminal(json: String) -> String {
    // Line feeds stand between values only: in strings, serde_json has escaped all control characters below U+0020.
    let is_special = |c: char| c != '\n' && is_control(c);
    if json.bytes().all(|byte| byte < 0x7f) || !json.contains(is_special) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_special(c) {
            push_escape(&mut escaped, c)
        } else {
            escaped.push(c)
        }
    }
    escaped
}

/// Appends the escape of a character: `\u` and four digits for each UTF-16 unit.
fn push_escape(text: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        write!(text, "\\u{unit:04x}").expect("a string takes every write");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_same_value_and_no_control_characters() {
        let text: String = (0..=0xe_0100).filter_map(char::from_u32).collect();
        let value = std::collections::BTreeMap::from([(text.as_str(), ["ä\u{9b}\u{202e}", "\n"])]);
        for json in [json(&value), json_indented(&value)] {
            assert!(!json.contains(|c| c != '\n' && is_control(c)));
            let back: std::collections::BTreeMap<String, [String; 2]> =
                serde_json::from_str(&json).unwrap();
            assert_eq!(back[&text], value[&*text]);
        }
        assert_eq!(json(&"\u{9b}\u{e0041}ä"), r#""\u009b\udb40\udc41ä""#);
        assert_eq!(json(&"\u{7f}"), r#""\u007f""#);
    }
}
