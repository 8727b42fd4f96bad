//! From an authored pose to the palette of a skin.
//!
//! In: a pose and a skin's joints. Out: a [`Palette`] for the skin's solver. A pose's rotation and translation
//! are used directly as the joint's model-space transform; parents and rest positions do not take part (`language.md` §6). A
//! bone, rotation or translation that the pose leaves out is the identity.

use crate::geometry::scene::{Joint, Skin};
use rigy_base::maps::HashMap;
use rigy_kernel::{JointPose, Palette};
use rigy_language::model::{Pose, Solver};

/// Returns the pose of each joint of a skin.
pub fn joint_poses(pose: &Pose, skin: &Skin) -> Vec<JointPose> {
    let by_name: HashMap<&str, JointPose> = pose
        .bones
        .iter()
        .map(|bone| {
            let pose = JointPose {
                rotation: bone.turn(),
                translation: bone.place(),
            };
            (&*bone.bone_id.value, pose)
        })
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
