//! The entry point to the file system: every operation of this crate on a file or directory is a function here, or a
//! method of [`Handle`]. The exceptions are `ignore`, which lists the entries of directories, `notify`, which watches them,
//! and system files in `/proc` and `/sys`.
//!
//! Operations whose failure has an effect call [`planted::pass`] first, where tests make them fail (`io/faults.rs`).

mod handle;
mod operations;
mod planted;
mod sharing;

pub use handle::Handle;
pub use operations::*;
pub use planted::{pass, with_planted_times};
pub use sharing::{keep_owner_and_mode, share_like, user_apart};
pub use std::fs::Metadata;
