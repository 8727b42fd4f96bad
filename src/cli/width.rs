//! The width of the terminal, which is read once, and text that fits it.
//!
//! Text that goes to a file or a pipe is not wrapped.

use std::io::{stderr, stdout};
use std::sync::LazyLock;

use terminal_size::{Height, Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

/// Narrower terminals are treated as if they had this many columns.
const LEAST: usize = 20;

/// Returns the columns of the terminal on standard output; `None` if it is no terminal.
pub fn of_standard_output() -> Option<usize> {
    static COLUMNS: LazyLock<Option<usize>> = LazyLock::new(|| columns(terminal_size_of(stdout())));
    *COLUMNS
}

/// Returns the columns of the terminal on standard error; `None` if it is no terminal.
pub fn of_standard_error() -> Option<usize> {
    static COLUMNS: LazyLock<Option<usize>> = LazyLock::new(|| columns(terminal_size_of(stderr())));
    *COLUMNS
}

/// Returns the columns of a terminal; `None` if it does not tell.
fn columns(size: Option<(Width, Height)>) -> Option<usize> {
    let (Width(width), _) = size?;
    (width > 0).then(|| usize::from(width).max(LEAST))
}

/// Breaks each line of a text at blanks so that it has at most `width` columns, as far as words allow. What stands between backquotes is
/// one word: a path or a command can be copied. The lines that follow
/// a broken one begin with `indent` blanks. A text without a width stays as it is.
pub fn wrapped(text: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    text.split('\n')
        .map(|line| wrapped_line(line, width, indent))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Breaks one line. Blanks at its beginning and between words that stay together are kept.
fn wrapped_line(line: &str, width: usize, indent: usize) -> String {
    if columns_of(line) <= width {
        return line.to_owned();
    }
    let mut text = String::with_capacity(line.len() + 16);
    let mut column = 0;
    // The blanks before the next word, which are left out if the line breaks there.
    let mut blanks = "";
    let mut rest = line;
    while !rest.is_empty() {
        let end = rest.find(|c| c != ' ').unwrap_or(rest.len());
        (blanks, rest) = match end {
            0 => (blanks, rest),
            end => rest.split_at(end),
        };
        let mut is_quoted = false;
        let end = rest.find(|c| {
            is_quoted ^= c == '`';
            c == ' ' && !is_quoted
        });
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let is_first = text.trim_start().is_empty();
        if !is_first && column + blanks.len() + columns_of(word) > width {
            text.push('\n');
            text += &" ".repeat(indent);
            column = indent;
        } else {
            text += blanks;
            column += blanks.len();
        }
        text += word;
        column += columns_of(word);
        (blanks, rest) = ("", after);
    }
    text
}

/// Returns the columns of a text, in which escape sequences that colour it have none.
fn columns_of(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().map_or(0, UnicodeWidthStr::width);
    first
        + parts
            .map(|part| part.split_once('m').map_or(0, |(_, text)| text.width()))
            .sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks_and_words_are_not() {
        for (text, width, indent, expected) in [
            ("one two three", 9, 0, "one two\nthree"),
            ("one two three", 13, 0, "one two three"),
            ("one two three", 9, 2, "one two\n  three"),
            ("unbreakable/path/to x", 5, 0, "unbreakable/path/to\nx"),
            ("  a  b", 5, 0, "  a\nb"),
            ("see `my files/a b` now", 9, 0, "see\n`my files/a b`\nnow"),
            ("a  b c", 5, 1, "a  b\n c"),
            ("日本 語 x", 6, 0, "日本\n語 x"),
            ("one\ntwo three\n", 5, 1, "one\ntwo\n three\n"),
            (
                "\u{1b}[31mred\u{1b}[0m one",
                7,
                1,
                "\u{1b}[31mred\u{1b}[0m one",
            ),
        ] {
            assert_eq!(wrapped(text, Some(width), indent), expected, "{text:?}");
        }
        assert_eq!(wrapped("one two three", None, 0), "one two three");
    }
}
