//! The fields of a dataclass, as serde reads them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The value of a field.
#[derive(FromPyObject, Serialize)]
#[serde(untagged)]
enum Given {
    Flag(bool),
    Whole(u32),
    Number(f64),
    Text(String),
    Texts(Vec<String>),
}

/// Reads a dataclass but for the fields in `others`. What serde calls `jointScale` is `joint_scale` there, and `as` is `as_`.
///
/// # Errors
/// TypeError for a value of another type, ValueError for another one that the field does not take.
pub fn read<T: DeserializeOwned>(object: &Bound<'_, PyAny>, others: &[&str]) -> PyResult<T> {
    let dataclasses = object.py().import("dataclasses")?;
    let mut all = Map::new();
    for field in dataclasses.call_method1("fields", (object,))?.try_iter()? {
        let name: String = field?.getattr("name")?.extract()?;
        if others.contains(&&*name) {
            continue;
        }
        let value: Option<Given> = object.getattr(&*name)?.extract()?;
        if matches!(value, Some(Given::Number(number)) if !number.is_finite()) {
            return Err(PyValueError::new_err(format!("{name} is not finite")));
        }
        let (key, value) = (in_camel_case(&name), json!(value));
        // Alone, so that an error is about this field.
        let alone = T::deserialize(json!({ &key: value }));
        alone.map_err(|error| refused(&format!("{name}: {error}")))?;
        all.insert(key, value);
    }
    T::deserialize(Value::Object(all)).map_err(|error| refused(&error.to_string()))
}

fn in_camel_case(name: &str) -> String {
    let words = name.split('_').enumerate();
    let word = |(index, word): (usize, &str)| match word.get(..1) {
        Some(initial) if index > 0 => initial.to_ascii_uppercase() + &word[1..],
        _ => word.to_owned(),
    };
    words.map(word).collect()
}

fn refused(message: &str) -> PyErr {
    if message.contains(": invalid type: ") {
        return PyTypeError::new_err(message.to_owned());
    }
    PyValueError::new_err(message.to_owned())
}
