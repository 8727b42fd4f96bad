//! Warnings about what no rule forbids and hardly anybody means (W17 to W20, W22).

use crate::model::{
    Binding, BoneWeight, Document, Orientation, Pose, PoseBone, Primitive, Rotation, numbers,
};
use crate::preprocess::beyond_turn;
use rigy_base::diag::{Code, Diagnostic, Findings, Mend, Spanned};
use rigy_base::maps::HashMap;

/// Least and greatest sum of the weights of a list that is not told of: 0.9 and 1.1, with the rounding of sums.
const SUMS: std::ops::RangeInclusive<f64> = 0.9 - 1e-9..=1.1 + 1e-9;

/// The least w of a unit quaternion that is taken for nearly the identity: it turns by at most 52°.
const NEAR_IDENTITY: f64 = 0.9;

/// Reports weights that have no effect because later ones replace them (W17).
pub fn replaced_weights(document: &Document, f: &mut Findings) {
    for binding in &document.bindings {
        replaced_entries(binding, f);
        for map in &binding.weight_maps {
            let Some((last, earlier)) = map.gradients.split_last() else {
                continue;
            };
            let Some(first) = earlier.first() else {
                continue;
            };
            let id = &map.primitive_id.value;
            let which = match earlier.len() {
                1 => "gradient 0 has".to_owned(),
                count => format!("gradients 0 to {} have", count - 1),
            };
            let [from, to] = last.range.map(|number| number.value);
            let message = format!(
                "{which} no effect on primitive `{id}`: a gradient sets all vertices, so only the last one, from {from} to {to}, applies"
            );
            let help = "for a chain of bones, make a primitive of each part and give each a gradient between two bones, or name influences \
                        by vertex in `overrides` or a weight file (`source`)";
            let span = first.range[0].span;
            f.report(Diagnostic::new(Code::W17, span, message).help(help));
        }
    }
}

/// Reports entries of `weights` whose primitive has a later entry.
fn replaced_entries(binding: &Binding, f: &mut Findings) {
    let mut last: HashMap<&str, usize> = HashMap::default();
    for (index, entry) in binding.weights.iter().enumerate() {
        if !entry.bones.is_empty() {
            last.insert(&entry.primitive_id.value, index);
        }
    }
    for (index, entry) in binding.weights.iter().enumerate() {
        let id = &*entry.primitive_id.value;
        if last.get(id).is_some_and(|last| *last > index) {
            let message = format!(
                "these weights of primitive `{id}` have no effect: a later entry of the list replaces them"
            );
            let help = "name all bones of the primitive in one entry";
            f.report(Diagnostic::new(Code::W17, entry.primitive_id.span, message).help(help));
        }
    }
}

/// Reports angles of more than a full turn (W18), and what earlier stages have found: the same from version 0.12 on, and W22.
pub fn angles(document: &Document, f: &mut Findings) {
    for angles in document.primitives().filter_map(euler) {
        let warning = angles.iter().copied().find_map(beyond_turn);
        warning.into_iter().for_each(|warning| f.report(warning));
    }
    document
        .warnings
        .iter()
        .cloned()
        .for_each(|warning| f.report(warning));
}

/// The angles of a primitive that are written in radians.
fn euler(primitive: &Primitive) -> Option<&[Spanned<f64>; 3]> {
    match &primitive.transform.as_ref()?.rotation {
        Some(Orientation::Euler(angles)) => Some(angles),
        _ => None,
    }
}

/// Reports the rotations of poses if all of them look like x, y, z, w: nearly the identity in this order, and nearly half a turn in the
/// order of the language (W19).
pub fn component_orders(document: &Document, f: &mut Findings) {
    let rotations: Vec<(&Pose, &PoseBone, &Rotation)> = document
        .poses
        .iter()
        .flat_map(|pose| pose.bones.iter().map(move |bone| (pose, bone)))
        .filter_map(|(pose, bone)| Some((pose, bone, bone.rotation.as_ref()?)))
        .collect();
    let is_last = |rotation: &Rotation| rotation.wxyz[3].value.abs() >= NEAR_IDENTITY;
    if !rotations.iter().all(|(.., rotation)| is_last(rotation)) {
        return;
    }
    for (pose, bone, rotation) in rotations {
        let name = &bone.bone_id.value;
        let [x, y, z, w] = numbers(&rotation.wxyz);
        let message = format!(
            "the rotation of bone `{name}` is nearly half a turn about z: it looks like x, y, z, w, but w comes first"
        );
        let help = format!("write `[{w:?}, {x:?}, {y:?}, {z:?}]` if it is nearly the rest");
        let warning = Diagnostic::new(Code::W19, rotation.span, message).help(help);
        f.report(warning.of_pose(&pose.id.value).mend(Mend::Numbers {
            from: vec![x, y, z, w],
            to: vec![w, x, y, z],
        }));
    }
}

/// Reports lists of weights whose sum is far from one (W20).
pub fn sums(document: &Document, f: &mut Findings) {
    for list in document.bindings.iter().flat_map(Binding::lists) {
        sum(list, f);
    }
}

fn sum(bones: &[BoneWeight], f: &mut Findings) {
    let sum: f64 = bones.iter().map(|influence| influence.weight.value).sum();
    let (Some(first), false) = (bones.first(), SUMS.contains(&sum)) else {
        return;
    };
    let sum = (sum * 1e6).round() / 1e6;
    let message = format!("these weights add up to {sum}, not to 1");
    let help = if sum == 0.0 {
        "vertices whose weights are all 0 are bound to the root bone; give a bone a weight"
    } else {
        "weights are divided by their sum, so only their ratios count; write them as parts of 1"
    };
    f.report(Diagnostic::new(Code::W20, first.weight.span, message).help(help));
}
