//! Bone parents, lengths and root positions.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::base::diag::{Code, Diagnostic, Findings, Spanned};
use crate::model::{Armature, Bone, Document, numbers};

/// Shortest length of a bone, and greatest coordinate of a root bone that counts as zero, in metres.
const EPSILON: f64 = 1e-9;

/// Returns the first coordinate of the head that is not zero; `None` if the head is at the origin.
pub(super) fn off_origin(bone: &Bone) -> Option<&Spanned<f64>> {
    bone.head.iter().find(|c| c.value.abs() > EPSILON)
}

/// Reports unknown parents (U01), then cycles of parents (V05).
pub(super) fn parents(document: &Document, f: &mut Findings) {
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
        let pairs = armature.bones.iter().enumerate().rev();
        pairs
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
pub(super) fn lengths(document: &Document, f: &mut Findings) {
    for bone in document.armatures.iter().flat_map(|a| &a.bones) {
        let (head, tail) = (numbers(&bone.head), numbers(&bone.tail));
        let [x, y, z] = [0, 1, 2].map(|i| tail[i] - head[i]);
        let length = (x * x + y * y + z * z).sqrt();
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
pub(super) fn roots(document: &Document, f: &mut Findings) {
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
