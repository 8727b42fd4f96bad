//! A Rigy document as plain data, in the shape of the schema (`language.md` 1.4).
//!
//! `Maybe` tells the three ways to leave a nullable field: absent, `null`, or a value.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

pub type Maybe<T> = Option<Option<T>>;
pub type Vec3 = [f64; 3];

#[derive(Serialize, Default)]
pub struct Document {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rigy_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinate_system: Option<CoordinateSystem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tessellation_profile: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skinning_solver: Maybe<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Maybe<Symmetry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meshes: Option<Vec<Mesh>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub armatures: Option<Vec<Armature>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bindings: Option<Vec<Binding>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poses: Option<Vec<Pose>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchors: Option<Vec<Anchor>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imports: Option<Pairs<Import>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<Vec<Instance>>,
}

#[derive(Serialize)]
pub struct CoordinateSystem {
    pub up: String,
    pub forward: String,
    pub handedness: String,
}

#[derive(Serialize)]
pub struct Symmetry {
    pub mirror_x: Option<MirrorX>,
}

#[derive(Serialize, Clone)]
pub struct MirrorX {
    pub prefix_from: String,
    pub prefix_to: String,
}

#[derive(Serialize)]
pub struct Mesh {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Maybe<String>,
    pub primitives: Vec<Primitive>,
}

#[derive(Serialize)]
pub struct Primitive {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Maybe<String>,
    pub dimensions: Pairs<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transform: Maybe<Transform>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Maybe<String>,
}

#[derive(Serialize, Default)]
pub struct Transform {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Maybe<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation_euler: Maybe<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation_degrees: Option<Vec3>,
}

#[derive(Serialize)]
pub struct Armature {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Maybe<String>,
    pub bones: Vec<Bone>,
}

#[derive(Serialize)]
pub struct Bone {
    pub id: String,
    pub parent: String,
    pub head: Vec3,
    pub tail: Vec3,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<f64>,
}

#[derive(Serialize)]
pub struct Binding {
    pub mesh_id: String,
    pub armature_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skinning_solver: Maybe<String>,
    pub weights: Vec<PrimitiveWeights>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_maps: Maybe<Vec<WeightMap>>,
}

#[derive(Serialize)]
pub struct PrimitiveWeights {
    pub primitive_id: String,
    pub bones: Vec<BoneWeight>,
}

#[derive(Serialize, Clone)]
pub struct BoneWeight {
    pub bone_id: String,
    pub weight: f64,
}

#[derive(Serialize)]
pub struct WeightMap {
    pub primitive_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gradients: Maybe<Vec<Gradient>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrides: Maybe<Vec<VertexOverride>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Maybe<String>,
}

#[derive(Serialize)]
pub struct Gradient {
    pub axis: String,
    pub range: [f64; 2],
    pub from: Side,
    pub to: Side,
}

/// One side of a gradient: a list of bones, or a single one written as a mapping.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Side {
    List(Vec<BoneWeight>),
    Single(BoneWeight),
}

#[derive(Serialize)]
pub struct VertexOverride {
    pub vertices: Vec<u32>,
    pub bones: Vec<BoneWeight>,
}

#[derive(Serialize)]
pub struct Pose {
    pub id: String,
    pub bones: Pairs<PoseBone>,
}

#[derive(Serialize, Default)]
pub struct PoseBone {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Maybe<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Maybe<Vec3>,
}

#[derive(Serialize)]
pub struct Anchor {
    pub id: String,
    pub translation: Vec3,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Maybe<String>,
}

#[derive(Serialize)]
pub struct Import {
    pub source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Maybe<String>,
}

#[derive(Serialize)]
pub struct Instance {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Maybe<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh_id: Maybe<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attach3: Maybe<Attach3>,
}

#[derive(Serialize)]
pub struct Attach3 {
    pub from: [String; 3],
    pub to: [String; 3],
    pub mode: String,
}

/// A mapping that keeps the order in which it was filled.
#[derive(Default)]
pub struct Pairs<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Pairs<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
