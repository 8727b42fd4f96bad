//! Armatures, bindings and weights.

use super::{Vector, output_name};
use crate::base::diag::{Span, Spanned};
use rigy_kernel::Solver;

/// A skeleton.
#[derive(Clone, Debug)]
pub struct Armature {
    /// Unique among armatures.
    pub id: Spanned<String>,
    /// Output name of its skin; the id when absent or empty.
    pub name: Option<String>,
    /// Bones in joint order.
    pub bones: Vec<Bone>,
}

impl Armature {
    /// Returns its name in output.
    pub fn output_name(&self) -> &str {
        output_name(self.name.as_deref(), &self.id)
    }
}

/// One bone; positions are absolute.
#[derive(Clone, Debug)]
pub struct Bone {
    /// Unique in its armature.
    pub id: Spanned<String>,
    /// Parent id, or the literal `none` for a root.
    pub parent: Spanned<String>,
    /// Its beginning, which is the rest position of its joint.
    pub head: Vector,
    /// Its end; only its distance from the head is used.
    pub tail: Vector,
    /// Checked, but not used.
    pub roll: Spanned<f64>,
    /// The span of the whole bone.
    pub span: Span,
}

impl Bone {
    /// Returns true if the bone has no parent.
    pub fn is_root(&self) -> bool {
        self.parent.value == "none"
    }
}

/// A mesh that is bound to an armature.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Id of the mesh.
    pub mesh_id: Spanned<String>,
    /// Id of the armature.
    pub armature_id: Spanned<String>,
    /// Weights of whole primitives; a later entry replaces an earlier one.
    pub weights: Vec<PrimitiveWeights>,
    /// Per-vertex weights, applied in order after them.
    pub weight_maps: Vec<WeightMap>,
    /// Solver of this binding; `None` for the document's.
    pub skinning_solver: Option<Solver>,
}

/// The influences of all vertices of a primitive.
#[derive(Clone, Debug)]
pub struct PrimitiveWeights {
    /// The primitive.
    pub primitive_id: Spanned<String>,
    /// The influences; an empty list changes nothing.
    pub bones: Vec<BoneWeight>,
}

/// A bone and its weight.
#[derive(Clone, Debug)]
pub struct BoneWeight {
    /// The bone.
    pub bone_id: Spanned<String>,
    /// 0 to 1.
    pub weight: Spanned<f64>,
}

/// Per-vertex weights of one primitive: external file, then gradients, then overrides.
#[derive(Clone, Debug)]
pub struct WeightMap {
    /// The primitive.
    pub primitive_id: Spanned<String>,
    /// Gradients; only the last one counts.
    pub gradients: Vec<Gradient>,
    /// Overrides of single vertices.
    pub overrides: Vec<VertexOverride>,
    /// A file of influences.
    pub source: Option<WeightSource>,
    /// The span of the whole weight map.
    pub span: Span,
}

/// A reference to a weight file.
#[derive(Clone, Debug)]
pub struct WeightSource {
    /// Path relative to the document's directory.
    pub path: Spanned<String>,
    /// The primitive id that the file must have: the id before mirroring.
    pub primitive_id: String,
    /// The mirroring that renames bone ids in the file, for a mirrored weight map.
    pub mirror: Option<MirrorX>,
}

/// A weight ramp along one axis of the mesh.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// 0, 1 or 2 for x, y or z.
    pub axis: usize,
    /// The beginning and the end of the ramp, in metres, ascending.
    pub range: [Spanned<f64>; 2],
    /// Influences at the beginning and before it.
    pub from: Vec<BoneWeight>,
    /// Influences at the end and beyond it.
    pub to: Vec<BoneWeight>,
}

/// The same influences for some vertices of a primitive.
#[derive(Clone, Debug)]
pub struct VertexOverride {
    /// Vertex numbers within the primitive.
    pub vertices: Vec<Spanned<u64>>,
    /// Their influences; an empty list stands for the root bone.
    pub bones: Vec<BoneWeight>,
}

/// Mirroring in the YZ plane of elements whose id has a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorX {
    /// Prefix of originals.
    pub prefix_from: String,
    /// Prefix of their copies.
    pub prefix_to: String,
    /// The span of `prefix_from`.
    pub span: Span,
}

/// Named bone transforms in model space.
#[derive(Clone, Debug)]
pub struct Pose {
    /// Unique among poses; may be empty.
    pub id: Spanned<String>,
    /// Bones in document order.
    pub bones: Vec<PoseBone>,
    /// The span of the whole pose.
    pub span: Span,
}

/// The transform of every bone of one name.
#[derive(Clone, Debug)]
pub struct PoseBone {
    /// The bone.
    pub bone_id: Spanned<String>,
    /// `[w, x, y, z]`.
    pub rotation: Option<Rotation>,
    /// Model-space position of the joint.
    pub translation: Option<Vector>,
    /// The span of `translation`, or of the whole entry without it.
    pub span: Span,
}

/// An authored quaternion.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// `[w, x, y, z]` as authored.
    pub wxyz: [Spanned<f64>; 4],
    /// The span of the whole list.
    pub span: Span,
}
