//! Packs: many outputs in few files, for places where each file costs more than its bytes.
//!
//! A *pack* is an archive in the format of tar or zip whose *entries* are stored without compression. Beside it lies its
//! *index*, JSON lines with the place, the length and the SHA-256 of each entry. When all packs of a run are in their
//! places, the *list* of them appears, so packs without a list are those of a run that has not ended. The crates `tar` and
//! `zip` write and read the archives; nothing here knows their headers.
//!
//! ```text
//! DIR/documents-00000.tar            a pack; with shards documents-03-of-16-00000.tar
//! DIR/documents-00000.index.jsonl    its index
//! DIR/documents.packs.json           the list, which is written last
//! ```
//! The order is: the list of an earlier run is removed, then for each pack its index and the pack are renamed to their
//! places, then packs of the earlier run that are left over are removed, then the list appears. A run that is killed
//! therefore leaves no list, or that of the earlier run with all its packs.

mod archive;
mod index;
mod list;
#[cfg(feature = "cli")]
pub(crate) mod mounted;
mod names;
mod open;
mod out;
mod reader;
mod set;
mod walk;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use super::IoError;

pub use index::Entry;
pub use list::{ListedPack, PackList};
pub use names::{NameError, PackName, check_entry_path};
pub use reader::Pack;
pub use set::{PackPlace, PackSet};
pub(crate) use writer::EntryData;
pub use writer::PackSetWriter;

/// The version of indexes and lists that this program writes, and the newest that it reads. A field that goes or gets
/// another meaning makes a new version; a field that is added does not.
pub const PACK_VERSION: u32 = 1;

/// The format of packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PackFormat {
    /// POSIX tar, with GNU's extension for paths of more than 100 bytes.
    Tar,
    /// Zip with stored entries; zip64 where lengths need it.
    Zip,
}

impl PackFormat {
    /// Both formats.
    pub const ALL: [Self; 2] = [Self::Tar, Self::Zip];

    /// Returns the name of the format, which is the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tar => "tar",
            Self::Zip => "zip",
        }
    }

    /// Returns the format of the file with this path, by its extension.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        Self::ALL.into_iter().find(|format| ending == format.name())
    }
}

/// The reason why packs cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// An operation on a file has failed.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A file is not what it should be.
    #[error("`{}`: {fault}", path.display())]
    Faulty {
        /// The pack, index or list.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        fault: String,
    },
    /// The packs of a directory are not those of a whole run.
    #[error("`{}` has no whole set of packs: {fault}", path.display())]
    Incomplete {
        /// The directory.
        path: PathBuf,
        /// What is missing.
        fault: String,
    },
}

/// The failure of the file system, or one that says what is wrong with the pack.
impl From<PackError> for io::Error {
    fn from(error: PackError) -> Self {
        match error {
            PackError::Io(error) => error.source,
            error => Self::new(io::ErrorKind::InvalidData, error.to_string()),
        }
    }
}

impl PackError {
    fn faulty(path: &Path, fault: impl Into<String>) -> Self {
        let (path, fault) = (path.to_owned(), fault.into());
        Self::Faulty { path, fault }
    }
}
