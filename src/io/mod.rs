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
#[cfg(debug_assertions)]
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

pub use directory::{DirectoryLoader, check_motion};
pub use discover::{Discovery, Found, Skips, check_glob, discover};
pub use draft::{Destination, Draft};
pub use error::IoError;
pub(crate) use file_id::{Directories, FileId, is_missing};
pub(crate) use images::FileSystems;
pub use input_list::{InputList, InputListError, InputListFault};
pub(crate) use journal::Journal;
pub(crate) use map::give_back_memory;
pub use map::handle_sigbus;
pub(crate) use memory_limit::try_allocate;
pub use memory_limit::{memory_limit, own_memory_limit};
pub use private::PRIVATE;
pub(crate) use private::{private_directory, tag};
pub use read::{
    MAP_THRESHOLD, MappedFiles, TextLen, bytes_of, read_file, read_output, read_traced,
};
pub use root::{Root, identity};
pub use sink::{Sink, Staged};
pub use stamp::remove_stale;
pub(crate) use stamp::stamp_of_file;
pub use stamp::{stamp_of, trace_of};
pub(crate) use sync::directory_of;
pub use system::Handle;
pub(crate) use system::{exists, is_link, len_for_estimate};
pub use target::Target;

#[cfg(feature = "cli")]
pub(crate) use self::{
    changes::Changes, file_id::is_one_of, fresh::write_new_files, map::keep_little_memory,
    spelling::simplified, stream::StreamInput, system::is_dir,
};
