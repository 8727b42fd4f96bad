//! The data from which the viewer skins a scene on the GPU: a document or a glTF file with its poses or animations.
//!
//! In: a compiled document, a [`Source`](rigy_models::bake::Source), or two files that `diff` compares. Out: a [`SceneData`]: a
//! description, which becomes JSON, and one binary block, to which the offsets of the description refer (in bytes; numbers
//! are little-endian).
//!
//! A *frame* is one moment: frame 0 is the rest, each pose of a document has one, and clips of a glTF file have several.
//! The palette of a frame has [`Skin::stride`] texels of four f32 for each joint of each skin, in the order of skins and
//! joints:
//!
//! | texel | content |
//! |---|---|
//! | 0 to 2 | the rows of the joint's matrix, for linear blending |
//! | 3, 4 | real part and dual part of the joint's dual quaternion, x y z w |
//! | 5 to 7 | the rows of the matrix of the first stage, for skins with joint scale (`bake.md` §5) |
//!
//! Numbers are f32, or u16 parts of ranges ([`Coded`]).
//!
//! Surfaces without a skin use the last skin, [`SceneData::nodes_skin`], which has only texels 0 to 2: one joint for each
//! node. Some frames also have the vertices as the program bakes them, to compare.
//!
//! A comparison of two files has the surfaces of both in one space, and for each vertex its distance to the other model.

mod clips;
mod coded;
mod comparison;
mod document;
mod gltf;
mod materials;
mod palettes;
mod surfaces;
mod textures;

use rigy_base::limits::Limits;
use rigy_base::short::short_name;
use rigy_models::mesh::POSED_LIMITS;
use serde::Serialize;

pub use comparison::comparison_scene;
pub use document::document_scene;
pub use gltf::gltf_scene;
pub use rigy_models::mesh::Wrap;

/// Number of the format, which grows with each change of it.
pub const FORMAT: u32 = 2;

/// Most bytes of the binary block. Browsers refuse longer texts than about twice as much.
pub const MAX_BLOCK: u64 = 192 << 20;

/// Most bytes that a vertex takes in the block, without morph targets: its place, its influences, its texture coordinates,
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
    /// Surfaces in drawing order.
    pub surfaces: Vec<Surface>,
    /// Number of surfaces, from the first on, that baked vertices are there for: instances of a document have none.
    pub baked_surfaces: usize,
    /// Materials that surfaces use.
    pub materials: Vec<Material>,
    /// Images of textures.
    pub images: Vec<Image>,
    /// Skins. The last one holds the nodes of surfaces without a skin.
    pub skins: Vec<Skin>,
    /// Index of the skin that holds the nodes of surfaces without a skin.
    pub nodes_skin: usize,
    /// All frames; frame 0 is the rest.
    pub frames: Vec<Frame>,
    /// Poses of a document, in document order.
    pub poses: Vec<Pose>,
    /// Animations of a glTF file, in file order.
    pub clips: Vec<Clip>,
    /// The distances between two models; `None` if there is one.
    pub comparison: Option<Comparison>,
    /// How far a vertex at rest may be, by linear blending, from where exact palettes of a frame in 16 bits have it, in model units; `None` if
    /// all palettes are exact.
    pub coded_error: Option<f64>,
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
}

/// One primitive of one node.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Surface {
    /// Name of the mesh.
    pub name: String,
    /// Number of its model: 1 for the second of a comparison, else 0.
    pub model: usize,
    /// Index of its skin.
    pub skin: usize,
    /// The joint that moves all its vertices; `None` if it has influences.
    pub joint: Option<usize>,
    /// Slots of a vertex: 4 or 8; 0 without influences.
    pub slots: usize,
    /// Offset of the joint numbers (u16, `slots` for each vertex).
    pub joints: Option<usize>,
    /// Offset of the weights (f32, `slots` for each vertex).
    pub weights: Option<usize>,
    /// Offset of the reference joints (u16, one for each vertex), in whose hemisphere dual quaternions are blended.
    pub references: Option<usize>,
    /// The solver of baked output, if the file names one.
    pub solver: Option<&'static str>,
    /// True if normals are transformed by the cofactors of the blended matrix, as in `bake.md` §4; false if by the matrix
    /// itself, as in `numerics.md` §6.
    pub cofactors: bool,
    /// Number of vertices.
    pub vertices: usize,
    /// Offset of the positions in the bind pose (f32 x y z).
    pub positions: usize,
    /// Offset of the normals (f32 x y z), if there are any.
    pub normals: Option<usize>,
    /// Offset of the corners of triangles (u32), three for each.
    pub indices: usize,
    /// Number of triangles; 0 for points and lines, whose vertices are drawn as points.
    pub triangles: usize,
    /// Index into [`SceneData::materials`]; `None` if it has none.
    pub material: Option<usize>,
    /// Sets of texture coordinates that its textures use, at most two: number of the set, and offset (f32 u v for each vertex).
    pub coordinates: Vec<(u64, usize)>,
    /// Offset of the vertex colours, if there are any (u16 red, green, blue and opacity, linear, as parts of 65,535).
    pub colors: Option<usize>,
    /// Offset of the distances to the other model of a comparison (f32, one for each vertex).
    pub distances: Option<usize>,
    /// Morph targets.
    pub targets: Vec<Target>,
    /// Index of its node, which has the morph weights.
    pub node: usize,
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

/// An image as the file holds it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// Its media type, told by its first bytes: PNG, JPEG or WebP.
    pub media_type: &'static str,
    /// Offset of its bytes.
    pub offset: usize,
    /// Number of its bytes.
    pub length: usize,
}

/// A texture of a material.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Texture {
    /// `base` for the base colour, else the name of its [`TextureKind`](rigy_models::mesh::TextureKind).
    pub kind: &'static str,
    /// Index into [`SceneData::images`].
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

/// A morph target of a surface.
#[derive(Debug, Serialize)]
pub struct Target {
    /// Its name among the `targetNames` that exporters give to meshes, at most 64 characters of it.
    pub name: Option<String>,
    /// Offset of the differences of positions (f32 x y z), if there are any.
    pub positions: Option<usize>,
    /// Offset of the differences of normals (f32 x y z), if there are any.
    pub normals: Option<usize>,
}

/// A skin.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// Its joints.
    pub joints: Vec<Joint>,
    /// Texels of a joint in a palette: 3, 5 or 8.
    pub stride: usize,
}

/// A joint.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Index of the joint above it.
    pub parent: Option<usize>,
    /// Its position in the bind pose, in model units.
    pub origin: [f64; 3],
}

/// One moment.
#[derive(Debug, Default, Serialize)]
pub struct Frame {
    /// Offset of the exact palettes of all skins; `None` if they are only among those of [`Clip::coded`].
    pub palettes: Option<usize>,
    /// True if dual quaternions are there; false if the joints have none, because a matrix has no rotation.
    pub dqs: bool,
    /// Weights of morph targets by node.
    pub weights: Vec<(usize, Vec<f32>)>,
    /// The vertices as the program bakes them.
    pub baked: Option<Baked>,
}

/// Offsets of the baked vertices of the first [`SceneData::baked_surfaces`] surfaces in order: for each surface its positions, then its normals if it has any
/// (f32 x y z).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Baked {
    /// By linear blending.
    pub lbs: usize,
    /// By dual quaternions; `None` if the program refuses them for this moment.
    pub dqs: Option<usize>,
}

/// A pose of a document.
#[derive(Debug, Serialize)]
pub struct Pose {
    /// Its id.
    pub name: String,
    /// Its frame.
    pub frame: usize,
}

/// An animation of a glTF file.
#[derive(Debug, Serialize)]
pub struct Clip {
    /// Its name, or `animation N`.
    pub name: String,
    /// Its first frame.
    pub first: usize,
    /// Number of its frames, at least one, at equal distances from `start` to `end`.
    pub count: usize,
    /// Time of its first frame in seconds.
    pub start: f64,
    /// Time of its last frame in seconds.
    pub end: f64,
    /// The palettes of its frames in 16 bits, unless it has few frames.
    pub coded: Option<Coded>,
}

/// Offsets of palettes in 16 bits: number N of a frame is its least value and so many steps.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Coded {
    /// The least value of each number (f32).
    pub least: usize,
    /// The step of each number (f32).
    pub steps: usize,
    /// For each number its steps in all frames (u16).
    pub parts: usize,
}

impl SceneData {
    /// Cuts long names of surfaces, skins, joints, poses and clips, by [`short_name`].
    pub(super) fn with_short_names(mut self) -> Self {
        let joints = self.skins.iter_mut().flat_map(|skin| &mut skin.joints);
        joints.for_each(|joint| shorten(&mut joint.name));
        self.skins
            .iter_mut()
            .for_each(|skin| shorten(&mut skin.name));
        self.surfaces
            .iter_mut()
            .for_each(|one| shorten(&mut one.name));
        self.poses
            .iter_mut()
            .for_each(|pose| shorten(&mut pose.name));
        self.clips
            .iter_mut()
            .for_each(|clip| shorten(&mut clip.name));
        self
    }
}

fn shorten(name: &mut String) {
    if let std::borrow::Cow::Owned(short) = short_name(name) {
        *name = short;
    }
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn only_long_names_are_cut() {
        let mut name = "ö".repeat(400);
        shorten(&mut name);
        assert_eq!(name, "ö".repeat(400));
        name.push('ö');
        shorten(&mut name);
        assert_eq!(name, "ö".repeat(399) + "…");
    }
}
