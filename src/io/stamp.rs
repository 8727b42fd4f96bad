//! Stamps and traces of files on the disk; files that must not exist yet, and files that newer ones have replaced.

use std::ffi::OsStr;
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::IoError;
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

/// Writes files that do not exist yet: all of them, or none.
pub(crate) fn write_new_files(files: &[(PathBuf, String)]) -> Result<(), IoError> {
    for (number, (path, text)) in files.iter().enumerate() {
        if let Err(error) = write_new(path, text) {
            for (made, _) in &files[..number] {
                let _ = system::remove(made);
            }
            return Err(error);
        }
    }
    Ok(())
}

fn write_new(path: &Path, text: &str) -> Result<(), IoError> {
    let mut handle = system::create(path).map_err(|error| IoError::new("create", path, error))?;
    let written = handle.write_all(text.as_bytes());
    written.map_err(|error| {
        let _ = system::remove(path);
        IoError::new("write", path, error)
    })
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
    fn files_that_exist_stay_and_none_is_made() {
        let root = tempfile::tempdir().unwrap();
        let file = |name: &str| (root.path().join(name), format!("new {name}"));
        std::fs::write(root.path().join("b"), "old").unwrap();
        let error = write_new_files(&[file("a"), file("b"), file("c")]).unwrap_err();
        assert!(error.to_string().contains("cannot create"), "{error}");
        assert!(!root.path().join("a").exists() && !root.path().join("c").exists());
        assert_eq!(std::fs::read(root.path().join("b")).unwrap(), b"old");
        write_new_files(&[file("a"), file("c")]).unwrap();
        assert_eq!(std::fs::read(root.path().join("c")).unwrap(), b"new c");
    }

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
