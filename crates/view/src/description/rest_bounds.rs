//! The bounds of a glTF file at rest: of its scene with nodes, joints and morph weights as they are stored.

use std::collections::BTreeMap;

use super::{bounds_of, joined};
use rigy_base::meter::Cost;
use rigy_gltf::{File, Pose, Skeleton, VertexInfluences, Vertices, joint_matrices, morphed, pose};
use rigy_kernel::math::{Affine, Bounds, IDENTITY, Vec3, moved};
use rigy_models::mesh::{distinct_positions, globals, shown_nodes};

/// Vertices that are read at a time.
const BATCH: usize = 4096;

/// Vertices for which a set of four influences counts.
const SET_EFFORT: u64 = 16;

/// Vertices for which finding the matrix of an instance counts.
const INSTANCE_EFFORT: u64 = 64;

/// Vertices for which a morph target of a vertex counts.
const TARGET_EFFORT: u64 = 2;

/// Nodes that show a mesh with one skin and with the same morph weights, or one that shows instances of a skinned mesh.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    mesh: usize,
    skin: Option<usize>,
    /// The bits of the nodes' own weights; `None` if those of the mesh apply.
    weights: Option<Vec<u64>>,
    /// The node, if it shows instances of a skinned mesh.
    alone: Option<usize>,
}

/// The bounds of all vertices that the file shows; `None` if there are none.
///
/// # Errors
/// A message if it takes too much work, or if a number of the file cannot be used.
pub fn at_rest(file: &File<'_>) -> Result<Option<Bounds>, String> {
    let mut groups: BTreeMap<Shown, Vec<usize>> = BTreeMap::new();
    for node in shown_nodes(file) {
        let data = &file.nodes[node];
        if let Some(mesh) = data.mesh {
            let shown = Shown {
                mesh,
                skin: data.skin,
                weights: data
                    .weights
                    .as_ref()
                    .map(|weights| weights.iter().map(|weight| weight.to_bits()).collect()),
                alone: data.skin.and(data.instances).map(|_| node),
            };
            groups.entry(shown).or_default().push(node);
        }
    }
    let mut distinct = BTreeMap::new();
    let mut primitives = |mesh: usize| {
        distinct
            .entry(mesh)
            .or_insert_with(|| distinct_positions(&file.meshes[mesh]))
            .clone()
    };
    let groups: Vec<Group> = groups
        .iter()
        .map(|(shown, nodes)| Group {
            shown,
            nodes,
            primitives: primitives(shown.mesh),
        })
        .collect();
    let effort = groups
        .iter()
        .map(|group| group.effort(file))
        .fold(0, u64::saturating_add);
    let placed = { file.meter }.spend(Cost::Placed, effort);
    placed.map_err(|over| format!("{}; {}", over.message, over.help))?;
    let still: Pose = pose(&file.nodes, &[], 0.0).map_err(|errors| errors[0].to_string())?;
    let space = Space {
        file,
        globals: globals(file),
        skeleton: Skeleton::new(&file.nodes, &still),
    };
    let mut bounds = None;
    for group in &groups {
        bounds = joined(bounds, group.bounds(&space)?);
    }
    Ok(bounds)
}

/// The matrices of nodes.
struct Space<'f, 'a> {
    file: &'f File<'a>,
    globals: Vec<Affine>,
    skeleton: Skeleton<'f>,
}

/// Nodes that show the same vertices before their own transforms.
struct Group<'g> {
    shown: &'g Shown,
    nodes: &'g [usize],
    /// The primitives of the mesh that have different vertices.
    primitives: Vec<usize>,
}

impl Group<'_> {
    /// The steps that its bounds take.
    fn effort(&self, file: &File) -> u64 {
        let all = self
            .nodes
            .iter()
            .map(|node| file.instance_count(*node) as u64)
            .fold(0, u64::saturating_add);
        let instances = all.saturating_sub(self.nodes.len() as u64);
        let places = if self.is_moved_by_nodes() { all } else { 0 };
        self.primitives
            .iter()
            .map(|index| {
                let primitive = &file.meshes[self.shown.mesh].primitives[*index];
                let targets = TARGET_EFFORT * primitive.targets.len() as u64;
                let blends = match self.shown.skin {
                    Some(_) => SET_EFFORT * primitive.influences.len() as u64,
                    None => 0,
                };
                let of_vertex = places.saturating_add(1 + targets + blends);
                INSTANCE_EFFORT
                    .saturating_mul(instances)
                    .saturating_add((primitive.vertex_count as u64).saturating_mul(of_vertex))
            })
            .fold(0, u64::saturating_add)
    }

    /// False if joints alone move the vertices.
    fn is_moved_by_nodes(&self) -> bool {
        self.shown.skin.is_none() || self.shown.alone.is_some()
    }

    fn bounds(&self, space: &Space) -> Result<Option<Bounds>, String> {
        let mesh = &space.file.meshes[self.shown.mesh];
        let own: Option<Vec<f64>> = self
            .shown
            .weights
            .as_ref()
            .map(|bits| bits.iter().map(|bits| f64::from_bits(*bits)).collect());
        let weights = own.as_ref().unwrap_or(&mesh.weights);
        let joints = self
            .shown
            .skin
            .map(|skin| joint_matrices(&space.skeleton, &space.file.skins[skin]))
            .transpose()
            .map_err(|errors| errors[0].to_string())?;
        let mut bounds = None;
        let mut rows: Vec<Vec3> = Vec::new();
        let mut influences = VertexInfluences::default();
        for &index in &self.primitives {
            let primitive = &mesh.primitives[index];
            let path = format!("meshes[{}].primitives[{index}]", self.shown.mesh);
            for start in (0..primitive.vertex_count).step_by(BATCH) {
                let from = Vertices {
                    file: space.file,
                    primitive,
                    path: &path,
                    range: start..primitive.vertex_count.min(start + BATCH),
                };
                let unusable =
                    |problem: rigy_gltf::Problem| format!("{}: {}", problem.path, problem.message);
                morphed::<3>(&from, "POSITION", weights, &mut rows).map_err(unusable)?;
                if let Some(joints) = &joints {
                    influences.read(&from, joints.len()).map_err(unusable)?;
                    rows = blended(&rows, &influences, joints).collect();
                }
                let moved = if self.is_moved_by_nodes() {
                    self.moved_by_nodes(&rows, space)?
                } else {
                    bounds_of(rows.iter().copied())
                };
                bounds = joined(bounds, moved);
            }
        }
        Ok(bounds)
    }

    /// The bounds of vertices in all places to which the nodes and their instances take them.
    fn moved_by_nodes(&self, rows: &[Vec3], space: &Space) -> Result<Option<Bounds>, String> {
        let mut bounds = None;
        for &node in self.nodes {
            let global = match self.shown.skin {
                None => &space.globals[node],
                Some(_) => &IDENTITY,
            };
            for instance in 0..space.file.instance_count(node) {
                let matrix = space.file.placed(global, node, instance);
                let own = bounds_of(rows.iter().map(|row| moved(&matrix, *row)));
                let ends = own.iter().flat_map(|own| [own.min, own.max]);
                if matrix
                    .as_flattened()
                    .iter()
                    .copied()
                    .chain(ends.flatten())
                    .any(|number| !number.is_finite())
                {
                    return Err(format!(
                        "nodes[{node}]: it takes vertices to where numbers are not finite"
                    ));
                }
                bounds = joined(bounds, own);
            }
        }
        Ok(bounds)
    }
}

/// Vertices as their joints move them by linear blending.
fn blended<'v>(
    rows: &'v [Vec3],
    influences: &'v VertexInfluences,
    joints: &'v [Affine],
) -> impl Iterator<Item = Vec3> + 'v {
    let sets = influences.set_count.max(1);
    let slots = influences
        .joints
        .chunks_exact(sets)
        .zip(influences.weights.chunks_exact(sets));
    rows.iter().zip(slots).map(|(row, (numbers, weights))| {
        let mut blend = [[0.0; 4]; 3];
        for (joint, weight) in numbers.as_flattened().iter().zip(weights.as_flattened()) {
            // A slot of weight zero may name any joint.
            let Some(matrix) = joints.get(usize::from(*joint)).filter(|_| *weight != 0.0) else {
                continue;
            };
            blend
                .as_flattened_mut()
                .iter_mut()
                .zip(matrix.as_flattened())
                .for_each(|(sum, component)| *sum += weight * component);
        }
        moved(&blend, *row)
    })
}
