//! What a glTF file shows: nodes with meshes, and the skins that they use.

use super::palettes::SCALED;
use rigy_gltf::{File, JointScale};
use rigy_models::mesh::shown_nodes;

/// Most bytes of a joint in a palette.
const PALETTE_BYTES: usize = 16 * SCALED;
/// Bytes of a morph weight: a number in memory, and its digits in the page.
const WEIGHT_BYTES: usize = 24;
/// Bytes that a node of a file counts in each frame, shown or not.
const NODE_BYTES: usize = 8;

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

    /// Returns what a frame counts in bytes: its palettes, its morph weights, and for each node of the file the time that
    /// posing it takes.
    pub fn frame_len(&self) -> u64 {
        let meshes = self
            .nodes
            .iter()
            .filter_map(|node| self.file.nodes[*node].mesh);
        let weights: usize = meshes
            .map(|mesh| self.file.meshes[mesh].weights.len())
            .sum();
        let stored = PALETTE_BYTES * self.joint_count() + WEIGHT_BYTES * weights;
        stored.max(NODE_BYTES * self.file.nodes.len()) as u64
    }

    /// Returns the number of joints of all skins, the last included.
    fn joint_count(&self) -> usize {
        let of_skins = self
            .skins
            .iter()
            .map(|skin| self.file.skins[*skin].joints.len());
        of_skins.sum::<usize>() + self.rigid.len()
    }
}
