//! The values of the options of a bake.

use serde::Deserialize;

use rigy_export::Format;

rigy_base::choices! {
    /// The form in which the moments of an animation are written.
    #[derive(Default)]
    pub enum FormName {
        /// A file each.
        #[default]
        Frames,
        /// Morph targets of one file.
        Morph,
        /// Meshes of one file.
        Step,
        /// Helper joints of the file itself.
        Skin,
        /// Textures of vertices.
        #[cfg(feature = "cli")]
        Vat,
    }
}

/// A format of another tool, or GLB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct OutputKind(pub Option<Format>);

impl OutputKind {
    /// Returns the names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once("glb").chain(Format::NAMES)
    }
}

impl TryFrom<String> for OutputKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let format = Format::named(&name);
        if format.is_some() || name == "glb" {
            return Ok(Self(format));
        }
        let names: Vec<&str> = Self::names().collect();
        Err(format!("{name:?} is none of {}", names.join(", ")))
    }
}

/// True for numbers that are finite and not negative.
pub fn is_distance(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}
