//! Compiles a document: text in, GLBs out.
//!
//! ```text
//! text -> yaml -> parse -> expand -> validate       for the document and all that it imports
//!      -> contracts, anchors, frames                for its instances                          [`check`]
//!      -> tessellate -> skin                        once for each part that is placed          [`Checked::build`]
//!      -> export                                    GLB at rest                                [`Compiled::export`]
//!      -> pose -> kernel -> bake                    GLB of one pose                            [`PosedScene::bake`]
//! ```
//! The earliest stage that fails decides the category of the first error; each stage reports all the errors that it finds.
//! This module uses neither disks nor threads: other files come from [`Files`], and an
//! [`Executor`](rigy_kernel::executor::Executor) of the caller divides large meshes.

mod allowance;
mod assemble;
mod base;
mod checked;
mod compiled;
mod composition;
#[cfg(feature = "cli")]
mod expanded;
mod files;
mod findings;
mod imports;
mod input;
mod materials;
mod posed;
mod size;
mod unit;

pub use allowance::{MAX_EXPANDED_LEN, MAX_FILES, MAX_PATH};
pub use assemble::{BuildError, compile};
pub use base::{Base, DOCUMENTS, Placement, is_document};
pub use checked::{Checked, check, check_reserving};
pub use compiled::Compiled;
#[cfg(feature = "cli")]
pub use expanded::{EXPANDED_BY, expanded};
pub use files::Files;
pub use imports::MAX_DEPTH;
pub use input::{Input, decode};
pub use posed::PosedScene;
pub use unit::format;
