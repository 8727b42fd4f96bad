//! Scalars of one line.

use std::borrow::Cow;

use super::super::event::Receiver;
use super::{NotInSubset, Reader, Result, is_blank, is_break};

/// A scalar.
pub(super) struct Scalar<'s> {
    pub text: Cow<'s, str>,
    pub is_plain: bool,
    /// The offset after it. Blanks and a comment after a closing quote belong to the scalar, as the event parser has it.
    pub end: usize,
}

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Reads a scalar.
    pub(super) fn scalar(&mut self, is_in_flow: bool) -> Result<Scalar<'s>> {
        let (text, is_plain) = match self.peek(0) {
            b'\'' => (self.single_quoted()?, false),
            b'"' => (self.double_quoted()?, false),
            first => (Cow::Borrowed(self.plain(first, is_in_flow)?), true),
        };
        let end = match is_plain {
            true => self.at,
            false => self.end_of_blanks(self.at),
        };
        Ok(Scalar {
            text,
            is_plain,
            end,
        })
    }

    /// Reads a plain scalar.
    fn plain(&mut self, first: u8, is_in_flow: bool) -> Result<&'s str> {
        let start = self.at;
        let can_begin = match first {
            b'-' => !is_blank(self.peek(1)) && !is_flow(self.peek(1)),
            b'?' | b':' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`' => false,
            byte => !is_flow(byte) && !is_blank(byte),
        };
        if !can_begin {
            return Err(NotInSubset);
        }
        let bytes = self.text.as_bytes();
        let next = |at: usize| bytes.get(at + 1).copied().unwrap_or(b'\n');
        let (mut at, mut end) = (start, start);
        while let Some(byte) = bytes.get(at) {
            let ends = match byte {
                _ if !MAY_END[usize::from(*byte)] => false,
                b' ' => {
                    at += 1;
                    continue;
                }
                b'\n' | b'\r' => true,
                b'#' => at > end,
                b':' => is_blank(next(at)) || is_in_flow && is_flow(next(at)),
                _ => is_in_flow,
            };
            if ends {
                break;
            }
            at += 1;
            end = at;
        }
        self.at = end;
        Ok(&self.text[start..end])
    }

    fn single_quoted(&mut self) -> Result<Cow<'s, str>> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut has_quotes = false;
        loop {
            match bytes.get(at) {
                Some(b'\'') if bytes.get(at + 1) == Some(&b'\'') => {
                    has_quotes = true;
                    at += 2;
                }
                Some(b'\'') => break,
                Some(byte) if !is_break(*byte) => at += 1,
                _ => return Err(NotInSubset),
            }
        }
        self.at = at + 1;
        let text = &self.text[start..at];
        Ok(match has_quotes {
            true => Cow::Owned(text.replace("''", "'")),
            false => Cow::Borrowed(text),
        })
    }

    fn double_quoted(&mut self) -> Result<Cow<'s, str>> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        self.at = start;
        let mut text = String::new();
        let mut copied = start;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    text.push_str(&self.text[copied..self.at]);
                    text.push(self.escape()?);
                    copied = self.at;
                }
                Some(byte) if !is_break(*byte) => self.at += 1,
                _ => return Err(NotInSubset),
            }
        }
        let rest = &self.text[copied..self.at];
        self.at += 1;
        if copied == start {
            return Ok(Cow::Borrowed(rest));
        }
        text.push_str(rest);
        Ok(Cow::Owned(text))
    }

    /// Reads an escape after a backslash.
    fn escape(&mut self) -> Result<char> {
        let kind = self.peek(1);
        self.at += 2;
        let digits = match kind {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => {
                return Ok(match kind {
                    b'0' => '\0',
                    b'a' => '\u{7}',
                    b'b' => '\u{8}',
                    b't' => '\t',
                    b'n' => '\n',
                    b'v' => '\u{b}',
                    b'f' => '\u{c}',
                    b'r' => '\r',
                    b'e' => '\u{1b}',
                    b' ' | b'"' | b'/' | b'\\' => char::from(kind),
                    b'N' => '\u{85}',
                    b'_' => '\u{a0}',
                    b'L' => '\u{2028}',
                    b'P' => '\u{2029}',
                    _ => return Err(NotInSubset),
                });
            }
        };
        let hex = self.text.as_bytes().get(self.at..self.at + digits);
        let hex = hex.ok_or(NotInSubset)?;
        let digit = |byte: &u8| char::from(*byte).to_digit(16).ok_or(NotInSubset);
        let code = hex.iter().try_fold(0u32, |code, byte| {
            Ok::<_, NotInSubset>(code.wrapping_mul(16) + digit(byte)?)
        })?;
        self.at += digits;
        char::from_u32(code).ok_or(NotInSubset)
    }
}

/// True for the bytes at which a plain scalar may end.
const MAY_END: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b" \n\r#:,[]{}";
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

/// Returns true for the separators and brackets of flow collections.
fn is_flow(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
