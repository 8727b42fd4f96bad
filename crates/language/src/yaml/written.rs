//! Numbers of messages as the text has them.

use std::borrow::Cow;

use super::{Kind, plain_scalar};

/// Longest part of a text in which numbers are looked for, in bytes.
const LONGEST: usize = 512;

/// Whole numbers up to this one, and fractions from [`LEAST`] on, are shown by their shortest decimals.
const MOST: f64 = 9_007_199_254_740_992.0;
const LEAST: f64 = 1e-5;

/// Puts the numbers of a part of a document into a message about it as they are written there: the nearest double of
/// 9007199254740993 ends with a 2, and 1e22 has 23 digits.
pub fn as_written(message: &mut String, text: &str) {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let is_other = |c: char| !c.is_alphanumeric() && !matches!(c, '+' | '-' | '.' | '_');
    for written in text.split(is_other) {
        let value = match plain_scalar(Cow::Borrowed(written)) {
            Some(Kind::Int(int)) => int.nearest,
            Some(Kind::Float(value)) => value,
            _ => continue,
        };
        let size = value.abs();
        if value.is_finite() && (size >= MOST || size > 0.0 && size < LEAST) {
            replace(message, &format!("{value:?}"), written);
            replace(message, &value.to_string(), written);
        }
    }
}

/// Replaces a number wherever it stands alone.
fn replace(message: &mut String, shown: &str, written: &str) {
    let mut from = 0;
    while let Some(at) = message[from..].find(shown).map(|at| from + at) {
        let end = at + shown.len();
        let continues = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-');
        let is_alone =
            !message[..at].ends_with(continues) && !message[end..].starts_with(continues);
        from = end;
        if is_alone {
            message.replace_range(at..end, written);
            from = at + written.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::as_written;

    #[test]
    fn numbers_that_a_double_shows_otherwise_are_those_of_the_text() {
        for (text, message, expected) in [
            (
                "9007199254740993",
                "it is 9007199254740992, not 9007199254740992",
                "it is 9007199254740993, not 9007199254740993",
            ),
            ("-1e22", "it is -10000000000000000000000", "it is -1e22"),
            ("[1e22, 0, 0]", "at [1e22, 0.0, 0.0]", "at [1e22, 0.0, 0.0]"),
            (
                "[9007199254740993, 0]",
                "at [9007199254740992.0, 0.0]",
                "at [9007199254740993, 0.0]",
            ),
            ("\"=1e-7*2\"", "1.5 is not 0.0000001", "1.5 is not 1e-7"),
            ("1.50", "it is 1.5", "it is 1.5"),
            (
                "1e17",
                "it is 1000000000000000000",
                "it is 1000000000000000000",
            ),
            ("1e999", "it is inf", "it is inf"),
        ] {
            let mut found = message.to_owned();
            as_written(&mut found, text);
            assert_eq!(found, expected, "{text}");
        }
    }
}
