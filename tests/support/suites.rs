//! Places of the conformance suites.

use rigy_batch::base::paths::Slashed;
use std::path::{Path, PathBuf};

pub fn own_manifest() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/manifest.json");
    // The directory has no drive where a test for Windows was compiled elsewhere.
    std::path::absolute(manifest).unwrap()
}

/// A file of the published suites: below `RIGY_SUITE`, or below `../shared`. `None`, with a note, if it is
/// not there.
pub fn published(path: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let root = std::env::var_os("RIGY_SUITE").map_or(beside, PathBuf::from);
    let file = root.join(path);
    if file.exists() {
        return Some(file);
    }
    eprintln!("skipped: there is no {}", file.slashed());
    None
}
