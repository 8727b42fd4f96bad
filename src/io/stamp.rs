//! Stamps and traces of files on the disk.

use std::io;
use std::path::Path;

use super::read::read_traced;
use super::system::{self, Metadata};
use crate::base::loader::{HASHED, Stamp, Trace};

/// Returns the stamp of the file that a path leads to; links are followed.
///
/// # Errors
/// If the system cannot look at the file.
pub fn stamp_of(path: &Path) -> io::Result<Stamp> {
    system::metadata(path).map(|metadata| stamp_from(&metadata))
}

/// Returns the stamp of the regular file at a path; `None` if there is none, a link included.
pub(crate) fn stamp_of_file(path: &Path) -> Option<Stamp> {
    let there = system::symlink_metadata(path).ok()?;
    there.is_file().then(|| stamp_from(&there))
}

/// Reads the file that a path leads to and returns its trace, which has a hash.
///
/// # Errors
/// If the file cannot be read; `FileTooLarge` if its bytes are too many to be hashed.
pub fn trace_of(path: &Path) -> io::Result<Trace> {
    read_traced(path, HASHED as u64, &mut Vec::new())
}

/// Returns the stamp of a file with this metadata.
pub(super) fn stamp_from(metadata: &Metadata) -> Stamp {
    let stamp = exact(metadata);
    if !system::has_whole_seconds() {
        return stamp;
    }
    Stamp {
        modified_nanoseconds: 0,
        changed_nanoseconds: 0,
        ..stamp
    }
}

#[cfg(unix)]
fn exact(metadata: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    Stamp {
        len: metadata.len(),
        modified_seconds: metadata.mtime(),
        modified_nanoseconds: metadata.mtime_nsec(),
        device: metadata.dev(),
        file_number: metadata.ino(),
        changed_seconds: metadata.ctime(),
        changed_nanoseconds: metadata.ctime_nsec(),
    }
}

#[cfg(not(unix))]
fn exact(metadata: &Metadata) -> Stamp {
    use std::time::SystemTime;
    let modified = metadata.modified().ok();
    let since = modified.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    let since = since.unwrap_or_default();
    Stamp {
        len: metadata.len(),
        modified_seconds: since.as_secs() as i64,
        modified_nanoseconds: i64::from(since.subsec_nanos()),
        device: 0,
        file_number: 0,
        changed_seconds: 0,
        changed_nanoseconds: 0,
    }
}
