//! JSON as a tree that forgets nothing: key order and the text of numbers survive reading, editing and writing.
//!
//! In: text. Out: a [`Value`] that borrows from it. `serde_json` could keep both only through features that change
//! its numbers for the whole crate; this also knows where an error stands, refuses duplicate keys (glTF 2.0 §2.7.1
//! forbids them) and bounds what a hostile text can cost.

mod limits;
mod parse;
mod write;

use std::borrow::Cow;

pub use limits::{MAX_DEPTH, MAX_VALUES, SyntaxError};
pub use parse::parse;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is written: `1.0`, `1` and `1e0` differ. Always a valid JSON number.
    Number(Cow<'a, str>),
    /// A string, escapes resolved.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// An object: its members in order, no key twice.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// A number that is an integer.
    pub fn integer(value: u64) -> Self {
        Self::Number(value.to_string().into())
    }

    /// A string.
    pub fn string(value: impl Into<Cow<'a, str>>) -> Self {
        Self::String(value.into())
    }

    /// The member of an object, or `None` if there is none or this is no object.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        let Self::Object(members) = self else {
            return None;
        };
        let member = members.iter().find(|(name, _)| name == key);
        member.map(|(_, value)| value)
    }

    /// The member of an object for editing, or `None` if there is none or this is no object.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value<'a>> {
        let Self::Object(members) = self else {
            return None;
        };
        let member = members.iter_mut().find(|(name, _)| name == key);
        member.map(|(_, value)| value)
    }

    /// The elements of an array; none if this is no array.
    pub fn elements(&self) -> &[Value<'a>] {
        match self {
            Self::Array(elements) => elements,
            _ => &[],
        }
    }

    /// The elements of an array for editing; `None` if this is no array.
    pub fn elements_mut(&mut self) -> Option<&mut Vec<Value<'a>>> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The elements of an array that is a member of this object; none if there is no such array.
    pub fn list(&self, key: &str) -> &[Value<'a>] {
        self.get(key).map_or(&[], Value::elements)
    }

    /// The same for editing.
    pub fn list_mut(&mut self, key: &str) -> &mut [Value<'a>] {
        let list = self.get_mut(key).and_then(Value::elements_mut);
        list.map_or(&mut [], |list| list)
    }

    /// About how much memory a copy of this takes, in units of one number.
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

    /// The members of an object, in order; none if this is no object.
    pub fn members(&self) -> &[(Cow<'a, str>, Value<'a>)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// Keeps only those members of an object whose keys are wanted.
    pub fn retain_members(&mut self, mut wanted: impl FnMut(&str) -> bool) {
        if let Self::Object(members) = self {
            members.retain(|(key, _)| wanted(key));
        }
    }

    /// Sets a member of an object: in its place if the key is there, else at the end. Does nothing to other values.
    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: Value<'a>) {
        let key = key.into();
        match self.get_mut(&key) {
            Some(place) => *place = value,
            None => {
                if let Self::Object(members) = self {
                    members.push((key, value));
                }
            }
        }
    }

    /// Takes a member out of an object; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Value<'a>> {
        let Self::Object(members) = self else {
            return None;
        };
        let at = members.iter().position(|(name, _)| name == key)?;
        Some(members.remove(at).1)
    }

    /// The number nearest to the text; infinite beyond f64. `None` if this is no number.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The number if it is an integer from 0 to 2⁵³, however it is written (`100`, `100.0` and `1e2` are the same
    /// to JSON Schema); else `None`.
    pub fn as_u64(&self) -> Option<u64> {
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        let number = self.as_f64()?;
        let whole = number.trunc() == number && (0.0..=LARGEST).contains(&number);
        whole.then_some(number as u64)
    }

    /// The text of a string; `None` if this is none.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
