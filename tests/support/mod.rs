//! Helpers that many tests share.

pub mod chance;
pub mod counting;
mod dir;
pub mod files;
pub mod formatted;
mod glb;
pub mod json_schemas;
pub mod made;
mod program;
pub mod second_reader;
pub mod skinned;
mod suites;
mod texts;
pub mod transcript;
pub mod viewer_page;
pub mod yaml_texts;

pub use dir::{Dir, is_cache};
pub use glb::glb;
#[cfg(unix)]
pub use program::send_signal;
pub use program::{
    Arguments, Ran, assert_contains, glb_parts, measured, observed, program, sha256, stderr,
    with_path,
};
pub use suites::{own_manifest, published};
pub use texts::{BAD, PART, USER, document};
