//! JSON values whose keys keep their order.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A JSON value.
#[derive(Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Json {
    /// A scalar, or a list of scalars.
    Plain(Value),
    List(Vec<Self>),
    Object(#[serde(serialize_with = "in_order")] Vec<(String, Self)>),
}

fn in_order<S: Serializer>(entries: &[(String, Json)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
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
                        Self::Plain(Value::String(text)) if key == "$ref" => change(text),
                        value => value.each_reference(change),
                    }
                }
            }
            _ => {}
        }
    }
}

/// A list.
pub fn list(items: impl Into<Vec<Json>>) -> Json {
    Json::List(items.into())
}

/// A schema for which one of some is enough.
pub fn any_of(schemas: impl Into<Vec<Json>>) -> Json {
    let mut schemas = schemas.into();
    match schemas.len() {
        1 => schemas.remove(0),
        _ => pair("anyOf", list(schemas)),
    }
}

/// An object with one member.
pub fn pair(key: &str, value: impl Into<Json>) -> Json {
    Json::object().with(key, value)
}

impl<T: Into<Value>> From<T> for Json {
    fn from(value: T) -> Self {
        Self::Plain(value.into())
    }
}
