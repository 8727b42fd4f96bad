//! Loaders: traits by which a stage reads other files without access to a disk.
//!
//! In: a reference, as it is written in a document, and the location of the document. Out: bytes. A loader decides which
//! files are inside the root. `io` has the loader for disks; tests use a map of strings.

mod recording;
mod trace;

pub use recording::{FileRecord, RecordingLoader, ResolvingOnce};
pub use trace::{Digest, FileRead, HASHED, Stamp, Trace, digest};

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::paths::Slashed;
use crate::paths::parent_of;
use serde::{Deserialize, Serialize};

/// The bytes of a file, owned or mapped, and the state of the file when it was read. Clones share the bytes.
#[derive(Clone)]
pub struct Bytes {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// The state of the file when it was read; `None` if the loader does not record it.
    pub trace: Option<Trace>,
}

impl Bytes {
    /// Returns bytes without a trace.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let bytes = Arc::new(bytes);
        Self { bytes, trace: None }
    }

    /// Returns the same bytes with the trace of their file.
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

/// The place to which a loader resolves a reference. Its meaning depends on the loader.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location(pub PathBuf);

impl Location {
    /// Returns the path of a reference in the document at this location, before links are followed.
    pub fn route(&self, reference: &str) -> PathBuf {
        parent_of(&self.0).join(reference)
    }
}

/// A glTF file whose animations others play in the place of their own.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Its place.
    pub location: Location,
    /// The one animation, by name or number; `None` for all.
    pub clip: Option<String>,
}

impl Motion {
    /// Reads `PATH#CLIP`, or `PATH` if that `exists` or has no `#`.
    pub fn new(path: &Path, exists: impl Fn(&Path) -> bool) -> Self {
        let text = path.to_str().filter(|_| !exists(path));
        let (path, clip) = match text.and_then(|text| text.rsplit_once('#')) {
            Some((path, clip)) => (path.into(), Some(clip.to_owned())),
            None => (path.to_owned(), None),
        };
        let location = Location(path);
        Self { location, clip }
    }
}

/// A motion that a file plays in the place of its own animations.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// The name of the file of the motion.
    pub file: String,
    /// The number of nodes that it moves.
    pub nodes: usize,
    /// The number of those that are found in the file that plays it.
    pub found: usize,
    /// The prefixes of names that are left out.
    pub prefixes: Vec<String>,
}

/// The error of a reference that leads out of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutsideRoot;

/// Finds and reads the files that documents refer to.
pub trait Loader: Sync {
    /// Returns the location of `reference`, as it is written in the document at `from`. The file need not exist.
    ///
    /// # Errors
    /// If it leads outside the root. Nothing is read.
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot>;

    /// Returns the same as [`resolve`](Self::resolve), with the [length](Self::len) of the file there.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    fn resolve_with_len(
        &self,
        from: &Location,
        reference: &str,
    ) -> Result<(Location, u64), OutsideRoot> {
        let location = self.resolve(from, reference)?;
        let len = self.len(&location);
        Ok((location, len))
    }

    /// Returns the bytes of the file there, which may be at most `limit`.
    ///
    /// # Errors
    /// The error of reading; `FileTooLarge` beyond the limit.
    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes>;

    /// Returns the length of the file there in bytes; 0 if it is not known without reading.
    fn len(&self, _location: &Location) -> u64 {
        0
    }

    /// Returns the motion that the glTF files play for which the loader is.
    fn motion(&self) -> Option<Motion> {
        None
    }

    /// Returns a path that is the same for all locations of one file. Circular imports are recognised by it.
    fn identity(&self, location: &Location) -> PathBuf {
        location.0.clone()
    }

    /// Returns the name of the file there for diagnostics.
    fn name(&self, location: &Location) -> String {
        location.0.shown()
    }
}

/// Returns true for the error of reading a file that is not there; false if it is there and cannot be read.
pub fn is_absence(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

/// Returns why a file is not there: the reason that a loader gives, such as its spelling, or that there is none.
pub fn absence(error: &io::Error) -> String {
    match error.get_ref() {
        Some(reason) => reason.to_string(),
        None => "there is no such file".into(),
    }
}

/// Returns the sentence that a file is a pointer of Git LFS in the place of what was committed, if its bytes are one.
pub fn git_lfs_pointer(bytes: &[u8]) -> Option<&'static str> {
    let is_pointer = bytes.starts_with(b"version https://git-lfs.github.com/spec/v1");
    is_pointer.then_some("the file is a pointer of Git LFS: `git lfs pull` fetches the file")
}

/// Returns the error of reading a file of `len` bytes, which is more than `limit`.
pub fn too_large(len: u64, limit: u64) -> io::Error {
    let message = format!("{len} bytes; the limit is {limit}");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Returns the path of `reference`, relative to the directory of the file `from`. `.` and `..` are resolved without a look at
/// any disk. Returns `None` if the path leads above its beginning, or is absolute.
pub fn join(from: &Path, reference: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for component in parent_of(from).join(reference).components() {
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
        let name = location.0.shown();
        match self.files.get(&*name) {
            Some(bytes) if bytes.len() as u64 > limit => Err(too_large(bytes.len() as u64, limit)),
            Some(bytes) => Ok(Bytes::new(bytes.clone())),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn len(&self, location: &Location) -> u64 {
        let name = location.0.shown();
        self.files.get(&*name).map_or(0, |bytes| bytes.len() as u64)
    }
}
