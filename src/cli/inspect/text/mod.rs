//! Descriptions as text for people: a line about the file, then tables of aligned columns, no wider than the terminal.

mod document;
mod gltf;
mod page;

pub use document::of_document;
pub use gltf::of_gltf;
