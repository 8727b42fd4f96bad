//! How a stage asks for another file without knowing what a disk is.
//!
//! In: a reference as a document wrote it, and where that document is. Out: bytes. A loader decides what is
//! inside the root; the library's own lives in `io`, tests use a map of strings.

mod recording;
mod trace;

pub use recording::{FileRecord, RecordingLoader};
pub use trace::{Digest, FileRead, Stamp, Trace, digest};

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The bytes of a file, owned or mapped, and what the file was.
pub struct Bytes {
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    /// The state of the file when it was read; `None` if the loader does not record it.
    pub trace: Option<Trace>,
}

impl Bytes {
    /// Bytes of which nothing else is known.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let bytes = Box::new(bytes);
        Self { bytes, trace: None }
    }

    /// The same bytes with the trace of their file.
    #[must_use]
    pub fn traced(self, trace: Trace) -> Self {
        let trace = Some(trace);
        Self { trace, ..self }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }
}

/// Where a loader found a reference to lead. Its meaning is the loader's own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location(pub PathBuf);

impl Location {
    /// The path that a reference in the document here names, links and all.
    pub fn route(&self, reference: &str) -> PathBuf {
        self.0.parent().unwrap_or(Path::new("")).join(reference)
    }
}

/// A reference that leads out of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideRoot;

/// Finds and reads the files that documents refer to.
pub trait Loader: Sync {
    /// Where `reference`, as written in the document at `from`, leads. The file need not exist.
    ///
    /// # Errors
    /// If it leads outside the root. Nothing is read.
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot>;

    /// The bytes there, if they are at most `limit`.
    ///
    /// # Errors
    /// Whatever reading them came to; `FileTooLarge` beyond the limit.
    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes>;

    /// How many bytes are there, if that is known without reading them; zero if not.
    fn len(&self, _location: &Location) -> u64 {
        0
    }

    /// The same for all locations of one file: by it, circular imports are noticed.
    fn identity(&self, location: &Location) -> PathBuf {
        location.0.clone()
    }

    /// What diagnostics call the file there.
    fn name(&self, location: &Location) -> String {
        location.0.display().to_string()
    }
}

impl<L: Loader + ?Sized> Loader for &L {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        (**self).resolve(from, reference)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        (**self).read(location, limit)
    }

    fn len(&self, location: &Location) -> u64 {
        (**self).len(location)
    }

    fn identity(&self, location: &Location) -> PathBuf {
        (**self).identity(location)
    }

    fn name(&self, location: &Location) -> String {
        (**self).name(location)
    }
}

/// The failure to read a file of more than `limit` bytes.
pub(crate) fn too_large(len: u64, limit: u64) -> io::Error {
    let message = format!("{len} bytes; the limit is {limit}");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// The path that `reference` names, seen from the directory of the file `from`: `.` and `..` are worked out on
/// paper, without looking at any disk. `None` if it climbs above where it began, or is absolute.
pub fn join(from: &Path, reference: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    let directory = from.parent().unwrap_or(Path::new(""));
    for component in directory.join(reference).components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => path.push(name),
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(path)
}

/// A loader whose files are in memory, named by paths relative to one root.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    /// Contents by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Loader for MemoryLoader {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        join(&from.0, reference).map(Location).ok_or(OutsideRoot)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let name = location.0.to_string_lossy();
        match self.files.get(&*name) {
            Some(bytes) if bytes.len() as u64 > limit => Err(too_large(bytes.len() as u64, limit)),
            Some(bytes) => Ok(Bytes::new(bytes.clone())),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn len(&self, location: &Location) -> u64 {
        let name = location.0.to_string_lossy();
        self.files.get(&*name).map_or(0, |bytes| bytes.len() as u64)
    }
}
