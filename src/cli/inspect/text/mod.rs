//! Descriptions as text for people: a line about the file, then tables.

mod document;
mod gltf;

pub use document::of_document;
pub use gltf::of_gltf;
