//! Texts as scalars of YAML.

use super::sketch::Style;
use rigy_language::yaml::{self, Kind};

/// Returns a text as a scalar. A plain one is put into double quotes where YAML would read it as something else, in a block or
/// between brackets.
pub fn spelled(value: &str, style: Style, is_key: bool) -> String {
    match style {
        Style::Single if !value.chars().any(char::is_control) => {
            format!("'{}'", value.replace('\'', "''"))
        }
        Style::Plain if is_plain(value, is_key) => value.to_owned(),
        _ => format!("\"{}\"", escaped(value)),
    }
}

/// Returns a text as it stands between double quotes.
pub fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c if c.is_control() => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text
}

/// Returns true if YAML reads a text without quotes as this text.
fn is_plain(value: &str, is_key: bool) -> bool {
    if value.contains(['\n', '\r']) {
        return false;
    }
    let text = if is_key {
        format!("{value}: [{{{value}: 0}}]\n")
    } else {
        format!("k: {value}\nf: [{value}, {{k: {value}}}]\n")
    };
    let Ok(tree) = yaml::compose(&text, &yaml::Options::default()) else {
        return false;
    };
    let count = if is_key { 2 } else { 3 };
    tree.ids()
        .filter(|id| {
            matches!(&tree.raw(*id).kind, Kind::Str(text) if *text == value)
                || matches!(&tree.raw(*id).kind, Kind::Map(entries)
                if is_key && entries.len() == 1 && entries[0].key == value)
        })
        .count()
        == count
}

/// Returns the length of a line up to a value that is its first: blanks, and hyphens of lists.
pub fn indent(before: &str) -> Option<usize> {
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    line.chars()
        .all(|c| matches!(c, ' ' | '-'))
        .then_some(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_stand_where_yaml_needs_them() {
        for (value, plain) in [
            ("arm", true),
            ("L.arm", true),
            ("upper arm", true),
            ("", false),
            ("1", false),
            ("null", false),
            ("a: b", false),
            ("a #b", false),
            ("a, b", false),
            ("[a", false),
            ("- a", false),
            ("a\nb", false),
            ("*a", false),
        ] {
            for is_key in [false, true] {
                let text = spelled(value, Style::Plain, is_key);
                let is_key_of_null = is_key && ["1", "null"].contains(&value);
                assert!(
                    is_key_of_null || (text == value) == plain,
                    "{value:?} {text}"
                );
            }
        }
        assert_eq!(spelled("it's", Style::Single, false), "'it''s'");
        assert_eq!(
            spelled("a\"b\\\u{1}", Style::Double, false),
            r#""a\"b\\\u0001""#
        );
    }
}
