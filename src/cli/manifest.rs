//! Reading conformance manifests.

use std::path::Path;

use super::Fatal;
use crate::io::{IoError, read_file};
use crate::run::conformance::Manifest;

/// Largest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 64 << 20;

/// Reads a manifest.
///
/// # Errors
/// If it cannot be read, is no manifest, or has no tests.
pub fn read_manifest(path: &Path) -> Result<Manifest, Fatal> {
    let mut bytes = Vec::new();
    read_file(path, MAX_MANIFEST, &mut bytes).map_err(|error| IoError::new("read", path, error))?;
    let shown = path.display();
    let parsed: Result<Manifest, _> = serde_json::from_slice(&bytes);
    let manifest = parsed.map_err(|error| format!("`{shown}` is not a manifest: {error}"))?;
    if manifest.tests.is_empty() {
        return Err(format!("`{shown}` has no tests, so it cannot pass").into());
    }
    Ok(manifest)
}
