//! The test oracle: a dull, scalar evaluator of Rigy 0.1-0.5 documents.
//!
//! It is written from the published contract alone, shares no code with the library, and judges
//! it byte for byte. A document is taken to be valid: anything else may panic. Composition
//! (imports, instances) is not evaluated. "§" in the comments of these files means a section of
//! the numeric contract (`numerics.md`); sections of `language.md` and `decisions.md` are named.

// Every integration test compiles the whole oracle and calls only the part it needs.
#![allow(dead_code)]

pub mod arithmetic;
pub mod document;
mod export;
pub mod geometry;
mod glb;
pub mod json;
pub mod solvers;
mod symmetry;
pub mod tessellate;
pub mod weights;
mod yaml;

#[cfg(test)]
mod edges;
#[cfg(test)]
mod worked;
#[cfg(test)]
mod worked_skinning;

/// The ordinary GLB of a document: rest pose, skins kept.
///
/// `read_weights` gets the `source` text of a weight map as authored and returns the file's bytes.
pub fn compile(text: &str, read_weights: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    export::export(&document::read(text), None, read_weights)
}

/// The baked GLB of one pose: posed geometry, no skins. A duplicated pose id means the first.
pub fn bake(text: &str, pose_id: &str, read_weights: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let document = document::read(text);
    let pose = document.poses.iter().find(|pose| pose.id == pose_id);
    let pose = pose.unwrap_or_else(|| panic!("no pose {pose_id:?}"));
    export::export(&document, Some(pose), read_weights)
}

/// The pose ids of a document, in document order.
pub fn pose_ids(text: &str) -> Vec<String> {
    let document = document::read(text);
    document.poses.into_iter().map(|pose| pose.id).collect()
}
