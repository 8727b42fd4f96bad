//! The text of scalars and keys. A plain scalar is read by the table of `language.md` §1.1, so a text that the table takes
//! for something else is quoted.

use std::borrow::Cow;
use std::fmt::Write;

use crate::glb::number::repr;
use rigy_language::yaml::{Int, Kind, plain_scalar};

/// Longest key in bytes that stands before its colon without a question mark: YAML reads no longer ones so.
pub const MAX_KEY: usize = 1_000;

/// The text of a scalar, or of an empty collection. `written` is what stands at its place in the source, and
/// `in_flow` tells that it stands in brackets or braces.
pub fn scalar(kind: &Kind, written: &str, in_flow: bool) -> String {
    match kind {
        Kind::Null | Kind::Alias(_) => "null".into(),
        Kind::Bool(value) => value.to_string(),
        Kind::Int(value) => int(value, written),
        Kind::Float(value) => float(*value),
        Kind::Date(date) => date.to_string(),
        Kind::Str(text) => string(text, in_flow),
        Kind::Seq(_) => "[]".into(),
        Kind::Map(_) => "{}".into(),
    }
}

/// A whole number as it is written, if that is what stands there; else in decimal digits.
fn int(value: &Int, written: &str) -> String {
    if matches!(plain_scalar(written.into()), Some(Kind::Int(same)) if same == *value) {
        return written.to_owned();
    }
    match value.exact {
        Some(exact) => exact.to_string(),
        None if value.nearest.is_finite() => format!("{:.0}", value.nearest),
        None => {
            let sign = if value.nearest < 0.0 { "-" } else { "" };
            format!("{sign}1{}", "0".repeat(309))
        }
    }
}

/// A number in the form of `extensions.md` §0.2.
fn float(value: f64) -> String {
    match value {
        value if value.is_nan() => ".nan".into(),
        f64::INFINITY => ".inf".into(),
        f64::NEG_INFINITY => "-.inf".into(),
        value => repr(value),
    }
}

/// A text: plain if it looks like a name, else as `serde_yaml` writes it, if that fits on one line and the table
/// reads it as the same text, else in double quotes.
pub fn string(text: &str, in_flow: bool) -> String {
    let reads_plain = |plain: &str| matches!(plain_scalar(Cow::Borrowed(plain)), Some(Kind::Str(same)) if same == text);
    if is_name(text) && reads_plain(text) {
        return text.to_owned();
    }
    // `serde_yaml` folds a line after U+2028, which is no line break in YAML 1.2.
    if !text.chars().all(prints) {
        return double_quoted(text);
    }
    let written = serde_yaml::to_string(text).unwrap_or_default();
    let line = written.strip_suffix('\n').unwrap_or(&written);
    let is_quoted = line.starts_with(['"', '\'']);
    if !line.contains('\n') && (is_quoted || (!in_flow && reads_plain(line))) {
        line.to_owned()
    } else {
        double_quoted(text)
    }
}

/// True for ASCII letters, digits, `_`, `.`, `/` and `-`, a letter or `_` first.
fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins
        && text
            .bytes()
            .all(|b: u8| b.is_ascii_alphanumeric() || b"_./-".contains(&b))
}

/// True for a character that stands for itself in double quotes, or after a backslash.
fn prints(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// A text in double quotes; what does not print is escaped.
fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if prints(c) => quoted.push(c),
            other => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(other));
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_language::yaml::{Options, compose};

    /// Reads a text back from a list in a block, a list in brackets and a key.
    fn read_back(text: &str) -> [String; 3] {
        let (block, flow) = (string(text, false), string(text, true));
        let document = format!("a: {block}\nb: [{flow}]\nc:\n  {block}: 1\n");
        let tree = compose(&document, &Options::default())
            .unwrap_or_else(|fault| panic!("{document}: {fault:?}"));
        let entries = tree.entries(tree.root).unwrap();
        let text_of = |id| match &tree.node(id).kind {
            Kind::Str(text) => text.to_string(),
            other => panic!("{document}: {other:?}"),
        };
        let Kind::Seq(items) = &tree.node(entries[1].value).kind else {
            panic!("{document}");
        };
        let key = tree.entries(entries[2].value).unwrap()[0].key.to_string();
        [text_of(entries[0].value), text_of(items[0]), key]
    }

    #[test]
    fn every_text_is_read_back_as_itself() {
        for text in [
            "",
            "a",
            "a b",
            " a",
            "a ",
            "~",
            "null",
            "True",
            "yes",
            "1",
            "1_0",
            "0x1f",
            "0b1",
            "+1",
            "1e3",
            ".5",
            ".inf",
            "-.INF",
            ".nan",
            "2020-01-01",
            "2020-01-01T10:00:00Z",
            "=",
            "=1 + 2",
            "<<",
            "$p",
            "US$5",
            "a: b",
            "a #b",
            "#a",
            "- a",
            "-",
            "?",
            "? a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a",
            "---",
            "...",
            "--- a",
            "a, b",
            "[a]",
            "{a",
            "a]",
            "'",
            "\"",
            "a'b",
            "a\"b",
            "\\",
            "a\\n",
            "a\nb",
            "\n",
            "a\n",
            "\ta",
            "a\tb",
            "\u{7f}",
            "\u{0}",
            "\u{85}",
            "\u{2028}",
            "\u{feff}",
            "é",
            "😀",
            "\u{fffe}",
            "a:",
            ":a",
            "key: [",
            "a\r\nb",
            "0.12",
            "0o7",
            "1.",
            "y",
            "!!str a",
            "\u{a0}",
            "\u{1b}[31m",
        ] {
            assert_eq!(read_back(text), [text; 3], "{text:?}");
        }
    }

    #[test]
    fn numbers_keep_their_type_and_value() {
        let int_of = |text: &str| match plain_scalar(text.into()) {
            Some(Kind::Int(value)) => value,
            other => panic!("{other:?}"),
        };
        let large = "1".repeat(40);
        for text in ["0", "-7", "0x1F", "1_000", "9223372036854775807", &large] {
            assert_eq!(int(&int_of(text), text), text);
            let digits = int(&int_of(text), "$p");
            assert_eq!(int_of(&digits), int_of(text), "{digits}");
        }
        let infinite = "-1".to_owned() + &"0".repeat(400);
        assert_eq!(int_of(&int(&int_of(&infinite), "")), int_of(&infinite));
        for (value, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e-5, "1e-05"),
            (1e16, "1e+16"),
            (f64::INFINITY, ".inf"),
            (f64::NEG_INFINITY, "-.inf"),
            (f64::NAN, ".nan"),
        ] {
            assert_eq!(float(value), text);
            let same = matches!(plain_scalar(text.into()), Some(Kind::Float(read)) if read.to_bits() == value.to_bits() || read.is_nan());
            assert!(same, "{text}");
        }
    }
}
