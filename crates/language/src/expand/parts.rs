//! The mirror images of weights, and surfaces that are merged with theirs.

use super::{copied, mirrored, negated, reflected, renamed};
use crate::model::{
    BoneWeight, Gradient, ImplicitSurface, MirrorX, Operator, OperatorTransform, PrimitiveWeights,
    VertexOverride, WeightMap, WeightSource,
};
use rigy_base::diag::Spanned;

fn bones(m: &MirrorX, list: &[BoneWeight]) -> Vec<BoneWeight> {
    list.iter()
        .map(|w| BoneWeight {
            bone_id: renamed(m, &w.bone_id),
            weight: copied(&w.weight),
        })
        .collect()
}

pub fn primitive_weights(m: &MirrorX, w: &PrimitiveWeights) -> PrimitiveWeights {
    PrimitiveWeights {
        primitive_id: renamed(m, &w.primitive_id),
        bones: bones(m, &w.bones),
    }
}

pub fn weight_map(m: &MirrorX, w: &WeightMap) -> WeightMap {
    let overridden = |o: &VertexOverride| VertexOverride {
        vertices: o.vertices.iter().map(copied).collect(),
        bones: bones(m, &o.bones),
    };
    WeightMap {
        primitive_id: renamed(m, &w.primitive_id),
        gradients: w.gradients.iter().map(|g| gradient(m, g)).collect(),
        overrides: w.overrides.iter().map(overridden).collect(),
        source: w.source.as_ref().map(|source| WeightSource {
            path: copied(&source.path),
            mirror: Some(m.clone()),
            ..source.clone()
        }),
        span: w.span.mirrored(),
    }
}

/// Returns the mirrored gradient: along x the range is reversed and the sides are exchanged; along y and z they stay.
fn gradient(m: &MirrorX, g: &Gradient) -> Gradient {
    let (from, to) = (bones(m, &g.from), bones(m, &g.to));
    let axis = g.axis;
    if axis == 0 {
        let range = [negated(g.range[1]), negated(g.range[0])];
        let (from, to) = (to, from);
        return Gradient {
            axis,
            range,
            from,
            to,
        };
    }
    let range = g.range.each_ref().map(copied);
    Gradient {
        axis,
        range,
        from,
        to,
    }
}

/// Returns a surface whose field is the sum of its own and of that mirrored in the YZ plane: each operator is followed, after all
/// of them, by its mirror image, and the domain contains both halves. An operator at the plane counts twice.
pub fn merged(surface: &ImplicitSurface) -> ImplicitSurface {
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
