//! The meshes of a baked file: one for each combination of mesh, skin, morph weights, handedness and origin that
//! nodes use.

use std::collections::{BTreeMap, BTreeSet};

use super::pivot::Pivot;
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_gltf::json::Value;
use rigy_gltf::{Channel, File, Mesh, Pose, Property, Result, Skeleton};
use rigy_kernel::math::{IDENTITY, determinant, linear_part};

/// A mesh of the output.
#[derive(Clone, PartialEq)]
pub struct BakedMesh {
    /// Index of the input's mesh that it is made from.
    pub source: usize,
    /// Index of the skin that deforms it.
    pub skin: Option<usize>,
    /// Weights of its morph targets, none of them −0.0. If they are those of a node over time, targets that the node may use have
    /// the weight 1 here, the others 0.
    pub weights: Vec<f64>,
    /// The node whose weights it follows over time; `None` if they stay as they are.
    pub follows: Option<usize>,
    /// True if it is skinned and its node's global matrix mirrors, so that its triangles are turned over.
    pub is_mirrored: bool,
    /// The node whose origin is the mesh's; `None` if it does not depend on nodes.
    pub pivot: Option<usize>,
}

/// Source, skin, bits of weights, the node that is followed, handedness, and the node of the origin of a mesh.
type Key = (
    usize,
    Option<usize>,
    Vec<u64>,
    Option<usize>,
    bool,
    Option<usize>,
);

/// All meshes of the output, and the nodes that use them.
#[derive(PartialEq)]
pub struct BakedMeshes {
    /// One mesh in the place of each mesh of the input, then the additional ones.
    pub list: Vec<BakedMesh>,
    /// For each node, the index of its mesh in `list`.
    pub of_node: Vec<Option<usize>>,
    /// Indices of the nodes with a mesh and a skin, ascending.
    pub skinned: Vec<usize>,
    /// For each scene, the positions in `skinned` of the nodes that it shows, ascending.
    pub shown: Vec<Vec<usize>>,
    /// The node whose children the new nodes become; `None` if they become roots.
    pub root: Option<usize>,
}

impl BakedMeshes {
    /// Finds the meshes of the output. The first use of a mesh takes the mesh's place; each use that differs from it in
    /// skin, morph weights, handedness or origin is added at the end. A mesh that no node uses is morphed by its own weights.
    ///
    /// # Errors
    /// If meshes or nodes are used so often that it takes too much work.
    pub fn new(
        file: &File,
        pose: &Pose,
        skeleton: &Skeleton,
        pivot: Pivot,
        meter: &mut Meter,
    ) -> Result<Self> {
        Self::over_time(file, pose, skeleton, (&[], pivot), meter)
    }

    /// Finds the meshes of an output with several moments of an animation, of which `pose` and `skeleton` are the first: each node
    /// whose weights the animation sets has a mesh of its own.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn over_time(
        file: &File,
        pose: &Pose,
        skeleton: &Skeleton,
        (channels, pivot): (&[Channel], Pivot),
        meter: &mut Meter,
    ) -> Result<Self> {
        let of_mesh = |mesh: &Mesh| (mesh.weights.len() + mesh.primitives.len()) as u64;
        let used = file.nodes.iter().filter_map(|node| node.mesh);
        let uses = used.map(|mesh| of_mesh(&file.meshes[mesh]));
        let uses = uses.fold(file.nodes.len() as u64, u64::saturating_add);
        meter.spend(Cost::Uses, uses)?;
        let followed = followed_weights(channels);
        let mut first_uses: Vec<Option<BakedMesh>> = vec![None; file.meshes.len()];
        let mut additional = Vec::new();
        let mut known = HashMap::default();
        let mut of_node = vec![None; file.nodes.len()];
        for (index, (node, posed)) in file.nodes.iter().zip(&pose.nodes).enumerate() {
            let Some(source) = node.mesh else { continue };
            let default = &file.meshes[source].weights;
            let own = followed.get(&index);
            let weights = own.or(posed.weights.as_ref()).unwrap_or(default);
            let is_mirrored = node.skin.is_some() && is_mirroring(skeleton, index);
            let has_pivot = node.skin.is_some() && pivot == Pivot::Node;
            let mesh = BakedMesh {
                follows: own.map(|_| index),
                pivot: has_pivot.then_some(index),
                ..BakedMesh::new(source, node.skin, weights, is_mirrored)
            };
            let number = *known.entry(mesh.key()).or_insert_with(|| {
                if first_uses[source].is_none() {
                    first_uses[source] = Some(mesh);
                    source
                } else {
                    additional.push(mesh);
                    first_uses.len() + additional.len() - 1
                }
            });
            of_node[index] = Some(number);
        }
        let sources = additional.iter().map(|mesh| mesh.source);
        let repeated = size_of_copies(file.tree.list("meshes"), sources);
        meter.spend(Cost::Repeated, repeated as u64)?;
        let unused = |source| BakedMesh::new(source, None, &file.meshes[source].weights, false);
        let in_place = first_uses.into_iter().enumerate();
        let in_place = in_place.map(|(source, mesh)| mesh.unwrap_or_else(|| unused(source)));
        let is_skinned =
            |node: &usize| of_node[*node].is_some() && file.nodes[*node].skin.is_some();
        let skinned: Vec<usize> = (0..of_node.len()).filter(is_skinned).collect();
        let shown = shown(file, &skinned, meter)?;
        Ok(Self {
            list: in_place.chain(additional).collect(),
            root: single_root(file, &shown, skeleton),
            shown,
            skinned,
            of_node,
        })
    }

    /// Returns the indices of the skins that deform a mesh.
    pub fn skins(&self) -> HashSet<usize> {
        self.list.iter().filter_map(|mesh| mesh.skin).collect()
    }

    /// Returns true if a scene shows a skinned node.
    pub fn shows_instances(&self) -> bool {
        self.shown.iter().any(|shown| !shown.is_empty())
    }

    /// Returns the positions in `skinned` of the nodes that some scene shows.
    pub fn shown_by_any(&self) -> BTreeSet<usize> {
        self.shown.iter().flatten().copied().collect()
    }
}

/// True if the global matrix of a node mirrors.
pub fn is_mirroring(skeleton: &Skeleton, node: usize) -> bool {
    determinant(&linear_part(&skeleton.globals[node])) < 0.0
}

/// For each node whose weights channels animate 1 for each morph target that has another weight than 0 at any key, else 0.
fn followed_weights(channels: &[Channel]) -> BTreeMap<usize, Vec<f64>> {
    let of_weights = channels
        .iter()
        .filter(|channel| channel.property == Property::Weights);
    of_weights
        .map(|channel| {
            let mut used = vec![0.0; channel.width];
            for key in channel.values.chunks(channel.width.max(1)) {
                for (used, weight) in used.iter_mut().zip(key) {
                    *used = if *weight == 0.0 { *used } else { 1.0 };
                }
            }
            (channel.node, used)
        })
        .collect()
}

/// The total [`Value::size`] of copies of elements of `list`; `copies` gives the index of each copied element.
fn size_of_copies(list: &[Value], copies: impl Iterator<Item = usize>) -> usize {
    let mut sizes: HashMap<usize, usize> = HashMap::default();
    copies
        .map(|index| {
            let size = sizes.entry(index);
            *size.or_insert_with(|| list.get(index).map_or(0, Value::size))
        })
        .fold(0, usize::saturating_add)
}

/// For each scene the positions in `skinned` of the nodes that it shows: those that it lists and all below
/// them.
///
/// # Errors
/// If scenes show so many nodes, or so many skinned nodes, that it takes too much work.
fn shown(file: &File, skinned: &[usize], meter: &mut Meter) -> Result<Vec<Vec<usize>>, Overspent> {
    let mut of_scenes = Vec::with_capacity(file.scenes.len());
    let mut seen_by = vec![usize::MAX; file.nodes.len()];
    for (index, scene) in file.scenes.iter().enumerate() {
        let mut open = scene.nodes.clone();
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen_by[node], index) == index {
                continue;
            }
            meter.spend(Cost::Uses, 1)?;
            if let Ok(position) = skinned.binary_search(&node) {
                meter.spend(Cost::Repeated, 1)?;
                found.push(position);
            }
            open.extend(&file.nodes[node].children);
        }
        found.sort_unstable();
        of_scenes.push(found);
    }
    Ok(of_scenes)
}

impl BakedMesh {
    fn new(source: usize, skin: Option<usize>, weights: &[f64], is_mirrored: bool) -> Self {
        Self {
            source,
            skin,
            weights: weights.iter().map(|weight| weight + 0.0).collect(),
            follows: None,
            is_mirrored,
            pivot: None,
        }
    }

    /// A key: two uses with equal keys share one mesh of the output.
    fn key(&self) -> Key {
        let weights = self.weights.iter().map(|weight| weight.to_bits());
        let follows = self.follows;
        (
            self.source,
            self.skin,
            weights.collect(),
            follows,
            self.is_mirrored,
            self.pivot,
        )
    }
}

/// The flag, which stands in `extensionsUsed` alone.
pub const SINGLE_ROOT: &str = "GODOT_single_root";

/// True if a file has the flag.
pub fn has_flag(tree: &Value) -> bool {
    tree.list("extensionsUsed")
        .iter()
        .any(|name| name.as_str() == Some(SINGLE_ROOT))
}

/// The node that takes the baked meshes of a file with the flag: the only root of all scenes that show skinned nodes, if its
/// global matrix is the identity. `shown` has the skinned nodes that each scene shows.
fn single_root(file: &File, shown: &[Vec<usize>], skeleton: &Skeleton) -> Option<usize> {
    if !has_flag(&file.tree) {
        return None;
    }
    let mut scenes = file
        .scenes
        .iter()
        .zip(shown)
        .filter(|(_, shown)| !shown.is_empty());
    let [root] = scenes.next()?.0.nodes[..] else {
        return None;
    };
    let is_root = file.nodes[root].parent.is_none();
    let fits = is_root && skeleton.globals[root] == IDENTITY;
    let is_only = scenes.all(|(scene, _)| scene.nodes == [root]);
    (fits && is_only).then_some(root)
}
