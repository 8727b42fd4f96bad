//! The palette of a moment: what an engine needs to run the same skinning on its GPU.
//!
//! In: a compiled document and a pose id, or a glTF file and a moment. Out: a [`Palette`], as JSON by its `Serialize`.
//! `docs/src/reference/palette.md` describes it, and the shader.

mod sources;

use rigy_kernel::math::{Affine, DualQuat};
use rigy_kernel::{ReferenceRule, SLOTS};
use serde::Serialize;

pub use sources::{of_document, of_file};

/// The version of the form.
pub const VERSION: u32 = 1;

/// Most sets of influences in a palette.
pub const MAX_SETS: usize = 1 << 24;

/// Sets of influences that the palette of any glTF file may have: about 300 MB. More than these must be in the file, whose primitives
/// may share them.
pub const FREE_SETS: usize = 1 << 22;

/// Fewest bytes of a set of influences in a file: four joint numbers and four weights.
const SET_LEN: u64 = 8;

/// All skins and skinned primitives of a document or file.
#[derive(Debug, Serialize)]
pub struct Palette {
    /// [`VERSION`].
    pub version: u32,
    /// One for each skin that a mesh uses.
    pub skins: Vec<Skin>,
    /// One for each primitive of each mesh with each skin that it has.
    pub meshes: Vec<Mesh>,
}

/// The transforms of the joints of a skin, in the order of the skin.
#[derive(Clone, Debug, Serialize)]
pub struct Skin {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its index in the glTF file, or in the export of the document.
    pub skin: usize,
    /// `lbs` or `dqs` as the document says; `None` for a glTF file, for which the solver is a choice.
    pub solver: Option<&'static str>,
    /// The rule by which linear blending turns normals.
    pub normals: Normals,
    /// Names of the joints; `None` for those without one.
    pub joints: Vec<Option<String>>,
    /// 3×4 matrices in rows: pose times inverse bind matrix.
    pub matrices: Vec<Affine>,
    /// Dual quaternions; `None` if a joint has none.
    pub dual_quaternions: Option<Vec<Dual>>,
    /// Matrices that are blended linearly before the dual quaternions apply; `None` if no joint scales.
    pub first_stage: Option<Vec<Affine>>,
}

/// The rule by which linear blending turns normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Normals {
    /// By the blended matrix, as the contract of documents has it.
    Matrix,
    /// By the cofactors of the blended matrix times the sign of its determinant, as glTF files need it.
    Cofactors,
}

/// A dual quaternion.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Dual {
    /// Real part: w, x, y, z.
    pub real: [f64; 4],
    /// Dual part: w, x, y, z.
    pub dual: [f64; 4],
}

/// The influences of a primitive's vertices.
#[derive(Debug, Serialize)]
pub struct Mesh {
    /// Name of the mesh, if it has one.
    pub name: Option<String>,
    /// Indices of the nodes that show it with this skin.
    pub nodes: Vec<usize>,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Index into [`Palette::skins`].
    pub skin: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of sets of influences that each vertex has.
    pub sets: usize,
    /// Joint numbers: all sets of the first vertex, then all of the next. A slot of weight 0 has the vertex's reference joint.
    pub joints: Vec<[u16; SLOTS]>,
    /// Weights of the same slots; those of a vertex sum to 1.
    pub weights: Vec<[f64; SLOTS]>,
    /// The reference joint of each vertex, in whose hemisphere dual quaternions are blended.
    pub references: Vec<u16>,
}

impl From<DualQuat> for Dual {
    fn from(DualQuat { real, dual }: DualQuat) -> Self {
        Self {
            real: real.wxyz(),
            dual: dual.wxyz(),
        }
    }
}

impl Mesh {
    /// Finds the reference joint of each vertex by a rule, and gives it to slots of weight 0.
    fn find_references(&mut self, rule: ReferenceRule) {
        let joints = self.joints.chunks_exact_mut(self.sets);
        let found = joints
            .zip(self.weights.chunks_exact(self.sets))
            .map(|(joints, weights)| {
                let joints = joints.as_flattened_mut();
                let weights = weights.as_flattened();
                let slots = joints.iter().copied().zip(weights.iter().copied());
                let reference = rule.joint(slots);
                for (joint, weight) in joints.iter_mut().zip(weights) {
                    if *weight == 0.0 {
                        *joint = reference;
                    }
                }
                reference
            });
        self.references = found.collect();
    }
}
