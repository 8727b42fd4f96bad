//! Files of other tools: a scene as OBJ, STL, 3MF, PLY or USD, at one moment or over many, or as arrays of all (NPZ, PC2, MDD).
//!
//! In: a [`Model`](rigy_models::mesh::Model) for each moment, and a [`Layout`]. Out: the bytes of a file, and the files that
//! belong beside it. This module uses no disk and no threads.
//!
//! ```text
//! sequence  positions and normals of each moment, laid out and rounded to f32   (sequence, layout)
//! objects   which surfaces form an object, and their names                      (objects, text)
//! textures  images as files beside, and the materials that have them            (images, textures)
//! warn      what a format makes of each property of materials                   (properties)
//! write     the text or the bytes of a format                                   (obj, binary, threemf, usda, arrays, cache)
//! ```
//!
//! ```
//! use rigy_export::{Export, Format, Images, Layout, Sequence};
//! use rigy_models::mesh::{Model, Surface};
//!
//! let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0]];
//! let name = "cloth".to_owned();
//! let surface = Surface { name, positions: corners, triangles: vec![[0, 1, 2]], ..Surface::default() };
//! let model = Model { surfaces: vec![surface], ..Model::default() };
//! let sequence = Sequence::new(model, Layout::default()).expect("its numbers fit");
//! let images = Images::default(); // there are none
//! let export = Export::new(&sequence, "flag", &images).expect("its numbers fit");
//! let mut text = Vec::new();
//! export.write(Format::Obj, &mut text)?;
//! assert!(text.ends_with(b"v 0 0 0\nv 1 0 0\nv 0 0.5 0\ng cloth\nf 1 2 3\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod arrays;
mod binary;
mod cache;
mod format;
mod images;
mod layout;
mod obj;
mod objects;
mod properties;
mod sequence;
mod text;
mod textures;
mod threemf;
mod usda;
#[cfg(feature = "cli")]
pub mod vat;
#[cfg(feature = "cli")]
mod webp;
mod zip;

pub use arrays::{Array, common_arrays};
pub use format::Format;
pub use images::Images;
pub use layout::{Join, Layout, Up};
pub use obj::materials_file_name;
pub use objects::{Beside, Export};
pub use sequence::{Frame, FrameSurface, Sequence, Timing};

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
