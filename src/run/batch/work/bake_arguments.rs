//! How a command line gives the options of a bake: their parsers.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::bake_values::{OutputKind, is_distance};
use crate::bake::Scale;

/// Parses the value of `--to`.
pub fn output_kind() -> impl TypedValueParser<Value = OutputKind> {
    PossibleValuesParser::new(OutputKind::names()).try_map(OutputKind::try_from)
}

/// Reads a treatment of joint scale. A number was the factor of positions once.
pub fn joint_scale(text: &str) -> Result<Scale, String> {
    Scale::from_str(text, false).map_err(|_| match text.parse::<f64>() {
        Ok(_) => format!("a factor of positions is `--factor {text}`"),
        Err(_) => "it is one of global, local and reject".to_owned(),
    })
}

/// Reads a factor of positions.
pub fn factor(text: &str) -> Result<f64, String> {
    number(text, |factor| factor > 0.0, "it is a factor above 0")
}

/// Reads a distance.
pub fn distance(text: &str) -> Result<f64, String> {
    number(text, is_distance, "not a distance")
}

/// Reads a number of seconds.
pub fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "not a number of seconds")
}

/// Reads a number that is finite and `fits`.
pub fn number(text: &str, fits: fn(f64) -> bool, message: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && fits(*number));
    number.ok_or_else(|| message.into())
}
