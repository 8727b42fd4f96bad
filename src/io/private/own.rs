//! The directory of one run below the private directory: making, locking and removing it.

use crate::io::stamp::{stamp_of_open, stamp_with};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::io::error::IoError;
use crate::io::system::{self, Handle};

/// The number for the name of the next directory of this process.
pub static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The beginning of the names of these directories.
pub const OWN: &str = "tmp-";
/// The file in each of them that is locked.
const LOCK: &str = "lock";
/// The number of attempts to make a directory while other runs are in the way, which is a matter of moments.
const ATTEMPTS: u32 = 20;

/// The directory of this run.
#[derive(Debug)]
pub struct Own {
    /// The path of the directory.
    pub path: PathBuf,
    /// The file that is locked as long as the run lives. `None` on file systems without locks, where no run removes the
    /// directory of another.
    lock: Option<Handle>,
}

impl Own {
    /// Makes and locks a directory below the private directory, which is created if it is missing.
    ///
    /// # Errors
    /// If no directory can be created or locked.
    pub fn make(root: &Path, private: &Path) -> Result<Self, IoError> {
        let failed = |error| IoError::new("write below", private, error);
        let mut last = io::ErrorKind::ResourceBusy.into();
        for attempt in 0..ATTEMPTS {
            std::thread::sleep(Duration::from_millis(u64::from(attempt > 0)));
            ensure(private, root)?;
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = private.join(format!("{OWN}{}-{number}", std::process::id()));
            match system::create_dir(&path) {
                Ok(()) => {}
                // A dead run has left a directory of this name, or another run has just removed the private directory.
                Err(error) if is_in_the_way(&error) => {
                    last = error;
                    continue;
                }
                Err(error) => return Err(failed(error)),
            }
            let lock = match share_and_lock(&path, root) {
                Ok(Some(lock)) => Some(lock),
                Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
                // Another run has found it unlocked and moves it away.
                Ok(None) => continue,
                Err(error) => {
                    let _ = remove_directory(&path);
                    if is_in_the_way(&error) {
                        last = error;
                        continue;
                    }
                    let _ = system::remove_dir(private);
                    return Err(failed(error));
                }
            };
            return Ok(Self { path, lock });
        }
        Err(failed(last))
    }

    /// Removes the directory. If that fails, tries again a few times: another run may be looking into it, and a file
    /// that was closed just now may not be gone yet.
    pub fn remove(&mut self) {
        // The lock is closed first: some file systems (FUSE, NFS) keep a removed file under another name until it is
        // closed, and the directory would not be empty.
        self.lock = None;
        for wait_ms in [0, 1, 4, 16, 64] {
            std::thread::sleep(Duration::from_millis(wait_ms));
            match remove_directory(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {}
                _ => return,
            }
        }
    }
}

/// Creates the private directory if it is missing, and checks that it is a directory. A link in its place is refused,
/// because this program must not clean up the directory that the link leads to.
fn ensure(private: &Path, root: &Path) -> Result<(), IoError> {
    match system::create_dir(private) {
        Ok(()) => match system::share_like(private, root) {
            Err(error) if !is_in_the_way(&error) => {
                return Err(IoError::new("create", private, error));
            }
            _ => return Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(IoError::new("create", private, error)),
    }
    match system::symlink_metadata(private) {
        Ok(there) if !there.is_dir() => {
            let what = if there.is_symlink() {
                "it is a link, not a directory"
            } else {
                "it is not a directory"
            };
            let error = io::Error::new(io::ErrorKind::NotADirectory, what);
            Err(IoError::new("write below", private, error))
        }
        Ok(_) => Ok(()),
        // It has been removed in between, so creating a directory in it fails and is tried again.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(IoError::new("write below", private, error)),
    }
}

/// Removes a run's directory. Usually only the lock is left in it. Removing that first needs no file handle, which matters
/// when the process has run out of them.
fn remove_directory(path: &Path) -> io::Result<()> {
    let _ = system::remove(&path.join(LOCK));
    system::remove_dir(path).or_else(|_| system::remove_tree(path))
}

/// Lets the users who may write in the root also write in a run's directory, and locks the directory as [`lock`] does.
fn share_and_lock(path: &Path, root: &Path) -> io::Result<Option<Handle>> {
    system::share_like(path, root)?;
    let lock = lock(path)?;
    if let Some(lock) = &lock {
        lock.share_like(root)?;
    }
    Ok(lock)
}

/// Locks a run's directory until the handle is closed. Returns `None` if another run has locked it, or has replaced the
/// lock in the meantime.
pub fn lock(path: &Path) -> io::Result<Option<Handle>> {
    let lock = system::open_lock(&path.join(LOCK))?;
    if !lock.try_lock()? {
        return Ok(None);
    }
    let there = system::symlink_metadata(lock.path())?;
    // Where the system does not tell, an open file cannot be removed, nor its directory renamed, so it is still there.
    let is_same = stamp_of_open(&lock)?.is_same_file(&stamp_with(lock.path(), &there)?);
    Ok(is_same.then_some(lock))
}

/// Returns true if an operation has failed because another run has created or removed the file or directory.
fn is_in_the_way(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotFound};
    matches!(error.kind(), AlreadyExists | NotFound)
}
