//! The document as plain data, with its symmetry already expanded. Only what reaches a byte of the output is kept.

use super::arithmetic::Vec3;
use super::implicit::Implicit;
use super::rotations::Quaternion;

pub struct Document {
    pub minor: u32,
    pub materials: Vec<(String, [f64; 4])>,
    pub meshes: Vec<Mesh>,
    pub armatures: Vec<Armature>,
    pub bindings: Vec<Binding>,
    pub poses: Vec<Pose>,
    pub solver: Option<Solver>,
    pub anchors: Vec<Anchor>,
    pub imports: Vec<(String, String)>,
    pub instances: Vec<Instance>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Solver {
    Lbs,
    Dqs,
}

pub struct Mesh {
    pub id: String,
    pub name: Option<String>,
    /// For primitives that name none themselves.
    pub material: Option<String>,
    /// The generator of each set, in numeric order.
    pub uv_sets: Vec<String>,
    pub primitives: Vec<Primitive>,
}

#[derive(Clone)]
pub struct Primitive {
    pub kind: String,
    pub id: String,
    pub dimensions: Vec<(String, f64)>,
    pub transform: Option<Transform>,
    pub material: Option<String>,
    pub tags: Vec<String>,
    /// Of type `implicit_surface` alone.
    pub implicit: Option<Implicit>,
}

#[derive(Clone)]
pub struct Transform {
    pub translation: Option<Vec3>,
    pub rotation: Option<Rotation>,
}

/// Whichever form was authored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotation {
    /// Below 0.12: radians.
    Euler(Vec3),
    /// From 0.12: canonical.
    Quaternion(Quaternion),
}

pub struct Armature {
    pub id: String,
    pub name: Option<String>,
    pub bones: Vec<Bone>,
}

#[derive(Clone)]
pub struct Bone {
    pub id: String,
    pub parent: String,
    pub head: Vec3,
}

impl Bone {
    pub fn is_root(&self) -> bool {
        self.parent == "none"
    }
}

pub struct Binding {
    pub mesh_id: String,
    pub armature_id: String,
    pub weights: Vec<PrimitiveWeights>,
    pub weight_maps: Vec<WeightMap>,
    pub solver: Option<Solver>,
}

/// Pairs of bone id and weight, as listed.
pub type BoneWeights = Vec<(String, f64)>;

#[derive(Clone)]
pub struct PrimitiveWeights {
    pub primitive_id: String,
    pub bones: BoneWeights,
}

#[derive(Clone)]
pub struct WeightMap {
    pub primitive_id: String,
    pub source: Option<Source>,
    pub gradients: Vec<Gradient>,
    pub overrides: Vec<Override>,
}

/// An external weight file. A mirrored map reads the file of its original: the file carries the
/// original's primitive id, and its bone ids are renamed (`language.md` D20).
#[derive(Clone)]
pub struct Source {
    pub path: String,
    pub primitive_id: String,
    pub mirror: Option<Mirror>,
}

#[derive(Clone)]
pub struct Gradient {
    pub axis: usize,
    pub range: [f64; 2],
    pub from: BoneWeights,
    pub to: BoneWeights,
}

#[derive(Clone)]
pub struct Override {
    pub vertices: Vec<usize>,
    pub bones: BoneWeights,
}

#[derive(Clone)]
pub struct Mirror {
    pub prefix_from: String,
    pub prefix_to: String,
}

pub struct Pose {
    pub id: String,
    pub bones: Vec<(String, PoseBone)>,
}

/// As authored: `rotation` is w, x, y, z.
pub struct PoseBone {
    pub rotation: Option<[f64; 4]>,
    pub translation: Option<Vec3>,
}

pub struct Anchor {
    pub id: String,
    pub translation: Vec3,
}

pub struct Instance {
    pub id: String,
    pub of: InstanceOf,
    pub attach: Option<Attach>,
}

#[derive(Clone)]
pub enum InstanceOf {
    /// By namespace.
    Import(String),
    Mesh(String),
}

#[derive(Clone)]
pub struct Attach {
    pub from: [String; 3],
    pub to: [String; 3],
    pub mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Rigid,
    Uniform,
    Affine,
}
