//! Files that must not exist yet.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::IoError;
use super::system;

/// Writes files that do not exist yet: all of them, or none.
pub fn write_new_files(files: &[(PathBuf, String)]) -> Result<(), IoError> {
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
    let mut handle = system::create(path).map_err(IoError::at("create", path))?;
    handle.write_all(text.as_bytes()).map_err(|error| {
        let _ = system::remove(path);
        IoError::new("write", path, error)
    })
}

#[cfg(test)]
mod tests {
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
}
