//! Tests of inspection: palettes for shaders compared with baked vertices, differences between files, and what files have.

mod diff;
mod difference;
mod difference_page;
mod documents;
mod gltf_files;
mod moving_bounds;
mod palette;
mod palette_command;
mod seams;
mod shader;
mod solvers;
pub use difference::{moved, triangle};
