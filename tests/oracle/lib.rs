//! The test oracle: a plain, scalar evaluator of Rigy documents and of scenes.
//!
//! It is written from the published contract alone, shares no code with the library, and judges
//! it byte for byte. A document is taken to be valid, and so are its parts: anything else may panic,
//! or pass. Contracts are not read. "§" in the comments of these files means a section of the
//! numeric contract (`numerics.md`); sections of `language.md`,
//! `extensions.md` and `decisions.md` are named.

pub mod arithmetic;
pub mod attach;
pub mod composition;
pub mod cube_cases;
pub mod document;
pub mod export;
pub mod expression;
pub mod geometry;
pub mod glb;
pub mod implicit;
pub mod json;
pub mod macros;
pub mod materials;
pub mod paths;
pub mod placement;
pub mod posed;
pub mod preprocess;
pub mod reading;
pub mod rotations;
pub mod scenes;
pub mod solvers;
pub mod soundness;
pub mod symmetry;
pub mod tessellate;
pub mod uv;
pub mod weights;
pub mod yaml;

/// The ordinary GLB of a document: rest pose, skins kept, instances composed.
///
/// `read` gets the path of a weight file or a part, lexically normalised and relative to the
/// directory of the document itself (`parts/wheel.weights.json`), and returns the file's bytes.
pub fn compile(text: &str, read: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    export::export(&reading::read(text), None, read)
}

pub fn compile_scene(text: &str, read: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    scenes::compile(text, read)
}

pub fn bake(text: &str, pose_id: &str, read: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let document = reading::read(text);
    export::export(&document, Some(pose(&document, pose_id)), read)
}

/// The baked meshes of one pose as JSON: output name to normals and positions.
pub fn positions(text: &str, pose_id: &str, read: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let document = reading::read(text);
    posed::positions(&document, pose(&document, pose_id), read)
}

/// A duplicated pose id means the first.
fn pose<'a>(document: &'a document::Document, id: &str) -> &'a document::Pose {
    let found = document.poses.iter().find(|pose| pose.id == id);
    found.unwrap_or_else(|| panic!("no pose {id:?}"))
}

pub fn pose_ids(text: &str) -> Vec<String> {
    let document = reading::read(text);
    document.poses.into_iter().map(|pose| pose.id).collect()
}
