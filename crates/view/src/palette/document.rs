//! The palette of a document in a pose.

use super::{Mesh, Normals, Palette, Skin, VERSION, duals};
use crate::joints::JointTransforms;
use rigy_kernel::{JointPose, ReferenceRule};
use rigy_models::compile::Compiled;
use rigy_models::geometry::scene;

/// Returns the palette of a document in a pose, or at rest without a pose id: one skin and one mesh for each bound mesh of the
/// document itself, with indices of nodes, meshes and skins in its export. Returns `None` if there is no such pose.
pub fn of_document(compiled: &Compiled, pose_id: Option<&str>) -> Option<Palette> {
    let mut palette = Palette {
        version: VERSION,
        skins: Vec::new(),
        meshes: Vec::new(),
    };
    let mut node = 0;
    let meshes = compiled.assembly().root.meshes.iter();
    let poses = compiled.joint_poses(pose_id)?;
    for (index, (mesh, poses)) in meshes.zip(poses).enumerate() {
        let own_node = node;
        node += 1;
        let (Some(skin), Some(poses)) = (&mesh.skin, poses) else {
            continue;
        };
        node += skin.joints.len(); // The nodes of its bones follow that of the mesh.
        let number = palette.skins.len();
        palette.skins.push(posed(skin, &poses, number));
        palette
            .meshes
            .push(influences(mesh, skin, index, own_node, number));
    }
    Some(palette)
}

fn posed(skin: &scene::Skin, poses: &[JointPose], number: usize) -> Skin {
    let transforms = JointTransforms::of_document(skin, poses);
    let names = skin.joints.iter().map(|joint| Some(joint.name.clone()));
    Skin {
        name: Some(skin.name.clone()),
        skin: number,
        solver: Some(skin.solver.name()),
        normals: Normals::Matrix,
        joints: names.collect(),
        matrices: transforms.linear,
        dual_quaternions: transforms.dual.map(|dual| duals(dual.rigid)),
        first_stage: None,
    }
}

fn influences(
    mesh: &scene::Mesh,
    skin: &scene::Skin,
    index: usize,
    node: usize,
    number: usize,
) -> Mesh {
    let runs = skin.runs.iter();
    let lists = runs.flat_map(|run| std::iter::repeat_n(run.slots, run.vertex_count));
    let (joints, weights) = lists
        .map(|slots| {
            (
                slots.map(|(joint, _)| joint),
                slots.map(|(_, weight)| weight),
            )
        })
        .unzip();
    let mut influences = Mesh {
        name: Some(mesh.name.clone()),
        nodes: vec![node],
        mesh: index,
        primitive: 0,
        skin: number,
        vertices: mesh.geometry.positions.len(),
        sets: 1,
        joints,
        weights,
        references: Vec::new(),
    };
    influences.find_references(ReferenceRule::LowestJoint);
    influences
}
