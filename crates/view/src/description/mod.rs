//! The contents of a file, in figures: a document or a scene ([`of_document`]), or a glTF file ([`of_gltf`]).
//!
//! In: a compiled document, or a checked glTF file. Out: a description that can be written as JSON. Its keys are those of
//! `extensions.md` §11.3 for documents, and those of `docs/src/reference/json.md` for glTF files.

mod checks;
mod document;
mod gltf_file;
mod images;
mod object;
mod placements;
mod rest_bounds;
mod surface_keys;

use serde::Serialize;

pub use checks::Check;
pub use document::{
    DocumentDescription, DocumentOptions, Gap, MAX_PAIRS, Pair, PrimitiveFacts, Summary,
    of_document,
};
pub use gltf_file::{ClipFacts, GltfDescription, MaterialFacts, MeshFacts, SkinFacts, of_gltf};
pub use images::TextureFacts;
pub use object::{DocumentObject, GltfObject};
pub use placements::{InstanceFacts, MAX_PLACED};
pub use rest_bounds::MAX_EFFORT;
pub use surface_keys::{Face, Plane};

use rigy_kernel::math::{Bounds, Vec3};

/// The least and greatest coordinates of some vertices, in model units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Extremes {
    /// The least coordinate of each axis.
    pub min: Vec3,
    /// The greatest coordinate of each axis.
    pub max: Vec3,
}

impl Extremes {
    /// Bounds of a document that has no vertices.
    const NONE: Self = Self {
        min: [0.0; 3],
        max: [0.0; 3],
    };
}

impl From<Bounds> for Extremes {
    fn from(Bounds { min, max }: Bounds) -> Self {
        Self { min, max }
    }
}

/// Returns the bounds of two sets of vertices, of which either may be empty.
fn joined(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.then(&b)),
        (a, b) => a.or(b),
    }
}
