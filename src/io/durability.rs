//! What a power cut may take back.
//!
//! Files are renamed when they are whole, so a kill never leaves half of one. A power cut can: the system keeps both
//! bytes and names in memory for a while. Waiting for the disk for each file costs 20 to 50 times the time of writing
//! it, so whoever wants that has to say so.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::IoError;
use super::system;

/// When written files are forced onto the disk.
///
/// Unless that is left to the system, a run on Linux ends with all of the file system of each output root: outputs that
/// are there already were perhaps written by a run that had no such wish, or was killed before its end. Elsewhere
/// those are not waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// When the system sees fit.
    #[default]
    None,
    /// All of them together, once all are written.
    Batch,
    /// Each before it is put in its place, and its directory after.
    File,
}

/// What is still to be forced onto the disk.
#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<BTreeSet<PathBuf>>);

impl Pending {
    /// A file or directory has been put in its place. One directory stands for all that is written to its file system
    /// where there is a call for that; elsewhere files and directories are kept in mind.
    pub fn add(&self, path: &Path) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cfg!(target_os = "linux") {
            list.insert(directory_of(path).to_owned());
        } else {
            list.extend([path.to_owned(), directory_of(path).to_owned()]);
        }
    }

    /// Whatever has been written to the file system of a directory, and by whom, where there is a call for that.
    pub fn add_file_system(&self, directory: &Path) {
        if cfg!(target_os = "linux") {
            let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            list.insert(directory.to_owned());
        }
    }

    /// Forces all of it onto the disk.
    ///
    /// # Errors
    /// The first that cannot be.
    pub fn sync(&self) -> Result<(), IoError> {
        let list = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut done = BTreeSet::new();
        for path in list {
            let failed = |error| IoError::new("sync", &path, error);
            if done.insert(file_system_of(&path).map_err(failed)?) {
                sync_all_like(&path).map_err(failed)?;
            }
        }
        Ok(())
    }
}

/// The directory that a path is an entry of.
pub(super) fn directory_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Forces the entries of a directory onto the disk, where directories can be opened.
pub(super) fn sync_directory(path: &Path) -> Result<(), IoError> {
    if cfg!(unix) {
        let synced = system::open(path).and_then(|directory| directory.sync());
        synced.map_err(|error| IoError::new("sync", path, error))?;
    }
    Ok(())
}

/// Paths of which one stands for all: those of one file system.
#[cfg(target_os = "linux")]
fn file_system_of(path: &Path) -> std::io::Result<u64> {
    system::metadata(path).map(|there| std::os::unix::fs::MetadataExt::dev(&there))
}

#[cfg(not(target_os = "linux"))]
fn file_system_of(path: &Path) -> std::io::Result<PathBuf> {
    Ok(path.to_owned())
}

#[cfg(target_os = "linux")]
fn sync_all_like(path: &Path) -> std::io::Result<()> {
    system::open(path)?.sync_file_system()
}

#[cfg(not(target_os = "linux"))]
fn sync_all_like(path: &Path) -> std::io::Result<()> {
    if !cfg!(unix) && system::is_dir(path) {
        return Ok(());
    }
    system::open(path)?.sync()
}
