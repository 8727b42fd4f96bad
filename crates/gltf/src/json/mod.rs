//! JSON as a tree that keeps the order of keys and the text of numbers when it is read, edited and written.
//!
//! In: text. Out: a [`Value`] that borrows from it. `serde_json` could keep both only through features that change its
//! numbers for the whole crate. This parser also reports the offset of an error, refuses duplicate keys (glTF 2.0
//! §2.7.1 forbids them) and limits the memory and the recursion depth that a text can need.

mod parse;
mod text;

use std::borrow::Cow;

use super::number::write_repr;

pub use parse::{parse, parse_extended};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The text of a number: `1.0`, `1` and `1e0` differ. It is always a valid JSON number.
    Number(Cow<'a, str>),
    /// A string, without escapes.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An object: its members in order, with distinct keys.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// Makes a number from an integer.
    pub fn integer(value: u64) -> Self {
        Self::Number(value.to_string().into())
    }

    /// Makes a number with the fewest digits from which it can be read back.
    pub fn number(value: f64) -> Self {
        let mut text = Vec::new();
        write_repr(&mut text, value).expect("a vector takes every write");
        Self::Number(String::from_utf8_lossy(&text).into_owned().into())
    }

    /// Makes an array of such numbers.
    pub fn numbers(values: &[f64]) -> Self {
        Self::Array(values.iter().map(|value| Self::number(*value)).collect())
    }

    /// Makes a string.
    pub fn string(value: impl Into<Cow<'a, str>>) -> Self {
        Self::String(value.into())
    }

    /// Returns a member of an object; `None` if there is none or this is not an object.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        let Self::Object(members) = self else {
            return None;
        };
        let member = members.iter().find(|(name, _)| name == key);
        member.map(|(_, value)| value)
    }

    /// Returns a member of an object for editing; `None` if there is none or this is not an object.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value<'a>> {
        let Self::Object(members) = self else {
            return None;
        };
        let member = members.iter_mut().find(|(name, _)| name == key);
        member.map(|(_, value)| value)
    }

    /// Returns an object's extension of this name.
    pub fn extension(&self, name: &str) -> Option<&Value<'a>> {
        self.get("extensions")?.get(name)
    }

    /// Returns the elements of an array; none if this is not an array.
    pub fn elements(&self) -> &[Value<'a>] {
        match self {
            Self::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the elements of an array for editing; `None` if this is not an array.
    pub fn elements_mut(&mut self) -> Option<&mut Vec<Value<'a>>> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the elements of an array that is a member of this object; none if there is no such array.
    pub fn list(&self, key: &str) -> &[Value<'a>] {
        self.get(key).map_or(&[], Value::elements)
    }

    /// Returns the elements of an array that is a member of this object, for editing; none if there is no such array.
    pub fn list_mut(&mut self, key: &str) -> &mut [Value<'a>] {
        let list = self.get_mut(key).and_then(Value::elements_mut);
        list.map_or(&mut [], |list| list)
    }

    /// Returns the approximate memory that a copy of this takes, in units of one value.
    pub fn size(&self) -> usize {
        let text = |text: &str| text.len() / 64;
        match self {
            Self::Array(elements) => 1 + elements.iter().map(Self::size).sum::<usize>(),
            Self::Object(members) => {
                let members = members.iter();
                1 + members
                    .map(|(key, value)| 1 + text(key) + value.size())
                    .sum::<usize>()
            }
            Self::String(value) | Self::Number(value) => 1 + text(value),
            Self::Null | Self::Bool(_) => 1,
        }
    }

    /// Returns the members of an object, in order; none if this is not an object.
    pub fn members(&self) -> &[(Cow<'a, str>, Value<'a>)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// Removes the members of an object for whose keys `keep` returns false.
    pub fn retain_members(&mut self, mut keep: impl FnMut(&str) -> bool) {
        if let Self::Object(members) = self {
            members.retain(|(key, _)| keep(key));
        }
    }

    /// Sets a member of an object: replaces its value if the key exists, else adds it at the end. Does nothing to other
    /// values.
    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: Value<'a>) {
        let key = key.into();
        match self.get_mut(&key) {
            Some(member) => *member = value,
            None => {
                if let Self::Object(members) = self {
                    members.push((key, value));
                }
            }
        }
    }

    /// Removes a member of an object and returns its value; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Value<'a>> {
        let Self::Object(members) = self else {
            return None;
        };
        let at = members.iter().position(|(name, _)| name == key)?;
        Some(members.remove(at).1)
    }

    /// Returns the f64 nearest to the number, infinite beyond its range; `None` if this is not a number.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns the number if it is an integer from 0 to 2⁵³, else `None`. The spelling does not matter: `100`, `100.0`
    /// and `1e2` are the same number, as in JSON Schema.
    pub fn as_u64(&self) -> Option<u64> {
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        if let Self::Number(text) = self
            && text.len() <= 15
            && text.bytes().all(|byte| byte.is_ascii_digit())
        {
            let digits = text.bytes().map(|byte| u64::from(byte - b'0'));
            return Some(digits.fold(0, |number, digit| 10 * number + digit));
        }
        let number = self.as_f64()?;
        let is_integer = number.trunc() == number && (0.0..=LARGEST).contains(&number);
        is_integer.then_some(number as u64)
    }

    /// Returns the number if it is an integer that can be an index on this machine, else `None`.
    pub fn as_index(&self) -> Option<usize> {
        usize::try_from(self.as_u64()?).ok()
    }

    /// Returns the text of a string; `None` if this is not a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

/// Deepest nesting of arrays and objects. Real files need about ten levels.
pub const MAX_DEPTH: usize = 128;

/// Most values in one text: a tree takes 32 bytes for each value, while a text needs as little as two.
pub const MAX_VALUES: usize = 1 << 24;

/// Longest text in bytes that is parsed without a check beforehand: its tree is small, and the parser counts, too.
const SHORT: usize = 1 << 20;

/// The error that a text is not JSON or exceeds a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at byte {offset}")]
pub struct SyntaxError {
    /// Offset of the error in the text, in bytes.
    pub offset: usize,
    /// The reason.
    pub message: String,
}

/// Checks the depth of a long text, and a lower bound of its number of values. Other errors are left to the parser.
///
/// # Errors
/// If the text is nested deeper than [`MAX_DEPTH`], or certainly has more than [`MAX_VALUES`] values.
pub(super) fn check_limits(text: &str) -> Result<(), SyntaxError> {
    let bytes = text.as_bytes();
    if bytes.len() <= SHORT {
        return Ok(());
    }
    // Each comma separates two values, or two members with a value each.
    let (mut depth, mut values) = (0, 1);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = usize::saturating_sub(depth, 1),
            b',' => values += 1,
            _ => {}
        }
        let message = match (depth, values) {
            // An empty array at this depth is allowed; the elements of another one would be one level deeper.
            (depth, _) if depth > MAX_DEPTH + 1 => format!("nested deeper than {MAX_DEPTH} levels"),
            (_, values) if values > MAX_VALUES => format!("more than {MAX_VALUES} values"),
            _ => continue,
        };
        let offset = at - 1;
        return Err(SyntaxError { offset, message });
    }
    Ok(())
}

/// The offset after the quote that ends the string whose first byte is at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' => at += 1,
            _ => {}
        }
    }
    at
}

#[cfg(test)]
mod tests;
