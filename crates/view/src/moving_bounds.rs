//! Bounds of a glTF file over time: a box and a sphere that hold all its vertices at each of some moments.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::Serialize;

use super::description::Extremes;
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::meter::{Cost, Overspent};
use rigy_base::sync::Mutex;
use rigy_gltf::File;
use rigy_kernel::math::{Bounds, Vec3, squared_distance};
use rigy_models::bake::{ClipTime, Piece, ShownPositions, Source};
use rigy_models::mesh::{
    Evaluation, check_posed_size, corner_count, distinct_positions, nodes_shown_at_times,
    sum_of_nodes,
};

/// A box along the axes and a sphere, which hold the same vertices.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Volume {
    /// The box, in model units.
    #[serde(flatten)]
    pub extremes: Extremes,
    /// The sphere around the middle of the box.
    pub sphere: Sphere,
}

/// A sphere.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sphere {
    /// The middle, in model units.
    pub center: Vec3,
    /// The radius: the largest distance of a vertex.
    pub radius: f64,
}

/// The bounds of a mesh.
#[derive(Debug, Serialize)]
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
#[derive(Debug, Serialize)]
pub struct MovingBounds {
    /// The bounds of all meshes; `None` if the scene shows no vertex.
    #[serde(flatten)]
    pub all: Option<Volume>,
    /// The bounds of each mesh that the scene shows.
    pub meshes: Vec<MeshBounds>,
}

/// The box of each mesh, by its index in the file.
type Boxes = BTreeMap<usize, Bounds>;

/// Adds what later moments tell about a mesh.
fn add(boxes: &mut Boxes, mesh: usize, bounds: &Bounds) {
    let known = boxes.entry(mesh);
    known
        .and_modify(|known| *known = known.then(bounds))
        .or_insert(*bounds);
}

/// A sphere that grows until it holds all vertices that it is shown.
#[derive(Clone, Copy)]
struct Growing {
    center: Vec3,
    /// The square of its radius.
    square: f64,
}

impl Growing {
    fn around(bounds: &Bounds) -> Self {
        Self {
            center: [0, 1, 2].map(|axis| (bounds.min[axis] + bounds.max[axis]) * 0.5),
            square: 0.0,
        }
    }

    /// No vertex of a box comes out with a greater square: rounding keeps the order of numbers.
    fn most(&self, bounds: &Bounds) -> f64 {
        let far = [0, 1, 2].map(|axis| {
            let (center, sides) = (self.center[axis], (bounds.min[axis], bounds.max[axis]));
            let is_least = (sides.0 - center).abs() > (sides.1 - center).abs();
            if is_least { sides.0 } else { sides.1 }
        });
        squared_distance(far, self.center)
    }

    fn grow(&mut self, positions: &[Vec3]) {
        let mut largest = [self.square; 4]; // of each fourth position, none of which waits for the one before
        for four in positions.chunks(4) {
            for (largest, at) in largest.iter_mut().zip(four) {
                let square = squared_distance(*at, self.center);
                *largest = if square > *largest { square } else { *largest };
            }
        }
        self.square = largest.into_iter().fold(self.square, f64::max);
    }
}

/// The spheres of all meshes together and of each.
#[derive(Clone)]
struct Spheres {
    all: Growing,
    meshes: BTreeMap<usize, Growing>,
}

impl Spheres {
    fn merge(&mut self, other: &Self) {
        self.all.square = self.all.square.max(other.all.square);
        for (mesh, sphere) in &mut self.meshes {
            sphere.square = sphere.square.max(other.meshes[mesh].square);
        }
    }

    /// True if a piece in this box may have a vertex outside.
    fn may_grow(&self, (mesh, bounds): &(usize, Bounds)) -> bool {
        let mut both = [&self.all, &self.meshes[mesh]].into_iter();
        both.any(|sphere| sphere.most(bounds) > sphere.square)
    }
}

/// Fewest vertices that a primitive counts as, and what a node, a skin and a joint count as: posing one takes as long as evaluating
/// so many.
const LEAST: u64 = 16;

/// Morph targets of a vertex that count as one further vertex.
const TARGETS: u64 = 8;

/// Bytes of the bounds of a mesh without its name, in memory and as text.
const BYTES_OF_BOUNDS: u64 = 512;

/// Counts the work and the result of bounds over `clips` clips with so many moments in all. An evaluation is one of a vertex at a moment;
/// a primitive counts as at least 16 vertices, each node, skin and joint as 16, and eight morph targets of a vertex as another. With
/// `corners`, each corner of a triangle counts, too.
///
/// # Errors
/// If there are too many evaluations, or too many bounds.
pub fn spend(file: &File, clips: u64, moments: u64, corners: bool) -> Result<(), Overspent> {
    let mut meter = file.meter;
    let nodes = nodes_shown_at_times(file);
    let vertices = sum_of_nodes(file, &nodes, |_, primitive| {
        let targets = primitive.targets.len() as u64 / TARGETS;
        let corners = u64::from(corners) * corner_count(file, primitive);
        LEAST.max(primitive.vertex_count as u64 * (1 + targets)) + corners
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

/// Returns the bounds of the vertices at some moments, by mesh and in all. The middle of a box is known only when all moments have been;
/// the vertices that may be farthest from it are evaluated twice, and so are all where their boxes would take more than 64 MiB.
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
    let boxes = positions.boxes()?;
    let Some(whole) = boxes.values().copied().reduce(|a, b| a.then(&b)) else {
        return Ok(MovingBounds {
            all: None,
            meshes: Vec::new(),
        });
    };
    let spheres = positions.spheres(&boxes, &whole)?;
    let meshes = boxes.iter().map(|(index, bounds)| MeshBounds {
        index: *index,
        name: source.file.meshes[*index].name.clone(),
        volume: Volume::new(bounds, &spheres.meshes[index]),
    });
    Ok(MovingBounds {
        meshes: meshes.collect(),
        all: Some(Volume::new(&whole, &spheres.all)),
    })
}

/// What `of_moments` makes of all moments, a part of them in each task, in the order of `moments`. The parts are the same on every machine.
pub(crate) fn in_tasks<M: Sync, T: Send + Sync>(
    evaluation: &Evaluation,
    moments: &[M],
    of_moments: impl Fn(&[M]) -> T + Sync,
) -> Vec<T> {
    let count = moments.len().min(MOST_TASKS);
    let at = |task: usize| task * moments.len() / count;
    let executor = evaluation.executor;
    executor.results(count, |task| of_moments(&moments[at(task)..at(task + 1)]))
}

/// The positions of vertices at some moments.
struct Positions<'a, 's> {
    shown: ShownPositions<'s>,
    moments: &'a [Option<ClipTime>],
    evaluation: &'a Evaluation<'a>,
    /// For each moment the mesh and the box of each piece, once it has been evaluated; empty if they take too much memory.
    pieces: Vec<OnceLock<Pieces>>,
}

type Pieces = Vec<(usize, Bounds)>;

/// Most bytes of boxes of pieces.
const MOST_KEPT: usize = 64 << 20;

/// Most tasks, each of which keeps the boxes of all meshes until the end.
const MOST_TASKS: usize = 256;

impl<'a, 's> Positions<'a, 's> {
    fn new(
        source: &'s Source<'s>,
        moments: &'a [Option<ClipTime>],
        evaluation: &'a Evaluation<'a>,
    ) -> Self {
        let nodes = nodes_shown_at_times(&source.file);
        let shown = ShownPositions::new(&source.file, nodes, distinct_positions);
        let bytes = shown.piece_count() * size_of::<(usize, Bounds)>();
        let are_kept = bytes.saturating_mul(moments.len()) <= MOST_KEPT;
        let kept = if are_kept { moments } else { &[] };
        Self {
            shown,
            moments,
            evaluation,
            pieces: kept.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    fn show(
        &self,
        moment: usize,
        wants: &dyn Fn(usize) -> bool,
        show: &mut dyn FnMut(Piece, &[Vec3]),
    ) -> Diagnosed<()> {
        let Evaluation { skinning, isa, .. } = *self.evaluation;
        (self.shown).at(self.moments[moment], (skinning, isa), wants, show)
    }

    fn boxes(&self) -> Diagnosed<Boxes> {
        let moments: Vec<usize> = (0..self.moments.len()).collect();
        let results = in_tasks(self.evaluation, &moments, |moments| {
            let mut boxes = Boxes::new();
            for &moment in moments {
                let mut pieces = Pieces::new();
                self.show(moment, &|_| true, &mut |piece, positions| {
                    let bounds = Bounds::of_interleaved(positions.as_flattened());
                    let bounds = bounds.expect("a piece has vertices");
                    match pieces.get_mut(piece.number) {
                        Some((_, known)) => *known = known.then(&bounds),
                        None => pieces.push((piece.drawn.mesh, bounds)),
                    }
                })?;
                (pieces.iter()).for_each(|(mesh, bounds)| add(&mut boxes, *mesh, bounds));
                if let Some(cell) = self.pieces.get(moment) {
                    let _ = cell.set(pieces); // each moment is in one task
                }
            }
            Ok::<_, Vec<Diagnostic>>(boxes)
        });
        let mut all = Boxes::new();
        for result in results {
            for (mesh, bounds) in result? {
                add(&mut all, mesh, &bounds);
            }
        }
        Ok(all)
    }

    /// Finds the spheres around the middles of boxes. The moments that reach farthest are first, so that few pieces of the others may
    /// reach farther.
    fn spheres(&self, boxes: &Boxes, whole: &Bounds) -> Diagnosed<Spheres> {
        let all = Growing::around(whole);
        let meshes = boxes.iter();
        let spheres = Mutex::new(Spheres {
            all,
            meshes: meshes
                .map(|(mesh, bounds)| (*mesh, Growing::around(bounds)))
                .collect(),
        });
        let pieces = |moment: usize| self.pieces.get(moment).and_then(OnceLock::get);
        let mut moments: Vec<(f64, usize)> = (0..self.moments.len())
            .map(|moment| {
                let squares = pieces(moment).into_iter().flatten();
                let squares = squares.map(|(_, bounds)| all.most(bounds));
                (squares.fold(0.0, f64::max), moment)
            })
            .collect();
        moments.sort_by(|a, b| b.0.total_cmp(&a.0));
        let moments: Vec<usize> = moments.into_iter().map(|(_, moment)| moment).collect();
        let results = in_tasks(self.evaluation, &moments, |moments| {
            moments.iter().try_for_each(|&moment| {
                let (mut grown, pieces) = (spheres.lock().clone(), pieces(moment));
                let before = grown.clone();
                let may_grow = |number: usize| {
                    let piece = pieces.map(|pieces| pieces.get(number));
                    piece.is_none_or(|piece| piece.is_some_and(|piece| before.may_grow(piece)))
                };
                if !(0..pieces.map_or(1, Vec::len)).any(may_grow) {
                    return Ok::<_, Vec<Diagnostic>>(());
                }
                self.show(moment, &may_grow, &mut |piece, positions| {
                    grown.all.grow(positions);
                    if let Some(sphere) = grown.meshes.get_mut(&piece.drawn.mesh) {
                        sphere.grow(positions);
                    }
                })?;
                spheres.lock().merge(&grown);
                Ok(())
            })
        });
        results.into_iter().collect::<Result<(), _>>()?;
        Ok(spheres.into_inner())
    }
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
        let center = Growing::around(&both).center;
        let reach =
            |sphere: &Sphere| squared_distance(sphere.center, center).sqrt() + sphere.radius;
        let radius = reach(&self.sphere).max(reach(&other.sphere));
        Self {
            sphere: Sphere { center, radius },
            extremes: both.into(),
        }
    }

    fn new(bounds: &Bounds, sphere: &Growing) -> Self {
        Self {
            extremes: (*bounds).into(),
            sphere: Sphere {
                center: sphere.center,
                radius: sphere.square.sqrt(),
            },
        }
    }
}
