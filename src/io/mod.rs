//! The disk: finding documents, reading files, replacing files.
//!
//! In: paths as the user gave them. Out: bytes, and files that are either whole or not there. Paths are
//! `OsStr` end to end. Nothing outside this room opens, lists or renames anything.

#[cfg(feature = "cli")]
mod changes;
mod directory;
mod discover;
mod draft;
mod durability;
#[doc(hidden)]
pub mod faults;
mod file_id;
mod journal;
mod map;
mod memory_limit;
mod private;
mod read;
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod sigbus;
mod sink;
mod stamp;
mod system;
mod target;

#[cfg(feature = "cli")]
pub use changes::Changes;
pub use directory::{DirectoryLoader, MappingLoader, identity, locate};
pub use discover::{Discovery, Found, discover};
pub use draft::{Destination, Draft};
pub use durability::Durability;
#[cfg(feature = "cli")]
pub(crate) use file_id::is_one_file;
pub(crate) use file_id::{Directories, FileId, KnownFile, is_missing, is_one_directory};
pub(crate) use journal::Journal;
pub(crate) use map::give_back_memory;
#[cfg(feature = "cli")]
pub(crate) use map::keep_little_memory;
pub use memory_limit::{memory_limit, own_memory_limit};
pub use private::PRIVATE;
pub(crate) use private::private_directory;
pub use read::{MAP_THRESHOLD, MappedFiles, TextLen, read_file, read_traced};
pub use sink::{Sink, Staged};
pub use system::Handle;
pub use target::Target;

use std::path::PathBuf;

/// Handles SIGBUS from now on, as maps of files that others shorten need it (the first map does the same): one that has
/// nothing to do with such a map ends the process, also if another process has sent it, which Rust's runtime overlooks
/// once.
pub fn handle_sigbus() {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    sigbus::handle_sigbus();
}

/// A failed operation on a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} `{}`: {source}", path.display())]
pub struct IoError {
    /// What was being done, as a verb.
    pub operation: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

impl IoError {
    /// Wraps what the system said with what was being done to which file.
    pub fn new(operation: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self {
            operation,
            path: path.into(),
            source,
        }
    }
}
