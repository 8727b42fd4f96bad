//! The transforms of all joints of a glTF skin, in the form that each way of skinning reads.

use super::palette::{DualPalette, ScaledPalette};
use crate::math::{Affine, Quat, Vec3};

/// The transforms of all joints for one pose of a glTF skin.
#[derive(Debug)]
pub enum FramePalette {
    /// Linear blend skinning.
    Linear(FrameMatrices),
    /// Dual quaternion skinning of joints that do not scale.
    Rigid(DualPalette),
    /// Dual quaternion skinning of joints that scale: each rigid motion carries a vertex to where the first-stage matrix of the
    /// same joint has moved it. The first-stage matrices, blended linearly, turn normals and tangents first.
    Scaled(FrameMatrices, ScaledPalette),
    /// Dual quaternion skinning of vertices that are moved by linear blending first. The result depends on where the bind pose
    /// stands.
    TwoStage(FrameMatrices, DualPalette),
}

/// Matrices that are blended linearly.
#[derive(Debug)]
pub struct FrameMatrices(pub(super) Vec<FrameMatrix>);

/// A 3×4 matrix M, laid out for rows of which the first three numbers become M·(p, 1) and the others elements of the upper
/// 3×3 part: a row that is added, and columns for its first half that are multiplied with x, y and z before.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct FrameMatrix {
    pub added: [f64; 8],
    pub columns: [[f64; 4]; 3],
    /// The last four elements of the upper 3×3 part.
    pub last: [f64; 4],
}

impl FrameMatrices {
    /// The matrices of all joints.
    pub fn new(matrices: impl IntoIterator<Item = Affine>) -> Self {
        let matrix = |[a, b, c]: Affine| FrameMatrix {
            added: [a[3], b[3], c[3], a[0], a[1], a[2], b[0], b[1]],
            columns: [0, 1, 2].map(|column| [a[column], b[column], c[column], 0.0]),
            last: [b[2], c[0], c[1], c[2]],
        };
        Self(matrices.into_iter().map(matrix).collect())
    }
}

/// A rotation as a unit quaternion, and the translation that follows it.
pub type Rigid = (Quat, Vec3);

/// The palette of dual quaternion skinning, one element per joint of the skin, in its order.
#[derive(Clone, Debug, PartialEq)]
pub enum DualForm {
    /// No joint is scaled.
    Rigid(Vec<Rigid>),
    /// Some joints are scaled. The first stage is blended linearly and moves rest vertices; the second stage is blended
    /// as dual quaternions and moves the results of the first.
    Scaled {
        /// The first stage. In the global form it has no translation.
        first: Vec<Affine>,
        /// The second stage.
        rigid: Vec<Rigid>,
    },
}

impl FramePalette {
    /// Linear blend skinning by the matrices of all joints.
    pub fn linear(matrices: impl IntoIterator<Item = Affine>) -> Self {
        Self::Linear(FrameMatrices::new(matrices))
    }

    /// Dual quaternion skinning by rotations of unit length and translations.
    pub fn rigid(joints: impl IntoIterator<Item = (Quat, Vec3)>) -> Self {
        Self::Rigid(DualPalette::rigid(joints))
    }

    /// Dual quaternion skinning by first-stage matrices and the rigid motions of the same joints, in place (`bake.md` §5).
    pub fn scaled(first: &[Affine], joints: &[(Quat, Vec3)]) -> Self {
        let matrices = FrameMatrices::new(first.iter().copied());
        Self::Scaled(matrices, ScaledPalette::new(first, joints))
    }

    /// Dual quaternion skinning after linear blending by the first-stage matrices of the same joints.
    pub fn two_stage(first: &[Affine], joints: &[(Quat, Vec3)]) -> Self {
        let matrices = FrameMatrices::new(first.iter().copied());
        Self::TwoStage(matrices, DualPalette::rigid(joints.iter().copied()))
    }

    /// Number of joints.
    pub fn joint_count(&self) -> usize {
        match self {
            Self::Linear(matrices) => matrices.0.len(),
            Self::Rigid(dual) => dual.rows.len(),
            Self::Scaled(matrices, dual) => matrices.0.len().min(dual.rows.len()),
            Self::TwoStage(matrices, dual) => matrices.0.len().min(dual.rows.len()),
        }
    }
}
