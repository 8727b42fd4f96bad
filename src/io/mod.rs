//! The disk: finding inputs, reading files, replacing files.
//!
//! Callers pass paths as the user gave them. They get bytes, and files that are either whole or absent. Paths need not be
//! UTF-8. No other module opens, lists or renames files; the operations themselves are functions of `system`.

#[cfg(feature = "cli")]
mod changes;
mod directory;
mod discover;
mod draft;
#[cfg(feature = "faults")]
#[doc(hidden)]
pub mod faults;
mod file_id;
#[cfg(feature = "cli")]
mod fresh;
mod images;
mod input_list;
mod journal;
mod map;
mod memory_limit;
mod private;
mod read;
mod root;
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod sigbus;
mod sink;
mod spelling;
mod stamp;
#[cfg(feature = "cli")]
mod stream;
mod sync;
mod system;
mod target;

#[cfg(feature = "cli")]
pub use changes::Changes;
pub use directory::{DirectoryLoader, MappingLoader};
pub use discover::{Discovery, Found, Skips, check_glob, discover};
pub use draft::{Destination, Draft};
#[cfg(feature = "cli")]
pub(crate) use file_id::is_one_of;
pub(crate) use file_id::{Directories, FileId, is_missing};
#[cfg(feature = "cli")]
pub(crate) use fresh::write_new_files;
pub(crate) use images::FileSystems;
pub use input_list::{InputList, InputListError, InputListFault};
pub(crate) use journal::Journal;
pub(crate) use map::give_back_memory;
#[cfg(feature = "cli")]
pub(crate) use map::keep_little_memory;
pub(crate) use memory_limit::try_allocate;
pub use memory_limit::{memory_limit, own_memory_limit};
pub use private::PRIVATE;
pub(crate) use private::{private_directory, tag};
pub use read::{MAP_THRESHOLD, MappedFiles, TextLen, read_file, read_traced};
pub use root::{Root, identity};
pub use sink::{Sink, Staged};
#[cfg(feature = "cli")]
pub(crate) use spelling::simplified;
pub use stamp::remove_stale;
pub(crate) use stamp::stamp_of_file;
pub use stamp::{stamp_of, trace_of};
#[cfg(feature = "cli")]
pub(crate) use stream::StreamInput;
#[cfg(feature = "cli")]
pub(crate) use sync::directory_of;
pub use system::Handle;
#[cfg(feature = "cli")]
pub(crate) use system::is_dir;
pub(crate) use system::{exists, is_link, len_for_estimate};
pub use target::Target;

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::base::diag::{Category, Diagnostic};
use crate::base::limits::LONGER_TEXTS;
use crate::base::paths::Slashed;

/// Installs the handler of SIGBUS that maps of files need in case another program shortens the file. The first map
/// installs it too. A SIGBUS that concerns no such map ends the process, even if another process has sent it; without this
/// handler, Rust's runtime ignores the first such signal.
pub fn handle_sigbus() {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    sigbus::handle_sigbus();
}

/// A failed operation on a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} `{}`: {source}", path.slashed())]
pub struct IoError {
    /// The operation, as a verb.
    pub operation: &'static str,
    /// The file or directory that the operation was for.
    pub path: PathBuf,
    /// The error that the system has reported.
    pub source: std::io::Error,
}

impl IoError {
    /// Adds the operation and the file to an error of the system.
    pub fn new(operation: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self {
            operation,
            path: path.into(),
            source,
        }
    }

    /// Returns the error as a finding (FileError) about an input or a directory, with what to do about it.
    pub fn finding(&self) -> Diagnostic {
        let kind = match self.operation {
            "list" => "directory",
            _ => "file",
        };
        let message = format!("cannot {} the {kind}: {}", self.operation, self.source);
        let finding = Diagnostic::without_code(Category::FileError, message);
        let finding = match advice(self.source.kind()) {
            Some(advice) => finding.help(advice),
            None => finding,
        };
        let finding = finding.caused_by(&self.source);
        finding.about_file(&self.path.slashed().to_string())
    }
}

/// Returns what to do about an input that cannot be read.
fn advice(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::PermissionDenied => {
            "let the user who runs this program read it, or name the other inputs one by one"
        }
        ErrorKind::NotFound => {
            "it has been removed or renamed since the run began; start the run again"
        }
        ErrorKind::FileTooLarge => LONGER_TEXTS,
        ErrorKind::StaleNetworkFileHandle => "the file system has lost it; start the run again",
        _ => return None,
    })
}
