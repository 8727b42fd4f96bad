//! V32: no infinity and no not-a-number anywhere.

use super::Findings;
use crate::base::diag::{Code, Spanned};
use crate::language::model::{BoneWeight, Document};

impl Findings {
    /// Reports a number that is not finite.
    pub(super) fn finite(&mut self, what: &str, number: Spanned<f64>) {
        if !number.value.is_finite() {
            let message = format!("{what} is {}, which is not a finite number", number.value);
            self.error(Code::V32, number.span, message);
        }
    }

    fn all_finite(&mut self, what: &str, numbers: &[Spanned<f64>]) {
        for number in numbers {
            self.finite(what, *number);
        }
    }

    fn finite_weights(&mut self, influences: &[BoneWeight]) {
        // Infinite weights have already failed as outside 0 to 1.
        for influence in influences.iter().filter(|i| i.weight.value.is_nan()) {
            self.finite("this weight", influence.weight);
        }
    }
}

/// Primitives, bones, weights and weight maps, then anchors. Poses have their own pass.
pub(super) fn numbers(document: &Document, f: &mut Findings) {
    for primitive in document.meshes.iter().flat_map(|m| &m.primitives) {
        for (_, size) in &primitive.dimensions {
            // Negative infinity has already failed as not positive.
            if size.value != f64::NEG_INFINITY {
                f.finite("this dimension", *size);
            }
        }
        if let Some(transform) = &primitive.transform {
            f.all_finite(
                "this offset",
                transform.translation.as_ref().map_or(&[], |t| t),
            );
            f.all_finite("this angle", transform.rotation.as_ref().map_or(&[], |r| r));
        }
    }
    for bone in document.armatures.iter().flat_map(|a| &a.bones) {
        f.all_finite("this coordinate", &bone.head);
        f.all_finite("this coordinate", &bone.tail);
        f.finite("this roll", bone.roll);
    }
    for binding in &document.bindings {
        for entry in &binding.weights {
            f.finite_weights(&entry.bones);
        }
        for map in &binding.weight_maps {
            for gradient in &map.gradients {
                f.all_finite("this end of the range", &gradient.range);
                f.finite_weights(&gradient.from);
                f.finite_weights(&gradient.to);
            }
            for entry in &map.overrides {
                f.finite_weights(&entry.bones);
            }
        }
    }
    for anchor in &document.anchors {
        f.all_finite("this coordinate", &anchor.translation);
    }
}
