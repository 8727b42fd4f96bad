//! Plain scalars that stand in one line and can be nothing else, as most scalars do: they are read without the steps of others.

use crate::Kind;
use crate::reader::{NONE, Reader, Token, is_gap};

/// True for the bytes that begin nothing but plain scalars.
const BEGINS_TEXT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_sign = matches!(
            byte as u8,
            b'_' | b'.' | b'+' | b'/' | b'$' | b'=' | b'~' | b'<'
        );
        table[byte] = (byte as u8).is_ascii_alphanumeric() || is_sign || byte >= 0x80;
        byte += 1;
    }
    table
};

impl Reader<'_> {
    /// Reads what stands in this line of a plain scalar, if its first bytes say that it is one.
    #[inline]
    pub fn simple(&mut self, is_in_flow: bool) -> Option<Token> {
        let (start, first) = (self.at, self.peek(0));
        let is_number = first == b'-' && self.peek(1).is_ascii_digit();
        if !is_number && !BEGINS_TEXT[usize::from(first)] {
            return None;
        }
        let end = self.plain(is_in_flow);
        Some(Token {
            kind: Kind::Plain,
            is_encoded: false,
            start,
            end,
        })
    }

    /// Adds a plain scalar that stands after a blank and fills the rest of the line, if it surely ends there, and moves to the content of
    /// the next line. Returns true if it has been added.
    #[inline]
    pub fn simple_value(&mut self, indent: isize) -> bool {
        let at = self.at;
        if self.peek(0) == b' ' {
            self.at += 1;
            if let Some(token) = self.simple(false)
                && self.peek(0) == b'\n'
                && let Some(blanks) = self.blanks_below(indent)
            {
                self.leaf(token, NONE);
                self.newline();
                self.at += blanks;
                return true;
            }
        }
        self.at = at;
        false
    }

    /// Returns the number of blanks before the content of the next line, at a line break after which a plain scalar cannot go on.
    #[inline]
    pub fn blanks_below(&self, indent: isize) -> Option<usize> {
        let next = self.bytes.get(self.at + 1..).unwrap_or_default();
        let mut blanks = 0;
        while blanks <= indent as usize {
            match next.get(blanks) {
                Some(b' ') => blanks += 1,
                Some(byte) if is_gap(*byte) => return None,
                _ => return Some(blanks),
            }
        }
        None
    }
}
