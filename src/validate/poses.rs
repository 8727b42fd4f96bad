//! Poses: unit rotations, finite translations, known bones.

use std::collections::HashSet;

use super::Findings;
use crate::diag::{Code, Diagnostic};
use crate::math::{Quat, UnitRotation};
use crate::model::{Document, PoseBone, numbers};

/// V36 or W04, and V32 of translations; pose by pose, in the order bones are written.
pub(super) fn rotations(document: &Document, f: &mut Findings) {
    for bone in document.poses.iter().flat_map(|pose| &pose.bones) {
        rotation(bone, f);
        for number in bone.translation.iter().flatten() {
            f.finite("this offset", *number);
        }
    }
}

fn rotation(bone: &PoseBone, f: &mut Findings) {
    let Some(rotation) = &bone.rotation else {
        return;
    };
    let name = &bone.bone_id.value;
    match Quat::from_wxyz(numbers(&rotation.wxyz)).authored() {
        UnitRotation::Exact(_) => {}
        UnitRotation::Normalised(_) => {
            let message = format!(
                "the rotation of bone `{name}` is nearly a unit quaternion and was normalised"
            );
            f.report(
                Diagnostic::new(Code::W04, rotation.span, message)
                    .help("write its components with all their digits"),
            );
        }
        UnitRotation::Invalid(squared_norm) => {
            let message = format!(
                "the rotation of bone `{name}` has the norm {}, not 1",
                squared_norm.sqrt()
            );
            f.report(
                Diagnostic::new(Code::V36, rotation.span, message)
                    .help("a rotation is [w, x, y, z] with w² + x² + y² + z² = 1"),
            );
        }
    }
}

/// U02: a bone of any armature will do.
pub(super) fn bones(document: &Document, f: &mut Findings) {
    let all = || {
        document
            .armatures
            .iter()
            .flat_map(|a| &a.bones)
            .map(|b| &*b.id.value)
    };
    let known: HashSet<&str> = all().collect();
    for bone in document.poses.iter().flat_map(|pose| &pose.bones) {
        if !known.contains(&*bone.bone_id.value) {
            let message = format!("no armature has a bone `{}`", bone.bone_id.value);
            f.unknown(Code::U02, &bone.bone_id, message, all());
        }
    }
}
