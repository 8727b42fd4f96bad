//! The file that a function is about, on the disk or in memory.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use rigy_batch::bake::gltf::MAX_RESOURCE_LEN;
use rigy_batch::base::loader::Motion;
use rigy_batch::base::paths::Slashed;
use rigy_batch::io::bytes_of;
use rigy_batch::{Diagnostic, DirectoryLoader, Loader, Location};

use crate::loader::PythonLoader;

/// A path, or the bytes of a file.
#[derive(FromPyObject)]
pub enum PathOrBytes {
    Bytes(PyBackedBytes),
    Path(PathBuf),
}

/// The file itself.
enum Bytes {
    Read(Vec<u8>),
    Given(PyBackedBytes),
}

/// The bytes of a file, and the loader for the files that it refers to.
pub struct Opened {
    bytes: Bytes,
    pub location: Location,
    pub loader: Box<dyn Loader + Send>,
}

impl PathOrBytes {
    /// Returns the name of the file in messages; `unnamed` for bytes.
    pub fn name(&self, unnamed: &str) -> String {
        match self {
            Self::Bytes(_) => unnamed.to_owned(),
            Self::Path(path) => path.shown(),
        }
    }

    /// Opens the file. References of one on the disk stay inside `root`, by default its own directory; those of bytes are asked
    /// of `loader`.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(
        self,
        name: &str,
        root: Option<&Path>,
        loader: &PythonLoader,
    ) -> Result<Opened, Vec<Diagnostic>> {
        self.open_playing(name, root, loader, &None)
    }

    /// Opens the file as [`open`](Self::open) does, for playing a motion on the disk.
    ///
    /// # Errors
    /// If the file cannot be read, or the motion has no directory.
    pub fn open_playing(
        self,
        name: &str,
        root: Option<&Path>,
        loader: &PythonLoader,
        motion: &Option<Motion>,
    ) -> Result<Opened, Vec<Diagnostic>> {
        let playing = |loader: DirectoryLoader| {
            let loader = loader.playing(motion);
            loader.map_err(|error| vec![error.finding()])
        };
        match self {
            Self::Bytes(bytes) => Ok(Opened {
                bytes: Bytes::Given(bytes),
                location: Location(name.into()),
                loader: match motion {
                    Some(_) => {
                        Box::new(loader.playing(playing(directory_of(Path::new(""), None)?)?))
                    }
                    None => Box::new(loader.clone()),
                },
            }),
            Self::Path(path) => Ok(Opened {
                bytes: Bytes::Read(read(&path, MAX_RESOURCE_LEN)?),
                loader: Box::new(playing(directory_of(&path, root)?)?),
                location: Location(path),
            }),
        }
    }
}

impl Opened {
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Read(bytes) => bytes,
            Bytes::Given(bytes) => bytes,
        }
    }
}

/// Reads a whole file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Vec<Diagnostic>> {
    bytes_of(path, limit).map_err(|error| vec![error.finding()])
}

/// Returns the loader for references of a file, which stay inside `root`, by default the directory of the file.
pub fn directory_of(path: &Path, root: Option<&Path>) -> Result<DirectoryLoader, Vec<Diagnostic>> {
    let root = root.unwrap_or_else(|| path.parent().unwrap_or(Path::new("")));
    DirectoryLoader::new(root).map_err(|error| vec![error.finding()])
}
