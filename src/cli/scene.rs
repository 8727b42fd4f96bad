//! Reads a document or a glTF file as a scene for the viewer.

use std::path::Path;

use super::inputs::has_gltf_name;
use super::requested::RequestedNames;
use crate::bake::Source;
use crate::compile::{self, Files, Input};
use crate::io::{DirectoryLoader, IoError, bytes_of};
use rigy_base::diag::{Code, Diagnosed, Warned};
use rigy_base::limits::Limits;
use rigy_base::loader::{Location, Motion};
use rigy_base::paths::Slashed;
use rigy_gltf::JointScale;
use rigy_kernel::simd::Isa;
use rigy_view::scene_data::{SCENE_LIMITS, SceneData, document_scene, gltf_scene};

/// The way in which files are read.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The directory that references must stay in.
    pub root: &'a Path,
    /// The longest file that is read, in bytes.
    pub max_file: u64,
    /// The limits on a document.
    pub limits: Limits,
    /// The treatment of joint scale in a glTF file.
    pub scale: &'a JointScale,
    /// Names of joints that a glTF file must have.
    pub required_joints: &'a [String],
    /// Extensions that a glTF file may require although they are not known.
    pub allowed_extensions: &'a [String],
    /// The motion that a glTF file plays in the place of its own animations.
    pub motion: &'a Option<Motion>,
    /// The instruction set that bakes vertices for comparison.
    pub isa: Isa,
}

/// Returns the scene of a file with the warnings about it, or its errors; there are none if a joint is missing, which has been
/// printed. The scene has the name of the file.
///
/// # Errors
/// If the file or the directory of references cannot be read.
pub fn read_scene(path: &Path, reading: &Reading) -> Result<Diagnosed<Warned<SceneData>>, IoError> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let shown = name.to_string_lossy();
    let bytes = bytes_of(path, reading.max_file)?;
    let loader = DirectoryLoader::new(reading.root)?.playing(reading.motion)?;
    let location = Location(crate::io::identity(path));
    if has_gltf_name(path) {
        let allowed = reading.allowed_extensions;
        let source = Source::read_allowing(&bytes, &location, &loader, allowed);
        return Ok(source.and_then(|mut source| {
            source.value.file.meter = reading.limits.meter();
            let mut warnings = source.warnings;
            warnings.extend(source.value.file.check_animations()?);
            // A page may well show a file without a skin.
            warnings.retain(|warning| warning.code != Some(Code::W08));
            if lacks_joints(&source.value, reading.required_joints) {
                return Err(Vec::new());
            }
            let value = gltf_scene(&source.value, &shown, reading.scale, reading.isa)?;
            Ok(Warned { value, warnings })
        }));
    }
    let files = Files::new(loader).within(reading.limits.at_most(SCENE_LIMITS));
    let name = path.shown();
    let input = Input::decoded(&name, location, &bytes);
    let compiled = input.and_then(|input| compile::compile(input, &files));
    Ok(compiled.and_then(|compiled| {
        let value = document_scene(&compiled.value, &shown, reading.isa)?;
        let warnings = compiled.warnings;
        Ok(Warned { value, warnings })
    }))
}

/// Prints the names that no joint of a file has; returns true if there are some.
fn lacks_joints(source: &Source, names: &[String]) -> bool {
    let mut requested = RequestedNames::new(names, "the file has no joint");
    requested.add_input(source.file.joint_names().map(str::to_owned).collect());
    requested.print_missing()
}
