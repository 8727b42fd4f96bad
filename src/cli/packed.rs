//! Arguments that lead to packs or into them.

#[cfg(feature = "pack")]
use std::collections::HashMap;
use std::path::{Path, PathBuf};

#[cfg(feature = "pack")]
use crate::base::loader::{Digest, digest};
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

/// The contents of the entries of several packs, by path. Shards may have files in common, such as textures, which are in a pack of each
/// of them.
#[cfg(feature = "pack")]
#[derive(Default)]
pub struct Contents(HashMap<Digest, Option<Digest>>);

#[cfg(feature = "pack")]
impl Contents {
    /// Returns true if an entry with this path was added that has, or may have, other bytes; `sha256` is `None` if it is not known.
    pub fn differ(&self, path: &str, sha256: Option<&str>) -> bool {
        let earlier = self.0.get(&digest(path.as_bytes()));
        earlier.is_some_and(|earlier| earlier.is_none() || *earlier != hash_of(sha256))
    }

    /// Adds an entry.
    pub fn add(&mut self, path: &str, sha256: Option<&str>) {
        self.0.insert(digest(path.as_bytes()), hash_of(sha256));
    }
}

/// Returns a shorter form of a hash.
#[cfg(feature = "pack")]
fn hash_of(sha256: Option<&str>) -> Option<Digest> {
    sha256.map(|text| digest(text.as_bytes()))
}

/// Returns paths with those of entries in the place of those of packs; of the entries, those whose paths `is_wanted` admits.
pub fn expanded(paths: &[PathBuf], is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let expand = |path: &PathBuf| match entries(path) {
        Some(entries) => entries.into_iter().filter(|path| is_wanted(path)).collect(),
        None => vec![path.clone()],
    };
    paths.iter().flat_map(expand).collect()
}
