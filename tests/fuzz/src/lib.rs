//! What the fuzz targets share: files to begin with, changes that leave a file readable, and whatever the library can
//! do with one.

pub mod archive;
pub mod asked;
pub mod bake;
pub mod documents;
pub mod exercise;
pub mod fixtures;
pub mod framing;
#[path = "../../support/glb.rs"]
mod glb;
pub mod lanes;
pub mod limits;
#[path = "../../gltf_read/made.rs"]
pub mod made;
pub mod mutate;
pub mod numbers;
mod operations;
mod places;
pub mod random;
mod read_back;
#[path = "../../../src/cli/render.rs"]
mod render;
pub mod rich;
pub mod seeds;
pub mod yaml;

// What the files that belong to others call by these names.
use rigy_batch::base;
mod support {
    pub use crate::glb::glb;
}
