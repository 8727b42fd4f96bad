//! The disk: finding inputs, reading files, replacing files.
//!
//! Callers pass paths as the user gave them. They get bytes, and files that are either whole or absent. Paths need not be
//! UTF-8. No other module opens, lists or renames files; the operations themselves are functions of `system`.

#[cfg(feature = "cli")]
mod changes;
mod directory;
mod discover;
mod draft;
mod error;
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
pub use error::IoError;
#[cfg(feature = "cli")]
pub(crate) use file_id::is_one_of;
pub(crate) use file_id::{Directories, FileId, is_missing};
#[cfg(feature = "cli")]
pub(crate) use fresh::write_new_files;
pub(crate) use images::FileSystems;
pub use input_list::{InputList, InputListError, InputListFault};
pub(crate) use journal::Journal;
pub(crate) use map::give_back_memory;
pub use map::handle_sigbus;
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
