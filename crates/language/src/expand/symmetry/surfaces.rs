//! Implicit surfaces, merged with their mirror images (`extensions.md` §9).

use super::{copied, mirrored, reflected};
use crate::base::diag::Spanned;
use crate::model::{ImplicitSurface, Operator, OperatorTransform};

/// Returns a surface whose field is the sum of its own and of that mirrored in the YZ plane: each operator is followed, after all
/// of them, by its mirror image, and the domain contains both halves. An operator at the plane counts twice.
pub(super) fn merged(surface: &ImplicitSurface) -> ImplicitSurface {
    let mut merged = surface.clone();
    let copies = surface.operators.value.iter().map(operator);
    merged.operators.value.extend(copies);
    let (min, max) = (surface.min[0], surface.max[0]);
    let least =
        |a: Spanned<f64>, b: f64| Spanned::new(if b < a.value { b } else { a.value }, a.span);
    let most =
        |a: Spanned<f64>, b: f64| Spanned::new(if b > a.value { b } else { a.value }, a.span);
    merged.min[0] = least(min, -max.value);
    merged.max[0] = most(max, -min.value);
    merged
}

fn operator(operator: &Operator) -> Operator {
    Operator {
        field: copied(&operator.field),
        strength: copied(&operator.strength),
        radius: copied(&operator.radius),
        height: operator.height.as_ref().map(copied),
        transform: operator.transform.as_ref().map(transform),
        span: operator.span.mirrored(),
        ..operator.clone()
    }
}

fn transform(t: &OperatorTransform) -> OperatorTransform {
    OperatorTransform {
        translation: t.translation.map(mirrored),
        rotation: t.rotation.map(reflected),
        scale: t.scale.map(|scale| scale.each_ref().map(copied)),
    }
}
