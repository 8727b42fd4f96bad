//! The mirror: temporary files with the bytes of objects, so that they are read, mapped and checked like other files.
//!
//! The files have numbers for names, so no key of a store names anything on this machine. They lie in a directory that only
//! this user may enter, below the system's directory for temporary files. Those of a run that was killed are removed by the
//! next run of this user.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::objects::Store;
use crate::io::IoError;
use crate::io::private::{Private, Temporary};
use crate::io::system::{self, Handle};

/// Files of the mirror that no input in progress needs are removed when all files together have more than this many bytes.
const MOST: u64 = 256 << 20;
/// Bytes that a file takes on a disk, at least.
const LEAST: u64 = 4096;
/// How often making the directory is tried while other runs remove it.
const ATTEMPTS: u32 = 100;

/// The temporary files of this process.
#[derive(Debug)]
pub(super) struct Mirror {
    // Fields are dropped in this order.
    private: Private,
    directory: OwnDirectory,
    /// Bytes of all files.
    bytes: Arc<AtomicU64>,
    /// The objects whose files may be removed, those that were needed first at the front.
    spare: Mutex<VecDeque<(Weak<Store>, String)>>,
}

/// A file of the mirror, which is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Mirrored {
    file: Temporary,
    size: u64,
    /// Bytes of all files of the mirror.
    all: Arc<AtomicU64>,
}

impl Mirror {
    /// # Errors
    /// If the directory cannot be made, or belongs to another user.
    pub fn new() -> Result<Self, IoError> {
        let mut attempts = 0;
        loop {
            let made = OwnDirectory::make().and_then(|own| Ok((Private::below(&own.0)?, own)));
            match made {
                Ok((private, directory)) => {
                    return Ok(Self {
                        private,
                        directory,
                        bytes: Arc::default(),
                        spare: Mutex::default(),
                    });
                }
                // Another run has ended and removed it.
                Err(error) if is_absence(&error) && attempts < ATTEMPTS => attempts += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// The directory below which private directories of this user lie.
    pub fn directory(&self) -> &Path {
        &self.directory.0
    }

    /// Creates an empty file for the bytes of an object.
    pub fn file(&self) -> io::Result<(Handle, Temporary)> {
        self.private.file()
    }

    /// Takes a file with the `len` bytes of an object.
    pub fn keep(&self, file: Temporary, len: u64) -> Mirrored {
        let (size, all) = (len.max(LEAST), self.bytes.clone());
        all.fetch_add(size, Ordering::Relaxed);
        Mirrored { file, size, all }
    }

    /// Says that no input in progress needs the file of an object, and removes files if there are too many.
    pub fn may_go(&self, store: &Arc<Store>, key: String) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push_back((Arc::downgrade(store), key));
        while self.bytes.load(Ordering::Relaxed) > MOST
            && let Some((store, key)) = spare.pop_front()
        {
            if let Some(store) = store.upgrade() {
                store.forget_bytes(&key);
            }
        }
    }
}

/// The directory of this user for the mirrors of all runs. It is removed, if nothing is left in it, when this is dropped.
#[derive(Debug)]
struct OwnDirectory(PathBuf);

impl Drop for OwnDirectory {
    fn drop(&mut self) {
        let _ = system::remove_dir(&self.0);
    }
}

impl Mirrored {
    /// Opens the file for reading.
    pub fn open(&self) -> io::Result<Handle> {
        system::open(self.file.path())
    }
}

impl Drop for Mirrored {
    fn drop(&mut self) {
        self.all.fetch_sub(self.size, Ordering::Relaxed);
    }
}

impl OwnDirectory {
    /// Makes the directory if it is missing.
    ///
    /// # Errors
    /// If it cannot be made, or if other users may read it or write to it.
    fn make() -> Result<Self, IoError> {
        let path = std::env::temp_dir().join(system::own_directory_name());
        match system::make_own_directory(&path) {
            Ok(()) => Ok(Self(path)),
            Err(error) => Err(IoError::new("use for temporary files", path, error)),
        }
    }
}

fn is_absence(error: &IoError) -> bool {
    error.source.kind() == io::ErrorKind::NotFound
}
