//! What a result shows: pictures, differences, palettes, descriptions, and the data of the viewer's pages.
//!
//! In: glTF files, documents, or a [`Model`](rigy_models::mesh::Model) of one. Out: values that a program prints or writes. No disk, no threads.
//!
//! | module | what it makes |
//! |---|---|
//! | [`description`] | what a file or a document has, as `inspect` prints it |
//! | [`difference`] | where two files differ, as JSON, as triangles or at the first byte |
//! | [`moving_bounds`] | the bounds of animations |
//! | [`solvers`] | how far linear blending is from dual quaternions in animations |
//! | [`palette`] | the transforms of joints at a moment, for shaders |
//! | `picture` | a picture of a model (feature `cli`) |
//! | `scene_data` | the data of the viewer's page (feature `viewer`) |

pub mod description;
pub mod difference;
#[cfg(feature = "viewer")]
mod image_sizes;
#[cfg(feature = "cli")]
mod light;
pub mod moving_bounds;
#[cfg(feature = "viewer")]
mod nearest;
pub mod palette;
#[cfg(feature = "cli")]
pub mod picture;
#[cfg(feature = "viewer")]
pub mod scene_data;
pub mod solvers;

pub use difference::{first_difference, first_other};

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
