//! A value, its members and elements.

use std::borrow::Cow;

use crate::number::repr;

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

macro_rules! values_of {
    ($($from:ty: $given:ident => $value:expr;)+) => {$(
        impl<'a> From<$from> for Value<'a> {
            fn from($given: $from) -> Self {
                $value
            }
        }
    )+};
}

values_of! {
    bool: given => Self::Bool(given);
    u64: number => Self::Number(number.to_string().into());
    usize: number => (number as u64).into();
    &'a str: text => Self::String(text.into());
    String: text => Self::String(text.into());
    Vec<Value<'a>>: elements => Self::Array(elements);
}

/// Makes an object of members.
pub fn object<'a, const N: usize>(members: [(&'static str, Value<'a>); N]) -> Value<'a> {
    Value::Object(members.map(|(key, value)| (key.into(), value)).into())
}

impl<'a> Value<'a> {
    /// Makes a number with the fewest digits from which it can be read back.
    pub fn number(value: f64) -> Self {
        Self::Number(repr(value).into())
    }

    /// Makes an array of such numbers.
    pub fn numbers(values: &[f64]) -> Self {
        Self::Array(values.iter().map(|value| Self::number(*value)).collect())
    }

    /// Returns a member of an object; `None` if there is none or this is not an object.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        let (_, value) = self.members().iter().find(|(name, _)| name == key)?;
        Some(value)
    }

    /// Returns a member of an object for editing; `None` if there is none or this is not an object.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value<'a>> {
        let Self::Object(members) = self else {
            return None;
        };
        members
            .iter_mut()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
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

    /// Returns the text of a string that is a member of this object; `None` if there is no such string.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Returns the elements of an array that is a member of this object; none if there is no such array.
    pub fn list(&self, key: &str) -> &[Value<'a>] {
        self.get(key).map_or(&[], Value::elements)
    }

    /// Returns an array that is a member of this object, for editing; `None` if there is no such array.
    pub fn array_mut(&mut self, key: &str) -> Option<&mut Vec<Value<'a>>> {
        self.get_mut(key)?.elements_mut()
    }

    /// Returns the elements of an array that is a member of this object, for editing; none if there is no such array.
    pub fn list_mut(&mut self, key: &str) -> &mut [Value<'a>] {
        self.array_mut(key).map_or(&mut [], |list| list)
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
    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: impl Into<Value<'a>>) {
        let key = key.into();
        let value = value.into();
        match self.get_mut(&key) {
            Some(member) => *member = value,
            None => {
                if let Self::Object(members) = self {
                    members.push((key, value));
                }
            }
        }
    }

    /// Appends elements to an array that is a member of this object. If there is no such array, it is made of the elements, if there are any.
    pub fn extend(&mut self, key: &'static str, more: Vec<Value<'a>>) {
        match self.array_mut(key) {
            _ if more.is_empty() => {}
            Some(list) => list.extend(more),
            None => self.set(key, more),
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
            return Some(
                text.bytes()
                    .map(|byte| u64::from(byte - b'0'))
                    .fold(0, |number, digit| 10 * number + digit),
            );
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
