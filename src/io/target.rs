//! The target path of an output, and the comparison of its bytes with the file that is already there.

use crate::io::stamp::{stamp_of, stamp_of_open};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::error::IoError;
use super::spelling::unusable_output;
use super::system::{self, Handle, Metadata};
use rigy_base::loader::Stamp;
use rigy_base::output::WriteAt;

/// The path that an output is written to, and the metadata of the file that is already there.
#[derive(Debug)]
pub struct Target {
    pub(crate) path: PathBuf,
    there: io::Result<Metadata>,
}

/// The number of bytes that are compared at a time.
const CHUNK_LEN: usize = 64 << 10;

impl Target {
    /// Looks at the file at `path`, if there is one. All methods use this one look.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            there: system::symlink_metadata(path),
        }
    }

    /// The target of an output that goes to no file.
    pub fn absent() -> Self {
        Self {
            path: PathBuf::new(),
            there: Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Removes the file.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove(&self) -> Result<(), IoError> {
        system::remove(&self.path).map_err(|error| IoError::new("remove", &self.path, error))
    }

    /// Returns true if there was neither a file nor a directory nor a link at the path.
    pub fn was_missing(&self) -> bool {
        self.there
            .as_ref()
            .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// Opens the existing file if it has the right length, where one is known, and can be read. Returns it with its stamp before any byte is
    /// read.
    fn of_length(&self, len: Option<u64>) -> Option<(Handle, Stamp)> {
        let fits = |there: &Metadata| there.is_file() && len.is_none_or(|len| there.len() == len);
        self.there.as_ref().ok().filter(|there| fits(there))?;
        let file = system::open(&self.path).ok()?;
        let stamp = stamp_of_open(&file).ok()?;
        Some((file, stamp))
    }

    /// Compares the existing file with the bytes that `write` produces, whose number is `len` if that is known. Returns the stamp of
    /// the file if they are equal; `None` if they differ or the file cannot be read.
    pub fn with_content(
        &self,
        len: Option<u64>,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Option<Stamp> {
        let (file, stamp) = self.of_length(len)?;
        let mut comparison = Comparison {
            file: BufReader::new(file),
            buffer: Vec::new(),
        };
        write(&mut comparison).ok()?;
        let rest = comparison.file.fill_buf().ok()?;
        rest.is_empty().then_some(stamp)
    }

    /// Does the same as [`with_content`](Self::with_content) for a `write` that produces the `len` bytes in any order and
    /// returns true if all of them were equal.
    pub fn with_content_at(
        &self,
        len: u64,
        write: impl FnOnce(&dyn WriteAt) -> bool,
    ) -> Option<Stamp> {
        let (file, stamp) = self.of_length(Some(len))?;
        write(&ComparisonAt(&file)).then_some(stamp)
    }

    /// Opens the existing file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(&self) -> Result<Handle, IoError> {
        system::open(&self.path).map_err(|e| IoError::new("read", &self.path, e))
    }

    /// Prepares a temporary file for its rename to this path and returns its stamp. The file gets the mode of the file that
    /// it replaces, and its owner where the system allows that. If it replaces none, it keeps the mode of a new file.
    pub(super) fn ready(&self, file: &Path) -> io::Result<Stamp> {
        let there = self.there.as_ref().ok();
        let ready = match there {
            Some(there) if there.is_file() => system::keep_owner_and_mode(file, there),
            _ => Ok(()),
        };
        ready
            .and_then(|()| stamp_of(file))
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    io::Error::other("another program has removed its temporary file")
                }
                _ => error,
            })
    }

    /// Checks that the target is no directory, pipe or device, and that a file can have its name.
    pub(super) fn check_replaceable(&self) -> Result<(), IoError> {
        if let Some(reason) = unusable_output(&self.path) {
            return Err(IoError::new("write", &self.path, reason));
        }
        let kind = match &self.there {
            Ok(there) if there.is_dir() => io::ErrorKind::IsADirectory.into(),
            Ok(there) if !there.is_file() && !there.is_symlink() => {
                io::Error::other("not a regular file")
            }
            Err(error) if !self.was_missing() => copy_of(error),
            _ => return Ok(()),
        };
        Err(IoError::new("replace", &self.path, kind))
    }
}

/// Creates a directory and those above it that are missing. Returns those that were missing, the uppermost first.
pub fn make(directory: &Path) -> Result<Vec<PathBuf>, IoError> {
    let mut missing: Vec<PathBuf> = directory
        .ancestors()
        .take_while(|place| !place.as_os_str().is_empty() && !system::is_dir(place))
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    for place in &missing {
        match system::create_dir(place) {
            Ok(()) => {}
            Err(_) if system::is_dir(place) => {} // another thread was first
            Err(_) if system::is_link(place) => {
                let error = io::Error::other("it is a link that leads to no directory");
                return Err(IoError::new("create", place, error));
            }
            Err(error) => return Err(IoError::new("create", place, error)),
        }
    }
    Ok(missing)
}

/// Returns a copy of an error.
fn copy_of(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// A writer that compares bytes with those of a file instead of writing them, and fails at the first difference.
struct Comparison {
    file: BufReader<Handle>,
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

/// The same as [`Comparison`] for bytes that several threads write in any order.
struct ComparisonAt<'f>(&'f Handle);

impl WriteAt for ComparisonAt<'_> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut there = vec![0; bytes.len().min(CHUNK_LEN)];
        let mut offset = offset;
        for bytes in bytes.chunks(CHUNK_LEN) {
            let there = &mut there[..bytes.len()];
            self.0.read_exact_at(there, offset)?;
            if there != bytes {
                return Err(io::ErrorKind::InvalidData.into());
            }
            offset += bytes.len() as u64;
        }
        Ok(())
    }
}
