//! Parsing the strings of JSON texts, and writing a JSON tree as text without white space.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::limits::SyntaxError;
use super::parse::Parser;
use super::value::Value;

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
        let bytes = self.text.as_bytes();
        let begin = self.at;
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
            let Some(len) = rest.iter().position(|byte| IS_SPECIAL[usize::from(*byte)]) else {
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

impl Value<'_> {
    /// Returns the text of this value: numbers as they were written, strings with the fewest escapes.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write_to(&mut text);
        text
    }

    /// Returns the text of this object with other values in the place of some elements of the array that is its member
    /// `key`: those of `replaced`, by index.
    pub fn to_text_with(&self, key: &str, replaced: &BTreeMap<usize, Value>) -> String {
        let mut text = String::new();
        write_list(
            ['{', '}'],
            self.members(),
            &mut text,
            |_, (name, value), text| {
                write_string(name, text);
                text.push(':');
                match value {
                    Value::Array(elements) if name == key => {
                        write_list(['[', ']'], elements, text, |at, element, text| {
                            replaced.get(&at).unwrap_or(element).write_to(text);
                        });
                    }
                    _ => value.write_to(text),
                }
            },
        );
        text
    }

    /// Appends the text of this value.
    pub fn write_to(&self, text: &mut String) {
        match self {
            Value::Null => text.push_str("null"),
            Value::Bool(true) => text.push_str("true"),
            Value::Bool(false) => text.push_str("false"),
            Value::Number(number) => text.push_str(number),
            Value::String(string) => write_string(string, text),
            Value::Array(elements) => {
                write_list(['[', ']'], elements, text, |_, element, text| {
                    element.write_to(text)
                });
            }
            Value::Object(members) => {
                write_list(['{', '}'], members, text, |_, (key, value), text| {
                    write_string(key, text);
                    text.push(':');
                    value.write_to(text);
                })
            }
        }
    }
}

/// Appends `items`, separated by commas, between brackets; `write` appends one, given its index.
fn write_list<T>(
    [open, close]: [char; 2],
    items: &[T],
    text: &mut String,
    write: impl Fn(usize, &T, &mut String),
) {
    text.push(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        write(at, item, text);
    }
    text.push(close);
}

/// Appends a string with quotes and escapes.
fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\u{1f}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
}
