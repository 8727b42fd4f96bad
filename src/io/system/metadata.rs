//! Metadata of files, and of objects of a store.

use std::fs;
use std::io;
use std::time::SystemTime;

/// The metadata of a file, a directory, a link or an object of a store.
#[derive(Clone, Debug)]
pub(in crate::io) enum Metadata {
    /// On a file system.
    Disk(fs::Metadata),
    /// An object.
    #[cfg(feature = "object-store")]
    Object(ObjectStat),
    /// What the keys of objects begin with: the place of a directory.
    #[cfg(feature = "object-store")]
    Prefix,
}

/// What a store says about an object without giving its bytes.
#[cfg(feature = "object-store")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) struct ObjectStat {
    /// Length in bytes.
    pub len: u64,
    /// The time when it was written.
    pub modified: SystemTime,
    /// A digest of the name that the store gives to these bytes of the object (its ETag).
    pub version: u64,
}

impl Metadata {
    /// Returns the metadata of the file system; `None` for what is on a store.
    pub fn on_disk(&self) -> Option<&fs::Metadata> {
        match self {
            Self::Disk(there) => Some(there),
            #[cfg(feature = "object-store")]
            Self::Object(_) | Self::Prefix => None,
        }
    }

    /// Returns the metadata of the file system.
    ///
    /// # Errors
    /// If it is about something on a store.
    #[cfg(unix)]
    pub fn into_disk(self) -> io::Result<fs::Metadata> {
        match self {
            Self::Disk(there) => Ok(there),
            #[cfg(feature = "object-store")]
            Self::Object(_) | Self::Prefix => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns true for a regular file or an object.
    pub fn is_file(&self) -> bool {
        match self {
            Self::Disk(there) => there.is_file(),
            #[cfg(feature = "object-store")]
            Self::Object(_) => true,
            #[cfg(feature = "object-store")]
            Self::Prefix => false,
        }
    }

    /// Returns true for a directory or a prefix of keys.
    pub fn is_dir(&self) -> bool {
        match self {
            Self::Disk(there) => there.is_dir(),
            #[cfg(feature = "object-store")]
            Self::Object(_) => false,
            #[cfg(feature = "object-store")]
            Self::Prefix => true,
        }
    }

    /// Returns true for a link; stores have none.
    pub fn is_symlink(&self) -> bool {
        self.on_disk().is_some_and(fs::Metadata::is_symlink)
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Self::Disk(there) => there.len(),
            #[cfg(feature = "object-store")]
            Self::Object(there) => there.len,
            #[cfg(feature = "object-store")]
            Self::Prefix => 0,
        }
    }

    /// Returns the time of the last change.
    pub fn modified(&self) -> io::Result<SystemTime> {
        match self {
            Self::Disk(there) => there.modified(),
            #[cfg(feature = "object-store")]
            Self::Object(there) => Ok(there.modified),
            #[cfg(feature = "object-store")]
            Self::Prefix => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns the digest of the version of an object; 0 for files.
    pub fn version(&self) -> u64 {
        match self {
            #[cfg(feature = "object-store")]
            Self::Object(there) => there.version,
            _ => 0,
        }
    }
}
