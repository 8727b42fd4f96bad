//! Parsing the strings of JSON texts.

use std::borrow::Cow;

use super::SyntaxError;
use super::parse::Parser;

/// For each byte, true if it does not stand for itself in a string.
const IS_SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = true;
        control += 1;
    }
    (table[b'"' as usize], table[b'\\' as usize]) = (true, true);
    table
};

impl<'a> Parser<'a> {
    /// Parses a string, which is borrowed if it has no escapes.
    pub fn string(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        self.at += 1;
        let (bytes, begin) = (self.text.as_bytes(), self.at);
        let mut end = begin;
        while let Some(byte) = bytes.get(end)
            && !IS_SPECIAL[usize::from(*byte)]
        {
            end += 1;
        }
        if bytes.get(end) != Some(&b'"') {
            return self.string_in_pieces();
        }
        self.at = end + 1;
        Ok(Cow::Borrowed(&self.text[begin..end]))
    }

    /// Parses the rest of a string that has escapes or is malformed; `at` is at its first character.
    #[cold]
    fn string_in_pieces(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        let mut resolved = String::new();
        loop {
            let begin = self.at;
            let rest = &self.text.as_bytes()[begin..];
            let is_special = |byte: &u8| IS_SPECIAL[usize::from(*byte)];
            let Some(len) = rest.iter().position(is_special) else {
                self.at = self.text.len();
                return Err(self.error("a string without end"));
            };
            self.at += len;
            let piece = &self.text[begin..self.at];
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(resolved + piece));
                }
                Some(b'\\') => {
                    resolved.push_str(piece);
                    resolved.push(self.escape()?);
                }
                _ => return Err(self.error("a control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        self.at += 1;
        let resolved = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.error("no escape of a string")),
        };
        self.at += 1;
        Ok(resolved)
    }

    /// Parses the digits of a `\u` escape, and a second escape if the two are a surrogate pair.
    fn unicode(&mut self) -> Result<char, SyntaxError> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.error("half a surrogate pair"));
        }
        if !self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            return Err(self.error("half a surrogate pair"));
        }
        self.at += 2;
        let second = self.hex()?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(self.error("half a surrogate pair"));
        }
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        char::from_u32(code).ok_or_else(|| self.error("no character"))
    }

    /// Parses four hexadecimal digits.
    fn hex(&mut self) -> Result<u32, SyntaxError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.error("no four hexadecimal digits after `\\u`"));
            };
            code = code << 4 | digit;
            self.at += 1;
        }
        Ok(code)
    }
}
