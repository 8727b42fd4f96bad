//! The values of the options of `bake`, and joint scale for the commands that show what it makes.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::bake::Scale;
use crate::bake::gltf::JointScale;
use crate::run::batch::OutputKind;

/// Parses the value of `--to`.
pub fn output_kind() -> impl TypedValueParser<Value = OutputKind> {
    PossibleValuesParser::new(OutputKind::names()).try_map(OutputKind::try_from)
}

/// Joint scale for the commands that show what `bake` makes of a glTF file.
#[derive(Debug, clap::Args)]
pub struct ShownScale {
    /// Joint scale of a glTF file under dual quaternions: global, local or reject [default: global]
    ///
    /// As for `bake`, so that the result is what `bake` makes with the same option. With `reject`, there are no dual
    /// quaternions where joints scale.
    #[arg(long)]
    pub scale: Option<Scale>,

    /// Joints whose scale alone is local, by name
    ///
    /// As for `bake`: the scale of all other joints reaches everything below them.
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "scale"
    )]
    pub scale_local: Vec<String>,
}

impl ShownScale {
    /// Returns true if an option is given.
    pub fn is_given(&self) -> bool {
        self.scale.is_some() || !self.scale_local.is_empty()
    }

    /// Returns the treatment of joint scale.
    pub fn joint_scale(&self) -> JointScale {
        let scale = self.scale.unwrap_or_default();
        scale.of_joints(&self.scale_local)
    }
}

/// Reads a number that is finite.
pub fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "not a number of seconds")
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
    number(text, |distance| distance >= 0.0, "not a distance")
}

/// Reads a number that is finite and `fits`.
pub fn number(text: &str, fits: fn(f64) -> bool, message: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && fits(*number));
    number.ok_or_else(|| message.into())
}
