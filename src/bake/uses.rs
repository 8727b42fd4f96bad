//! Which meshes a file has once it is baked: for each mesh as many as there are ways in which nodes use it.

use std::collections::HashMap;

use crate::bake::gltf::json::Value;
use crate::bake::gltf::{File, Pose, Problem};

/// A mesh of the output.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BakedMesh {
    /// The mesh it is made from.
    pub source: usize,
    /// The skin that deforms it.
    pub skin: Option<usize>,
    /// Weights of its morph targets, none of them −0.0.
    pub weights: Vec<f64>,
}

/// Meshes of the output, and who uses them.
pub(super) struct Uses {
    /// As many as the file has, in their places, then further ones.
    pub meshes: Vec<BakedMesh>,
    /// The mesh of each node, by its place in `meshes`.
    pub of_node: Vec<Option<usize>>,
    /// Nodes with a mesh and a skin, ascending.
    pub skinned: Vec<usize>,
    /// For each scene, which of `skinned` it shows.
    pub shown: Vec<Vec<usize>>,
}

/// Most morph targets and primitives of all nodes' meshes together, and most nodes of all scenes together: beyond what
/// anybody models, below what a short file could ask for by using one mesh, or one tree of nodes, again and again.
const MOST: usize = 1 << 26;

impl Uses {
    /// The first use of a mesh takes the mesh's place; each that differs in skin or morph weights is added at the
    /// end. A mesh that no node uses is morphed by its own weights.
    ///
    /// # Errors
    /// A file that uses things too often.
    pub fn new(file: &File<'_>, pose: &Pose) -> Result<Self, Problem> {
        let size_of =
            |mesh: usize| file.meshes[mesh].weights.len() + file.meshes[mesh].primitives.len();
        let sizes = file
            .nodes
            .iter()
            .filter_map(|node| Some(size_of(node.mesh?)));
        if sizes.fold(0, usize::saturating_add) > MOST {
            return Err(too_often("nodes", MOST, "primitives and morph targets"));
        }
        let mut places: Vec<Option<BakedMesh>> = vec![None; file.meshes.len()];
        let mut further = Vec::new();
        let mut known = HashMap::new();
        let mut of_node = vec![None; file.nodes.len()];
        for (index, (node, posed)) in file.nodes.iter().zip(&pose.nodes).enumerate() {
            let Some(source) = node.mesh else { continue };
            let own = &file.meshes[source].weights;
            let mesh = BakedMesh::new(source, node.skin, posed.weights.as_ref().unwrap_or(own));
            let number = *known.entry(mesh.key()).or_insert_with(|| {
                if places[source].is_none() {
                    places[source] = Some(mesh);
                    source
                } else {
                    further.push(mesh);
                    places.len() + further.len() - 1
                }
            });
            of_node[index] = Some(number);
        }
        let copied = further.iter().map(|mesh: &BakedMesh| mesh.source);
        if size_of_copies(file.tree.list("meshes"), copied) > MOST_COPIED {
            return Err(too_often(
                "nodes",
                MOST_COPIED,
                "values of meshes with different skins and weights",
            ));
        }
        let unused = |source| BakedMesh::new(source, None, &file.meshes[source].weights);
        let in_place = places.into_iter().enumerate();
        let in_place = in_place.map(|(source, mesh)| mesh.unwrap_or_else(|| unused(source)));
        let is_skinned =
            |node: &usize| of_node[*node].is_some() && file.nodes[*node].skin.is_some();
        let skinned: Vec<usize> = (0..of_node.len()).filter(is_skinned).collect();
        Ok(Self {
            meshes: in_place.chain(further).collect(),
            shown: shown(file, &skinned)?,
            skinned,
            of_node,
        })
    }
}

/// Most values of the JSON that are written more often than they stand in the file.
pub(super) const MOST_COPIED: usize = 1 << 22;

/// How much JSON copies of some elements of a list come to.
pub(super) fn size_of_copies(list: &[Value<'_>], copies: impl Iterator<Item = usize>) -> usize {
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    let size = |index| {
        let size = sizes.entry(index);
        *size.or_insert_with(|| list.get(index).map_or(0, Value::size))
    };
    copies.map(size).fold(0, usize::saturating_add)
}

/// For each scene, which of some nodes it shows: those that it lists, and those below them.
fn shown(file: &File<'_>, skinned: &[usize]) -> Result<Vec<Vec<usize>>, Problem> {
    let mut of_scenes = Vec::with_capacity(file.scenes.len());
    let mut seen_by = vec![usize::MAX; file.nodes.len()];
    let (mut visited, mut shown) = (0, 0);
    for (index, scene) in file.scenes.iter().enumerate() {
        let mut open = scene.nodes.clone();
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen_by[node], index) == index {
                continue;
            }
            visited += 1;
            if visited > MOST {
                return Err(too_often("scenes", MOST, "nodes"));
            }
            if let Ok(place) = skinned.binary_search(&node) {
                shown += 1;
                found.push(place);
            }
            if shown > MOST_COPIED {
                return Err(too_often("scenes", MOST_COPIED, "skinned nodes"));
            }
            open.extend(&file.nodes[node].children);
        }
        found.sort_unstable();
        of_scenes.push(found);
    }
    Ok(of_scenes)
}

fn too_often(list: &str, most: usize, what: &str) -> Problem {
    Problem::rule(
        &list,
        format!("all together they use more than {most} {what}"),
    )
}

impl BakedMesh {
    fn new(source: usize, skin: Option<usize>, weights: &[f64]) -> Self {
        Self {
            source,
            skin,
            weights: weights.iter().map(|weight| weight + 0.0).collect(),
        }
    }

    /// What makes two of them one.
    fn key(&self) -> (usize, Option<usize>, Vec<u64>) {
        let weights = self.weights.iter().map(|weight| weight.to_bits());
        (self.source, self.skin, weights.collect())
    }
}
