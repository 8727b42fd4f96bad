//! Protection of outputs against a power cut.
//!
//! Files are renamed when they are whole, so a killed run never leaves a part of one. A power cut may: the system keeps
//! bytes and names in memory for a while before it writes them to the disk. Waiting for the disk for each file takes 20 to
//! 50 times as long as writing the file, so it is done once at the end of a run, and only on request.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rigy_base::sync::Mutex;

use super::error::IoError;
use super::root::or_here;
use super::system;

/// The paths that are still to be forced onto the disk.
#[derive(Debug, Default)]
pub struct Pending(Mutex<BTreeSet<PathBuf>>);

impl Pending {
    /// Adds a file or directory that has been put in its place. On Linux its directory is enough, because one call forces
    /// a whole file system onto the disk; on other systems both paths are kept.
    pub fn add(&self, path: &Path) {
        let mut list = self.0.lock();
        if cfg!(target_os = "linux") {
            list.insert(directory_of(path).to_owned());
        } else {
            list.extend([path.to_owned(), directory_of(path).to_owned()]);
        }
    }

    /// Adds everything that any process has written to the file system of a directory; does nothing except on Linux.
    pub fn add_file_system(&self, directory: &Path) {
        if cfg!(target_os = "linux") {
            let mut list = self.0.lock();
            list.insert(directory.to_owned());
        }
    }

    /// Forces everything that was added onto the disk.
    ///
    /// # Errors
    /// The first path that cannot be forced onto the disk.
    pub fn sync(&self) -> Result<(), IoError> {
        let list = std::mem::take(&mut *self.0.lock());
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

/// Returns the directory that a path is an entry of; `.` for a bare file name.
pub fn directory_of(path: &Path) -> &Path {
    or_here(path.parent().unwrap_or(Path::new("")))
}

/// Returns a value that is equal for paths of which only one needs to be passed to [`sync_all_like`]: the device on Linux,
/// the path itself on other systems.
#[cfg(target_os = "linux")]
fn file_system_of(path: &Path) -> std::io::Result<u64> {
    let there = system::metadata(path)?;
    Ok(std::os::unix::fs::MetadataExt::dev(&there))
}

#[cfg(not(target_os = "linux"))]
fn file_system_of(path: &Path) -> std::io::Result<PathBuf> {
    Ok(path.to_owned())
}

/// Forces a path onto the disk; on Linux, the whole file system that it lies on.
#[cfg(target_os = "linux")]
fn sync_all_like(path: &Path) -> std::io::Result<()> {
    system::open(path)?.sync_file_system()
}

#[cfg(not(target_os = "linux"))]
fn sync_all_like(path: &Path) -> std::io::Result<()> {
    if !cfg!(unix) && system::is_dir(path) {
        return Ok(());
    }
    system::open_to_sync(path)?.sync()
}
