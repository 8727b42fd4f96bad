//! What the system says of a file, and whether it is still what it was.

use std::fs::Metadata;
use std::io;
use std::path::Path;

use super::read::read_traced;
use super::system;
use crate::base::loader::{Stamp, Trace, digest};

impl Stamp {
    /// The stamp of what a path leads to.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn of(path: &Path) -> io::Result<Self> {
        system::metadata(path).map(|metadata| Self::new(&metadata))
    }

    /// Whether it is the stamp of one and the same file with the same bytes, whatever it is called by now.
    pub(crate) fn has_bytes_of(&self, other: &Self) -> bool {
        self.len == other.len && self.identity[..4] == other.identity[..4]
    }

    /// Whether it is the stamp of one and the same file, changed or not.
    #[cfg(feature = "cli")]
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        self.identity[2..4] == other.identity[2..4]
    }

    pub(super) fn new(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            [
                metadata.mtime(),
                metadata.mtime_nsec(),
                metadata.dev() as i64,
                metadata.ino() as i64,
                metadata.ctime(),
                metadata.ctime_nsec(),
            ]
        };
        #[cfg(not(unix))]
        let identity = {
            let modified = metadata.modified().ok();
            let since =
                modified.and_then(|at| at.duration_since(std::time::SystemTime::UNIX_EPOCH).ok());
            let since = since.unwrap_or_default();
            [
                since.as_secs() as i64,
                i64::from(since.subsec_nanos()),
                0,
                0,
                0,
                0,
            ]
        };
        let len = metadata.len();
        Self { len, identity }
    }
}

/// Largest file whose bytes are hashed.
const HASHED: usize = 16 << 20;

impl Trace {
    /// What a file with these bytes was.
    pub(super) fn new(stamp: Stamp, bytes: &[u8]) -> Self {
        let hash = (bytes.len() <= HASHED).then(|| digest(bytes));
        Self { stamp, hash }
    }

    /// The trace of what a path leads to, if that is a file whose bytes are hashed.
    ///
    /// # Errors
    /// Whatever reading it comes to.
    pub fn of(path: &Path) -> io::Result<Self> {
        read_traced(path, HASHED as u64, &mut Vec::new())
    }
}
