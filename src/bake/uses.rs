//! Which meshes a file has once it is baked: for each mesh as many as there are ways in which nodes use it.

use std::collections::HashMap;

use crate::gltf::{File, Pose};

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
}

impl Uses {
    /// The first use of a mesh takes the mesh's place; each that differs in skin or morph weights is added at the
    /// end. A mesh that no node uses is morphed by its own weights.
    pub fn new(file: &File<'_>, pose: &Pose) -> Self {
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
        let unused = |source| BakedMesh::new(source, None, &file.meshes[source].weights);
        let in_place = places.into_iter().enumerate();
        let in_place = in_place.map(|(source, mesh)| mesh.unwrap_or_else(|| unused(source)));
        let is_skinned =
            |node: &usize| of_node[*node].is_some() && file.nodes[*node].skin.is_some();
        Self {
            meshes: in_place.chain(further).collect(),
            skinned: (0..of_node.len()).filter(is_skinned).collect(),
            of_node,
        }
    }
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
