//! How a command line gives the options of a bake: their parsers, and help that lists formats.

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};

use super::bake_values::{OutputKind, is_distance};
use crate::io::{check_motion, exists};
use rigy_base::loader::Motion;
use rigy_base::short::enumerated;
use rigy_export::Format;

/// Parses the value of `--to`.
pub fn output_kind() -> impl TypedValueParser<Value = OutputKind> {
    PossibleValuesParser::new(OutputKind::names()).try_map(OutputKind::try_from)
}

/// Reads a factor of positions.
pub fn factor(text: &str) -> Result<f64, String> {
    number(text, |factor| factor > 0.0, "it is a factor above 0")
}

/// Reads a distance.
pub fn distance(text: &str) -> Result<f64, String> {
    number(text, is_distance, "not a distance")
}

/// Parses the value of `--motion`.
pub fn motion() -> impl TypedValueParser<Value = Motion> {
    PathBufValueParser::new().try_map(|path| {
        let motion = Motion::new(&path, exists);
        check_motion(&motion).map(|()| motion)
    })
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

/// The help of `--to`, short and long.
pub fn to_help() -> [String; 2] {
    let formats = listed("or", |_| true);
    let short = format!("Format: glb, {formats} [default: as -o, or glb]");
    let long = format!(
        "{short}\n\nVertices stand in the space of the scene. \
         Materials and textures of {} are files beside it: stem.mtl and stem.IMAGE.png. With --frames, usda is one file for each animation, \
         with samples of points over time, and {} are arrays of all moments of an animation, by default at 30 frames a second; the others are one \
         file for each frame. Beside pc2 and mdd, which are point caches, is the mesh that they move: stem.obj.",
        listed("and", Format::has_materials),
        listed("and", Format::is_array)
    );
    [short, long]
}

/// The long help of `--join`.
pub fn join_help() -> String {
    format!(
        "One object for all meshes (all) or one for each node (node) [default: node for 3mf, else all]\n\nFor {}; {} hold one mesh.",
        listed("and", Format::has_objects),
        listed("and", |format| !format.has_objects())
    )
}

/// Names of formats in words.
fn listed(word: &str, is_meant: fn(Format) -> bool) -> String {
    let formats = Format::ALL.into_iter().filter(|format| is_meant(*format));
    enumerated(&formats.map(Format::name).collect::<Vec<_>>(), word)
}
