//! Values of options that Python gives as text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rigy_batch::{Code, Limits};
use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, IntoDeserializer};

/// Returns the value of an option that has this name, if there is one.
///
/// # Errors
/// ValueError, with the names of all values.
pub fn optional<T: DeserializeOwned>(option: &str, name: Option<&str>) -> PyResult<Option<T>> {
    let value = name.map(|name| T::deserialize(name.into_deserializer()));
    value
        .transpose()
        .map_err(|error: ValueError| PyValueError::new_err(format!("{option}: {error}")))
}

/// Returns the limits that `limit` sets, in the words of the program's option.
///
/// # Errors
/// ValueError, if they cannot be read.
pub fn limits(limit: Option<&str>) -> PyResult<Limits> {
    let limits = Limits::of(limit.iter().flat_map(|text| text.split(',')));
    limits.map_err(|error| PyValueError::new_err(format!("limit: {error}")))
}

/// Returns the codes of warnings with these names; `all` means all of them.
pub fn warnings(option: &str, argument: Option<OneOrMany>) -> PyResult<Vec<Code>> {
    let mut codes = Vec::new();
    for name in argument.map_or(Vec::new(), names) {
        if name == "all" {
            codes.extend(Code::warnings());
            continue;
        }
        let code = Code::named(&name).filter(|code| code.is_warning());
        let unknown = || PyValueError::new_err(format!("{option}: there is no warning {name:?}"));
        codes.push(code.ok_or_else(unknown)?);
    }
    Ok(codes)
}

/// Returns the names of an argument that is one name or a sequence of them.
pub fn names(argument: OneOrMany) -> Vec<String> {
    match argument {
        OneOrMany::One(name) => vec![name],
        OneOrMany::Many(names) => names,
    }
}

/// A name, or a sequence of names.
#[derive(FromPyObject)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}
