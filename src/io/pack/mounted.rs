//! Paths that lead into packs, such as `documents-00000.tar/robot/arm.glb`, for commands that look at files.
//!
//! A command *mounts* the packs that its arguments lead into. From then on the functions of `io::system` that open, resolve
//! or look at a path find entries of these packs, and what the entries refer to, as if each pack were a directory. Entries that
//! are opened are copied to a temporary directory. No other path leads into a pack: a document cannot import from one unless
//! the user has named it.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use super::reader::Pack;
use super::{PackError, PackFormat};
use crate::io::{IoError, identity, system};

static ANY: AtomicBool = AtomicBool::new(false);
static MOUNTS: RwLock<Vec<Mount>> = RwLock::new(Vec::new());

struct Mount {
    /// The path of the pack with links resolved.
    resolved: PathBuf,
    pack: Pack,
    /// The entries that have been copied, and the copies, which are in `copies`.
    known: Mutex<HashMap<String, PathBuf>>,
    copies: tempfile::TempDir,
}

/// A file or directory in a pack.
pub(crate) struct Place {
    /// The copy of the entry, or some directory in the place of a directory.
    pub copy: PathBuf,
    /// The resolved path of the pack, and below it that of the entry.
    pub resolved: PathBuf,
}

/// Packs that are mounted until this is dropped.
#[must_use]
pub(crate) struct Mounted(());

impl Drop for Mounted {
    fn drop(&mut self) {
        ANY.store(false, Ordering::Relaxed);
        let mut mounts = MOUNTS.write().unwrap_or_else(PoisonError::into_inner);
        mounts.clear();
    }
}

/// Mounts the packs that paths lead to or into.
///
/// # Errors
/// If one of them cannot be read.
pub(crate) fn mount<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<Mounted, PackError> {
    let mounted = Mounted(());
    for path in paths {
        let above = path
            .ancestors()
            .filter(|path| PackFormat::of(path).is_some());
        for pack in above {
            let is_file = system::metadata(pack).is_ok_and(|there| there.is_file());
            if is_file {
                add(pack)?;
            }
        }
    }
    Ok(mounted)
}

/// Returns the paths of all entries of the mounted pack at a path; `None` if there is none.
pub(crate) fn entries(path: &Path) -> Option<Vec<PathBuf>> {
    PackFormat::of(path)?;
    let resolved = identity(path);
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    let mount = mounts.iter().find(|mount| mount.resolved == resolved)?;
    let entries = mount.pack.entries().iter();
    Some(entries.map(|entry| path.join(&entry.path)).collect())
}

fn add(path: &Path) -> Result<(), PackError> {
    // Opening files looks at the mounts, so they are not locked meanwhile.
    let copies = tempfile::Builder::new()
        .prefix("rigy-batch-pack-")
        .tempdir();
    let failed = |error| IoError::new("write below", std::env::temp_dir(), error);
    let mount = Mount {
        resolved: identity(path),
        pack: Pack::open(path)?,
        known: Mutex::default(),
        copies: copies.map_err(failed)?,
    };
    let mut mounts = MOUNTS.write().unwrap_or_else(PoisonError::into_inner);
    mounts.push(mount);
    ANY.store(true, Ordering::Relaxed);
    Ok(())
}

/// Returns the place of a path that leads into a mounted pack; `None` for other paths.
pub(crate) fn place(path: &Path) -> Option<io::Result<Place>> {
    if !ANY.load(Ordering::Relaxed) {
        return None;
    }
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    let above = path
        .ancestors()
        .filter(|path| PackFormat::of(path).is_some());
    for pack in above {
        let Ok(resolved) = std::fs::canonicalize(pack) else {
            continue;
        };
        let mount = mounts.iter().find(|mount| mount.resolved == resolved);
        let below = path.strip_prefix(pack).ok().and_then(entry_path);
        if let (Some(mount), Some(below)) = (mount, below) {
            return Some(mount.place(&below));
        }
    }
    None
}

/// Returns a path below a pack as entries have it; `None` if it leads out of the pack or is not UTF-8.
fn entry_path(below: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in below.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(parts.join("/"))
}

impl Mount {
    fn place(&self, below: &str) -> io::Result<Place> {
        let resolved = match below {
            "" => self.resolved.clone(),
            below => self.resolved.join(below),
        };
        let copy = match self.pack.find(below) {
            Some(_) => self.copy(below)?,
            None if self.pack.has_directory(below) => self.copies.path().to_owned(),
            None => {
                let message = "the pack has no such entry";
                return Err(io::Error::new(ErrorKind::NotFound, message));
            }
        };
        Ok(Place { copy, resolved })
    }

    /// Returns the path of the copy of an entry, which is made once.
    fn copy(&self, below: &str) -> io::Result<PathBuf> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(copy) = known.get(below) {
            return Ok(copy.clone());
        }
        let entry = self.pack.find(below).ok_or(ErrorKind::NotFound)?;
        let copy = self.copies.path().join(known.len().to_string());
        let mut file = std::fs::File::create(&copy)?;
        self.pack.copy(entry, &mut file)?;
        known.insert(below.to_owned(), copy.clone());
        Ok(copy)
    }
}
