//! Stamps and traces of files on the disk, and files that newer ones have replaced.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::file_id::FileId;
use super::read::read_traced;
use super::system::{self, Handle, Metadata};
use rigy_base::loader::{HASHED, Stamp, Trace};

/// Returns the stamp of the file that a path leads to; links are followed.
///
/// # Errors
/// If the system cannot look at the file.
pub fn stamp_of(path: &Path) -> io::Result<Stamp> {
    stamp_with(path, &system::metadata(path)?)
}

/// Returns the stamp of the file that a path leads to and that has this metadata.
pub fn stamp_with(path: &Path, there: &Metadata) -> io::Result<Stamp> {
    Ok(stamp_from(there, FileId::new(path, there)?))
}

/// Returns the present stamp of an open file.
pub fn stamp_of_open(file: &Handle) -> io::Result<Stamp> {
    stamp_of_open_with(file, &file.metadata()?)
}

/// Returns the stamp of an open file that has this metadata.
pub fn stamp_of_open_with(file: &Handle, there: &Metadata) -> io::Result<Stamp> {
    Ok(stamp_from(there, FileId::of_open(file, there)?))
}

/// Returns the stamp of the regular file at a path; `None` if there is none, a link included.
pub fn stamp_of_file(path: &Path) -> Option<Stamp> {
    let there = system::symlink_metadata(path).ok()?;
    if !there.is_file() {
        return None;
    }
    stamp_with(path, &there).ok()
}

/// Reads the file that a path leads to and returns its trace, which has a hash.
///
/// # Errors
/// If the file cannot be read; `FileTooLarge` if its bytes are too many to be hashed.
pub fn trace_of(path: &Path) -> io::Result<Trace> {
    read_traced(path, HASHED as u64, &mut Vec::new())
}

fn stamp_from(metadata: &Metadata, id: FileId) -> Stamp {
    system::with_planted_times(exact(metadata, id))
}

#[cfg(unix)]
fn exact(metadata: &Metadata, id: FileId) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    Stamp {
        len: metadata.len(),
        modified_seconds: metadata.mtime(),
        modified_nanoseconds: metadata.mtime_nsec(),
        device: id.device,
        file_number: id.number,
        changed_seconds: metadata.ctime(),
        changed_nanoseconds: metadata.ctime_nsec(),
    }
}

#[cfg(not(unix))]
fn exact(metadata: &Metadata, id: FileId) -> Stamp {
    use std::time::SystemTime;
    let since = metadata
        .modified()
        .ok()
        .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok())
        .unwrap_or_default();
    Stamp {
        len: metadata.len(),
        modified_seconds: since.as_secs() as i64,
        modified_nanoseconds: i64::from(since.subsec_nanos()),
        device: id.device,
        file_number: id.number,
        changed_seconds: 0,
        changed_nanoseconds: 0,
    }
}

/// Removes the regular files of a directory whose names `is_stale` accepts, and the directory itself if nothing is left in
/// it. Files that cannot be removed stay, and so does the directory if it cannot be listed.
pub fn remove_stale(directory: &Path, is_stale: impl Fn(&OsStr) -> bool) {
    let Ok(entries) = system::list(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_stale(&entry.file_name()) {
            let _ = system::remove(&entry.path());
        }
    }
    let _ = system::remove_dir(directory); // fails if there is anything in it
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_stale_files_are_removed_and_the_directory_when_it_is_empty() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("d");
        let is_stale = |name: &OsStr| name != "kept";
        remove_stale(&directory, is_stale);
        fs::create_dir_all(directory.join("sub")).unwrap();
        fs::write(directory.join("kept"), "").unwrap();
        fs::write(directory.join("old"), "").unwrap();
        remove_stale(&directory, is_stale);
        assert!(directory.join("kept").exists() && directory.join("sub").exists());
        assert!(!directory.join("old").exists());
        fs::remove_dir(directory.join("sub")).unwrap();
        remove_stale(&directory, |_| true);
        assert!(!directory.exists());
    }
}
