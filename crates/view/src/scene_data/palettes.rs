//! The palettes of a frame in the form that the shader reads, and the nodes and skins that a glTF file shows.

use std::collections::HashMap;

use super::surfaces::check_size;
use super::{Joint, Skin};
use crate::palette::{DualTransforms, JointTransforms};
use rigy_gltf::Problem;
use rigy_gltf::{self, File, JointScale};
use rigy_kernel::math::{DualQuat, IDENTITY, Quat, affine_inverse, translation_part};
use rigy_models::mesh::{Drawn, drawn, shown_nodes};

/// Texels of a joint that only has a matrix.
const LINEAR: usize = 3;
/// Texels of a joint that does not scale.
const RIGID: usize = 5;
/// Texels of a joint of a skin with joint scale.
pub(super) const SCALED: usize = 8;

/// The skins of a scene at one moment.
pub(super) type Moment = Vec<JointTransforms>;

/// The texels of a joint of each of `count` skins: the most that any moment needs.
pub(super) fn strides(moments: &[&Moment], count: usize) -> Vec<usize> {
    let texels = |skin: &JointTransforms| match &skin.dual {
        None => LINEAR,
        Some(DualTransforms { first: None, .. }) => RIGID,
        Some(_) => SCALED,
    };
    let most = |skin: usize| moments.iter().map(|moment| texels(&moment[skin])).max();
    (0..count)
        .map(|skin| most(skin).unwrap_or(LINEAR))
        .collect()
}

/// True if all numbers of a moment are finite in f32.
pub(super) fn is_finite(moment: &Moment) -> bool {
    let single = |number: &f64| (*number as f32).is_finite();
    moment.iter().all(|skin| {
        let matrices = skin.linear.iter().flatten().flatten().all(single);
        matrices && skin.dual.as_ref().is_none_or(is_dual_finite)
    })
}

/// True if all numbers of dual quaternions, and of the matrices before them, are finite in f32.
pub(super) fn is_dual_finite(dual: &DualTransforms) -> bool {
    let single = |number: &f64| (*number as f32).is_finite();
    let parts = dual.rigid.iter().flat_map(|joint| [joint.real, joint.dual]);
    let mut first = dual.first.iter().flatten().flatten().flatten();
    first.all(single) && parts.into_iter().all(|part| part.wxyz().iter().all(single))
}

/// Returns the numbers of a moment's palettes; `strides` has the texels of a joint of each skin.
pub(super) fn numbers(moment: &Moment, strides: &[usize]) -> Vec<f64> {
    let mut numbers = Vec::new();
    for (skin, stride) in moment.iter().zip(strides) {
        for (joint, matrix) in skin.linear.iter().enumerate() {
            numbers.extend(matrix.as_flattened());
            if *stride == LINEAR {
                continue;
            }
            let dual = skin.dual.as_ref();
            numbers.extend(texels(dual.map(|dual| dual.rigid[joint])));
            if *stride == SCALED {
                let first = dual.and_then(|dual| dual.first.as_ref());
                let first = first.map_or(IDENTITY, |first| first[joint]);
                numbers.extend(first.as_flattened());
            }
        }
    }
    numbers
}

/// The two quaternions of a dual quaternion, x y z w each; those of the identity if there is none.
fn texels(dual: Option<DualQuat>) -> impl Iterator<Item = f64> {
    let dual = dual.unwrap_or_else(|| DualQuat::new(Quat::IDENTITY, [0.0; 3]));
    let part = |q: Quat| [q.x, q.y, q.z, q.w];
    part(dual.real).into_iter().chain(part(dual.dual))
}

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
    /// What they draw: a surface each.
    pub drawn: Vec<Drawn>,
    /// Nodes with a mesh and no skin, ascending, each with its instances: the joints of the last skin.
    pub rigid: Vec<(usize, usize)>,
    /// The file's skins in use, ascending.
    pub skins: Vec<UsedSkin>,
}

/// The index of a skin; and the node and the instance that move what it has skinned, if the node has instances.
pub(super) type UsedSkin = (usize, Option<(usize, usize)>);

impl<'s, 'f> Shown<'s, 'f> {
    /// Returns what a file shows.
    ///
    /// # Errors
    /// If it is more than a page can hold.
    pub fn new(file: &'s File<'f>, scale: &'s JointScale) -> Result<Self, Problem> {
        let nodes = shown_nodes(file);
        check_size(file, &nodes)?;
        let mut shown = Self {
            file,
            scale,
            drawn: drawn(file, &nodes).collect(),
            nodes,
            rigid: Vec::new(),
            skins: Vec::new(),
        };
        for one in &shown.drawn {
            match shown.skin_of(one) {
                Some(skin) => shown.skins.push(skin),
                None => shown.rigid.push((one.node, one.instance)),
            }
        }
        shown.skins.sort_unstable();
        shown.skins.dedup();
        shown.rigid.dedup();
        Ok(shown)
    }

    /// Returns the skin of what is drawn; `None` if it has none.
    pub fn skin_of(&self, drawn: &Drawn) -> Option<UsedSkin> {
        let node = &self.file.nodes[drawn.node];
        let place = node.instances.map(|_| (drawn.node, drawn.instance));
        node.skin.map(|skin| (skin, place))
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

    /// The number of joints of all skins, the last included.
    fn joint_count(&self) -> usize {
        let of_skins = self
            .skins
            .iter()
            .map(|(skin, _)| self.file.skins[*skin].joints.len());
        of_skins.sum::<usize>() + self.rigid.len()
    }
}

/// Most pairs of a skin and a node that are looked at for the parents of joints.
const MOST_PAIRS: usize = 1 << 24;

/// The skins that a file shows, and last the one of nodes without a skin; `strides` has the texels of a joint of
/// each.
pub(super) fn skin_list(shown: &Shown<'_, '_>, strides: &[usize]) -> Vec<Skin> {
    let looks = shown.skins.len().saturating_mul(shown.file.nodes.len());
    let label = |node: usize| {
        let name = shown.file.nodes[node].name.clone();
        name.unwrap_or_else(|| format!("node {node}"))
    };
    let mut list = Vec::with_capacity(strides.len());
    for (&(index, _), &stride) in shown.skins.iter().zip(strides) {
        let skin = &shown.file.skins[index];
        let parents = if looks <= MOST_PAIRS {
            parents(shown.file, skin)
        } else {
            vec![None; skin.joints.len()]
        };
        let joint = |(joint, node): (usize, &usize)| {
            let inverse = skin.inverse_bind_matrices.as_ref().map(|all| &all[joint]);
            let origin = inverse.map(|matrix| translation_part(&affine_inverse(matrix)));
            let origin = origin.filter(|origin| origin.iter().all(|c| c.is_finite()));
            Joint {
                name: label(*node),
                parent: parents[joint],
                origin: origin.unwrap_or_default(),
            }
        };
        list.push(Skin {
            name: skin.name.clone().unwrap_or_else(|| format!("skin {index}")),
            joints: skin.joints.iter().enumerate().map(joint).collect(),
            stride,
        });
    }
    let joint = |(node, _): &(usize, usize)| Joint {
        name: label(*node),
        ..Joint::default()
    };
    list.push(Skin {
        name: "nodes".to_owned(),
        joints: shown.rigid.iter().map(joint).collect(),
        stride: strides.last().copied().unwrap_or(3),
    });
    list
}

/// For each joint of a skin the nearest joint above it.
fn parents(file: &File<'_>, skin: &rigy_gltf::Skin) -> Vec<Option<usize>> {
    let joints = skin.joints.iter().enumerate();
    let joint_of: HashMap<usize, usize> = joints.map(|(joint, node)| (*node, joint)).collect();
    let mut above: Vec<Option<usize>> = vec![None; file.nodes.len()];
    for &node in &file.order {
        if let Some(parent) = file.nodes[node].parent {
            above[node] = joint_of.get(&parent).copied().or(above[parent]);
        }
    }
    skin.joints.iter().map(|node| above[*node]).collect()
}
