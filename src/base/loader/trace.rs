//! The state of a file at some moment: the system's metadata, and a digest of its bytes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Location;

/// BLAKE3 of some bytes, as four little-endian numbers.
pub type Digest = [u64; 4];

/// Returns the digest of some bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    let hash = blake3::hash(bytes);
    let words = hash.as_bytes().as_chunks::<8>().0;
    std::array::from_fn(|index| u64::from_le_bytes(words[index]))
}

/// The metadata of a file at some moment. Writing to the file, or replacing it by another, changes its stamp, because one
/// of the times cannot be set by programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Length in bytes.
    #[serde(rename = "l")]
    pub len: u64,
    /// Seconds and nanoseconds of the last change to its bytes; which file it is, by its device and number there; and
    /// seconds and nanoseconds of the last change to it, its name or its rights.
    #[serde(rename = "i")]
    pub identity: [i64; 6],
}

/// The state of a file when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The stamp by which a change is noticed without reading the file.
    #[serde(flatten)]
    pub stamp: Stamp,
    /// The digest of its bytes; `None` for mapped files, which are not read as a whole.
    #[serde(rename = "h")]
    pub hash: Option<Digest>,
}

/// A file from which an output was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRead {
    /// Its location.
    #[serde(rename = "at")]
    pub location: Location,
    /// The path by which it was reached, before links were followed.
    #[serde(rename = "by")]
    pub route: PathBuf,
    /// Its state when it was read; `None` if its loader does not record it.
    #[serde(rename = "was")]
    pub trace: Option<Trace>,
}
