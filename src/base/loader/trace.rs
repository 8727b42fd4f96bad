//! By what a file is known again: what the system says of it, and a digest of its bytes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Location;

/// BLAKE3 of some bytes, as four little-endian numbers.
pub type Digest = [u64; 4];

/// The digest of some bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    let hash = blake3::hash(bytes);
    let words = hash.as_bytes().as_chunks::<8>().0;
    std::array::from_fn(|index| u64::from_le_bytes(words[index]))
}

/// What a file was at some moment: its length, the times of its last changes, one of which nobody can set, and which
/// file it is. Who writes to it, or puts another in its place, changes its stamp.
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

/// What a file was when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// By this it is known without being read.
    #[serde(flatten)]
    pub stamp: Stamp,
    /// The digest of its bytes; `None` for files that are too large to be read just to know.
    #[serde(rename = "h")]
    pub hash: Option<Digest>,
}

/// A file that something was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRead {
    /// Where it is.
    #[serde(rename = "at")]
    pub location: Location,
    /// By which path, links and all, it was reached.
    #[serde(rename = "by")]
    pub route: PathBuf,
    /// What it was, if its loader says so.
    #[serde(rename = "was")]
    pub trace: Option<Trace>,
}
