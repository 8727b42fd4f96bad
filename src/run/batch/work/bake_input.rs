//! The bytes of a glTF file, and the limits on what it has.

use std::io;
use std::path::Path;

use crate::bake::Source;
use crate::bake::gltf::MAX_RESOURCE_LEN;
use crate::base::diag::{Code, Diagnostic, Span};
use crate::base::limits::Limits;
use crate::base::loader::{Bytes, too_large};
use crate::io::{MappedFiles, TextLen};
use crate::run::batch::options::Options;

/// Returns the bytes of an input: those that are held, or those of the file at its path.
///
/// # Errors
/// As [`MappedFiles::read_or_map`].
pub(crate) fn read(
    path: &Path,
    options: &Options,
    mapped: &MappedFiles,
    map: Option<TextLen>,
) -> io::Result<Bytes> {
    match &options.held_input {
        None => mapped.read_or_map(path, MAX_RESOURCE_LEN, map, None),
        Some(held) if held.as_ref().len() as u64 > MAX_RESOURCE_LEN => {
            Err(too_large(held.as_ref().len() as u64, MAX_RESOURCE_LEN))
        }
        Some(held) => Ok(Bytes::new(held.clone())),
    }
}

/// Checks the limits on joints (U16) and vertices (U17).
///
/// # Errors
/// A diagnostic about the first skin with too many joints, or about the number of vertices.
pub(crate) fn check_limits(limits: &Limits, source: &Source<'_>) -> Result<(), Diagnostic> {
    let fault = |code, message| Err(Diagnostic::new(code, Span::default(), message));
    let joints = source
        .file
        .skins
        .iter()
        .map(|skin| skin.joints.len() as u64);
    if let Some((skin, joints)) = joints.enumerate().find(|(_, count)| *count > limits.joints) {
        let limit = limits.joints;
        let message = format!("skin {skin} has {joints} joints; the limit is {limit}");
        return fault(Code::U16, message);
    }
    let primitives = source.file.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let vertices: u64 = primitives
        .map(|primitive| primitive.vertex_count as u64)
        .sum();
    if vertices > limits.vertices {
        let limit = limits.vertices;
        let message = format!("the meshes have {vertices} vertices; the limit is {limit}");
        return fault(Code::U17, message);
    }
    Ok(())
}
