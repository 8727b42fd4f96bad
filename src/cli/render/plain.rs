//! The usual finding as plain text: a title, one quoted line, and advice.
//!
//! A batch may print hundreds of thousands of findings. The renderer of all findings draws each on a canvas of characters
//! with styles, which takes ten times as long. The text here is the same byte for byte.

use std::fmt::Write;
use std::ops::Range;

/// A finding about a part of one line. It is written if all texts are printable ASCII.
pub(super) struct Quoted<'t> {
    pub level: &'static str,
    pub code: Option<&'static str>,
    pub title: &'t str,
    pub file: &'t str,
    pub line_number: u32,
    pub line: &'t str,
    /// The bytes of the line to underline.
    pub underlined: Range<usize>,
    /// The text behind the underline.
    pub label: &'t str,
    /// Texts below the quoted line with their levels.
    pub notes: [Option<(&'static str, &'t str)>; 2],
}

/// The part of a line that fits, and whether its beginning is cut off.
struct Window<'l> {
    shown: &'l str,
    left: usize,
    is_cut_right: bool,
}

/// The greatest width of the text, in columns.
const WIDTH: usize = 140;
/// Columns that a cut line keeps free beside the underlined part.
const ASIDE: usize = 6;
/// More whitespace than this at the beginning of a line is cut off, except for [`KEPT_INDENT`] columns.
const MOST_INDENT: usize = 20;
const KEPT_INDENT: usize = 16;
/// Stands for what is cut off, in place of as many characters of what is left.
const ELLIPSIS: &str = "...";

/// Returns true if every byte of a text is a printable character of ASCII.
fn is_printable_ascii(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

impl Quoted<'_> {
    /// Appends the finding to `out`, without a line feed at the end. Returns false, having appended nothing, if it takes
    /// more than this module does: a text beyond ASCII, nothing to underline, or a label too long to stand in the same line.
    #[must_use]
    pub fn write(&self, out: &mut String) -> bool {
        let number = self.line_number.to_string();
        let indent = number.len();
        let Some(window) = self.window(WIDTH - 3 - indent) else {
            return false;
        };
        let Range { start, end } = self.underlined;
        let (before, len) = (start - window.left, end - start);
        out.push_str(self.level);
        if let Some(code) = self.code {
            let _ = write!(out, "[{code}]");
        }
        let _ = write!(
            out,
            ": {}\n{:indent$}--> {}:{number}:{}\n{:indent$} |\n{number} | ",
            self.title,
            "",
            self.file,
            start + 1,
            "",
        );
        window.write(out);
        let _ = write!(
            out,
            "\n{:indent$} | {:before$}{:^<len$} {}",
            "", "", "", self.label
        );
        if self.notes != [None; 2] {
            let _ = write!(out, "\n{:indent$} |", "");
        }
        for (level, note) in self.notes.into_iter().flatten() {
            let _ = write!(out, "\n{:indent$} = {level}: {note}", "");
        }
        true
    }

    /// Returns the part of the line that fits into `width` columns; `None` where [`write`](Self::write) returns false.
    fn window(&self, width: usize) -> Option<Window<'_>> {
        let Range { start, end } = self.underlined;
        let line = self.line;
        let texts = [self.title, self.file, line, self.label];
        let notes = self.notes.into_iter().flatten().map(|(_, note)| note);
        let is_usual = texts.into_iter().chain(notes).all(is_printable_ascii)
            && start < end
            && end <= line.len()
            && !self.label.is_empty()
            && !line.trim_end().is_empty();
        if !is_usual {
            return None;
        }
        let whitespace = line.len() - line.trim_start().len();
        let whitespace = whitespace.min(start).saturating_sub(ASIDE);
        let (from, to) = (
            start.saturating_sub(ASIDE),
            end + 1 + self.label.len() + ASIDE,
        );
        let mut left = match whitespace > MOST_INDENT {
            true => whitespace - KEPT_INDENT,
            false => 0,
        };
        if line.len() - left > width {
            left = match to {
                to if to - whitespace <= width => whitespace,
                to if to - from <= width => from.saturating_sub((width - (to - from)) / 2),
                _ => return None,
            };
        }
        let right = line.len().min(left + width);
        Some(Window {
            shown: &line[left..right],
            left,
            is_cut_right: right < line.len(),
        })
    }
}

impl Window<'_> {
    fn write(&self, out: &mut String) {
        let is_cut_left = self.left > 0;
        let from = usize::from(is_cut_left) * ELLIPSIS.len();
        let to = self.shown.len() - usize::from(self.is_cut_right) * ELLIPSIS.len();
        out.push_str(&ELLIPSIS[..from]);
        out.push_str(&self.shown[from..to]);
        if self.is_cut_right {
            out.push_str(ELLIPSIS);
        }
    }
}
