//! The origins of baked meshes (`bake.md` §6): that of the world, that of the node whose mesh it was, or the middle of its bounds.
//!
//! The node of a mesh stands at the mesh's origin, and its positions are relative to that. An origin is rounded to f32 first, so
//! that it is the same number in the file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::baker::Prepared;
use super::edit::numbers;
use super::evaluate::Evaluator;
use super::meshes::BakedMeshes;
use super::streams::{Kind, Stream};
use super::write::PIECE_LEN;
use rigy_base::diag::Code;
use rigy_gltf::json::Value;
use rigy_gltf::{File, Problem, Skeleton, node_label};
use rigy_kernel::executor::Executor;
use rigy_kernel::math::{Bounds, Vec3};

rigy_base::choices! {
    /// The place of the origin of a baked mesh.
    #[derive(Default)]
    pub enum Pivot {
        /// The world's: positions are those in the world, and the node of the mesh has no transform.
        #[default]
        Origin,
        /// The origin of the node that had the mesh, at the moment of the bake.
        Node,
        /// The middle of the bounds of its positions at that moment.
        Bounds,
    }
}

/// The origins of the meshes of an output, at one moment.
#[derive(Default)]
pub struct Pivots {
    /// For each mesh its origin, whose coordinates are f32; `None` for the world's. Empty if all have that.
    of_meshes: Vec<Option<Vec3>>,
}

impl Pivots {
    /// Returns the origins of the nodes of meshes.
    ///
    /// # Errors
    /// If a node stands beyond single precision.
    pub fn at_nodes(meshes: &BakedMeshes, skeleton: &Skeleton) -> Result<Self, Problem> {
        let at_node = |node: usize| {
            let origin = skeleton.globals[node].map(|[.., translation]| rounded(translation));
            if origin.iter().all(|number| number.is_finite()) {
                return Ok(origin);
            }
            let label = node_label(skeleton.nodes, node);
            let message = format!("{label} stands beyond single precision");
            let path = format!("nodes[{node}]");
            Err(Problem::rule(&path, message).code(Code::U15))
        };
        let of_meshes = meshes
            .list
            .iter()
            .map(|mesh| mesh.pivot.map(at_node).transpose());
        Ok(Self {
            of_meshes: of_meshes.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the middles of the bounds of meshes. Vertices that cannot be baked do not count; writing the file reports them.
    pub fn of_bounds(prepared: &Prepared, evaluator: &Evaluator, executor: &dyn Executor) -> Self {
        let tasks: Vec<(usize, Range<usize>)> = pieces(&prepared.streams).collect();
        let results = executor.results(tasks.len(), |index| {
            let (stream, range) = &tasks[index];
            let stream = &prepared.streams[*stream];
            let piece = evaluator.evaluate(stream, &stream.weights, range.clone());
            Bounds::of_interleaved(&piece.ok()?.parts[0])
        });
        let mut all: Vec<Option<Bounds>> = vec![None; prepared.meshes.list.len()];
        for ((stream, _), bounds) in tasks.iter().zip(&results) {
            if let (Some(mesh), Some(new)) = (prepared.streams[*stream].pivot_of, bounds) {
                let bounds = &mut all[mesh];
                *bounds = Some(bounds.map_or(*new, |all| all.then(new)));
            }
        }
        Self {
            of_meshes: all
                .into_iter()
                .map(|bounds| {
                    bounds.map(|bounds| {
                        std::array::from_fn(|axis| {
                            rounded((bounds.min[axis] + bounds.max[axis]) / 2.0)
                        })
                    })
                })
                .collect(),
        }
    }

    /// Returns the origins with the world's for meshes of nodes with instances (`EXT_mesh_gpu_instancing`): instances are placed between
    /// the node and the mesh, so that they would turn and scale about its origin.
    pub fn without_instanced(mut self, file: &File, meshes: &BakedMeshes) -> Self {
        for &node in &meshes.skinned {
            let is_instanced = file.nodes[node].instances.is_some();
            let mesh = meshes.of_node[node].filter(|_| is_instanced);
            if let Some(origin) = mesh.and_then(|mesh| self.of_meshes.get_mut(mesh)) {
                *origin = None;
            }
        }
        self
    }

    /// Makes the positions of a piece of a stream relative to the origin of its mesh; they are rounded once more.
    pub fn subtract(&self, stream: &Stream, parts: &mut [Vec<f32>]) {
        let origin = stream
            .pivot_of
            .and_then(|mesh: usize| *self.of_meshes.get(mesh)?);
        let Some(origin) = origin.filter(|_| has_positions(stream)) else {
            return;
        };
        for position in parts[0].as_chunks_mut::<3>().0 {
            for (number, origin) in position.iter_mut().zip(origin) {
                *number = (f64::from(*number) - origin) as f32;
            }
        }
    }

    /// Places the new nodes of an output whose meshes have an origin of their own. `moved` has the nodes that differ from the JSON, by index.
    pub fn place_nodes<'a>(
        &self,
        nodes: &[Value<'a>],
        prepared: &Prepared<'a>,
        moved: &mut BTreeMap<usize, Value<'a>>,
    ) {
        let meshes = &prepared.meshes;
        let new = prepared.nodes.iter().skip(meshes.of_node.len());
        for (node, number) in meshes.skinned.iter().zip(new) {
            let mesh = meshes.of_node[*node];
            let origin = mesh.and_then(|mesh| *self.of_meshes.get(mesh)?);
            if let Some((origin, number)) = origin.zip(*number) {
                moved
                    .entry(number)
                    .or_insert_with(|| nodes[number].clone())
                    .set("translation", numbers(&origin));
            }
        }
    }
}

/// The streams with positions of meshes that have an origin of their own, each with ranges of its vertices.
fn pieces(streams: &[Stream]) -> impl Iterator<Item = (usize, Range<usize>)> {
    streams
        .iter()
        .enumerate()
        .filter(|(_, stream)| stream.pivot_of.is_some() && has_positions(stream))
        .flat_map(|(index, stream)| {
            let count = stream.vertex_count;
            (0..count)
                .step_by(PIECE_LEN)
                .map(move |start| (index, start..count.min(start + PIECE_LEN)))
        })
}

/// True if the first part of a stream is the positions of skinned vertices.
fn has_positions(stream: &Stream) -> bool {
    let first = stream.parts.first();
    matches!(stream.kind, Kind::Skinned(_)) && first.is_some_and(|part| part.name == "POSITION")
}

/// The nearest f32 of a number.
fn rounded(number: f64) -> f64 {
    f64::from(number as f32)
}
