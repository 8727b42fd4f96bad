//! Numbers that are infinite or not a number (V32).

use super::surfaces;
use crate::base::diag::{Code, Findings, Spanned};
use crate::model::{BoneWeight, Document, Orientation};

/// Reports a number that is not finite.
pub(super) fn finite(what: &str, number: Spanned<f64>, f: &mut Findings) {
    if !number.value.is_finite() {
        let message = format!("{what} is {}, which is not a finite number", number.value);
        f.error(Code::V32, number.span, message);
    }
}

/// Reports the numbers of a list that are not finite.
pub(super) fn all_finite(what: &str, numbers: &[Spanned<f64>], f: &mut Findings) {
    for number in numbers {
        finite(what, *number, f);
    }
}

/// Reports weights that are not a number.
fn finite_weights(influences: &[BoneWeight], f: &mut Findings) {
    // Infinite weights have been reported as outside 0 to 1.
    for influence in influences.iter().filter(|i| i.weight.value.is_nan()) {
        finite("this weight", influence.weight, f);
    }
}

/// Checks the numbers of primitives, bones, weights and weight maps, then of anchors; [`super::poses`] checks those of
/// poses.
pub(super) fn numbers(document: &Document, f: &mut Findings) {
    for primitive in document.meshes.iter().flat_map(|m| &m.primitives) {
        if let Some(surface) = &primitive.surface {
            surfaces::numbers(surface, f);
        }
        for (_, size) in &primitive.dimensions {
            // Negative infinity has been reported as not positive.
            if size.value != f64::NEG_INFINITY {
                finite("this dimension", *size, f);
            }
        }
        if let Some(transform) = &primitive.transform {
            all_finite(
                "this offset",
                transform.translation.as_ref().map_or(&[], |t| t),
                f,
            );
            match &transform.rotation {
                Some(Orientation::Euler(angles)) => all_finite("this angle", angles, f),
                Some(Orientation::Quaternion(parts)) => all_finite("this component", parts, f),
                None => {}
            }
        }
    }
    for bone in document.armatures.iter().flat_map(|a| &a.bones) {
        all_finite("this coordinate", &bone.head, f);
        all_finite("this coordinate", &bone.tail, f);
        finite("this roll", bone.roll, f);
    }
    for binding in &document.bindings {
        for entry in &binding.weights {
            finite_weights(&entry.bones, f);
        }
        for map in &binding.weight_maps {
            for gradient in &map.gradients {
                all_finite("this end of the range", &gradient.range, f);
                finite_weights(&gradient.from, f);
                finite_weights(&gradient.to, f);
            }
            for entry in &map.overrides {
                finite_weights(&entry.bones, f);
            }
        }
    }
    for anchor in &document.anchors {
        all_finite("this coordinate", &anchor.translation, f);
    }
}
