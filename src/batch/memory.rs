//! How much memory an input will take, told beforehand from what is known of it. Estimates err on the high side for
//! large inputs, where it matters.

use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::content::IN_MEMORY;
use crate::bake::Source;
use crate::compile::Checked;

/// What even the smallest input takes.
const LEAST: u64 = 128 << 10;
/// Bytes for each byte of YAML: the text itself, its tree, and the model made of it.
const TEXT: u64 = 24;
/// Bytes for each byte of another file that a document refers to.
const FILE: u64 = 2;
/// Bytes for each byte of a glTF file, of which some is JSON and becomes a tree.
const GLTF: u64 = 3;

/// Half of the memory of this machine, or of the container that this runs in.
pub fn half_of_memory() -> u64 {
    let ram = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(ram));
    let limits = system.cgroup_limits();
    let total = limits.map_or(u64::MAX, |limits| limits.total_memory);
    match total.min(system.total_memory()) / 2 {
        0 => 2 << 30, // a system that does not say
        half => half,
    }
}

/// A document before it is read.
pub(super) fn of_text(path: &Path) -> u64 {
    LEAST + len(path) * TEXT
}

/// What a document takes beside its text once it is checked: what is built, and the files that it needs for that.
pub(super) fn of_checked(checked: &Checked<'_>) -> u64 {
    let read = checked.files_read();
    let files: u64 = read.iter().map(|location| len(&location.0)).sum();
    checked.memory().saturating_add(files.saturating_mul(FILE))
}

/// A glTF file before it is read.
pub(super) fn of_gltf(path: &Path) -> u64 {
    LEAST + len(path) * GLTF
}

/// What baking a glTF file takes beside the file: the data it refers to, and outputs that are made in memory, `at_once`
/// at the same time.
pub(super) fn of_bakes(source: &Source<'_>, at_once: usize) -> u64 {
    let views = (0..source.file.view_count()).filter_map(|index| source.file.view(index));
    let data: u64 = views.map(|view| view.len() as u64).sum();
    data.saturating_add((2 * data).min(IN_MEMORY) * at_once as u64)
}

/// Length of a file; what is not there takes nothing, and fails soon.
fn len(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}
