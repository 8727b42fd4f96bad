//! Poses: unit rotations, finite translations, known bones, and bones without a translation.

use std::collections::{HashMap, HashSet};

use super::bones::off_origin;
use super::finite::finite;
use crate::base::diag::{Code, Diagnostic, Findings};
use crate::model::{Bone, Document, Pose, PoseBone, numbers};
use rigy_kernel::math::{Quat, UnitRotation};

/// Most bones that one W11 names.
const MOST_NAMED: usize = 3;

/// Checks the bones of each pose in document order: rotations (V36, W04) and the numbers of translations (V32).
pub(super) fn rotations(document: &Document, f: &mut Findings) {
    for bone in document.poses.iter().flat_map(|pose| &pose.bones) {
        rotation(bone, f);
        for number in bone.translation.iter().flatten() {
            finite("this offset", *number, f);
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

/// Reports bones that no armature has (U02).
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

/// Reports each pose that gives no translation to bones with a head away from the origin (W11). All bones of the armatures
/// that bindings name count, even those without influence on a vertex.
pub(super) fn translations(document: &Document, f: &mut Findings) {
    if document.poses.is_empty() {
        return;
    }
    let bindings = document.bindings.iter();
    let bound: HashSet<&str> = bindings.map(|b| &*b.armature_id.value).collect();
    let armatures = document.armatures.iter();
    let bones: Vec<&Bone> = armatures
        .filter(|armature| bound.contains(&*armature.id.value))
        .flat_map(|armature| &armature.bones)
        .filter(|bone| off_origin(bone).is_some())
        .collect();
    let mut bones_of_name: HashMap<&str, usize> = HashMap::with_capacity(bones.len());
    for bone in &bones {
        *bones_of_name.entry(&bone.id.value).or_default() += 1;
    }
    for pose in &document.poses {
        if f.is_full_of_warnings() {
            break;
        }
        // This takes time for the bones of the pose only, not for all bones of the armatures.
        let counts = translated(pose).filter_map(|name| bones_of_name.get(name));
        let missing = bones.len() - counts.sum::<usize>();
        if missing > 0 {
            f.report(untranslated(pose, &bones, missing));
        }
    }
}

/// Returns the names of the bones to which a pose gives a translation.
fn translated(pose: &Pose) -> impl Iterator<Item = &str> {
    let bones = pose.bones.iter();
    let translated = bones.filter(|bone| bone.translation.is_some());
    translated.map(|bone| &*bone.bone_id.value)
}

/// Returns the W11 of a pose that gives no translation to `missing` of the `bones`.
fn untranslated(pose: &Pose, bones: &[&Bone], missing: usize) -> Diagnostic {
    let has_translation: HashSet<&str> = translated(pose).collect();
    let without = bones
        .iter()
        .filter(|bone| !has_translation.contains(&*bone.id.value));
    let named = without.take(MOST_NAMED).map(|bone| {
        // Mirrored heads have negative zeros.
        let head = numbers(&bone.head).map(|c| c + 0.0);
        format!("`{}` {head:?}", bone.id.value)
    });
    let mut list = named.collect::<Vec<_>>().join(", ");
    if missing > MOST_NAMED {
        list.push_str(&format!(" and {} more", missing - MOST_NAMED));
    }
    let noun = if missing == 1 { "bone" } else { "bones" };
    let message = format!(
        "pose `{}` gives no `translation` to {missing} {noun} with a head away from the origin: {list}",
        pose.id.value
    );
    let help = "poses are in model space, so such a bone moves by its head towards the origin; \
                `translation` equal to the head, as listed, lets it turn in place";
    Diagnostic::new(Code::W11, pose.span, message).help(help)
}
