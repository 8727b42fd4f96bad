//! Bindings of meshes to armatures, with their weights (`language.md` §1.4).

use super::MirrorX;
use crate::parse::coerce::{number, text, word};
use crate::parse::record::index;
use crate::parse::{Object, Reader, record, value};
use crate::schema::Form;
use crate::schema::names::NameKind;
use crate::version::Feature;
use crate::yaml::{Kind, NodeId, is_identifier};
use rigy_base::diag::{Code, Diagnostic, Mend, Span, Spanned, Text};
use rigy_kernel::Solver;

record! {
    /// A mesh that an armature moves.
    pub struct Binding: BINDING("binding", "binding") {
        /// The id of the mesh.
        mesh_id: Text = required.refers(NameKind::Mesh),
        /// The id of the armature.
        armature_id: Text = required.refers(NameKind::Armature),
        /// Weights of whole primitives.
        ///
        /// A later entry replaces an earlier one.
        weights: Vec<PrimitiveWeights> = optional,
        /// Weights of single vertices, applied after `weights`.
        weight_maps: Vec<WeightMap> = nullable,
        /// How vertices follow bones: linear blending (lbs) or dual quaternions (dqs).
        ///
        /// `None` for the document's.
        skinning_solver: Option<Solver> = nullable.since(Feature::Poses),
    } then noting_solver
}

impl Binding {
    /// Returns all its lists of influences: those of whole primitives, then those of each weight map.
    pub fn lists(&self) -> impl Iterator<Item = &Vec<BoneWeight>> {
        let of_maps = self.weight_maps.iter().flat_map(|map| {
            let ends = map
                .gradients
                .iter()
                .flat_map(|gradient| [&gradient.from, &gradient.to]);
            ends.chain(map.overrides.iter().map(|entry| &entry.bones))
        });
        self.weights.iter().map(|entry| &entry.bones).chain(of_maps)
    }
}

/// The words of the field `skinning_solver`.
const SOLVERS: &[&str] = &["lbs", "dqs"];

value! {
    Solver: Form::Word(SOLVERS), |r, id| Some([Self::Lbs, Self::Dqs][word(r, id, SOLVERS)?]);
}

fn noting_solver(binding: Binding, o: &Object) -> Option<Binding> {
    note_solver(binding.skinning_solver, o);
    Some(binding)
}

/// Adds a use of dual quaternions, which came with version 0.5.
pub(super) fn note_solver(solver: Option<Solver>, o: &Object) {
    if solver == Some(Solver::Dqs) {
        o.uses_feature("skinning_solver", "skinning_solver: dqs");
    }
}

record! {
    /// One set of weights for a whole primitive.
    pub struct PrimitiveWeights: PRIMITIVE_WEIGHTS("weights", "weights entry") {
        /// The id of the primitive.
        primitive_id: Text = required.refers(NameKind::Primitive),
        /// The bones that move it.
        ///
        /// An empty list changes nothing.
        bones: Vec<BoneWeight> = required(BONE_WEIGHTS, bone_weights),
    }
}

record! {
    /// How much a bone moves something.
    pub struct BoneWeight: BONE_WEIGHT("bone_weight", "bone weight") {
        /// The id of the bone.
        bone_id: Text = required.refers(NameKind::Bone),
        /// The weight, from 0 to 1.
        weight: Spanned<f64> = required,
    }
}

const BONE_WEIGHTS: Form = Form::List(&Form::Record(&BONE_WEIGHT));

fn bone_weights(r: &Reader, id: NodeId) -> Option<Vec<BoneWeight>> {
    match &r.node(id).kind {
        Kind::Str(bone) => r.fail(with_weight(r.mismatch(id, "a list"), bone, ["[", "]"])),
        _ => r.list(id, bone_weight),
    }
}

fn bone_weight(r: &Reader, id: NodeId) -> Option<BoneWeight> {
    match &r.node(id).kind {
        Kind::Str(bone) => {
            let error = r.mismatch(id, "a bone with its weight");
            r.fail(with_weight(error, bone, ["", ""]))
        }
        _ => BoneWeight::read(r, id),
    }
}

/// Adds to the finding about a bone alone how it is written with its weight.
fn with_weight(error: Diagnostic, bone: &str, [before, after]: [&str; 2]) -> Diagnostic {
    let written = format!("{before}{{bone_id: {bone}, weight: 1}}{after}");
    let error = error.help(format!("write `{written}`"));
    if is_identifier(bone) {
        error.written_as(bone, written)
    } else {
        error
    }
}

record! {
    /// Weights of the vertices of a primitive: by gradients, from a file, or by number.
    ///
    /// The file comes first, then gradients, then overrides.
    pub struct WeightMap: WEIGHT_MAP("weight_map", "weight map") {
        /// The id of the primitive.
        primitive_id: Text = required.refers(NameKind::Primitive),
        /// Ramps along axes.
        ///
        /// Only the last one counts.
        gradients: Vec<Gradient> = nullable,
        /// Weights of single vertices.
        overrides: Vec<VertexOverride> = nullable,
        /// The path of a weight file, from the directory of the document.
        source: Option<WeightSource> = nullable(Form::Text, source).path(),
    } made {
        /// The span of the whole mapping.
        span: Span = Object::span,
    } then naming_primitive
}

/// A reference to a weight file.
#[derive(Clone, Debug)]
pub struct WeightSource {
    /// Path relative to the document's directory.
    pub path: Text,
    /// The primitive id that the file must have: the id before mirroring.
    pub primitive_id: String,
    /// The mirroring that renames bone ids in the file, for a mirrored weight map.
    pub mirror: Option<MirrorX>,
}

/// Reads the path of a weight file; an empty one is none.
fn source(r: &Reader, id: NodeId) -> Option<Option<WeightSource>> {
    let path = text(r, id)?;
    Some(
        Some(path)
            .filter(|path| !path.value.is_empty())
            .map(|path| WeightSource {
                path,
                primitive_id: String::new(),
                mirror: None,
            }),
    )
}

fn naming_primitive(mut map: WeightMap, _: &Object) -> Option<WeightMap> {
    if let Some(source) = &mut map.source {
        source.primitive_id.clone_from(&map.primitive_id.value);
    }
    Some(map)
}

record! {
    /// A ramp of weights along an axis of the mesh.
    pub struct Gradient: GRADIENT("gradient", "gradient") {
        /// The axis.
        ///
        /// 0, 1 or 2 for x, y or z.
        axis: usize = required(Form::Word(AXES), index(AXES)),
        /// Where the ramp begins and ends, in metres, the smaller number first.
        range: [Spanned<f64>; 2] = required(Form::Tuple(2, &Form::Number), range),
        /// The weights at the beginning and before it.
        from: Vec<BoneWeight> = required(Form::OneOrMore(&BONE_WEIGHT), side),
        /// The weights at the end and beyond it.
        to: Vec<BoneWeight> = required(Form::OneOrMore(&BONE_WEIGHT), side),
    }
}

/// The words of the field `axis` of a gradient.
const AXES: &[&str] = &["x", "y", "z"];

fn range(r: &Reader, id: NodeId) -> Option<[Spanned<f64>; 2]> {
    let range: [Spanned<f64>; 2] = r.tuple(id, "numbers", number)?;
    let [start, end] = range;
    if start.value >= end.value {
        let message = format!(
            "the range does not ascend: {} to {}",
            start.value, end.value
        );
        let error = Diagnostic::new(Code::U04, r.span(id), message)
            .help("put the smaller number first; they may not be equal");
        return r.fail(if start.value > end.value {
            error.mend(Mend::Numbers {
                from: vec![start.value, end.value],
                to: vec![end.value, start.value],
            })
        } else {
            error
        });
    }
    Some(range)
}

/// Reads one side of a gradient: a list of influences, or a single influence.
fn side(r: &Reader, id: NodeId) -> Option<Vec<BoneWeight>> {
    match &r.node(id).kind {
        Kind::Map(_) | Kind::Str(_) => Some(vec![bone_weight(r, id)?]),
        _ => bone_weights(r, id),
    }
}

record! {
    /// One set of weights for some vertices of a primitive.
    pub struct VertexOverride: VERTEX_OVERRIDE("vertex_override", "vertex override") {
        /// The numbers of the vertices in the primitive, from 0.
        vertices: Vec<Spanned<u64>> = required,
        /// The bones that move them.
        ///
        /// An empty list stands for the root bone.
        bones: Vec<BoneWeight> = required(BONE_WEIGHTS, bone_weights),
    }
}
