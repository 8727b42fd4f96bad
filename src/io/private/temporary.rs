//! Temporary files.

use std::io;
use std::path::{Path, PathBuf};

use crate::io::system;

/// The path of a temporary file, which may be open or closed. The file is removed when this is dropped.
#[derive(Debug)]
pub(in crate::io) struct Temporary(PathBuf);

impl Temporary {
    /// Takes charge of the file at `path`.
    pub(super) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Renames the file to `place`, where it stays.
    ///
    /// # Errors
    /// If it cannot be renamed; the file is removed when the value that is returned with the error is dropped.
    pub fn persist(mut self, place: &Path) -> Result<(), (io::Error, Self)> {
        match system::rename(&self.0, place) {
            Ok(()) => {
                self.0 = PathBuf::new();
                Ok(())
            }
            Err(error) => Err((error, self)),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = system::remove(&self.0);
        }
    }
}
