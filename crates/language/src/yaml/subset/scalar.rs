//! Scalars of one line, and literal block scalars.

use std::borrow::Cow;

use super::super::event::{Event, Properties, Receiver, Style};
use super::{NotInSubset, Reader, Result, is_blank, is_break};

/// A scalar.
pub(super) struct Scalar<'s> {
    pub text: Cow<'s, str>,
    pub style: Style,
    /// The offset after it. Blanks and a comment after a closing quote belong to the scalar, as the event parser has it.
    pub end: usize,
}

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Reads a scalar.
    pub(super) fn scalar(&mut self, is_in_flow: bool) -> Result<Scalar<'s>> {
        let (text, style) = match self.peek(0) {
            b'\'' => (self.single_quoted()?, Style::Quoted),
            b'"' => (self.double_quoted()?, Style::Quoted),
            first => (Cow::Borrowed(self.plain(first, is_in_flow)?), Style::Plain),
        };
        let end = match style {
            Style::Plain => self.at,
            _ => self.end_of_blanks(self.at),
        };
        Ok(Scalar { text, style, end })
    }

    /// Sends a scalar, whose properties, or whose first byte, are at `start`.
    pub(super) fn send_scalar(
        &mut self,
        scalar: Scalar<'s>,
        properties: Properties,
        start: usize,
    ) -> Result {
        let event = Event::Scalar {
            text: scalar.text,
            style: scalar.style,
            properties,
        };
        self.send(event, start, scalar.end)
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
                    // The event parser refuses such a dash.
                    if is_in_flow && bytes.get(at) == Some(&b'-') && is_flow(next(at)) {
                        return Err(NotInSubset);
                    }
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

    /// Reads a block scalar from its `|`, after which there may be a `-`. Its properties, if there are any, begin at
    /// `start`. Its first line has text, and its last line ends with a line feed. It goes up to the text of the next line
    /// that is indented less.
    pub(super) fn literal(&mut self, properties: Properties, start: usize) -> Result {
        let column = self.levels.last().ok_or(NotInSubset)?.column;
        self.at += 1;
        let is_stripped = self.peek(0) == b'-';
        self.at += usize::from(is_stripped);
        self.end_of_line()?;
        self.spaces();
        let (first, indent) = (self.at, self.column());
        if indent <= column || is_break(self.peek(0)) {
            return Err(NotInSubset);
        }
        let mut text = String::new();
        loop {
            text.push_str(self.rest_of_line()?);
            let empty_lines = self.indentation(indent)?;
            if self.column() < indent || self.is_at_end() {
                break;
            }
            (0..=empty_lines).for_each(|_| text.push('\n'));
        }
        if !is_stripped {
            text.push('\n');
        }
        let event = Event::Scalar {
            text: text.into(),
            style: Style::Block,
            properties,
        };
        let start = match properties.is_any() {
            true => start,
            false => first,
        };
        self.send(event, start, self.at)
    }

    /// Reads the rest of a line, which has an end, and moves to the next line.
    fn rest_of_line(&mut self) -> Result<&'s str> {
        let start = self.at;
        self.skip_line();
        let line = self.text[start..self.at]
            .strip_suffix('\n')
            .ok_or(NotInSubset)?;
        Ok(line.strip_suffix('\r').unwrap_or(line))
    }

    /// Skips empty lines and then at most `indent` blanks. Returns the number of empty lines.
    fn indentation(&mut self, indent: usize) -> Result<usize> {
        let mut empty_lines = 0;
        loop {
            while self.column() < indent && self.peek(0) == b' ' {
                self.at += 1;
            }
            match self.is_at_end() {
                true if self.column() > 0 => return Err(NotInSubset),
                false if is_break(self.peek(0)) => self.skip_line(),
                _ => return Ok(empty_lines),
            }
            empty_lines += 1;
        }
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
