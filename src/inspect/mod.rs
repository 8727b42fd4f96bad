//! Inspection of results: a glTF file as triangles in the space of its scene, and what is made of that.
//!
//! In: the bytes of a `.glb` or `.gltf` file. Out: a [`Model`].

#[cfg(feature = "viewer")]
mod base64;
mod model;
#[cfg(feature = "viewer")]
mod page;
#[cfg(feature = "viewer")]
pub mod scene_data;

pub use model::{MAX_VERTICES, Material, Model, Surface};
#[cfg(feature = "viewer")]
pub use page::view_page;
