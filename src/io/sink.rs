//! Replacing files: a private temporary file first, a rename once it is whole.

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir, TempPath};

use super::IoError;
use super::at::{ComparisonAt, FileAt};
use crate::glb::WriteAt;

/// Name of the directory that temporary files live in, below the output root.
const PRIVATE: &str = ".rigy-batch";

/// A private directory on the file system of the outputs. It is removed when dropped.
#[derive(Debug)]
pub struct Sink {
    directory: Option<TempDir>,
    private: PathBuf,
}

/// Where an output goes, and what stands there already.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    there: io::Result<Metadata>,
}

/// A file that is complete but not yet in its place. Dropped, it disappears.
#[derive(Debug)]
pub struct Staged {
    /// Closed: of many outputs, all are staged before the first is put in its place.
    path: TempPath,
    target: Target,
}

/// A file that grows beside its place. Dropped, it disappears.
#[derive(Debug)]
pub struct Draft {
    file: NamedTempFile,
    target: Target,
}

impl Target {
    /// Looks at what is there, once for all that is to be known of it.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            there: path.symlink_metadata(),
        }
    }

    /// Whether a file with exactly the bytes that `write` produces is there. One that cannot be read has not.
    pub fn has_content(
        &self,
        len: u64,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> bool {
        let fits = |there: &Metadata| there.is_file() && there.len() == len;
        if !self.there.as_ref().is_ok_and(fits) {
            return false;
        }
        let Ok(file) = File::open(&self.path) else {
            return false;
        };
        let mut comparison = Comparison {
            file: BufReader::new(file),
            buffer: Vec::new(),
        };
        write(&mut comparison).is_ok()
    }

    /// The same for bytes that come in any order; all of them, `len`, must come.
    pub fn has_content_at(&self, len: u64, write: impl FnOnce(&dyn WriteAt) -> bool) -> bool {
        let fits = |there: &Metadata| there.is_file() && there.len() == len;
        if !self.there.as_ref().is_ok_and(fits) {
            return false;
        }
        File::open(&self.path).is_ok_and(|file| write(&ComparisonAt(&file)))
    }

    /// Opens what is there.
    ///
    /// # Errors
    /// Opening it.
    pub fn open(&self) -> Result<File, IoError> {
        File::open(&self.path).map_err(|e| IoError::new("read", &self.path, e))
    }

    /// Makes sure that a file can be put here: the directory is there, and no directory stands in the way.
    fn prepare(&self) -> Result<(), IoError> {
        if let Some(parent) = self.path.parent().filter(|parent| !parent.is_dir()) {
            fs::create_dir_all(parent).map_err(|e| IoError::new("create", parent, e))?;
        }
        let kind = match &self.there {
            Ok(there) if there.is_dir() => io::ErrorKind::IsADirectory.into(),
            Err(error) if error.kind() != io::ErrorKind::NotFound => again(error),
            _ => return Ok(()),
        };
        Err(IoError::new("replace", &self.path, kind))
    }
}

/// The same error once more.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}

impl Sink {
    /// Prepares to write below an output root, which is created if need be.
    ///
    /// # Errors
    /// If the root cannot be created or written to.
    pub fn new(root: &Path) -> Result<Self, IoError> {
        let private = root.join(PRIVATE);
        fs::create_dir_all(&private).map_err(|e| IoError::new("create", &private, e))?;
        let prefix = format!("tmp-{}-", std::process::id());
        let directory = Builder::new().prefix(&prefix).tempdir_in(&private);
        let directory = directory.map_err(|e| IoError::new("write below", &private, e))?;
        Ok(Self {
            directory: Some(directory),
            private,
        })
    }

    /// Writes a whole new content for `target` without touching it yet.
    ///
    /// # Errors
    /// Creating or writing the temporary file.
    pub fn stage(
        &self,
        target: Target,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Staged, IoError> {
        let failed = |e| IoError::new("write", &target.path, e);
        let mut file = temporary_file(self.temporary()).map_err(failed)?;
        write(file.as_file_mut()).map_err(failed)?;
        let path = file.into_temp_path();
        Ok(Staged { path, target })
    }

    /// The same for content of `len` bytes that comes in any order. What `write` fails with beside the disk comes back
    /// as it is.
    ///
    /// # Errors
    /// Creating or writing the temporary file, or whatever else `write` comes to.
    pub fn stage_at<T, E>(
        &self,
        target: Target,
        len: u64,
        write: impl FnOnce(&dyn WriteAt) -> Result<T, E>,
    ) -> Result<Result<(Staged, T), E>, IoError> {
        let failed = |e| IoError::new("write", &target.path, e);
        let file = temporary_file(self.temporary()).map_err(failed)?;
        file.as_file().set_len(len).map_err(failed)?;
        let written = write(&FileAt(file.as_file()));
        let path = file.into_temp_path();
        Ok(written.map(|value| (Staged { path, target }, value)))
    }

    /// The directory of temporary files.
    fn temporary(&self) -> &Path {
        let directory = self.directory.as_ref();
        directory.map_or(self.private.as_path(), TempDir::path)
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.directory.take();
        // Stays if another run, or a cache, still has something in it.
        let _ = fs::remove_dir(&self.private);
    }
}

impl Staged {
    /// Makes sure that the file can be put in its place: its directory is there, and no directory stands
    /// where it goes.
    ///
    /// # Errors
    /// Creating the directory, or a directory in the way.
    pub fn prepare(&self) -> Result<(), IoError> {
        self.target.prepare()
    }

    /// Reads the file back.
    ///
    /// # Errors
    /// Opening it.
    pub fn reopen(&self) -> Result<File, IoError> {
        File::open(&self.path).map_err(|e| IoError::new("read", &*self.path, e))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// Renaming.
    pub fn commit(self) -> Result<(), IoError> {
        let target = self.target.path;
        let failed = |e| IoError::new("replace", &target, e);
        match self.path.persist(&target) {
            Ok(()) => Ok(()),
            // The target lies on another file system (a mount inside the tree): go by way of a copy beside it.
            Err(error) if error.error.kind() == io::ErrorKind::CrossesDevices => {
                let beside = target.parent().unwrap_or(Path::new("."));
                let mut copy = temporary_file(beside).map_err(failed)?;
                let mut original = File::open(&error.path).map_err(failed)?;
                io::copy(&mut original, copy.as_file_mut()).map_err(failed)?;
                copy.persist(&target).map(drop).map_err(|e| failed(e.error))
            }
            Err(error) => Err(failed(error.error)),
        }
    }
}

impl Draft {
    /// An empty file that will replace `target`, for content that is written bit by bit.
    ///
    /// # Errors
    /// If no file can be created beside the target.
    pub fn beside(target: &Path) -> Result<Self, IoError> {
        if target.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
            return Err(IoError::new("replace", target, error));
        }
        let parent = target.parent().filter(|path| !path.as_os_str().is_empty());
        let file = temporary_file(parent.unwrap_or(Path::new(".")));
        Ok(Self {
            file: file.map_err(|e| IoError::new("write", target, e))?,
            target: Target::new(target),
        })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// Renaming.
    pub fn commit(self) -> Result<(), IoError> {
        let (path, target) = (self.file.into_temp_path(), self.target);
        Staged { path, target }.commit()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A new file with the permissions any new file would have.
fn temporary_file(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".rigy-batch-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory)
}

/// A writer that fails at the first byte that differs from a file's.
struct Comparison {
    file: BufReader<File>,
    buffer: Vec<u8>,
}

impl Write for Comparison {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.resize(bytes.len(), 0);
        self.file.read_exact(&mut self.buffer)?;
        if self.buffer == bytes {
            Ok(bytes.len())
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("sub/a.glb");
        let sink = Sink::new(root.path()).unwrap();
        let staged = sink
            .stage(Target::new(&target), |out| out.write_all(b"one"))
            .unwrap();
        assert!(!target.exists());
        staged.prepare().unwrap();
        staged.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"one");
        let half = sink.stage(Target::new(&target), |out| {
            out.write_all(b"tw")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(half.unwrap_err().to_string().contains("a.glb"));
        drop(
            sink.stage(Target::new(&target), |out| out.write_all(b"never"))
                .unwrap(),
        );
        assert_eq!(fs::read(&target).unwrap(), b"one");
        assert!(Target::new(&target).has_content(3, |out| out.write_all(b"one")));
        assert!(!Target::new(&target).has_content(3, |out| out.write_all(b"two")));
        assert!(!Target::new(&target).has_content(2, |out| out.write_all(b"on")));
        drop(sink);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
