//! From an authored pose to the palette of a skin.
//!
//! In: a pose, or a matrix for each joint, and a skin's joints. Out: a [`Palette`] for the skin's solver. A pose's rotation and translation
//! are used directly as the joint's model-space transform; parents and rest positions do not take part (`language.md` §6). A
//! bone, rotation or translation that the pose leaves out is the identity.

use crate::geometry::scene::{Joint, Skin};
use rigy_base::maps::HashMap;
use rigy_kernel::math::{Affine, Quat, cross, dot, linear_part, translation_part, transpose};
use rigy_kernel::{JointPose, Palette};
use rigy_language::model::{Pose, PoseBone, Solver};

/// Returns the pose of each joint of a skin.
pub fn joint_poses(pose: &Pose, skin: &Skin) -> Vec<JointPose> {
    let by_name: HashMap<&str, JointPose> = pose
        .bones
        .iter()
        .map(|bone| (&*bone.bone_id.value, joint_pose(bone)))
        .collect();
    let of_joint = |joint: &Joint| by_name.get(&*joint.name).copied();
    skin.joints
        .iter()
        .map(|joint| of_joint(joint).unwrap_or(JointPose::IDENTITY))
        .collect()
}

/// The palette of a skin for the given solver, with a pose for each joint.
pub fn palette_by(solver: Solver, poses: &[JointPose], skin: &Skin) -> Palette {
    let joints = skin.joints.iter().map(Joint::inverse_bind_translation);
    let joints = poses.iter().zip(joints);
    match solver {
        Solver::Lbs => Palette::linear(joints.map(|(pose, bind)| (pose.matrix(), bind))),
        Solver::Dqs => Palette::dual(joints.map(|(pose, bind)| (*pose, bind))),
    }
}

/// The palette of a skin with the given matrices of joints, by bone id; a bone that is left out is the identity.
///
/// # Errors
/// The name of each joint whose matrix is not rigid although the skin's solver blends dual quaternions (V35).
pub fn palette_of<'s>(
    matrices: &std::collections::HashMap<&str, Affine>,
    skin: &'s Skin,
) -> Result<Palette, Vec<&'s str>> {
    let joints = skin.joints.iter().map(|joint| {
        let matrix = matrices
            .get(&*joint.name)
            .copied()
            .unwrap_or_else(|| JointPose::IDENTITY.matrix());
        (joint, matrix)
    });
    if skin.solver == Solver::Lbs {
        let bound = joints.map(|(joint, matrix)| (matrix, joint.inverse_bind_translation()));
        return Ok(Palette::linear(bound));
    }
    let mut bent = Vec::new();
    let mut bound = Vec::with_capacity(skin.joints.len());
    for (joint, matrix) in joints {
        match rigid(&matrix) {
            Some(pose) => bound.push((pose, joint.inverse_bind_translation())),
            None => bent.push(&*joint.name),
        }
    }
    if bent.is_empty() {
        Ok(Palette::dual(bound))
    } else {
        Err(bent)
    }
}

/// Largest distance of squared lengths of a rotation's columns from 1, and of their dot products from 0: the same as for the
/// squared norm of authored quaternions.
const RIGID: f64 = 1e-6;

/// The rotation and translation of a matrix; `None` if it is not rigid.
fn rigid(matrix: &Affine) -> Option<JointPose> {
    let rotation = linear_part(matrix);
    let [x, y, z] = transpose(&rotation);
    let unit = [x, y, z].iter().all(|c| (dot(*c, *c) - 1.0).abs() <= RIGID);
    let square = [(x, y), (y, z), (z, x)]
        .iter()
        .all(|(a, b)| dot(*a, *b).abs() <= RIGID);
    let volume = dot(x, cross(y, z));
    (unit && square && volume > 0.0).then(|| JointPose {
        rotation: Quat::of_rotation(&rotation),
        translation: translation_part(matrix),
    })
}

fn joint_pose(bone: &PoseBone) -> JointPose {
    JointPose {
        rotation: bone.turn(),
        translation: bone.place(),
    }
}
