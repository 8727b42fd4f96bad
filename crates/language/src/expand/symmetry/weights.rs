//! Weights and weight maps of mirrored primitives.

use super::{copied, negated, renamed};
use crate::model::{
    BoneWeight, Gradient, MirrorX, PrimitiveWeights, VertexOverride, WeightMap, WeightSource,
};

fn bones(m: &MirrorX, list: &[BoneWeight]) -> Vec<BoneWeight> {
    let copy = |w: &BoneWeight| BoneWeight {
        bone_id: renamed(m, &w.bone_id),
        weight: copied(&w.weight),
    };
    list.iter().map(copy).collect()
}

pub(super) fn primitive_weights(m: &MirrorX, w: &PrimitiveWeights) -> PrimitiveWeights {
    PrimitiveWeights {
        primitive_id: renamed(m, &w.primitive_id),
        bones: bones(m, &w.bones),
    }
}

pub(super) fn weight_map(m: &MirrorX, w: &WeightMap) -> WeightMap {
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
