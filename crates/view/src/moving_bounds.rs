//! Bounds of a glTF file over time: a box and a sphere that hold all its vertices at each of some moments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use serde::Serialize;

use super::description::Extremes;
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::meter::{Cost, Overspent};
use rigy_gltf::File;
use rigy_kernel::math::{Bounds, Vec3, squared_distance};
use rigy_models::bake::{ClipTime, MeshPositions, ShownPositions, Source};
use rigy_models::mesh::{Evaluation, check_posed_size, nodes_shown_at_times, sum_of_nodes};

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

/// The bounds of one mesh over some moments, and the distances of its vertices.
#[derive(Clone, Copy)]
struct Seen {
    bounds: Bounds,
    /// The square of the largest distance from the middle of the mesh's box, and of the box of all; 0 in the first pass.
    squares: [f64; 2],
}

impl Seen {
    fn then(&self, later: &Self) -> Self {
        Self {
            bounds: self.bounds.then(&later.bounds),
            squares: [0, 1].map(|of| self.squares[of].max(later.squares[of])),
        }
    }
}

/// The bounds and distances of each mesh, by its index in the file.
type Meshes = BTreeMap<usize, Seen>;

/// Adds what later moments tell about a mesh.
fn add(meshes: &mut Meshes, mesh: usize, seen: Seen) {
    let known = meshes.entry(mesh);
    known
        .and_modify(|known| *known = known.then(&seen))
        .or_insert(seen);
}

/// Fewest vertices that a primitive counts as, and what a node, a skin and a joint count as: posing one takes as long as evaluating
/// so many.
const LEAST: u64 = 16;

/// Morph targets of a vertex that count as one further vertex.
const TARGETS: u64 = 8;

/// Bytes of the bounds of a mesh without its name, in memory and as text.
const BYTES_OF_BOUNDS: u64 = 512;

/// Counts the work and the result of bounds over `clips` clips with so many moments in all. An evaluation is one of a vertex at a moment;
/// a primitive counts as at least 16 vertices, each node, skin and joint as 16, and eight morph targets of a vertex as another.
///
/// # Errors
/// If there are too many evaluations, or too many bounds.
pub fn spend(file: &File<'_>, clips: u64, moments: u64) -> Result<(), Overspent> {
    let mut meter = file.meter;
    let nodes = nodes_shown_at_times(file);
    let vertices = sum_of_nodes(file, &nodes, |_, primitive| {
        let targets = primitive.targets.len() as u64 / TARGETS;
        LEAST.max(primitive.vertex_count as u64 * (1 + targets))
    });
    let joints: usize = file.skins.iter().map(|skin| 1 + skin.joints.len()).sum();
    let posed = LEAST * (file.nodes.len() + joints) as u64;
    let evaluations = moments.saturating_mul(vertices.saturating_add(posed));
    meter.spend(Cost::Evaluations, evaluations)?;
    let shown: BTreeSet<usize> = nodes
        .iter()
        .filter_map(|node| file.nodes[*node].mesh)
        .collect();
    let names: u64 = shown
        .iter()
        .filter_map(|mesh| file.meshes[*mesh].name.as_ref())
        .map(|name| name.len() as u64)
        .sum();
    let meshes = shown.len() as u64;
    let bytes = clips.saturating_mul(meshes.saturating_mul(BYTES_OF_BOUNDS).saturating_add(names));
    meter.spend(Cost::Bounds, bytes)
}

/// Returns the bounds of the vertices at some moments, by mesh and in all. Moments whose positions together take more than 512 MiB
/// are evaluated twice, because the middle of a box is known only when all moments have been.
///
/// # Errors
/// The errors of the first moment that cannot be baked; more than [`MAX_POSED`](rigy_models::mesh::MAX_POSED) vertices and triangles.
pub fn over_time(
    source: &Source,
    moments: &[Option<ClipTime>],
    evaluation: &Evaluation,
) -> Diagnosed<MovingBounds> {
    check_posed_size(&source.file)?;
    let positions = Positions::new(source, moments, evaluation);
    let boxes = positions.all_seen(&|_| None)?;
    let bounds = boxes.values().map(|seen| seen.bounds);
    let Some(whole) = bounds.reduce(|a, b| a.then(&b)) else {
        return Ok(MovingBounds {
            all: None,
            meshes: Vec::new(),
        });
    };
    let centers = |mesh: usize| Some([middle(&boxes[&mesh].bounds), middle(&whole)]);
    let seen = positions.all_seen(&centers)?;
    let largest = seen
        .values()
        .map(|seen| seen.squares[1])
        .fold(0.0, f64::max);
    let meshes = seen.iter().map(|(index, seen)| MeshBounds {
        index: *index,
        name: source.file.meshes[*index].name.clone(),
        volume: Volume::new(seen.bounds, seen.squares[0]),
    });
    Ok(MovingBounds {
        meshes: meshes.collect(),
        all: Some(Volume::new(whole, largest)),
    })
}

/// The positions of vertices at some moments.
struct Positions<'a, 's> {
    shown: ShownPositions<'s>,
    /// The number of ranges into which moments are divided.
    range_count: usize,
    moments: &'a [Option<ClipTime>],
    evaluation: &'a Evaluation<'a>,
    /// The surfaces of each moment, once they are evaluated; empty if they take too much memory.
    kept: Vec<OnceLock<Arc<[MeshPositions]>>>,
}

/// Most bytes of positions that are kept.
const MOST_KEPT: u64 = 1 << 29;

impl<'a, 's> Positions<'a, 's> {
    fn new(
        source: &'s Source<'s>,
        moments: &'a [Option<ClipTime>],
        evaluation: &'a Evaluation<'a>,
    ) -> Self {
        let nodes = nodes_shown_at_times(&source.file);
        let bytes = sum_of_nodes(&source.file, &nodes, |_, primitive| {
            (primitive.vertex_count * size_of::<Vec3>()) as u64
        });
        let are_kept = bytes.saturating_mul(moments.len() as u64) <= MOST_KEPT;
        let kept = if are_kept { moments } else { &[] };
        let at_once = MOST_MEMORY / bytes.saturating_mul(OVERHEAD).max(1);
        Self {
            shown: ShownPositions::new(source),
            range_count: moments.len().min(at_once.clamp(1, MOST_RANGES) as usize),
            moments,
            evaluation,
            kept: kept.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    fn at(&self, index: usize) -> Diagnosed<Arc<[MeshPositions]>> {
        let cell = self.kept.get(index);
        if let Some(surfaces) = cell.and_then(OnceLock::get) {
            return Ok(surfaces.clone());
        }
        let Evaluation { skinning, isa, .. } = self.evaluation;
        let surfaces: Arc<[_]> = self.shown.at(self.moments[index], skinning, *isa)?.into();
        if let Some(cell) = cell {
            let _ = cell.set(surfaces.clone()); // each moment is in one range
        }
        Ok(surfaces)
    }

    /// What all moments tell about each mesh. `centers` gives the points to which distances are measured, if they are. Tasks take ranges of
    /// moments, one moment after the other; their results are merged in the order of the moments.
    fn all_seen(&self, centers: &(dyn Fn(usize) -> Option<[Vec3; 2]> + Sync)) -> Diagnosed<Meshes> {
        let count = self.range_count;
        let results = self.evaluation.executor.results(count, |index| {
            let at = |index: usize| index * self.moments.len() / count;
            let mut meshes = Meshes::new();
            for moment in at(index)..at(index + 1) {
                for (mesh, positions) in &*self.at(moment)? {
                    let Some(bounds) = Bounds::of_interleaved(positions.as_flattened()) else {
                        continue;
                    };
                    let squares = centers(*mesh).map_or([0.0; 2], |both| {
                        both.map(|it| largest_square(positions, it))
                    });
                    add(&mut meshes, *mesh, Seen { bounds, squares });
                }
            }
            Ok::<_, Vec<Diagnostic>>(meshes)
        });
        let mut all = Meshes::new();
        for result in results {
            for (mesh, seen) in result? {
                add(&mut all, mesh, seen);
            }
        }
        Ok(all)
    }
}

/// Most ranges of moments, each of which keeps the bounds of all meshes until the end.
const MOST_RANGES: u64 = 256;

/// Most bytes that the moments in progress take together, by estimate: the ranges are so many that this holds on any number of
/// threads.
const MOST_MEMORY: u64 = 1 << 30;

/// Bytes that a moment in progress takes, as a multiple of those of its positions.
const OVERHEAD: u64 = 4;

fn largest_square(positions: &[Vec3], center: Vec3) -> f64 {
    let mut largest = [0.0; 4]; // of each fourth position, none of which waits for the one before
    for four in positions.chunks(4) {
        for (largest, at) in largest.iter_mut().zip(four) {
            let square = squared_distance(*at, center);
            *largest = if square > *largest { square } else { *largest };
        }
    }
    largest.into_iter().fold(0.0, f64::max)
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
        let reach =
            |sphere: &Sphere| squared_distance(sphere.center, middle(&both)).sqrt() + sphere.radius;
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
