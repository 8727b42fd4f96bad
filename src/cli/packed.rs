//! Arguments that lead to packs or into them.

use std::path::{Path, PathBuf};

#[cfg(feature = "pack")]
use crate::io::pack::{
    PackSet,
    mounted::{self, Mounted},
};

use super::Fatal;

/// Makes packs that paths lead to or into directories, until the result is dropped.
///
/// # Errors
/// If a pack cannot be read, or a path is a directory with several packs.
#[cfg(feature = "pack")]
pub fn mount<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Mounted, Fatal> {
    let paths: Vec<&Path> = paths.into_iter().collect();
    if let Some(directory) = paths.iter().find(|path| PackSet::has_list(path)) {
        return Err(format!(
            "`{}` is a directory of packs, which this command does not search; name one of the packs, or unpack them with `rigy-batch unpack`",
            directory.display()
        )
        .into());
    }
    Ok(mounted::mount(paths)?)
}

/// Does nothing: without the feature `pack`, no path leads into a pack.
#[cfg(not(feature = "pack"))]
pub fn mount<'p>(_: impl IntoIterator<Item = &'p Path>) -> Result<impl Sized, Fatal> {
    Ok(())
}

/// Returns the paths of the entries of a pack that [`mount`] has made a directory; `None` if there is none at the path.
pub fn entries(path: &Path) -> Option<Vec<PathBuf>> {
    #[cfg(feature = "pack")]
    return mounted::entries(path);
    #[cfg(not(feature = "pack"))]
    return {
        let _ = path;
        None
    };
}

/// Returns paths with those of entries in the place of those of packs; of the entries, those whose paths `is_wanted` admits.
pub fn expanded(paths: &[PathBuf], is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let expand = |path: &PathBuf| match entries(path) {
        Some(entries) => entries.into_iter().filter(|path| is_wanted(path)).collect(),
        None => vec![path.clone()],
    };
    paths.iter().flat_map(expand).collect()
}
