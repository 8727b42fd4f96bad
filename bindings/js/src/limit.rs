//! Limits, in the words of the program's option.

use rigy_batch::Limits;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Reads the argument `limit`.
pub fn limits<'de, D: Deserializer<'de>>(from: D) -> Result<Limits, D::Error> {
    let text = String::deserialize(from)?;
    Limits::of(text.split(',')).map_err(|error| Error::custom(format!("limit: {error}")))
}
