//! Bone parents, lengths and root positions, and the bones and rotations of poses.

use std::cell::{LazyCell, OnceCell};

use super::carried::place_with_parent;
use super::elsewhere;
use super::ids::finite;
use crate::model::{Armature, Bone, Document, Pose, PoseBone, numbers};
use rigy_base::diag::{Code, Diagnostic, Findings, Mend, Spanned};
use rigy_base::maps::{HashMap, HashSet};
use rigy_kernel::math::{Quat, UnitRotation, length, minus};

/// Shortest length of a bone, and greatest coordinate of a root bone that counts as zero, in metres.
const EPSILON: f64 = 1e-9;

/// Returns the first coordinate of the head that is not zero; `None` if the head is at the origin.
pub fn off_origin(bone: &Bone) -> Option<&Spanned<f64>> {
    bone.head.iter().find(|c| c.value.abs() > EPSILON)
}

/// Reports unknown parents (U01), then cycles of parents (V05).
pub fn parents(document: &Document, f: &mut Findings) {
    for armature in &document.armatures {
        let known: HashSet<&str> = armature.bones.iter().map(|b| &*b.id.value).collect();
        let candidates = OnceCell::new();
        let sorted = || {
            let mut candidates: Vec<&str> = known.iter().copied().chain(["none"]).collect();
            candidates.sort_unstable();
            candidates
        };
        for bone in &armature.bones {
            if !bone.is_root() && !known.contains(&*bone.parent.value) {
                let message = format!(
                    "bone `{}` has the parent `{}`, which armature `{}` lacks",
                    bone.id.value, bone.parent.value, armature.id.value
                );
                let candidates = candidates.get_or_init(sorted).iter().copied();
                f.unknown(Code::U01, &bone.parent, message, candidates);
            }
        }
    }
    for armature in &document.armatures {
        cycles(armature, f);
    }
}

/// Reports the bones whose chain of parents leads into a cycle (V05). Each bone is visited once, so the cost does not depend
/// on the lengths of chains.
fn cycles(armature: &Armature, f: &mut Findings) {
    let index_of: HashMap<&str, usize> = {
        armature
            .bones
            .iter()
            .enumerate()
            .rev()
            .map(|(index, bone)| (&*bone.id.value, index))
            .collect()
    };
    let parent = |index: usize| {
        let bone = &armature.bones[index];
        if bone.is_root() {
            None
        } else {
            index_of.get(&*bone.parent.value).copied()
        }
    };
    // `None` for bones that have not been visited, `Some(true)` for those of the present walk and those whose parents end in
    // a cycle.
    let mut cyclic: Vec<Option<bool>> = vec![None; armature.bones.len()];
    for start in 0..armature.bones.len() {
        let mut walked = Vec::new();
        let mut at = Some(start);
        let verdict = loop {
            match at {
                None => break false,
                Some(index) if cyclic[index].is_some() => break cyclic[index] == Some(true),
                Some(index) => {
                    cyclic[index] = Some(true);
                    walked.push(index);
                    at = parent(index);
                }
            }
        };
        for index in walked {
            cyclic[index] = Some(verdict);
        }
        if cyclic[start] == Some(true) {
            let bone = &armature.bones[start];
            let message = format!("the parents of bone `{}` never reach a root", bone.id.value);
            f.report(
                Diagnostic::new(Code::V05, bone.parent.span, message)
                    .help("one bone of the chain must have `parent: none`"),
            );
        }
    }
}

/// Reports bones without a length (V06). A length of exactly 1e-9 passes, and so does one that is not a number, which V32
/// reports.
pub fn lengths(document: &Document, f: &mut Findings) {
    for bone in document.bones() {
        let length = length(minus(numbers(&bone.tail), numbers(&bone.head)));
        if length < EPSILON {
            let message = format!(
                "bone `{}` is {length} long: its head and tail are one point",
                bone.id.value
            );
            f.error(Code::V06, bone.span, message);
        }
    }
}

/// Reports root bones that are not at the origin (W03).
pub fn roots(document: &Document, f: &mut Findings) {
    for armature in &document.armatures {
        for bone in armature.bones.iter().filter(|bone| bone.is_root()) {
            if let Some(off) = off_origin(bone) {
                let head = numbers(&bone.head);
                let message = format!(
                    "root bone `{}` is not at the origin: {head:?}",
                    bone.id.value
                );
                f.error(Code::W03, off.span, message);
            }
        }
    }
}

/// Most bones that one W11 names.
const MOST_NAMED: usize = 3;

/// Checks the bones of each pose in document order: rotations (V36, W04) and the numbers of translations (V32).
pub fn rotations(document: &Document, f: &mut Findings) {
    for pose in &document.poses {
        for bone in &pose.bones {
            rotation(pose, bone, f);
            for number in bone.translation.iter().flat_map(|place| &place.value) {
                finite("this offset", *number, f);
            }
        }
    }
}

fn rotation(pose: &Pose, bone: &PoseBone, f: &mut Findings) {
    let Some(rotation) = &bone.rotation else {
        return;
    };
    let name = &bone.bone_id.value;
    match Quat::from_wxyz(numbers(&rotation.wxyz)).authored() {
        UnitRotation::Exact(_) => {}
        UnitRotation::Normalised(unit) => {
            let message = format!(
                "the rotation of bone `{name}` is nearly a unit quaternion and was normalised"
            );
            f.report(
                Diagnostic::new(Code::W04, rotation.span, message)
                    .of_pose(&pose.id.value)
                    .help("write its components with all their digits")
                    .mend(Mend::Numbers {
                        from: numbers(&rotation.wxyz).to_vec(),
                        to: unit.wxyz().to_vec(),
                    }),
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
pub fn bones(document: &Document, f: &mut Findings) {
    let all = || document.bones().map(|b| &*b.id.value);
    let known: HashSet<&str> = all().collect();
    for bone in document.poses.iter().flat_map(|pose| &pose.bones) {
        if !known.contains(&*bone.bone_id.value) {
            let name = &bone.bone_id.value;
            let message = format!(
                "no armature has a bone `{name}`{}",
                elsewhere(document, name, f)
            );
            f.unknown(Code::U02, &bone.bone_id, message, all());
        }
    }
}

/// Reports each pose that gives no translation to bones with a head away from the origin (W11). All bones of the armatures
/// that bindings name count, even those without influence on a vertex.
pub fn translations(document: &Document, f: &mut Findings) {
    if document.poses.is_empty() {
        return;
    }
    let bound: HashSet<&str> = document
        .bindings
        .iter()
        .map(|b| &*b.armature_id.value)
        .collect();
    let bones: Vec<&Bone> = document
        .armatures
        .iter()
        .filter(|armature| bound.contains(&*armature.id.value))
        .flat_map(|armature| &armature.bones)
        .filter(|bone| off_origin(bone).is_some())
        .collect();
    let mut bones_of_name: HashMap<&str, usize> =
        HashMap::with_capacity_and_hasher(bones.len(), Default::default());
    for bone in &bones {
        *bones_of_name.entry(&bone.id.value).or_default() += 1;
    }
    // Few documents have such a pose.
    let all = LazyCell::new(|| {
        document
            .bones()
            .map(|bone| (&*bone.id.value, bone))
            .collect()
    });
    for pose in &document.poses {
        if f.is_full_of_warnings() {
            break;
        }
        // This takes time for the bones of the pose only, not for all bones of the armatures.
        let counts = translated(pose).filter_map(|name| bones_of_name.get(name));
        let missing = bones.len() - counts.sum::<usize>();
        if missing > 0 {
            f.report(untranslated(pose, &all, &bones, missing));
        }
    }
}

/// Returns the names of the bones to which a pose gives a translation.
fn translated(pose: &Pose) -> impl Iterator<Item = &str> {
    pose.bones
        .iter()
        .filter(|bone| bone.translation.is_some())
        .map(|bone| &*bone.bone_id.value)
}

/// Returns the W11 of a pose that gives no translation to `missing` of the `bones`; `all` has the bones of all armatures by id.
fn untranslated(
    pose: &Pose,
    all: &HashMap<&str, &Bone>,
    bones: &[&Bone],
    missing: usize,
) -> Diagnostic {
    let entries = pose.entries();
    let has_translation: HashSet<&str> = translated(pose).collect();
    let named = bones
        .iter()
        .filter(|bone| !has_translation.contains(&*bone.id.value))
        .take(MOST_NAMED)
        .map(|bone| {
            let place = place_with_parent(bone, all, &entries);
            format!("`{}` {place:?}", bone.id.value)
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
                `translation` as listed puts it where its parent carries it, from where it turns in place";
    Diagnostic::new(Code::W11, pose.span, message)
        .help(help)
        .of_pose(&pose.id.value)
}
