//! A result as triangles: a glTF file, or a pose of a document, at one moment, in the space of its scene.
//!
//! In: the bytes of a `.glb` or `.gltf` file, or a [`Subject`] with a [`State`]. Out: a [`Model`], from which pictures, exported files,
//! differences and pages are made.

mod base_color;
mod material;
mod model;
mod posed;
mod shown;

pub use base_color::{Alpha, BaseColorTexture, Wrap};
pub use material::{Material, base_color};
pub use model::{Elements, MAX_VERTICES, Model, Surface, globals, shown_nodes, triangles};
pub use posed::{
    Evaluation, MAX_POSED, POSED_LIMITS, State, Subject, baked_model, memory_of_moment,
};
pub use shown::{Shown, corner_count, sum_of_nodes};
