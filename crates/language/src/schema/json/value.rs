//! JSON values whose keys keep their order.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Bool(bool),
    Whole(usize),
    Real(f64),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Json {
    pub fn object() -> Self {
        Self::Object(Vec::new())
    }

    /// Returns the object with another key. Other values have none, and stay as they are.
    pub fn with(mut self, key: &str, value: impl Into<Self>) -> Self {
        if let Self::Object(entries) = &mut self {
            entries.push((key.to_owned(), value.into()));
        }
        self
    }

    /// Returns the object with all keys of another.
    pub fn and(mut self, other: Self) -> Self {
        if let (Self::Object(entries), Self::Object(others)) = (&mut self, other) {
            entries.extend(others);
        }
        self
    }

    /// Calls a function with every value of the key `$ref`.
    pub fn each_reference(&mut self, change: &mut impl FnMut(&mut String)) {
        match self {
            Self::List(items) => items
                .iter_mut()
                .for_each(|item| item.each_reference(change)),
            Self::Object(entries) => {
                for (key, value) in entries {
                    match value {
                        Self::Text(text) if key == "$ref" => change(text),
                        value => value.each_reference(change),
                    }
                }
            }
            _ => {}
        }
    }
}

/// An object with one member.
pub fn pair(key: &str, value: impl Into<Json>) -> Json {
    Json::object().with(key, value)
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<usize> for Json {
    fn from(value: usize) -> Self {
        Self::Whole(value)
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl From<&[&str]> for Json {
    fn from(items: &[&str]) -> Self {
        items.to_vec().into()
    }
}

impl<const N: usize> From<[&str; N]> for Json {
    fn from(items: [&str; N]) -> Self {
        items.to_vec().into()
    }
}

impl<const N: usize> From<[Self; N]> for Json {
    fn from(items: [Self; N]) -> Self {
        Self::List(items.into())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Whole(value) => serializer.serialize_u64(*value as u64),
            Self::Real(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
