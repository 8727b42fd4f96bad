//! Estimates of the memory that an input takes, from what is known of it beforehand. For large inputs, where it matters,
//! they are rather too high than too low.

use std::path::Path;

use super::content::IN_MEMORY;
use crate::bake::{MOST_KEPT, Source};
use crate::compile::Checked;
use crate::io::{len_for_estimate, own_memory_limit, try_allocate};
use crate::mesh::{nodes_shown_at_times, size_of_nodes};
use crate::run::batch::outcome::export_error;
use rigy_base::diag::Diagnosed;
use rigy_base::loader::Location;
use rigy_gltf::text_len;

/// Bytes for each joint of each node with a skin: its matrices and its part of a palette (measured: 390).
const JOINT: u64 = 400;
/// Bytes for each frame in memory, besides its vertices.
const FRAME: u64 = 1024;
/// Bytes for each vertex of a frame in memory: position, normal and tangent.
const FRAME_VERTEX: u64 = 40;
/// Bytes that are kept of vertices for each of their bytes in the file.
const KEPT: u64 = 3;
/// Bytes for each vertex and each triangle of a file of another tool: in a scene, and as text.
const EXPORTED_VERTEX: u64 = 400;
/// Bytes for each of them in each frame of a file of several: position and normal, which arrays have twice.
const EXPORTED_FRAME: u64 = 64;
/// Bytes for the smallest input.
const MIN_INPUT: u64 = 128 << 10;
/// Bytes for each byte of YAML: the text itself, its events and tree, and the model that is made from it (measured: 155 for a
/// flow list of short numbers, whose tokens the parser keeps until the list ends, 77 for a list of bones).
const TEXT: u64 = 160;
/// Bytes for each byte of a file other than YAML that a document refers to.
const FILE: u64 = 2;
/// Bytes for each byte of JSON in a glTF file: its tree, read and edited, and the structs made from it (measured: 32).
const JSON: u64 = 36;

/// Checks that `bytes` can be allocated if the process has a limit of its own on memory (`ulimit -v`), because an allocation
/// that fails later ends the process. Without such a limit nothing is checked: the system counts the memory that is really
/// used.
pub fn check_can_allocate(bytes: u64, name: &str) -> Diagnosed<()> {
    let Some(limit) = own_memory_limit() else {
        return Ok(());
    };
    try_allocate(usize::try_from(bytes).unwrap_or(usize::MAX)).map_err(|cause| {
        let message = format!(
            "cannot allocate the memory that this input takes, about {} MiB: the process may have {} MiB",
            bytes >> 20,
            limit >> 20,
        );
        let help = "raise the limit (`ulimit -v`, `ulimit -d`), or use fewer threads (`-j`)";
        vec![export_error(name, message).help(help).caused_by(&cause)]
    })
}

/// Returns the estimate for a document before it is read.
pub fn of_document(path: &Path) -> u64 {
    of_text(len_for_estimate(path))
}

/// Returns the estimate for a document whose text has `len` bytes.
pub fn of_text(len: u64) -> u64 {
    MIN_INPUT.saturating_add(len.saturating_mul(TEXT))
}

/// Returns the estimate for imports whose text has `len` bytes.
pub fn of_imports(len: u64) -> u64 {
    len.saturating_mul(TEXT)
}

/// Returns the estimate for building a checked document and for `files`, the files that this needs, without the text of the
/// document and its imports.
pub fn of_checked(checked: &Checked, files: &[Location]) -> u64 {
    let files: u64 = files.iter().map(|file| checked.len_of(file)).sum();
    checked.memory().saturating_add(files.saturating_mul(FILE))
}

/// Returns the estimate for a glTF file before it is opened.
pub fn of_gltf(path: &Path) -> u64 {
    MIN_INPUT.saturating_add(len_for_estimate(path))
}

/// Returns the estimate for a glTF file from its bytes, before they are parsed.
pub fn of_gltf_bytes(bytes: &[u8]) -> u64 {
    let len = bytes.len() as u64;
    MIN_INPUT + len + text_len(bytes, len).min(len) * JSON
}

/// Returns the estimate for the vertices of `frames` frames in memory: every mesh that a node shows counts for each such node.
pub fn of_frames(source: &Source, frames: usize) -> u64 {
    let file = &source.file;
    let meshes = file.nodes.iter().filter_map(|node| {
        let mesh = &file.meshes[node.mesh?];
        let is_evaluated = node.skin.is_some() || !mesh.weights.is_empty();
        is_evaluated.then_some(mesh)
    });
    let primitives = meshes.flat_map(|mesh| &mesh.primitives);
    let vertices = primitives.map(|primitive| primitive.vertex_count as u64);
    let vertices = vertices.fold(0, u64::saturating_add);
    let frame = vertices.saturating_mul(FRAME_VERTEX).saturating_add(FRAME);
    frame.saturating_mul(frames as u64)
}

/// Returns the estimate for files of other tools, `at_once` of them at the same time: their scenes as f64, and their text; and for
/// the vertices of `frames` frames that one file holds.
pub fn of_exports(source: &Source, at_once: usize, frames: usize) -> u64 {
    let vertex = EXPORTED_VERTEX * at_once as u64 + EXPORTED_FRAME * frames as u64;
    size_of_nodes(&source.file, &nodes_shown_at_times(&source.file)).saturating_mul(vertex)
}

/// Returns the estimate for baking a glTF file, in addition to [`of_gltf_bytes`]: data from other files or unpacked, as far as
/// it exceeds the file itself, vertices if they are kept, palettes, and outputs in memory, `at_once` of them at the same time.
pub fn of_bakes(source: &Source, bytes: &[u8], at_once: usize, keeps_vertices: bool) -> u64 {
    let views = (0..source.file.view_count()).filter_map(|index| source.file.view(index));
    let data: u64 = views.map(|view| view.len() as u64).sum();
    let unpacked = data.saturating_sub(bytes.len() as u64);
    let skins = source.file.nodes.iter().filter_map(|node| node.skin);
    let joints: u64 = skins
        .map(|skin| source.file.skins[skin].joints.len() as u64)
        .sum();
    let most_kept = if keeps_vertices { MOST_KEPT as u64 } else { 0 };
    let kept = data.saturating_mul(KEPT).min(most_kept);
    unpacked + kept + (data.saturating_mul(2).min(IN_MEMORY) + joints * JOINT) * at_once as u64
}
