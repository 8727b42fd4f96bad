//! The skins of a glTF file in a scene: names, parents and places of joints.

use std::collections::HashMap;

use super::shown::Shown;
use super::{Joint, Skin};
use rigy_gltf::{self, File};
use rigy_kernel::math::{affine_inverse, translation_part};

/// Most pairs of a skin and a node that are looked at for the parents of joints.
const MOST_PAIRS: usize = 1 << 24;

/// Returns the skins that a file shows, and last the one of nodes without a skin; `strides` has the texels of a joint of
/// each.
pub(super) fn skin_list(shown: &Shown<'_, '_>, strides: &[usize]) -> Vec<Skin> {
    let looks = shown.skins.len().saturating_mul(shown.file.nodes.len());
    let label = |node: usize| {
        let name = shown.file.nodes[node].name.clone();
        name.unwrap_or_else(|| format!("node {node}"))
    };
    let mut list = Vec::with_capacity(strides.len());
    for (&index, &stride) in shown.skins.iter().zip(strides) {
        let skin = &shown.file.skins[index];
        let parents = match looks <= MOST_PAIRS {
            true => parents(shown.file, skin),
            false => vec![None; skin.joints.len()],
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
    let joint = |node: &usize| Joint {
        name: label(*node),
        parent: None,
        origin: [0.0; 3],
    };
    list.push(Skin {
        name: "nodes".to_owned(),
        joints: shown.rigid.iter().map(joint).collect(),
        stride: strides.last().copied().unwrap_or(3),
    });
    list
}

/// Returns for each joint of a skin the nearest joint above it.
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
