//! From an authored pose to the palette of a skin.
//!
//! In: a pose and a skin's joints. Out: a [`Palette`] for the skin's solver. A pose's rotation and translation
//! are the joint's model-space transform as they stand: no parents, no rest position (`language.md` §6). A bone
//! the pose leaves out, or a part it leaves out, is the identity.

use std::collections::HashMap;

use crate::kernel::{JointPose, Palette};
use crate::math::{Quat, UnitRotation};
use crate::model::{Pose, PoseBone, Solver, numbers};
use crate::scene::Skin;

/// The palette of a skin under a pose.
pub fn palette(pose: &Pose, skin: &Skin) -> Palette {
    let by_name: HashMap<&str, JointPose> = {
        let bones = pose.bones.iter();
        bones
            .map(|bone| (&*bone.bone_id.value, joint_pose(bone)))
            .collect()
    };
    let joints = skin.joints.iter().map(|joint| {
        let pose = by_name.get(&*joint.name).copied();
        (
            pose.unwrap_or(JointPose::IDENTITY),
            joint.inverse_bind_translation(),
        )
    });
    match skin.solver {
        Solver::Lbs => Palette::linear(joints),
        Solver::Dqs => Palette::dual(joints),
    }
}

fn joint_pose(bone: &PoseBone) -> JointPose {
    let rotation = bone
        .rotation
        .as_ref()
        .map(|r| Quat::from_wxyz(numbers(&r.wxyz)));
    let translation = bone.translation.as_ref().map(numbers);
    JointPose {
        rotation: rotation.map_or(Quat::IDENTITY, usable),
        translation: translation.unwrap_or([0.0; 3]),
    }
}

/// The rotation that is used for an authored one (`decisions.md`, "Pose quaternion norm").
fn usable(authored: Quat) -> Quat {
    match authored.authored() {
        UnitRotation::Exact(q) | UnitRotation::Normalised(q) => q,
        // Validation refuses these (V36).
        UnitRotation::Invalid(_) => authored,
    }
}
