//! Armatures, bindings and weights.

use super::coerce::{number, plain, solver_field, text, vector, vertex, word};
use super::object::ROOT_BONE;
use super::reader::Reader;
use crate::base::diag::{Code, Diagnostic, Mend, Span, Spanned};
use crate::model::{
    Armature, Binding, Bone, BoneWeight, Gradient, PrimitiveWeights, VertexOverride, WeightMap,
    WeightSource,
};
use crate::schema::rigging as schema;
use crate::yaml::{Kind, NodeId, is_identifier};

pub(super) fn armature(r: &Reader<'_, '_>, id: NodeId) -> Option<Armature> {
    let o = r.object(id, &schema::ARMATURE)?;
    let id = o.required("id", text);
    let name = o.nullable("name", plain);
    let bones = o.required("bones", |r: &Reader<'_, '_>, id| r.list(id, bone));
    Some(Armature {
        id: id?,
        name: name?,
        bones: bones?,
    })
}

/// Reads the id of a parent, or the word `none`.
fn parent(r: &Reader<'_, '_>, id: NodeId) -> Option<Spanned<String>> {
    if matches!(r.node(id).kind, Kind::Null) {
        let error = r.mismatch(id, "text").help(ROOT_BONE);
        return r.fail(error.written_as("null", "none"));
    }
    text(r, id)
}

fn bone(r: &Reader<'_, '_>, id: NodeId) -> Option<Bone> {
    let o = r.object(id, &schema::BONE)?;
    let id = o.required("id", text);
    let parent = o.required("parent", parent);
    let head = o.required("head", vector);
    let tail = o.required("tail", vector);
    let roll = o.optional("roll", number);
    Some(Bone {
        id: id?,
        parent: parent?,
        head: head?,
        tail: tail?,
        roll: roll?.unwrap_or(Spanned::new(0.0, Span::default())),
        span: o.span,
    })
}

pub(super) fn binding(r: &Reader<'_, '_>, id: NodeId) -> Option<Binding> {
    let o = r.object(id, &schema::BINDING)?;
    let mesh_id = o.required("mesh_id", text);
    let armature_id = o.required("armature_id", text);
    let weights = o.list("weights", primitive_weights);
    let weight_maps = o.nullable("weight_maps", |r: &Reader<'_, '_>, id| {
        r.list(id, weight_map)
    });
    let skinning_solver = solver_field(&o);
    Some(Binding {
        mesh_id: mesh_id?,
        armature_id: armature_id?,
        weights: weights?,
        weight_maps: weight_maps?.unwrap_or_default(),
        skinning_solver: skinning_solver?,
    })
}

fn primitive_weights(r: &Reader<'_, '_>, id: NodeId) -> Option<PrimitiveWeights> {
    let o = r.object(id, &schema::PRIMITIVE_WEIGHTS)?;
    let primitive_id = o.required("primitive_id", text);
    let bones = o.required("bones", bone_weights);
    Some(PrimitiveWeights {
        primitive_id: primitive_id?,
        bones: bones?,
    })
}

fn bone_weights(r: &Reader<'_, '_>, id: NodeId) -> Option<Vec<BoneWeight>> {
    match &r.node(id).kind {
        Kind::Str(bone) => r.fail(with_weight(r.mismatch(id, "a list"), bone, ["[", "]"])),
        _ => r.list(id, bone_weight),
    }
}

/// Adds to the finding about a bone alone how it is written with its weight.
fn with_weight(error: Diagnostic, bone: &str, [before, after]: [&str; 2]) -> Diagnostic {
    let written = format!("{before}{{bone_id: {bone}, weight: 1}}{after}");
    let error = error.help(format!("write `{written}`"));
    match is_identifier(bone) {
        true => error.written_as(bone, written),
        false => error,
    }
}

fn bone_weight(r: &Reader<'_, '_>, id: NodeId) -> Option<BoneWeight> {
    if let Kind::Str(bone) = &r.node(id).kind {
        let error = r.mismatch(id, "a bone with its weight");
        return r.fail(with_weight(error, bone, ["", ""]));
    }
    let o = r.object(id, &schema::BONE_WEIGHT)?;
    let bone_id = o.required("bone_id", text);
    let weight = o.required("weight", number);
    Some(BoneWeight {
        bone_id: bone_id?,
        weight: weight?,
    })
}

fn weight_map(r: &Reader<'_, '_>, id: NodeId) -> Option<WeightMap> {
    let o = r.object(id, &schema::WEIGHT_MAP)?;
    let primitive_id = o.required("primitive_id", text);
    let gradients = o.nullable("gradients", |r: &Reader<'_, '_>, id| r.list(id, gradient));
    let overrides = o.nullable("overrides", |r: &Reader<'_, '_>, id| {
        r.list(id, vertex_override)
    });
    let source = o.nullable("source", text);
    let (primitive_id, gradients, overrides, source) =
        (primitive_id?, gradients?, overrides?, source?);
    let original_id = primitive_id.value.clone();
    Some(WeightMap {
        primitive_id,
        gradients: gradients.unwrap_or_default(),
        overrides: overrides.unwrap_or_default(),
        source: source
            .filter(|path| !path.value.is_empty())
            .map(|path| WeightSource {
                path,
                primitive_id: original_id,
                mirror: None,
            }),
        span: o.span,
    })
}

fn gradient(r: &Reader<'_, '_>, id: NodeId) -> Option<Gradient> {
    let o = r.object(id, &schema::GRADIENT)?;
    let axis = o.required("axis", |r: &Reader<'_, '_>, id| word(r, id, schema::AXES));
    let range = o.required("range", range);
    let from = o.required("from", side);
    let to = o.required("to", side);
    Some(Gradient {
        axis: axis?,
        range: range?,
        from: from?,
        to: to?,
    })
}

fn range(r: &Reader<'_, '_>, id: NodeId) -> Option<[Spanned<f64>; 2]> {
    let range: [Spanned<f64>; 2] = r.tuple(id, "numbers", number)?;
    let [start, end] = range;
    if start.value >= end.value {
        let message = format!(
            "the range does not ascend: {} to {}",
            start.value, end.value
        );
        let error = Diagnostic::new(Code::U04, r.span(id), message);
        let error = error.help("put the smaller number first; they may not be equal");
        return r.fail(match start.value > end.value {
            true => error.mend(Mend::Numbers {
                from: vec![start.value, end.value],
                to: vec![end.value, start.value],
            }),
            false => error,
        });
    }
    Some(range)
}

/// Reads one side of a gradient: a list of influences, or a single influence.
fn side(r: &Reader<'_, '_>, id: NodeId) -> Option<Vec<BoneWeight>> {
    match &r.node(id).kind {
        Kind::Map(_) | Kind::Str(_) => Some(vec![bone_weight(r, id)?]),
        _ => bone_weights(r, id),
    }
}

fn vertex_override(r: &Reader<'_, '_>, id: NodeId) -> Option<VertexOverride> {
    let o = r.object(id, &schema::VERTEX_OVERRIDE)?;
    let vertices = o.required("vertices", |r: &Reader<'_, '_>, id| r.list(id, vertex));
    let bones = o.required("bones", bone_weights);
    Some(VertexOverride {
        vertices: vertices?,
        bones: bones?,
    })
}
