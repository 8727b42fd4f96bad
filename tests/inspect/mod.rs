//! Tests of inspection: palettes for shaders compared with baked vertices, and differences between files.

mod diff;
mod difference;
#[cfg(feature = "viewer")]
mod difference_page;
mod palette;
mod palette_command;
mod shader;
