//! Block scalars: where they end.

use crate::reader::{Reader, Token, is_break};
use crate::{Kind, Problem};

impl Reader<'_> {
    /// Reads a block scalar from its `|` or `>`.
    pub fn block_scalar(&mut self, indent: isize, properties: u32) {
        let start = self.at;
        let kind = if self.peek(0) == b'|' {
            Kind::Literal
        } else {
            Kind::Folded
        };
        self.at += 1;
        let (mut digit, mut chomping) = (None, None);
        loop {
            match self.peek(0) {
                byte @ b'1'..=b'9' if digit.is_none() => digit = Some(usize::from(byte - b'0')),
                byte @ (b'+' | b'-') if chomping.is_none() => chomping = Some(byte),
                _ => break,
            }
            self.at += 1;
        }
        let mut end = self.at;
        self.blanks();
        let header_end = self.line_end();
        if !(is_break(self.peek(0)) || self.peek(0) == b'#' && self.is_after_gap()) {
            self.fault(Problem::BlockHeader, self.at..header_end);
        }
        self.at = header_end;
        let mut content = digit.map(|digit| digit + indent.max(0) as usize);
        let mut longest = 0;
        while !self.is_at_end() {
            let (at, line) = (self.at, self.line);
            self.newline();
            let most = content.unwrap_or(usize::MAX);
            let spaces = self.bytes[self.at..]
                .iter()
                .take(most)
                .take_while(|byte| **byte == b' ')
                .count();
            let is_blank = is_break(self.peek(spaces));
            if is_blank {
                longest = longest.max(spaces);
                self.at += spaces;
                // Blanks after the last break of the text are no line.
                if chomping == Some(b'+') {
                    end = self.line;
                }
                continue;
            }
            let is_inside = match content {
                Some(least) => spaces >= least,
                None => spaces as isize > indent,
            };
            if !is_inside {
                if content.is_none() && self.peek(spaces) == b'\t' {
                    self.fault(Problem::Tab, self.at + spaces..self.at + spaces + 1);
                }
                if chomping == Some(b'+') {
                    end = self.line;
                }
                (self.at, self.line) = (at, line);
                break;
            }
            if content.is_none() && longest > spaces {
                self.fault(Problem::BlockIndentation, self.at..self.at + spaces);
            }
            content = Some(content.unwrap_or(spaces));
            self.at = self.line_end();
            end = self.at;
        }
        let id = self.leaf(
            Token {
                kind,
                is_encoded: true,
                start,
                end,
            },
            properties,
        );
        self.set_indent(id, content.unwrap_or(usize::MAX));
    }
}
