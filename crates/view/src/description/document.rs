//! The description of a document or a scene (`extensions.md` §11.3).

use std::collections::HashSet;
use std::ops::Range;

use super::checks::{self, Check, Face};
use super::{Extremes, InstanceFacts, joined, placement_facts};
use rigy_base::diag::Diagnosed;
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_kernel::math::{Bounds, Vec3};
use rigy_language::model::{Mesh, Primitive};
use rigy_language::version::Feature;
use rigy_models::compile::{Base, Compiled};
use rigy_models::geometry::scene::Geometry;
use serde::Serialize;

/// The material of primitives that have none.
const IMPLICIT: &str = "implicit_default";

/// The parts of a description that are made on request.
#[derive(Debug)]
pub struct DocumentOptions {
    /// Ids of the primitives to list; empty for all.
    pub primitives: Vec<String>,
    /// True to list the gaps of all pairs of the listed primitives.
    pub pairwise_gaps: bool,
    /// True to evaluate the checks of `geometry_checks.alignment`.
    pub intent_checks: bool,
}

/// The contents of a document. Of a scene this is the part that the others stand on, but for `scene_bounds` and `instances`.
#[derive(Debug, Serialize)]
pub struct DocumentDescription {
    /// The version of this form: 1.
    pub inspect_schema_version: u32,
    /// Figures of all primitives together, listed or not.
    pub summary: Summary,
    /// The listed primitives, in document order, those that symmetry has made included.
    pub primitives: Vec<PrimitiveFacts>,
    /// The faces of the listed boxes and wedges; none below version 0.9.
    pub faces: Vec<Face>,
    /// The gaps between the listed primitives, if they have been requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Vec<Pair>>,
    /// The results of the document's checks, if they have been requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<Vec<Check>>,
    /// The instances or children; `None` for a document that places nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<Vec<InstanceFacts>>,
}

/// The figures of a whole document.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The version that it declares.
    pub rigy_version: String,
    /// Number of meshes.
    pub mesh_count: usize,
    /// Number of primitives in all meshes.
    pub primitive_count: usize,
    /// Bounds of all its vertices at rest; zeros if it has none.
    pub bounds: Extremes,
    /// The same with everything that is placed; `None` for a document that places nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene_bounds: Option<Extremes>,
}

/// A primitive.
#[derive(Debug, Serialize)]
pub struct PrimitiveFacts {
    /// Its id, which is unique in its mesh.
    pub id: String,
    /// The name of its shape.
    #[serde(rename = "type")]
    pub shape: &'static str,
    /// Its material, else that of its mesh, else `implicit_default`.
    pub material: String,
    /// Bounds of its vertices in model space; `None` for an implicit surface without vertices, as for the two below.
    pub aabb: Option<Extremes>,
    /// The middle of the bounds.
    pub center: Option<Vec3>,
    /// The lengths of the bounds.
    pub extents: Option<Vec3>,
}

/// The gap between two primitives.
#[derive(Debug, Serialize)]
pub struct Pair {
    /// Id of the earlier primitive.
    pub a: String,
    /// Id of the later primitive.
    pub b: String,
    /// The distances of their bounds.
    pub gap: Gap,
}

/// The distances of two bounds along the axes; negative where they overlap.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Gap {
    /// Along x.
    pub x: f64,
    /// Along y.
    pub y: f64,
    /// Along z.
    pub z: f64,
    /// The greatest of the three: positive if the bounds are apart.
    pub overall: f64,
}

/// A primitive of a document with its vertices.
pub struct Entry<'c> {
    mesh: &'c Mesh,
    pub primitive: &'c Primitive,
    pub geometry: &'c Geometry,
    pub vertices: Range<usize>,
    bounds: Option<Bounds>,
}

/// Describes a document or a scene. `name` is its name in messages.
///
/// # Errors
/// Too many pairs of primitives, or too many vertices to place (U17).
pub fn of_document(
    compiled: &Compiled,
    options: &DocumentOptions,
    name: &str,
) -> Diagnosed<DocumentDescription> {
    let base = compiled.base();
    let all = entries(&base);
    let wanted: HashSet<&str> = options.primitives.iter().map(|id| &**id).collect();
    let listed: Vec<&Entry> = all
        .iter()
        .filter(|entry| wanted.is_empty() || wanted.contains(&*entry.primitive.id.value))
        .collect();
    let error = |over: Overspent| over.about(name);
    let bounds = all.iter().map(|entry| entry.bounds).fold(None, joined);
    let placements = compiled.placements();
    let places = compiled.is_scene() || !placements.is_empty();
    let placed = placement_facts(&placements, compiled.meter()).map_err(error)?;
    let placed_bounds = placed.iter().map(|(_, bounds)| *bounds).fold(None, joined);
    let extremes = |bounds: Option<Bounds>| bounds.map_or(Extremes::NONE, Extremes::from);
    Ok(DocumentDescription {
        inspect_schema_version: 1,
        summary: Summary {
            rigy_version: base.document.version.to_string(),
            mesh_count: base.document.meshes.len(),
            primitive_count: all.len(),
            bounds: extremes(bounds),
            scene_bounds: places.then(|| extremes(joined(bounds, placed_bounds))),
        },
        primitives: listed.iter().map(|entry| entry.facts()).collect(),
        faces: if base.document.version.has(Feature::Wedge) {
            listed.iter().flat_map(|entry| entry.faces()).collect()
        } else {
            Vec::new()
        },
        pairs: options
            .pairwise_gaps
            .then(|| pairs(&listed, compiled.meter()))
            .transpose()
            .map_err(error)?,
        checks: options
            .intent_checks
            .then(|| checks::evaluate(&compiled.alignment_checks(), &all)),
        instances: places.then(|| placed.into_iter().map(|(facts, _)| facts).collect()),
    })
}

/// All primitives of a document, in its order.
fn entries<'c>(base: &Base<'c>) -> Vec<Entry<'c>> {
    let mut entries = Vec::new();
    for made in &base.scene.meshes {
        let mesh = &base.document.meshes[made.document_index];
        let geometry = &made.geometry;
        for (primitive, vertices) in mesh.primitives.iter().zip(&geometry.primitives) {
            let planes = geometry
                .positions
                .planes
                .each_ref()
                .map(|plane| &plane[vertices.clone()]);
            entries.push(Entry {
                mesh,
                primitive,
                geometry,
                vertices: vertices.clone(),
                bounds: Bounds::of_planes(planes, |number| number),
            });
        }
    }
    entries
}

impl Entry<'_> {
    fn facts(&self) -> PrimitiveFacts {
        let material = self
            .mesh
            .material_of(self.primitive)
            .map(|reference| &*reference.value);
        let axes = |of: fn(f64, f64) -> f64| {
            let bounds = self.bounds.as_ref()?;
            Some([0, 1, 2].map(|axis| of(bounds.min[axis], bounds.max[axis])))
        };
        PrimitiveFacts {
            id: self.primitive.id.value.clone(),
            shape: self.primitive.shape.name(),
            material: material
                .filter(|id| !id.is_empty())
                .unwrap_or(IMPLICIT)
                .to_owned(),
            aabb: self.bounds.map(Extremes::from),
            center: axes(|min, max| (min + max) * 0.5),
            extents: axes(|min, max| max - min),
        }
    }

    fn faces(&self) -> impl Iterator<Item = Face> {
        let geometry = self.geometry;
        checks::faces(self.primitive.shape, self.vertices.start).map(
            move |(surface_key, vertices)| {
                let normal = checks::normal(&geometry.normals, &vertices);
                Face {
                    primitive_id: self.primitive.id.value.clone(),
                    surface_key,
                    normal,
                    plane: checks::plane(normal, &geometry.positions, &vertices),
                }
            },
        )
    }
}

/// The gaps of all pairs of primitives that have vertices.
///
/// # Errors
/// If there are too many.
fn pairs(listed: &[&Entry], mut meter: Meter) -> Result<Vec<Pair>, Overspent> {
    let bounded: Vec<(&String, Bounds)> = listed
        .iter()
        .filter_map(|entry| {
            let bounds = entry.bounds?;
            Some((&entry.primitive.id.value, bounds))
        })
        .collect();
    let count = bounded
        .len()
        .saturating_mul(bounded.len().saturating_sub(1))
        / 2;
    meter.spend(Cost::Gaps, count as u64)?;
    let mut pairs = Vec::with_capacity(count);
    for (index, (a, of_a)) in bounded.iter().enumerate() {
        for (b, of_b) in &bounded[index + 1..] {
            pairs.push(Pair {
                a: (*a).clone(),
                b: (*b).clone(),
                gap: gap(of_a, of_b),
            });
        }
    }
    Ok(pairs)
}

/// The distances of two bounds. Where they touch, the distance is −0.0: the negated length of what they share.
fn gap(a: &Bounds, b: &Bounds) -> Gap {
    let least = |a: f64, b: f64| if b < a { b } else { a };
    let greatest = |a: f64, b: f64| if b > a { b } else { a };
    let [x, y, z] = [0, 1, 2].map(|axis| {
        let shared = least(a.max[axis], b.max[axis]) - greatest(a.min[axis], b.min[axis]);
        -shared
    });
    Gap {
        x,
        y,
        z,
        overall: greatest(greatest(x, y), z),
    }
}
