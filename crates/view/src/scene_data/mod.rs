//! The data of a page of the viewer: GLBs, which its script poses and skins on the GPU, and what stands beside them.
//!
//! In: a compiled document, a [`Source`](rigy_models::bake::Source), or two files that `diff` compares. Out: a [`SceneData`]: a
//! description, which becomes JSON, and one binary block, to which the offsets of the description refer (in bytes).
//!
//! The block has the GLB of the model, which is the file or the export of the document, plain ([`glb`]); then GLBs with the vertices of some
//! moments as the program bakes them, to compare. A comparison of two files has the GLBs of both, and for each vertex that they draw its
//! distance to the other model.
//!
//! *Surfaces* are what a file draws, in the order of [`drawn`](rigy_models::mesh::drawn).

mod baked;
mod checks;
mod chunks;
mod comparison;
mod document;
mod glb;
mod gltf;
mod materials;

use rigy_base::limits::Limits;
use rigy_models::mesh::POSED_LIMITS;
use serde::Serialize;

pub use comparison::comparison_scene;
pub use document::document_scene;
pub use gltf::gltf_scene;
pub use rigy_models::mesh::Wrap;

/// Number of the format, which grows with each change of it.
pub const FORMAT: u32 = 3;

/// Most bytes of the binary block, and of the vertices that the page makes of it. Browsers refuse longer texts than about twice as much.
pub const MAX_BLOCK: u64 = 192 << 20;

/// Most bytes that a vertex takes in the page, without morph targets: its place, its influences, its texture coordinates,
/// its colour.
const VERTEX_LEN: u64 = 24 + 50 + 16 + 8;

/// The limits on a document whose scene is made: more vertices are never in the block, and JSON, read again, takes less than 512 MiB.
pub const SCENE_LIMITS: Limits = POSED_LIMITS.vertices(MAX_BLOCK / VERTEX_LEN);

/// A scene for the viewer.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SceneData {
    /// Number of this format: [`FORMAT`].
    pub format: u32,
    /// Name of the file.
    pub name: String,
    /// Kind of the file.
    pub kind: Kind,
    /// The model, or both of a comparison.
    pub models: Vec<Model>,
    /// The treatment of joint scale under dual quaternions.
    pub scale: Scale,
    /// Animations of a glTF file, in file order; of a comparison those of both files, if they have the same.
    pub clips: Vec<Clip>,
    /// Poses of a document, in document order.
    pub poses: Vec<Pose>,
    /// The solver of each skinned mesh of a document, by the index of its node.
    pub solvers: Vec<(usize, &'static str)>,
    /// Number of nodes with a mesh, from the first on, that baked vertices are there for, if not for all: instances of a document have none.
    pub baked_nodes: Option<usize>,
    /// The moments of which baked vertices are there.
    pub baked: Vec<Baked>,
    /// The distances between two models; `None` if there is one.
    pub comparison: Option<Comparison>,
    /// Remarks on what the scene leaves out, as sentences.
    pub notes: Vec<String>,
    /// The binary block.
    #[serde(skip)]
    pub block: Vec<u8>,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A Rigy document.
    #[default]
    Document,
    /// A glTF file.
    Gltf,
    /// Two glTF files, side by side.
    Comparison,
}

/// The distances between two models, in model units.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Path of the file with what is expected.
    pub a: String,
    /// Path of the file that was found.
    pub b: String,
    /// True if each vertex is compared with the one of the same number; false if with the nearest of the other model.
    pub by_number: bool,
    /// The greatest distance of a vertex of either model.
    pub greatest: f64,
    /// The mean of all vertices of both.
    pub mean: f64,
    /// Offset of the distances of all vertices (f32): those of each surface of the first model, then of the second.
    pub distances: usize,
}

/// A model of a scene.
#[derive(Debug, Serialize)]
pub struct Model {
    /// Offset of its GLB.
    pub glb: usize,
    /// Its materials by their index in the file; `None` for those that are shown like none.
    pub materials: Vec<Option<Material>>,
}

/// The treatment of joint scale under dual quaternions (`bake.md` §5).
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The scale of a joint reaches the joints below it.
    #[default]
    Global,
    /// It does not.
    Local,
    /// It does not for the joints of these names.
    For(Vec<String>),
    /// There are no dual quaternions for joints that scale.
    Reject,
}

/// A material, as [`rigy_models::mesh::Material`] describes it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    /// Base colour: linear red, green, blue and opacity.
    pub color: [f64; 4],
    /// Metallic factor.
    pub metallic: f64,
    /// Roughness factor.
    pub roughness: f64,
    /// Emissive factor times its strength.
    pub emissive: [f64; 3],
    /// The factor of X and Y of its normal texture.
    pub normal_scale: f64,
    /// The share of its occlusion texture.
    pub occlusion_strength: f64,
    /// True if it is mixed with what is behind, by its opacity.
    pub blend: bool,
    /// Opacity below which it is not drawn, if it is masked.
    pub alpha_cutoff: Option<f64>,
    /// True if both sides of its triangles are seen.
    pub double_sided: bool,
    /// True if its triangles are wound in both directions, as in documents, so that normals say which side is the front.
    pub loose: bool,
    /// True if its base colour is shown without light.
    pub unlit: bool,
    /// Its textures that the page can show.
    pub textures: Vec<Texture>,
}

/// A texture of a material.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Texture {
    /// `base` for the base colour, else the name of its [`TextureKind`](rigy_models::mesh::TextureKind).
    pub kind: &'static str,
    /// Index into the images of the GLB.
    pub image: usize,
    /// The wrapping to the left and right of the image.
    pub wrap_s: Wrap,
    /// The wrapping above and below it.
    pub wrap_t: Wrap,
    /// True if enlarged pixels have sharp edges.
    pub nearest: bool,
    /// Number of its set of texture coordinates.
    pub set: u64,
    /// Two rows that take texture coordinates, and 1, to places in the image.
    pub transform: [[f64; 3]; 2],
}

/// An animation of a glTF file.
#[derive(Debug, PartialEq, Serialize)]
pub struct Clip {
    /// Its name, or `animation N`.
    pub name: String,
    /// The time of its first key in seconds.
    pub start: f64,
    /// The time of its last key.
    pub end: f64,
}

/// A pose of a document.
#[derive(Debug, Serialize)]
pub struct Pose {
    /// Its id.
    pub name: String,
    /// The nodes that are joints, and the rotation (x y z w) and translation of each in the space of the scene.
    pub joints: Vec<(usize, [f64; 7])>,
}

/// The vertices at a moment as the program bakes them: offsets of GLBs with positions and normals, in which skinned nodes have new nodes
/// after all others.
#[derive(Debug, Serialize)]
pub struct Baked {
    /// Index of the animation or the pose; `None` for the rest.
    pub clip: Option<usize>,
    /// The time in seconds; 1 for a pose.
    pub time: f64,
    /// By linear blending.
    pub lbs: usize,
    /// By dual quaternions; `None` if the program refuses them for this moment.
    pub dqs: Option<usize>,
}

/// A block that is being filled.
#[derive(Debug, Default)]
struct Block {
    bytes: Vec<u8>,
}

impl Block {
    /// Appends bytes, and padding to a multiple of four. Returns the offset of the first.
    fn push(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        offset
    }
}
