//! Inspection of results: a glTF file as triangles in the space of its scene, and what is made of that.
//!
//! In: the bytes of a `.glb` or `.gltf` file. Out: a [`Model`].

mod base_color;
pub mod description;
pub mod difference;
mod joints;
mod material;
mod model;
pub mod moving_bounds;
#[cfg(any(feature = "preview", feature = "viewer"))]
mod nearest;
#[cfg(feature = "viewer")]
mod page;
pub mod palette;
#[cfg(feature = "preview")]
pub mod picture;
mod posed;
#[cfg(feature = "viewer")]
pub mod scene_data;
mod shown;

pub use base_color::{Alpha, BaseColorTexture, Wrap};
pub use difference::first_difference;
pub use material::Material;
pub use model::{Elements, MAX_VERTICES, Model, Surface};
#[cfg(feature = "viewer")]
pub use page::{PAGE_START, scene_script, view_page, viewer_page};
pub use posed::{Evaluation, MAX_POSED, POSED_LIMITS, State, Subject};
