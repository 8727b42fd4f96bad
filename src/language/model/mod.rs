//! The strict typed document: data only.
//!
//! In: what `parse` understood. Out: nothing; later stages read it. A value carries its span wherever a later
//! stage can object to it. Fields that never reach output (primitive and bone names, anchor scopes) are checked
//! by `parse` and not kept. Units: metres and radians, right-handed, Y up.

use crate::base::diag::{Span, Spanned};

/// Three authored numbers, each with its place.
pub type Vector = [Spanned<f64>; 3];

/// The bare numbers of a vector.
pub fn numbers<const N: usize>(vector: &[Spanned<f64>; N]) -> [f64; N] {
    std::array::from_fn(|i| vector[i].value)
}

/// A whole document of version 0.1 to 0.5 (`language.md` §1.4).
#[derive(Clone, Debug)]
pub struct Document {
    /// Name of the tessellation profile; only `v0_1_default` exists, which is checked late.
    pub tessellation_profile: Spanned<String>,
    /// Meshes in output order.
    pub meshes: Vec<Mesh>,
    /// Armatures; one that no mesh uses leaves no trace.
    pub armatures: Vec<Armature>,
    /// Which mesh follows which armature, and how.
    pub bindings: Vec<Binding>,
    /// Mirroring still to be expanded.
    pub symmetry: Option<MirrorX>,
    /// Solver of bindings that name none.
    pub skinning_solver: Option<Solver>,
    /// Poses to bake.
    pub poses: Vec<Pose>,
    /// Named points.
    pub anchors: Vec<Anchor>,
    /// Other documents, by namespace.
    pub imports: Vec<Import>,
    /// Placed meshes and imports.
    pub instances: Vec<Instance>,
    /// Features that are newer than the version that the document declares, in document order.
    pub later_features: Vec<LaterFeature>,
}

/// A feature in a document whose declared version does not have it.
#[derive(Clone, Copy, Debug)]
pub struct LaterFeature {
    /// The words by which a document uses it, such as `poses`.
    pub name: &'static str,
    /// Minor version that introduced it: 5 stands for 0.5.
    pub introduced: u32,
    /// Minor version that the document declares.
    pub declared: u32,
    /// The key.
    pub span: Span,
}

/// A list of primitives that become one glTF mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Unique among meshes.
    pub id: Spanned<String>,
    /// Output name; the id when absent or empty.
    pub name: Option<String>,
    /// Primitives in vertex order.
    pub primitives: Vec<Primitive>,
}

/// The four shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Six faces of four vertices.
    Box,
    /// A sphere of 17 rows.
    Sphere,
    /// A closed cylinder along Y.
    Cylinder,
    /// A cylinder along Y with half spheres; its height leaves them out.
    Capsule,
}

impl Shape {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Box, Self::Sphere, Self::Cylinder, Self::Capsule];

    /// What documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Sphere => "sphere",
            Self::Cylinder => "cylinder",
            Self::Capsule => "capsule",
        }
    }
}

/// One shape with its size and place.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// Its shape.
    pub shape: Shape,
    /// Unique in its mesh.
    pub id: Spanned<String>,
    /// Sizes in metres, by authored key; keys are ones the shape knows.
    pub dimensions: Vec<(String, Spanned<f64>)>,
    /// Placement in the mesh; `None` leaves the arrays untouched, signed zeros included.
    pub transform: Option<Transform>,
    /// Symbolic material name.
    pub material: Option<String>,
}

/// Rotation about fixed x, y, z, then translation.
#[derive(Clone, Debug, Default)]
pub struct Transform {
    /// Offset in metres.
    pub translation: Option<Vector>,
    /// Euler angles in radians, from either authored form.
    pub rotation: Option<Vector>,
}

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

/// One bone; positions are absolute.
#[derive(Clone, Debug)]
pub struct Bone {
    /// Unique in its armature.
    pub id: Spanned<String>,
    /// Parent id, or the literal `none` for a root.
    pub parent: Spanned<String>,
    /// Where it begins; its rest position.
    pub head: Vector,
    /// Where it ends; only its distance from the head matters.
    pub tail: Vector,
    /// Carried and checked, never used.
    pub roll: Spanned<f64>,
    /// The whole bone.
    pub span: Span,
}

/// The two skinning algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Solver {
    /// Linear blend skinning.
    Lbs,
    /// Dual quaternion skinning.
    Dqs,
}

impl Solver {
    /// The name in documents, options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lbs => "lbs",
            Self::Dqs => "dqs",
        }
    }
}

/// How a mesh follows an armature.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The mesh.
    pub mesh_id: Spanned<String>,
    /// The armature.
    pub armature_id: Spanned<String>,
    /// Whole-primitive weights, later entries winning.
    pub weights: Vec<PrimitiveWeights>,
    /// Per-vertex weights, applied in order after them.
    pub weight_maps: Vec<WeightMap>,
    /// Solver of this binding.
    pub skinning_solver: Option<Solver>,
}

/// One influence list for all vertices of a primitive.
#[derive(Clone, Debug)]
pub struct PrimitiveWeights {
    /// The primitive.
    pub primitive_id: Spanned<String>,
    /// The influences; an empty list changes nothing.
    pub bones: Vec<BoneWeight>,
}

/// A bone and how much of it.
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
    /// Gradients; the last one wins outright.
    pub gradients: Vec<Gradient>,
    /// Overrides of single vertices.
    pub overrides: Vec<VertexOverride>,
    /// A file of influences.
    pub source: Option<WeightSource>,
    /// The whole weight map.
    pub span: Span,
}

/// A reference to a weight file.
#[derive(Clone, Debug)]
pub struct WeightSource {
    /// Path relative to the document's directory.
    pub path: Spanned<String>,
    /// The primitive id that the file must carry: the id before mirroring.
    pub primitive_id: String,
    /// How bone ids in the file are renamed, for a mirrored weight map.
    pub mirror: Option<MirrorX>,
}

/// A weight ramp along one axis of the mesh.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// 0, 1 or 2 for x, y or z.
    pub axis: usize,
    /// Where the ramp begins and ends, in metres, ascending.
    pub range: [Spanned<f64>; 2],
    /// Influences at and before the beginning.
    pub from: Vec<BoneWeight>,
    /// Influences at and after the end.
    pub to: Vec<BoneWeight>,
}

/// The same influences for some vertices of a primitive.
#[derive(Clone, Debug)]
pub struct VertexOverride {
    /// Vertex numbers within the primitive.
    pub vertices: Vec<Spanned<u64>>,
    /// Their influences; an empty list means the root.
    pub bones: Vec<BoneWeight>,
}

/// Mirroring in the YZ plane of everything whose id has a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorX {
    /// Prefix of originals.
    pub prefix_from: String,
    /// Prefix of their copies.
    pub prefix_to: String,
}

/// Named bone transforms in model space.
#[derive(Clone, Debug)]
pub struct Pose {
    /// Unique among poses; may be empty.
    pub id: Spanned<String>,
    /// Bones in document order.
    pub bones: Vec<PoseBone>,
    /// The whole pose.
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
}

/// An authored quaternion.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// `[w, x, y, z]` as authored.
    pub wxyz: [Spanned<f64>; 4],
    /// The whole list.
    pub span: Span,
}

/// A named point.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// Unique among anchors.
    pub id: Spanned<String>,
    /// Where it is.
    pub translation: Vector,
}

/// A reference to another document.
#[derive(Clone, Debug)]
pub struct Import {
    /// The name that anchor references use.
    pub namespace: Spanned<String>,
    /// Path relative to the importing document.
    pub source: Spanned<String>,
    /// Path of a contract that the import must satisfy.
    pub contract: Option<Spanned<String>>,
}

impl Import {
    /// The paths of its files, in this order.
    pub fn references(&self) -> impl Iterator<Item = &Spanned<String>> {
        std::iter::once(&self.source).chain(self.contract.as_ref())
    }
}

/// What an import promises to the documents that place it (`language.md` §4.2).
#[derive(Clone, Debug)]
pub struct Contract {
    /// Anchors that must exist.
    pub required_anchors: Vec<Spanned<String>>,
    /// Names of frame sets that the contract itself must define.
    pub required_frame3_sets: Vec<Spanned<String>>,
    /// Named triples of anchors, all of which must exist.
    pub frame3_sets: Vec<(Spanned<String>, [Spanned<String>; 3])>,
}

impl Contract {
    /// Number of anchors and frame sets that it asks for.
    pub fn requirement_count(&self) -> usize {
        self.required_anchors.len() + self.required_frame3_sets.len() + 3 * self.frame3_sets.len()
    }
}

/// What an instance places.
#[derive(Clone, Debug)]
pub enum Instanced {
    /// An import, by namespace.
    Import(Spanned<String>),
    /// A mesh of this document.
    Mesh(Spanned<String>),
}

/// A placed import or mesh.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Unique among instances.
    pub id: Spanned<String>,
    /// What is placed.
    pub of: Instanced,
    /// Where it is placed; only a local mesh may go without.
    pub attach3: Option<Attach3>,
    /// The whole instance.
    pub span: Span,
}

/// Three points of the part, three points of the whole, and how to bring one to the other.
#[derive(Clone, Debug)]
pub struct Attach3 {
    /// Anchors of the part, or of this document where a local mesh is placed.
    pub from: Spanned<[Spanned<String>; 3]>,
    /// Anchors of this document.
    pub to: Spanned<[Spanned<String>; 3]>,
    /// What the transform may do.
    pub mode: Spanned<AttachMode>,
}

/// Freedom of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachMode {
    /// Rotation and translation.
    Rigid,
    /// With one scale.
    Uniform,
    /// With a scale along and one across the first leg.
    Affine,
}

impl Mesh {
    /// The name that reaches output.
    pub fn output_name(&self) -> &str {
        output_name(self.name.as_deref(), &self.id)
    }
}

impl Armature {
    /// The name that reaches output.
    pub fn output_name(&self) -> &str {
        output_name(self.name.as_deref(), &self.id)
    }
}

impl Bone {
    /// Whether the bone has no parent.
    pub fn is_root(&self) -> bool {
        self.parent.value == "none"
    }
}

impl Document {
    /// References to weight files, in document order.
    pub fn weight_sources(&self) -> impl Iterator<Item = &Spanned<String>> {
        let maps = self.bindings.iter().flat_map(|b| &b.weight_maps);
        let sources = maps.filter_map(|map| map.source.as_ref());
        sources.map(|source| &source.path)
    }

    /// The solver of a binding: its own, else the document's, else linear blending.
    pub fn solver_of(&self, binding: &Binding) -> Solver {
        binding
            .skinning_solver
            .or(self.skinning_solver)
            .unwrap_or(Solver::Lbs)
    }
}

fn output_name<'a>(name: Option<&'a str>, id: &'a Spanned<String>) -> &'a str {
    name.filter(|name| !name.is_empty()).unwrap_or(&id.value)
}
