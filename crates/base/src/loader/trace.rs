//! The state of a file at some moment: the system's metadata, and a digest of its bytes.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::Location;

/// The largest file whose bytes are hashed, in bytes.
pub const HASHED: usize = 16 << 20;

/// The coarsest step in which file systems record times: FAT has two seconds, others one.
const COARSE_STEP: Duration = Duration::from_secs(2);

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

impl Stamp {
    /// Returns true if both are stamps of the same file with the same bytes, even if it has been renamed in between.
    pub fn has_bytes_of(&self, other: &Self) -> bool {
        // A rename changes the time of change alone.
        let renamed = Self {
            changed_seconds: other.changed_seconds,
            changed_nanoseconds: other.changed_nanoseconds,
            ..*self
        };
        renamed == *other
    }

    /// Returns true if both are stamps of the same file, changed or not, or if the system does not tell.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.file_number) == (other.device, other.file_number)
    }

    /// Returns true if the file may change after `since` and keep this stamp: a time is a whole second and not clearly older than
    /// `since`, or lies in the future. A time with a fraction of a second comes from a file system whose steps are at most 10 ms; who
    /// reads or writes such a file waits longer than that, or looks at it again.
    pub fn may_hide_change(&self, since: SystemTime) -> bool {
        let now = SystemTime::now();
        self.times().any(|(time, nanoseconds)| {
            (nanoseconds == 0 && time + COARSE_STEP > since) || time > now
        })
    }

    /// Returns true if all times are one whole second, as in images of file systems that are made with fixed times: a file of another
    /// image may have the same stamp.
    pub fn has_fixed_times(&self) -> bool {
        let modified = (self.modified_seconds, self.modified_nanoseconds);
        modified == (self.changed_seconds, 0) && self.changed_nanoseconds == 0
    }

    /// Returns how long ago the file has changed; `None` if all of its times lie in the future.
    pub fn age(&self) -> Option<Duration> {
        let now = SystemTime::now();
        self.times()
            .filter_map(|(time, _)| now.duration_since(time).ok())
            .min()
    }

    /// Returns the times that the system gives, each with its nanoseconds.
    fn times(&self) -> impl Iterator<Item = (SystemTime, i64)> {
        [
            (self.modified_seconds, self.modified_nanoseconds),
            (self.changed_seconds, self.changed_nanoseconds),
        ]
        .into_iter()
        .filter_map(|(seconds, nanoseconds)| {
            let is_given = (seconds, nanoseconds) != (0, 0);
            // Times before 1970 are old, and it does not matter how old.
            let since = Duration::new(seconds.try_into().unwrap_or(0), nanoseconds as u32);
            is_given.then_some((SystemTime::UNIX_EPOCH.checked_add(since)?, nanoseconds))
        })
    }
}

/// The state of a file when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The stamp by which a change is noticed without reading the file.
    #[serde(flatten)]
    pub stamp: Stamp,
    /// The digest of its bytes; `None` for long files, and for those mapped files that need not be read as a whole.
    #[serde(rename = "h")]
    pub hash: Option<Digest>,
}

impl Trace {
    /// Returns the trace of a file that had this stamp and these bytes.
    pub fn new(stamp: Stamp, bytes: &[u8]) -> Self {
        let hash = (bytes.len() <= HASHED).then(|| digest(bytes));
        Self { stamp, hash }
    }
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
