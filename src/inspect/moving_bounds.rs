//! Bounds of a glTF file over time: a box and a sphere that hold all its vertices at each of some moments.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;

use super::Evaluation;
use super::description::Extremes;
use super::model::Surface;
use super::posed::baked_model;
use crate::bake::{Baker, ClipTime, Source};
use crate::base::diag::Diagnostic;
use crate::kernel::math::{Bounds, Vec3};

/// A box along the axes and a sphere, which hold the same vertices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Volume {
    /// The box, in model units.
    #[serde(flatten)]
    pub extremes: Extremes,
    /// The sphere around the middle of the box.
    pub sphere: Sphere,
}

/// A sphere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sphere {
    /// The middle, in model units.
    pub center: Vec3,
    /// The radius: the largest distance of a vertex.
    pub radius: f64,
}

/// The bounds of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshBounds {
    /// Index of the mesh in the file.
    pub index: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The bounds of all its vertices in the space of the scene, wherever nodes show them.
    #[serde(flatten)]
    pub volume: Volume,
}

/// The bounds over some moments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovingBounds {
    /// The bounds of all meshes; `None` if the scene shows no vertex.
    #[serde(flatten)]
    pub all: Option<Volume>,
    /// The bounds of each mesh that the scene shows.
    pub meshes: Vec<MeshBounds>,
}

/// The bounds of one mesh at one moment, and the distances of its vertices.
struct Seen {
    /// Index of the mesh in the file.
    mesh: usize,
    bounds: Bounds,
    /// The square of the largest distance from the middle of the mesh's box, and of the box of all; 0 in the first pass.
    squares: [f64; 2],
}

/// Returns the bounds of the vertices at some moments, by mesh and in all. Each moment is evaluated twice, because the middle of a
/// box is known only when all moments have been.
///
/// # Errors
/// The errors of the first moment that cannot be baked.
pub fn over_time(
    source: &Source<'_>,
    moments: &[Option<ClipTime>],
    evaluation: &Evaluation<'_>,
) -> Result<MovingBounds, Vec<Diagnostic>> {
    let mut boxes: BTreeMap<usize, Bounds> = BTreeMap::new();
    for seen in all_seen(source, moments, evaluation, &|_| [[0.0; 3]; 2])? {
        let known = boxes.entry(seen.mesh).or_insert(seen.bounds);
        *known = known.then(&seen.bounds);
    }
    let Some(whole) = boxes.values().copied().reduce(|a, b| a.then(&b)) else {
        return Ok(MovingBounds {
            all: None,
            meshes: Vec::new(),
        });
    };
    let centers = |mesh: usize| [middle(&boxes[&mesh]), middle(&whole)];
    let mut squares: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for seen in all_seen(source, moments, evaluation, &centers)? {
        let known = squares.entry(seen.mesh).or_default();
        *known = [0, 1].map(|of| known[of].max(seen.squares[of]));
    }
    let largest = squares
        .values()
        .map(|[_, of_all]| *of_all)
        .fold(0.0, f64::max);
    let meshes = boxes.iter().map(|(index, bounds)| MeshBounds {
        index: *index,
        name: source.file.meshes[*index].name.clone(),
        volume: Volume::new(*bounds, squares[index][0]),
    });
    Ok(MovingBounds {
        meshes: meshes.collect(),
        all: Some(Volume::new(whole, largest)),
    })
}

/// Returns what each moment tells about each of its surfaces, in order. `centers` gives the points to which distances are measured.
fn all_seen(
    source: &Source<'_>,
    moments: &[Option<ClipTime>],
    evaluation: &Evaluation<'_>,
    centers: &(dyn Fn(usize) -> [Vec3; 2] + Sync),
) -> Result<Vec<Seen>, Vec<Diagnostic>> {
    let baker = Baker::new(source);
    let at = |moment: Option<ClipTime>| {
        let (baked, model) = baked_model(&baker, moment, &source.file.name, evaluation)?;
        let seen = model.surfaces.iter().filter_map(|surface| {
            let mesh = baked.source_mesh(surface.mesh);
            let squares = centers(mesh).map(|center| largest_square(surface, center));
            let bounds = bounds_of(&surface.positions)?;
            Some(Seen {
                mesh,
                bounds,
                squares,
            })
        });
        Ok::<Vec<Seen>, Vec<Diagnostic>>(seen.collect())
    };
    let results: Vec<OnceLock<Result<Vec<Seen>, _>>> =
        moments.iter().map(|_| OnceLock::new()).collect();
    evaluation.executor.for_each(moments.len(), &|index| {
        let _ = results[index].set(at(moments[index]));
    });
    let mut all = Vec::new();
    for result in results {
        all.extend(result.into_inner().unwrap_or_else(|| Ok(Vec::new()))?);
    }
    Ok(all)
}

fn largest_square(surface: &Surface, center: Vec3) -> f64 {
    let squares = surface.positions.iter().map(|at| square(at, center));
    squares.fold(0.0, f64::max)
}

/// Returns the square of the distance of two points.
fn square(a: &Vec3, b: Vec3) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| a[axis] - b[axis]);
    x * x + y * y + z * z
}

fn bounds_of(positions: &[Vec3]) -> Option<Bounds> {
    let point = |at: &Vec3| Bounds { min: *at, max: *at };
    positions.iter().map(point).reduce(|a, b| a.then(&b))
}

fn middle(bounds: &Bounds) -> Vec3 {
    [0, 1, 2].map(|axis| (bounds.min[axis] + bounds.max[axis]) * 0.5)
}

impl Volume {
    /// Returns the bounds of both: the box of both boxes, and the sphere around its middle that holds both spheres.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let bounds = |volume: &Self| Bounds {
            min: volume.extremes.min,
            max: volume.extremes.max,
        };
        let both = bounds(self).then(&bounds(other));
        let reach = |sphere: &Sphere| square(&sphere.center, middle(&both)).sqrt() + sphere.radius;
        let radius = reach(&self.sphere).max(reach(&other.sphere));
        Self {
            sphere: Sphere {
                center: middle(&both),
                radius,
            },
            extremes: both.into(),
        }
    }

    fn new(bounds: Bounds, square: f64) -> Self {
        Self {
            extremes: bounds.into(),
            sphere: Sphere {
                center: middle(&bounds),
                radius: square.sqrt(),
            },
        }
    }
}
