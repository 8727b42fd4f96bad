//! Where an output goes, and whether the right bytes are there already.

use std::fs::Metadata;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::IoError;
use super::system::{self, Handle};
use crate::base::loader::Stamp;
use crate::base::output::WriteAt;

/// Where an output goes, and what stands there already.
#[derive(Debug)]
pub struct Target {
    pub(super) path: PathBuf,
    there: io::Result<Metadata>,
}

/// Bytes that are compared at a time.
const AT_A_TIME: usize = 64 << 10;

impl Target {
    /// Looks at what is there, once for all that is to be known of it.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            there: system::symlink_metadata(path),
        }
    }

    /// The file that is there, if it has the right length and can be read, and what it is before it is.
    fn of_length(&self, len: u64) -> Option<(Handle, Stamp)> {
        let fits = |there: &Metadata| there.is_file() && there.len() == len;
        self.there.as_ref().ok().filter(|there| fits(there))?;
        let file = system::open(&self.path).ok()?;
        let stamp = Stamp::new(&file.metadata().ok()?);
        Some((file, stamp))
    }

    /// What is there, if it is a file with exactly the bytes that `write` produces. One that cannot be read is not.
    pub fn with_content(
        &self,
        len: u64,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Option<Stamp> {
        let (file, stamp) = self.of_length(len)?;
        let mut comparison = Comparison {
            file: BufReader::new(file),
            buffer: Vec::new(),
        };
        write(&mut comparison).ok().map(|()| stamp)
    }

    /// The same for bytes that come in any order; all of them, `len`, must come.
    pub fn with_content_at(
        &self,
        len: u64,
        write: impl FnOnce(&dyn WriteAt) -> bool,
    ) -> Option<Stamp> {
        let (file, stamp) = self.of_length(len)?;
        write(&ComparisonAt(&file)).then_some(stamp)
    }

    /// Opens what is there.
    ///
    /// # Errors
    /// Opening it.
    pub fn open(&self) -> Result<Handle, IoError> {
        system::open(&self.path).map_err(|e| IoError::new("read", &self.path, e))
    }

    /// Makes a temporary file ready to be put here, and gives its stamp: it gets the mode of the file that it replaces, and
    /// its owner where that is allowed. What is new keeps the mode that the process gives to new files.
    pub(super) fn ready(&self, file: &Path) -> io::Result<Stamp> {
        let ready = match &self.there {
            Ok(there) if there.is_file() => system::keep_owner_and_mode(file, there),
            _ => Ok(()),
        };
        let stamp = ready.and_then(|()| Stamp::of(file));
        stamp.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                io::Error::other("another program has removed its temporary file")
            }
            _ => error,
        })
    }

    /// Makes sure that a file can be put here: the directory is there, and no directory stands in the way. Gives the
    /// directories that had to be made, the uppermost first.
    pub(super) fn prepare(&self) -> Result<Vec<PathBuf>, IoError> {
        let made = self.path.parent().map_or(Ok(Vec::new()), make)?;
        let kind = match &self.there {
            Ok(there) if there.is_dir() => io::ErrorKind::IsADirectory.into(),
            Err(error) if error.kind() != io::ErrorKind::NotFound => again(error),
            _ => return Ok(made),
        };
        Err(IoError::new("replace", &self.path, kind))
    }
}

/// Makes a directory and those above it, as far as they are not there. Gives those that were made, the uppermost first.
pub(super) fn make(directory: &Path) -> Result<Vec<PathBuf>, IoError> {
    let is_missing = |place: &&Path| !place.as_os_str().is_empty() && !system::is_dir(place);
    let mut missing: Vec<PathBuf> = directory
        .ancestors()
        .take_while(is_missing)
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    for place in &missing {
        match system::create_dir(place) {
            Ok(()) => {}
            Err(_) if system::is_dir(place) => {} // another thread was first
            Err(error) => return Err(IoError::new("create", place, error)),
        }
    }
    Ok(missing)
}

/// The same error once more.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// A writer that fails at the first byte that differs from a file's.
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

/// The same for bytes that come in any order, and on several threads.
struct ComparisonAt<'f>(&'f Handle);

impl WriteAt for ComparisonAt<'_> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut there = vec![0; bytes.len().min(AT_A_TIME)];
        let mut offset = offset;
        for bytes in bytes.chunks(AT_A_TIME) {
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
