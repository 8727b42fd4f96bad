//! The contents of a file, in figures: a document or a scene ([`of_document`]), or a glTF file ([`of_gltf`]).
//!
//! In: a compiled document, or a checked glTF file. Out: a description that can be written as JSON. Its keys are those of
//! `extensions.md` §11.3 for documents, and those of `docs/src/reference/json.md` for glTF files.

mod checks;
mod document;
mod gltf_file;
mod images;
mod normals;
mod object;
mod rest_bounds;

use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_kernel::math::{Bounds, Vec3, column_major, moved};
use rigy_models::compile::Placement;
use serde::Serialize;

pub use checks::{Check, Face, Plane};
pub use document::{
    DocumentDescription, DocumentOptions, Gap, Pair, PrimitiveFacts, Summary, of_document,
};
pub use gltf_file::{
    ClipFacts, GltfDescription, MaterialFacts, MeshFacts, NodeFacts, SkinFacts, of_gltf,
};
pub use images::TextureFacts;
#[cfg(feature = "viewer")]
pub(crate) use images::media_type;
pub use object::{DocumentObject, GltfObject};

/// The least and greatest coordinates of some vertices, in model units.
#[derive(Clone, Copy, Debug, Serialize)]
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

/// The bounds of two sets of vertices, of which either may be empty.
fn joined(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.then(&b)),
        (a, b) => a.or(b),
    }
}

/// An instance, or a part of a scene.
#[derive(Debug, Serialize)]
pub struct InstanceFacts {
    /// Its id.
    pub id: String,
    /// The import, the mesh or the alias that it places.
    pub base: String,
    /// The transform to the space of the document or the scene: 16 numbers, columns first.
    pub matrix: [f64; 16],
    /// Bounds of its vertices there; `None` if it has none.
    pub bounds: Option<Extremes>,
}

/// What is placed, each with its bounds.
///
/// # Errors
/// If there are so many vertices that it takes too much work.
pub(super) fn placement_facts(
    placements: &[Placement],
    mut meter: Meter,
) -> Result<Vec<(InstanceFacts, Option<Bounds>)>, Overspent> {
    let mut all = Vec::with_capacity(placements.len());
    for placement in placements {
        let mut bounds = None;
        for mesh in placement.meshes {
            let positions = &mesh.geometry.positions;
            meter.spend(Cost::Placed, positions.len() as u64)?;
            let placed = positions
                .iter()
                .map(|point| moved(&placement.matrix, point));
            bounds = joined(bounds, bounds_of(placed));
        }
        let facts = InstanceFacts {
            id: placement.id.to_owned(),
            base: placement.base.to_owned(),
            matrix: column_major(&placement.matrix),
            bounds: bounds.map(Extremes::from),
        };
        all.push((facts, bounds));
    }
    Ok(all)
}

/// The bounds of some points; `None` if there are none.
pub(crate) fn bounds_of(points: impl Iterator<Item = Vec3>) -> Option<Bounds> {
    points
        .map(|point| Bounds {
            min: point,
            max: point,
        })
        .reduce(|a, b| a.then(&b))
}
