//! The values of the options of a bake.

#[cfg(feature = "cli")]
use clap::ValueEnum;
#[cfg(feature = "cli")]
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Deserialize;

#[cfg(feature = "cli")]
use crate::bake::Scale;
use crate::export::Format;

/// The form in which the moments of an animation are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum FormName {
    /// A file each.
    #[default]
    Frames,
    /// Morph targets of one file.
    Morph,
    /// Meshes of one file.
    Step,
    /// Textures of vertices.
    #[cfg(feature = "cli")]
    Vat,
}

/// A format of another tool, or GLB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct OutputKind(pub Option<Format>);

impl OutputKind {
    /// Returns the names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once("glb").chain(Format::ALL.map(Format::name))
    }
}

impl TryFrom<String> for OutputKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let format = Format::ALL.into_iter().find(|format| format.name() == name);
        if format.is_some() || name == "glb" {
            return Ok(Self(format));
        }
        let names: Vec<&str> = Self::names().collect();
        Err(format!("{name:?} is none of {}", names.join(", ")))
    }
}

/// Parses the value of `--to`.
#[cfg(feature = "cli")]
pub fn output_kind() -> impl TypedValueParser<Value = OutputKind> {
    PossibleValuesParser::new(OutputKind::names()).try_map(OutputKind::try_from)
}

/// Reads a treatment of joint scale. A number was the factor of positions once.
#[cfg(feature = "cli")]
pub fn joint_scale(text: &str) -> Result<Scale, String> {
    Scale::from_str(text, false).map_err(|_| match text.parse::<f64>() {
        Ok(_) => format!("a factor of positions is `--factor {text}`"),
        Err(_) => "it is one of global, local and reject".to_owned(),
    })
}

/// Reads a factor of positions.
#[cfg(feature = "cli")]
pub fn factor(text: &str) -> Result<f64, String> {
    number(text, |factor| factor > 0.0, "it is a factor above 0")
}

/// Reads a distance.
#[cfg(feature = "cli")]
pub fn distance(text: &str) -> Result<f64, String> {
    number(text, is_distance, "not a distance")
}

/// Reads a number of seconds.
#[cfg(feature = "cli")]
pub fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "not a number of seconds")
}

/// Reads a number that is finite and `fits`.
#[cfg(feature = "cli")]
pub fn number(text: &str, fits: fn(f64) -> bool, message: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && fits(*number));
    number.ok_or_else(|| message.into())
}

/// True for numbers that are finite and not negative.
pub fn is_distance(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}
