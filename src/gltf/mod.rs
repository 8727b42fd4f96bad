//! Skinned glTF: from a checked file to what a bake needs to know.
//!
//! In: the bytes of a `.glb` or `.gltf` file and a loader for what it refers to. Out: plain numbers, every index
//! and length of which has been checked (`model`), views of vertex data where it lies in the file, poses and
//! palettes. This room knows no kernel passes, no disk and no threads.

mod accessor;
mod accessors;
mod buffers;
mod container;
mod cursor;
mod element;
pub mod json;
mod meshopt;
mod model;
mod problem;
mod uri;

pub use model::{Animation, Channel, Interpolation, Node, Property, Skin, Transform, Trs};
