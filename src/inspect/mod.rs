//! Inspection of results: a glTF file as triangles in the space of its scene, and what is made of that.
//!
//! In: the bytes of a `.glb` or `.gltf` file. Out: a [`Model`].

pub mod difference;
mod model;
pub mod palette;
#[cfg(feature = "preview")]
pub mod picture;
mod posed;

pub use difference::first_difference;
pub use model::{MAX_VERTICES, Material, Model, Surface};
pub use posed::{Evaluation, MAX_POSED, State, Subject};
