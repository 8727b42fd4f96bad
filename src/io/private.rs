//! The private directory for temporary files, and its cleaning.
//!
//! ```text
//! OUTPUT/.rigy-batch/            made by the first run, removed by a run that leaves it empty
//!     tmp-<process>-<number>/    one for each run that writes here
//!         lock                   locked by the system as long as the run lives; a kill unlocks it
//!         1, 2, …                temporary files
//!     cache                      notes of earlier runs, if any
//!     .gitignore, CACHEDIR.TAG   beside a cache
//! ```
//! A directory `tmp-*` that is not locked belongs to a dead run. The run that finds it first moves it into its own
//! directory and removes it there. A live run that has just made its directory, but not yet locked it, then finds that
//! the directory is gone and makes another. Process numbers only keep names distinct; they do not tell which runs live.

mod own;
mod sweep;
#[cfg(test)]
mod tests;

use crate::io::stamp::stamp_with;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rigy_base::sync::Mutex;

use own::{NUMBER, Own};
use sweep::{LOOSE, LOOSE_END};

use super::error::IoError;
use super::root::or_here;
use super::system::{self, Handle};
pub use sweep::Temporary;
pub use sweep::tag;

/// The name of the private directory below an output root. In a sticky directory, such as `/tmp`, each user has a private
/// directory whose name continues with `-` and the number of the user.
pub const PRIVATE: &str = ".rigy-batch";

/// Returns the path of the private directory below an output root.
pub fn private_directory(root: &Path) -> PathBuf {
    match system::user_apart(root) {
        Some(user) => root.join(format!("{PRIVATE}-{user}")),
        None => root.join(PRIVATE),
    }
}

/// The directory of this run for temporary files. It is removed when dropped.
#[derive(Debug)]
pub struct Private {
    root: PathBuf,
    /// [`PRIVATE`] below the root.
    private: PathBuf,
    own: Mutex<Own>,
    /// The number that names the next temporary file.
    next: AtomicU64,
}

impl Private {
    /// Makes a directory below `root`, which must exist, and removes those of dead runs.
    ///
    /// # Errors
    /// If nothing can be created there, or if something other than a directory is in the place of the private directory.
    pub fn below(root: &Path) -> Result<Self, IoError> {
        let root = or_here(root);
        let private = private_directory(root);
        let own = Own::make(root, &private);
        let own = own.inspect_err(|_| drop(system::remove_dir(&private)))?;
        let made = Self {
            root: root.to_owned(),
            private,
            own: Mutex::new(own),
            next: AtomicU64::new(1),
        };
        made.sweep();
        Ok(made)
    }

    /// Removes the directories of dead runs below `directory`, if it has a private directory.
    pub fn sweep_below(directory: &Path) {
        let is_there = |there: system::Metadata| there.is_dir();
        if system::symlink_metadata(&private_directory(directory)).is_ok_and(is_there) {
            drop(Self::below(directory));
        }
    }

    /// Returns true if the file system records times in whole seconds, as far as the directory of this run tells, or if its clock
    /// is ahead of this machine's.
    pub fn has_coarse_times(&self) -> bool {
        let path = self.own_path();
        let made = system::metadata_for_hint(&path).and_then(|made| stamp_with(&path, &made));
        // The directory is new. If the system does not tell, more outputs than necessary get a hash.
        made.map_or(true, |made| made.may_hide_change(SystemTime::now()))
    }

    /// Checks that temporary files can be renamed into the root: it may be read-only although the private directory is
    /// not, or lie on another file system.
    ///
    /// # Errors
    /// If an empty file cannot be renamed into the root and removed again.
    pub fn check_root(&self) -> Result<(), IoError> {
        let failed = |error| IoError::new("write to", &self.root, error);
        let created = self.file();
        let (_, file) =
            created.map_err(|error| IoError::new("write below", &self.private, error))?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{LOOSE}{}-{number}{LOOSE_END}", std::process::id());
        let place = self.root.join(name);
        file.persist(&place).map_err(|(error, _)| failed(error))?;
        match system::remove(&place) {
            // Another run that sweeps the root may have removed it.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }

    /// Creates a temporary file with the permissions that any new file gets. If the directory of this run has been
    /// removed, it is made again.
    ///
    /// # Errors
    /// If the file or the directory cannot be created.
    pub fn file(&self) -> io::Result<(Handle, Temporary)> {
        let name = self.next_name();
        let own = self.own_path();
        let path = own.join(&name);
        match system::create(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let path = self.own_path_after(&own)?.join(name);
                Ok((system::create(&path)?, Temporary::new(path)))
            }
            created => Ok((created?, Temporary::new(path))),
        }
    }

    /// Returns a name that nothing in the directory of this run has.
    fn next_name(&self) -> String {
        self.next.fetch_add(1, Ordering::Relaxed).to_string()
    }

    fn own_path(&self) -> PathBuf {
        self.own.lock().path.clone()
    }

    /// Returns the directory that replaces the one at `lost`. The first thread that misses that one makes it.
    fn own_path_after(&self, lost: &Path) -> io::Result<PathBuf> {
        let mut own = self.own.lock();
        if own.path == lost {
            let made = Own::make(&self.root, &self.private);
            *own = made.map_err(|error| error.source)?;
        }
        Ok(own.path.clone())
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        self.own.lock().remove();
        // Fails, and the directory stays, if another run or a cache has something in it.
        let _ = system::remove_dir(&self.private);
    }
}
