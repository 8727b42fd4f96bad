//! Implicit surfaces (`extensions.md` §8.1).

use super::ids::{all_finite, finite};
use crate::model::surfaces::ALGORITHM;
use crate::model::{Document, Field, ImplicitSurface, Operator, Shape};
use crate::version::Feature;
use rigy_base::diag::{Code, Findings, Spanned};

/// Most samples of a grid.
const MAX_SAMPLES: f64 = 2_000_000.0;

/// Reports surfaces in versions that do not have them (V79), then V80 to V87, surface by surface.
pub fn surfaces(document: &Document, f: &mut Findings) {
    let primitives = document.primitives();
    if !document.version.has(Feature::ImplicitSurfaces) {
        for primitive in primitives.filter(|p| p.shape == Shape::Implicit) {
            let since = Feature::ImplicitSurfaces.since();
            let message = format!(
                "implicit surfaces begin with version {since}; this document declares {}",
                document.version
            );
            f.error(Code::V79, primitive.id.span, message);
        }
        return;
    }
    for surface in primitives.filter_map(|primitive| primitive.surface.as_deref()) {
        domain(surface, f);
        grid(surface, f);
        let operators = &surface.operators;
        if operators.value.is_empty() {
            let message = "an implicit surface has at least one operator";
            f.error(Code::V82, operators.span, message);
        }
        samples(surface, f);
        if let Some(algorithm) = surface.algorithm.as_ref().filter(|a| a.value != ALGORITHM) {
            let message = format!("there is no algorithm `{}`", algorithm.value);
            f.unknown(Code::V87, algorithm, message, [ALGORITHM]);
        }
        for operator in &operators.value {
            check(operator, f);
        }
    }
}

fn domain(surface: &ImplicitSurface, f: &mut Findings) {
    for (min, max) in surface.min.iter().zip(&surface.max) {
        let bad = [min, max]
            .into_iter()
            .find(|number| !number.value.is_finite());
        if let Some(number) = bad {
            let message = format!("{} is not finite", number.value);
            f.error(Code::V80, number.span, message);
        } else if max.value <= min.value {
            let message = format!(
                "the maximum {} is not above the minimum {}",
                max.value, min.value
            );
            f.error(Code::V80, max.span, message);
        }
    }
    finite("the value of the surface", surface.iso, f);
}

fn grid(surface: &ImplicitSurface, f: &mut Findings) {
    for count in surface.samples.iter().filter(|count| count.value < 2.0) {
        let message = format!(
            "{} samples; a grid has at least 2 on each axis",
            count.value
        );
        f.error(Code::V81, count.span, message);
    }
}

fn samples(surface: &ImplicitSurface, f: &mut Findings) {
    let [x, y, z] = surface.samples;
    let count = x.value * y.value * z.value;
    if count > MAX_SAMPLES {
        let message = format!("the grid has {count} samples; the limit is {MAX_SAMPLES}");
        f.error(Code::V86, x.span, message);
    }
}

fn check(operator: &Operator, f: &mut Findings) {
    let field = Field::named(&operator.field.value);
    if field.is_none() {
        let message = format!("there is no field `{}`", operator.field.value);
        f.unknown(Code::V83, &operator.field, message, Field::NAMES);
    }
    let mut positive = |what: &str, number: Spanned<f64>| {
        // NaN is reported with the other numbers (V32).
        if number.value <= 0.0 {
            let message = format!("the {what} is {}, which is not positive", number.value);
            f.error(Code::V84, number.span, message);
        }
    };
    positive("radius", operator.radius);
    positive("strength", operator.strength);
    if field.is_some_and(Field::is_capsule) {
        match operator.height {
            Some(height) => positive("height", height),
            None => {
                let message = "a capsule has a `height`";
                f.error(Code::V84, operator.span, message);
            }
        }
    }
    let scale = operator.transform.as_ref().and_then(|t| t.scale);
    if let Some(scale) = scale.filter(|scale| !is_uniform(scale)) {
        let [x, y, z] = scale.map(|number| number.value);
        let message = format!("the scale {x}, {y}, {z} is not uniform and positive");
        f.error(Code::V85, scale[0].span, message);
    }
}

/// True for a scale that is the same positive number on all axes, which may be infinite.
fn is_uniform([x, y, z]: &[Spanned<f64>; 3]) -> bool {
    x.value == y.value && y.value == z.value && x.value > 0.0
}

/// Reports other numbers of surfaces that are not finite (V32).
pub fn numbers(surface: &ImplicitSurface, f: &mut Findings) {
    for operator in &surface.operators.value {
        let is_capsule = Field::named(&operator.field.value).is_some_and(Field::is_capsule);
        let sizes = [
            (Some(operator.strength), true),
            (Some(operator.radius), true),
            (operator.height, is_capsule),
        ];
        for (size, is_positive) in sizes {
            // V84 has told of those that have to be positive.
            let size = size.filter(|size| !is_positive || size.value != f64::NEG_INFINITY);
            size.into_iter()
                .for_each(|size| finite("this number", size, f));
        }
        for vector in operator
            .transform
            .iter()
            .flat_map(|t| [t.translation, t.scale.filter(is_uniform)])
            .flatten()
        {
            all_finite("this number", &vector, f);
        }
    }
}
