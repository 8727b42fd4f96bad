//! Removing files that a newer set of files has replaced.

use std::ffi::OsStr;
use std::path::Path;

use super::system;

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
    use super::*;
    use std::fs;

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
