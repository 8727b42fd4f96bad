//! Parsing JSON text (RFC 8259), with limits on depth and on the number of values.

use std::borrow::Cow;
use std::collections::HashSet;

use super::limits::{MAX_DEPTH, MAX_VALUES, SyntaxError, check_limits};
use super::value::Value;

/// Most members of an object whose keys are compared in pairs to find duplicates.
const SMALL_OBJECT: usize = 16;

/// Parses a text that has one value, and white space around it.
///
/// # Errors
/// If it is not JSON, an object has a key twice, or the text is nested deeper than [`MAX_DEPTH`] or has more than
/// [`MAX_VALUES`] values.
pub fn parse(text: &str) -> Result<Value<'_>, SyntaxError> {
    parse_extended(text).map(|(value, _)| value)
}

/// Parses a text as [`parse`] does. Returns also the indices of those members of the root that are called `extensions` or
/// have something of that name in them.
///
/// # Errors
/// As [`parse`].
pub fn parse_extended(text: &str) -> Result<(Value<'_>, Vec<usize>), SyntaxError> {
    check_limits(text)?;
    let mut parser = Parser {
        text,
        ..Parser::default()
    };
    let value = parser.value(0)?;
    parser.skip_space();
    match parser.peek() {
        None => Ok((value, parser.extended)),
        Some(_) => Err(parser.error("text after the end of the JSON value")),
    }
}

/// The state of the parser.
#[derive(Default)]
pub struct Parser<'a> {
    pub text: &'a str,
    /// Offset of the next byte.
    pub at: usize,
    /// Number of values that have begun.
    values: usize,
    /// The last elements of each array that has not ended, so that short arrays are allocated once.
    elements: Vec<Value<'a>>,
    /// The last members of each object that has not ended.
    members: Vec<Member<'a>>,
    /// True if the current member of the root has had a key `extensions`.
    has_extensions: bool,
    /// Indices of the members of the root that have such a key.
    extended: Vec<usize>,
}

/// A member of an object: its key and its value.
type Member<'a> = (Cow<'a, str>, Value<'a>);

/// Most elements or members that one array or object keeps in the parser.
const MOST_KEPT: usize = 32;

/// Moves the items from `first` on to the end of `own`.
#[inline]
fn take<T>(own: &mut Vec<T>, kept: &mut Vec<T>, first: usize) {
    if own.is_empty() && first > 0 {
        *own = kept.split_off(first); // allocates their length
    } else {
        own.extend(kept.drain(first..));
    }
}

impl<'a> Parser<'a> {
    pub fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            offset: self.at,
            message: message.into(),
        }
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Skips white space, then `byte` if it is next. Returns true if it was.
    fn takes(&mut self, byte: u8) -> bool {
        self.skip_space();
        let next = self.peek() == Some(byte);
        self.at += usize::from(next);
        next
    }

    /// Parses a value inside `depth` arrays and objects.
    fn value(&mut self, depth: usize) -> Result<Value<'a>, SyntaxError> {
        self.skip_space();
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(self.error(format!("more than {MAX_VALUES} values")));
        }
        if depth > MAX_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
            None => Err(self.error("the text ends where a value is expected")),
        }
    }

    /// Parses `null`, `true` or `false`.
    fn word(&mut self) -> Result<Value<'a>, SyntaxError> {
        for (word, value) in [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ] {
            if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.error("no JSON value"))
    }

    fn array(&mut self, depth: usize) -> Result<Value<'a>, SyntaxError> {
        self.at += 1;
        let mut elements = Vec::new();
        if self.takes(b']') {
            return Ok(Value::Array(elements));
        }
        let first = self.elements.len();
        loop {
            let element = self.value(depth + 1)?;
            self.elements.push(element);
            let has_ended = self.takes(b']');
            if has_ended || self.elements.len() - first == MOST_KEPT {
                take(&mut elements, &mut self.elements, first);
            }
            if has_ended {
                return Ok(Value::Array(elements));
            }
            if !self.takes(b',') {
                return Err(self.error("no `,` or `]` after an array's element"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value<'a>, SyntaxError> {
        let begin = self.at;
        self.at += 1;
        let mut members = Vec::new();
        if self.takes(b'}') {
            return Ok(Value::Object(members));
        }
        let first = self.members.len();
        let mut index = 0;
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.error("no key of an object's member"));
            }
            let key = self.string()?;
            if !self.takes(b':') {
                return Err(self.error("no `:` after a key"));
            }
            self.has_extensions |= key == "extensions";
            let value = self.value(depth + 1)?;
            self.members.push((key, value));
            if depth == 0 && std::mem::take(&mut self.has_extensions) {
                self.extended.push(index);
            }
            index += 1;
            let has_ended = self.takes(b'}');
            if has_ended || self.members.len() - first == MOST_KEPT {
                take(&mut members, &mut self.members, first);
            }
            if has_ended {
                break;
            }
            if !self.takes(b',') {
                return Err(self.error("no `,` or `}` after an object's member"));
            }
        }
        match duplicate(&members) {
            None => Ok(Value::Object(members)),
            Some(key) => Err(SyntaxError {
                offset: begin,
                message: format!("an object has the key {key:?} twice"),
            }),
        }
    }

    /// Skips one or more digits.
    fn digits(&mut self) -> Result<(), SyntaxError> {
        let begin = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at > begin {
            Ok(())
        } else {
            Err(self.error("no digit of a number"))
        }
    }

    fn number(&mut self) -> Result<Value<'a>, SyntaxError> {
        let begin = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Value::Number(Cow::Borrowed(&self.text[begin..self.at])))
    }
}

/// A key that two members have; `None` if all keys are distinct.
fn duplicate<'m>(members: &'m [(Cow<'_, str>, Value)]) -> Option<&'m str> {
    let mut keys = members.iter().map(|(key, _)| &**key).enumerate();
    if members.len() <= SMALL_OBJECT {
        let before = |at: usize, key: &str| members[..at].iter().any(|(other, _)| other == key);
        return keys.find(|(at, key)| before(*at, key)).map(|(_, key)| key);
    }
    let mut seen = HashSet::new();
    keys.find(|(_, key)| !seen.insert(*key)).map(|(_, key)| key)
}
