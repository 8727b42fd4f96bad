//! The fields of a dataclass, as serde reads them.

use std::vec::IntoIter;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::de::value::{MapAccessDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

/// Reads a dataclass but for the fields in `others`. What serde calls `scaleLocal` is `scale_local` there, and `as` is `as_`.
///
/// # Errors
/// TypeError for a value of another type, ValueError for another one that the field does not take.
pub fn read<T: DeserializeOwned>(object: &Bound<'_, PyAny>, others: &[&str]) -> PyResult<T> {
    let class = object.py().import("dataclasses")?;
    let mut fields = Vec::new();
    for field in class.call_method1("fields", (object,))?.try_iter()? {
        let name: String = field?.getattr("name")?.extract()?;
        if !others.contains(&&*name) {
            let value = object.getattr(&*name)?;
            fields.push((name, value));
        }
    }
    let fields = Fields {
        rest: fields.into_iter(),
        next: None,
    };
    let read = T::deserialize(MapAccessDeserializer::new(fields));
    read.map_err(|refused| match refused {
        Refused::Type(message) => PyTypeError::new_err(message),
        Refused::Value(message) => PyValueError::new_err(message),
    })
}

/// The reason why a value is not taken.
#[derive(Debug)]
enum Refused {
    Type(String),
    Value(String),
}

impl Refused {
    fn at(self, field: &str) -> Self {
        match self {
            Self::Type(message) => Self::Type(format!("{field}: {message}")),
            Self::Value(message) => Self::Value(format!("{field}: {message}")),
        }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Type(message) | Self::Value(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for Refused {}

impl de::Error for Refused {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Value(message.to_string())
    }
}

/// Names and values, from first to last.
struct Fields<'py> {
    rest: IntoIter<(String, Bound<'py, PyAny>)>,
    next: Option<(String, Bound<'py, PyAny>)>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refused> {
        self.next = self.rest.next();
        let Some((name, _)) = &self.next else {
            return Ok(None);
        };
        seed.deserialize(in_camel_case(name).into_deserializer())
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let (name, value) = self.next.take().expect("each key comes before its value");
        let read = seed.deserialize(Value(value));
        read.map_err(|refused| refused.at(&name))
    }
}

fn in_camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words
        .filter(|word| !word.is_empty())
        .fold(first, |name, word| {
            let (initial, rest) = word.split_at(1);
            name + &initial.to_ascii_uppercase() + rest
        })
}

/// A value, which Python converts to the type that is asked for.
struct Value<'py>(Bound<'py, PyAny>);

impl<'py> Value<'py> {
    fn get<T: FromPyObjectOwned<'py>>(&self) -> Result<T, Refused> {
        self.0.extract().map_err(|error| {
            let error: PyErr = error.into();
            Refused::Type(error.value(self.0.py()).to_string())
        })
    }
}

impl IntoDeserializer<'_, Refused> for Value<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_string(self.get()?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_bool(self.get()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_u32(self.get()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_f64(self.get()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        if self.0.is_none() {
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let values: Vec<Bound<'_, PyAny>> = self.get()?;
        visitor.visit_seq(SeqDeserializer::new(values.into_iter().map(Value)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_enum(self.get::<String>()?.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 char str string bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct map struct
        identifier ignored_any
    }
}
