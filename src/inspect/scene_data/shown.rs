//! What a glTF file shows: nodes with meshes, and the skins that they use.

use crate::bake::gltf::{File, JointScale};
use crate::inspect::model::shown_nodes;

/// The nodes that a file shows, and the skins that they use.
pub(super) struct Shown<'s, 'f> {
    pub file: &'s File<'f>,
    /// The treatment of joint scale under dual quaternions.
    pub scale: &'s JointScale,
    /// Nodes with a mesh, ascending.
    pub nodes: Vec<usize>,
    /// Nodes with a mesh and no skin, ascending: the joints of the last skin.
    pub rigid: Vec<usize>,
    /// Indices of the file's skins in use, ascending.
    pub skins: Vec<usize>,
}

impl<'s, 'f> Shown<'s, 'f> {
    /// Returns what a file shows.
    pub fn new(file: &'s File<'f>, scale: &'s JointScale) -> Self {
        let mut nodes = shown_nodes(file);
        nodes.retain(|node| file.nodes[*node].mesh.is_some());
        let is_rigid = |node: &&usize| file.nodes[**node].skin.is_none();
        let mut skins: Vec<usize> = nodes
            .iter()
            .filter_map(|node| file.nodes[*node].skin)
            .collect();
        skins.sort_unstable();
        skins.dedup();
        Self {
            rigid: nodes.iter().filter(is_rigid).copied().collect(),
            nodes,
            skins,
            file,
            scale,
        }
    }

    /// Returns the number of joints of all skins, the last included.
    pub fn joint_count(&self) -> usize {
        let of_skins = self
            .skins
            .iter()
            .map(|skin| self.file.skins[*skin].joints.len());
        of_skins.sum::<usize>() + self.rigid.len()
    }
}
