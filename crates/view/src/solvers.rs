//! Linear blending against dual quaternions over some moments of a glTF file: how far vertices are apart, and the volume that is lost.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::description::MeshFacts;
use crate::moving_bounds::in_tasks;
use rigy_base::diag::Diagnosed;
use rigy_gltf::{File, VertexInfluences, Vertices};
use rigy_kernel::ReferenceRule;
use rigy_kernel::math::{Bounds, Vec3, cross, dot, squared_distance};
use rigy_models::bake::{ClipTime, ShownPositions, Skinning};
use rigy_models::mesh::{Drawn, Evaluation, check_posed_size, nodes_shown_at_times, triangles};

/// How far linear blending is from dual quaternions at some moments. Vertices that no skin moves do not count.
#[derive(Debug, Default, Serialize)]
pub struct SolverDistance {
    #[serde(skip)]
    count: usize,
    /// The size of the model: the longest diagonal, over all moments, of the box around its vertices, in model units.
    pub size: f64,
    /// The mean distance of a vertex under one solver from itself under the other, over all moments, in model units.
    pub mean: f64,
    /// The mean in percent of the size.
    pub mean_percent: f64,
    /// The largest distance in percent of the size.
    pub largest_percent: f64,
    /// The largest distance.
    #[serde(flatten)]
    pub farthest: Farthest,
    /// The largest part of the volume that all closed meshes together have under dual quaternions that linear blending loses, in percent;
    /// negative if volume is gained, `None` if no mesh is closed and has a volume.
    pub volume_loss: Option<f64>,
    /// The moment of that loss in seconds; `None` without one, and for nodes as they are stored.
    pub volume_time: Option<f64>,
}

/// The vertex that is farthest from itself.
#[derive(Debug, Default, Serialize)]
pub struct Farthest {
    /// Its distance in model units.
    pub largest: f64,
    /// Its moment in seconds; `None` without a distance, and for nodes as they are stored.
    pub time: Option<f64>,
    /// The joint that moves it most, by its name or as `node N`; `None` without a distance.
    pub joint: Option<String>,
}

/// Compares both solvers at some moments of a file with these meshes; `None` if no skin moves a vertex that the scene shows. The
/// evaluation has the dual quaternions.
///
/// # Errors
/// As [`over_time`](crate::moving_bounds::over_time).
pub fn solver_distance(
    file: &File,
    meshes: &[MeshFacts],
    moments: &[Option<ClipTime>],
    evaluation: &Evaluation,
) -> Diagnosed<Option<SolverDistance>> {
    check_posed_size(file)?;
    let mut nodes = nodes_shown_at_times(file);
    nodes.retain(|node| file.nodes[*node].skin.is_some());
    let comparison = Comparison {
        file,
        meshes,
        shown: ShownPositions::new(file, nodes, |mesh| mesh.drawn().collect()),
        evaluation,
    };
    let mut all = SolverDistance::default();
    // The mean of a part of the moments is a sum.
    let over = |moments: &[_]| {
        let mut all = SolverDistance::default();
        for moment in moments {
            all.add(comparison.at(*moment)?);
        }
        Diagnosed::Ok(all)
    };
    for found in in_tasks(evaluation, moments, over) {
        all.add(found?);
    }
    let percent = 100.0 / all.size.max(1e-45); // the least number in single precision
    all.mean /= all.count as f64;
    all.mean_percent = all.mean * percent;
    all.largest_percent = all.farthest.largest * percent;
    Ok((all.count > 0).then_some(all))
}

impl SolverDistance {
    fn add(&mut self, later: Self) {
        self.count += later.count;
        self.size = self.size.max(later.size);
        self.mean += later.mean;
        if later.farthest.largest > self.farthest.largest {
            self.farthest = later.farthest;
        }
        if later.volume_loss > self.volume_loss {
            self.volume_loss = later.volume_loss;
            self.volume_time = later.volume_time;
        }
    }
}

struct Comparison<'s> {
    file: &'s File<'s>,
    meshes: &'s [MeshFacts],
    shown: ShownPositions<'s>,
    evaluation: &'s Evaluation<'s>,
}

impl Comparison<'_> {
    fn at(&self, moment: Option<ClipTime>) -> Diagnosed<SolverDistance> {
        let linear = self.posed(moment, &Skinning::linear())?;
        let dual = self.posed(moment, self.evaluation.skinning)?;
        let (file, time) = (self.file, moment.map(|moment| moment.time));
        let mut found = SolverDistance::default();
        let bounds = linear
            .values()
            .map(|own| Bounds::of_interleaved(own.as_flattened()));
        if let Some(bounds) = bounds.flatten().reduce(|a, b| a.then(&b)) {
            found.size = bounds.diagonal();
        }
        let (mut farthest, mut volumes) = (None, [0.0; 2]);
        for ((drawn, linear), dual) in linear.iter().zip(dual.values()) {
            found.count += linear.len();
            for (vertex, (a, b)) in linear.iter().zip(dual).enumerate() {
                let distance = squared_distance(*a, *b).sqrt();
                found.mean += distance;
                if distance > found.farthest.largest {
                    found.farthest.largest = distance;
                    farthest = Some((drawn, vertex));
                }
            }
            let seams = self.meshes[drawn.mesh].seams;
            if !seams.is_some_and(|seams| seams.is_closed()) {
                continue;
            }
            for corners in triangles(file, &file.meshes[drawn.mesh].primitives[drawn.primitive]) {
                for (volume, of) in volumes.iter_mut().zip([linear, dual]) {
                    let [a, b, c] = corners.map(|corner| of[corner as usize]);
                    *volume += dot(a, cross(b, c));
                }
            }
        }
        if let Some((drawn, vertex)) = farthest {
            (found.farthest.time, found.farthest.joint) = (time, self.joint(drawn, vertex));
        }
        let [linear, dual] = volumes;
        // Less is what rounding makes of flat meshes.
        if dual.abs() > 1e-7 * found.size * found.size * found.size {
            found.volume_loss = Some(100.0 * (1.0 - linear / dual));
            found.volume_time = time;
        }
        Ok(found)
    }

    fn posed(
        &self,
        moment: Option<ClipTime>,
        skinning: &Skinning,
    ) -> Diagnosed<BTreeMap<Drawn, Vec<Vec3>>> {
        let mut posed = BTreeMap::<_, Vec<_>>::new();
        let solver = (skinning, self.evaluation.isa);
        (self.shown).at(moment, solver, &|_| true, &mut |piece, positions| {
            posed.entry(piece.drawn).or_default().extend(positions);
        })?;
        Ok(posed)
    }

    /// The name of the joint that moves a vertex most.
    fn joint(&self, drawn: &Drawn, vertex: usize) -> Option<String> {
        let file = self.file;
        let joints = &file.skins[file.nodes[drawn.node].skin?].joints;
        let from = Vertices {
            file,
            primitive: &file.meshes[drawn.mesh].primitives[drawn.primitive],
            path: "",
            range: vertex..vertex + 1,
        };
        let mut read = VertexInfluences::default();
        read.read(&from, joints.len()).ok()?;
        let joint = ReferenceRule::LargestWeight.joint(read.slots().into_iter());
        let joint = joints[usize::from(joint)];
        let name = file.nodes[joint].name.clone();
        Some(name.unwrap_or_else(|| format!("node {joint}")))
    }
}
