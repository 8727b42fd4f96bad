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

/// The facts by which a file is recognised without reading it. A program that writes to the file, or puts another file in
/// its place, changes the stamp: programs can set the time of modification, but not the time of change.
///
/// Times are seconds since 1970 and the nanoseconds after them. Where the system does not give a fact, it is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Length in bytes.
    #[serde(rename = "l")]
    pub len: u64,
    /// Last change of the bytes: seconds.
    #[serde(rename = "ms")]
    pub modified_seconds: i64,
    /// Last change of the bytes: nanoseconds.
    #[serde(rename = "mn")]
    pub modified_nanoseconds: i64,
    /// The device that holds the file.
    #[serde(rename = "d")]
    pub device: u64,
    /// The number of the file on its device.
    #[serde(rename = "n")]
    pub file_number: u64,
    /// Last change of the bytes, the name, the owner or the permissions: seconds.
    #[serde(rename = "cs")]
    pub changed_seconds: i64,
    /// Last change of the bytes, the name, the owner or the permissions: nanoseconds.
    #[serde(rename = "cn")]
    pub changed_nanoseconds: i64,
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

/// A file from which an output was made, or one that it refers to and that was absent.
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
    /// True if there was no file.
    #[serde(rename = "no", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_absent: bool,
}
