//! What stands between the nodes of the tree: blanks, comments and indicators.

use super::{Result, Unknown};

/// A comment that has been read and not yet written.
#[derive(Clone, Copy)]
pub struct Comment<'s> {
    /// From `#` on, without blanks at the end.
    pub text: &'s str,
    /// Its end in the source.
    end: usize,
    /// No token stands before it on its line.
    pub own_line: bool,
    /// A blank line stands before it.
    pub after_blank: bool,
    /// Its column, from 0, if it has a line of its own.
    pub column: isize,
    /// The blanks before it, if it stands after a token.
    pub gap: usize,
}

/// A text, and how far it has been read.
#[derive(Default)]
pub struct Source<'s> {
    pub text: &'s str,
    pub pos: usize,
    /// The end of the last token, or of the last comment that has been written.
    pub end: usize,
    /// Comments that have been read and not yet written.
    pub pending: Vec<Comment<'s>>,
    /// Line breaks since the last token or comment.
    breaks: usize,
    /// A line break stands between the last token and `pos`.
    pub is_new_line: bool,
}

impl<'s> Source<'s> {
    pub fn new(text: &'s str) -> Self {
        Self {
            text,
            is_new_line: true,
            ..Self::default()
        }
    }

    pub fn rest(&self) -> &'s str {
        &self.text[self.pos..]
    }

    pub fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    /// True if a blank line stands between the last token or comment and `pos`.
    pub fn has_blank_line(&self) -> bool {
        self.breaks >= 2
    }

    /// Returns the column of an offset in bytes, from 0.
    pub fn column(&self, at: usize) -> isize {
        let before = &self.text.as_bytes()[..at];
        before
            .iter()
            .rev()
            .take_while(|b| !matches!(b, b'\n' | b'\r'))
            .count() as isize
    }

    /// Advances to the end of a token.
    pub fn consume(&mut self, end: usize) {
        (self.pos, self.end) = (end, end);
        (self.breaks, self.is_new_line) = (0, false);
    }

    /// Consumes an ASCII character, which must stand here.
    pub fn expect(&mut self, indicator: char) -> Result<()> {
        if !self.rest().starts_with(indicator) {
            return Err(Unknown);
        }
        self.consume(self.pos + 1);
        Ok(())
    }

    /// Notes that a comment, which stood after the last token, has been written.
    pub fn comment_is_written(&mut self, comment: Comment<'s>) {
        self.end = self.end.max(comment.end);
    }

    /// Passes blanks, line breaks and comments. The comments are pending then.
    pub fn trivia(&mut self) {
        let bytes = self.text.as_bytes();
        let mut gap = 0;
        while let Some(byte) = self.byte() {
            match byte {
                b' ' | b'\t' => (self.pos, gap) = (self.pos + 1, gap + 1),
                b'\n' | b'\r' => {
                    let is_pair = byte == b'\r' && bytes.get(self.pos + 1) == Some(&b'\n');
                    self.pos += 1 + usize::from(is_pair);
                    self.breaks += 1;
                    (self.is_new_line, gap) = (true, 0);
                }
                b'#' => self.comment(gap),
                _ => return,
            }
        }
    }

    fn comment(&mut self, gap: usize) {
        let rest = self.rest();
        let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let text = rest[..len].trim_end();
        self.pending.push(Comment {
            text,
            end: self.pos + text.len(),
            own_line: self.is_new_line,
            after_blank: self.breaks >= 2,
            column: if self.is_new_line { gap as isize } else { 0 },
            gap,
        });
        self.pos += len;
        self.breaks = 0;
    }

    /// Returns true if `---` or `...` stands here, at the beginning of a line and before a blank.
    pub fn at_marker(&self, marker: &str) -> bool {
        let is_alone = self
            .rest()
            .strip_prefix(marker)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']));
        is_alone && self.column(self.pos) == 0
    }

    /// True if a blank or nothing stands after the next byte, as it does after an indicator.
    pub fn at_indicator(&self, indicator: u8) -> bool {
        let after = self.text.as_bytes().get(self.pos + 1);
        self.byte() == Some(indicator)
            && after.is_none_or(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
    }
}
