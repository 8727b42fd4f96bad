//! Arguments that lead into packs.

use std::path::Path;

#[cfg(feature = "pack")]
use crate::io::pack::mounted::{self, Mounted};

use super::Fatal;

/// Makes the entries of packs that paths lead into available, until the result is dropped.
///
/// # Errors
/// If a pack cannot be read.
#[cfg(feature = "pack")]
pub fn mount<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Mounted, Fatal> {
    Ok(mounted::mount(paths)?)
}

/// Makes a pack at a path a directory, if there is one, until the result is dropped.
///
/// # Errors
/// If the pack cannot be read.
#[cfg(feature = "pack")]
pub fn mount_at(path: Option<&Path>) -> Result<Option<Mounted>, Fatal> {
    Ok(path.map(mounted::mount_at).transpose()?)
}

/// Does nothing, as `mount`.
#[cfg(not(feature = "pack"))]
pub fn mount_at(_: Option<&Path>) -> Result<impl Sized, Fatal> {
    Ok(())
}

/// Does nothing: without the feature `pack`, no path leads into a pack.
#[cfg(not(feature = "pack"))]
pub fn mount<'p>(_: impl IntoIterator<Item = &'p Path>) -> Result<impl Sized, Fatal> {
    Ok(())
}
