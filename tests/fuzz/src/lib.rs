//! What the fuzz targets share: files to begin with, changes that leave a file readable, and whatever the library can
//! do with one.

pub mod bake;
pub mod exercise;
pub mod framing;
#[path = "../../gltf_read/made.rs"]
pub mod made;
pub mod mutate;
pub mod random;
pub mod rich;
pub mod seeds;
