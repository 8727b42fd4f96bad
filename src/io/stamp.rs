//! Making stamps and traces of files, and comparing them.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::read::read_traced;
use super::system::{self, Metadata};
use crate::base::loader::{Stamp, Trace, digest};

/// The coarsest step in which file systems record times: FAT has two seconds, others one.
const COARSE_STEP: Duration = Duration::from_secs(2);

impl Stamp {
    /// Returns the stamp of the file that a path leads to; links are followed.
    ///
    /// # Errors
    /// If the system cannot look at the file.
    pub fn of(path: &Path) -> io::Result<Self> {
        system::metadata(path).map(|metadata| Self::new(&metadata))
    }

    /// Returns the stamp of the regular file at a path; `None` if there is none, a link included.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        let there = system::symlink_metadata(path).ok()?;
        there.is_file().then(|| Self::new(&there))
    }

    /// Returns true if both are stamps of the same file with the same bytes, even if it has been renamed in between.
    pub(crate) fn has_bytes_of(&self, other: &Self) -> bool {
        // A rename changes the time of change alone.
        let renamed = Self {
            changed_seconds: other.changed_seconds,
            changed_nanoseconds: other.changed_nanoseconds,
            ..*self
        };
        renamed == *other
    }

    /// Returns true if both are stamps of the same file, changed or not, or if the system does not tell.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.file_number) == (other.device, other.file_number)
    }

    /// Returns true if the file may change after `since` and keep this stamp: a time is a whole second and not clearly older than
    /// `since`, or lies in the future. A time with a fraction of a second comes from a file system whose steps are at most 10 ms; who
    /// reads or writes such a file waits longer than that, or looks at it again.
    pub(crate) fn may_hide_change(&self, since: SystemTime) -> bool {
        let now = SystemTime::now();
        self.times().any(|(time, nanoseconds)| {
            (nanoseconds == 0 && time + COARSE_STEP > since) || time > now
        })
    }

    /// Returns how long ago the file has changed; `None` if all of its times lie in the future.
    pub(super) fn age(&self) -> Option<Duration> {
        let now = SystemTime::now();
        let ages = self
            .times()
            .filter_map(|(time, _)| now.duration_since(time).ok());
        ages.min()
    }

    /// Returns the times that the system gives, each with its nanoseconds.
    fn times(&self) -> impl Iterator<Item = (SystemTime, i64)> {
        let times = [
            (self.modified_seconds, self.modified_nanoseconds),
            (self.changed_seconds, self.changed_nanoseconds),
        ];
        times.into_iter().filter_map(|(seconds, nanoseconds)| {
            let is_given = (seconds, nanoseconds) != (0, 0);
            // Times before 1970 are old, and it does not matter how old.
            let since = Duration::new(seconds.try_into().unwrap_or(0), nanoseconds as u32);
            is_given.then_some((SystemTime::UNIX_EPOCH.checked_add(since)?, nanoseconds))
        })
    }

    pub(super) fn new(metadata: &Metadata) -> Self {
        let stamp = Self::exact(metadata);
        if !system::has_whole_seconds() {
            return stamp;
        }
        Self {
            modified_nanoseconds: 0,
            changed_nanoseconds: 0,
            ..stamp
        }
    }

    fn exact(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Self {
                len: metadata.len(),
                modified_seconds: metadata.mtime(),
                modified_nanoseconds: metadata.mtime_nsec(),
                device: metadata.dev(),
                file_number: metadata.ino(),
                changed_seconds: metadata.ctime(),
                changed_nanoseconds: metadata.ctime_nsec(),
            }
        }
        #[cfg(not(unix))]
        {
            let modified = metadata.modified().ok();
            let since = modified.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
            let since = since.unwrap_or_default();
            Self {
                len: metadata.len(),
                modified_seconds: since.as_secs() as i64,
                modified_nanoseconds: i64::from(since.subsec_nanos()),
                device: 0,
                file_number: 0,
                changed_seconds: 0,
                changed_nanoseconds: 0,
            }
        }
    }
}

/// The largest file whose bytes are hashed, in bytes.
const HASHED: usize = 16 << 20;

impl Trace {
    /// Returns the trace of a file that had this stamp and these bytes.
    pub(super) fn new(stamp: Stamp, bytes: &[u8]) -> Self {
        let hash = (bytes.len() <= HASHED).then(|| digest(bytes));
        Self { stamp, hash }
    }

    /// Reads the file that a path leads to and returns its trace, which has a hash.
    ///
    /// # Errors
    /// If the file cannot be read; `FileTooLarge` if its bytes are too many to be hashed.
    pub fn of(path: &Path) -> io::Result<Self> {
        read_traced(path, HASHED as u64, &mut Vec::new())
    }
}
