//! The palette of a document in a pose.

use super::{Dual, Mesh, Normals, Palette, Skin, VERSION};
use crate::compile::Compiled;
use crate::geometry::pose::palette_by;
use crate::geometry::scene;
use crate::kernel::{self, JointPose};
use crate::language::model::Solver;

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
    let (mut matrices, mut duals) = (Vec::new(), Vec::new());
    for solver in [Solver::Lbs, Solver::Dqs] {
        let joints = 0..skin.joints.len();
        match palette_by(solver, poses, skin) {
            kernel::Palette::Linear(linear) => {
                matrices.extend(joints.map(|joint| linear.matrix(joint)));
            }
            kernel::Palette::Dual(dual) => {
                duals.extend(joints.map(|joint| Dual::from(dual.dual_quaternion(joint))));
            }
        }
    }
    let names = skin.joints.iter().map(|joint| Some(joint.name.clone()));
    Skin {
        name: Some(skin.name.clone()),
        skin: number,
        solver: Some(skin.solver.name()),
        normals: Normals::Matrix,
        joints: names.collect(),
        matrices,
        dual_quaternions: Some(duals),
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
    };
    influences.point_at_references();
    influences
}
