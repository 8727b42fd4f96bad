//! One transform per joint, in the form its solver reads.

use crate::math::{Affine, DualQuat, Quat, Vec3, affine_product, rotation_of};

/// A joint's rigid pose in model space: rotation about the joint, then the joint moved to `translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPose {
    /// Rotation, used as given.
    pub rotation: Quat,
    /// Model-space position of the posed joint.
    pub translation: Vec3,
}

impl JointPose {
    /// What a joint has that a pose leaves out.
    pub const IDENTITY: Self = Self {
        rotation: Quat::IDENTITY,
        translation: [0.0; 3],
    };

    /// The pose as a matrix.
    pub fn matrix(&self) -> Affine {
        let [a, b, c] = rotation_of(self.rotation);
        let [x, y, z] = self.translation;
        [
            [a[0], a[1], a[2], x],
            [b[0], b[1], b[2], y],
            [c[0], c[1], c[2], z],
        ]
    }
}

/// The transforms of all joints for one pose.
#[derive(Clone, Debug)]
pub enum Palette {
    /// Linear blend skinning: rows of 3×4 matrices (`numerics.md` §6).
    Linear(Vec<[f64; 12]>),
    /// Dual quaternion skinning (`numerics.md` §7).
    Dual(DualPalette),
}

/// Dual quaternions with what is known about their signs.
#[derive(Clone, Debug)]
pub struct DualPalette {
    /// Real part w x y z, then dual part w x y z.
    pub(super) rows: Vec<[f64; 8]>,
    /// For each pair (reference, joint) −1.0 where the joint is negated, else 1.0; empty for large palettes.
    signs: Vec<f64>,
}

/// Palettes of at most this many joints get a table of signs.
const TABLE_LIMIT: usize = 256;

impl Palette {
    /// The linear palette of joints: pose matrix times inverse bind matrix. A joint comes with its matrix in model
    /// space and the translation of its inverse bind matrix: the negated head, signed zeros kept.
    pub fn linear(joints: impl IntoIterator<Item = (Affine, Vec3)>) -> Self {
        let row = |(pose, inverse_bind): (Affine, Vec3)| {
            let [a, b, c] = affine_product(&pose, &offset(inverse_bind));
            std::array::from_fn(|i| [a, b, c][i / 4][i % 4])
        };
        Self::Linear(joints.into_iter().map(row).collect())
    }

    /// The dual quaternion palette of posed joints, each with the translation of its inverse bind matrix.
    pub fn dual(joints: impl IntoIterator<Item = (JointPose, Vec3)>) -> Self {
        let row = |(pose, inverse_bind): (JointPose, Vec3)| {
            let turned = pose.rotation.rotate(inverse_bind);
            let moved = std::array::from_fn(|i| turned[i] + pose.translation[i]);
            let DualQuat { real, dual } = DualQuat::new(pose.rotation, moved);
            let (real, dual) = (real.wxyz(), dual.wxyz());
            std::array::from_fn(|i| if i < 4 { real[i] } else { dual[i - 4] })
        };
        Self::Dual(DualPalette::new(joints.into_iter().map(row).collect()))
    }

    /// Number of joints.
    pub fn joint_count(&self) -> usize {
        match self {
            Self::Linear(rows) => rows.len(),
            Self::Dual(palette) => palette.rows.len(),
        }
    }
}

impl DualPalette {
    fn new(rows: Vec<[f64; 8]>) -> Self {
        let signs = if rows.len() <= TABLE_LIMIT {
            let pairs = rows
                .iter()
                .flat_map(|reference| rows.iter().map(move |row| (row, reference)));
            pairs.map(|(row, reference)| sign(row, reference)).collect()
        } else {
            Vec::new()
        };
        Self { rows, signs }
    }

    /// −1.0 where a joint lies in the other hemisphere than the reference, else 1.0.
    #[inline(always)]
    pub(super) fn sign(&self, joint: u16, reference: u16) -> f64 {
        let (joint, reference) = (usize::from(joint), usize::from(reference));
        if self.signs.is_empty() {
            return sign(&self.rows[joint], &self.rows[reference]);
        }
        self.signs[reference * self.rows.len() + joint]
    }
}

/// `dot4(joint, reference) < 0`, strictly, as a factor (`numerics.md` §7, step 3).
fn sign(row: &[f64; 8], reference: &[f64; 8]) -> f64 {
    let real = |row: &[f64; 8]| Quat::from_wxyz([row[0], row[1], row[2], row[3]]);
    if real(row).dot(real(reference)) < 0.0 {
        -1.0
    } else {
        1.0
    }
}

/// The identity with a translation column.
fn offset([x, y, z]: Vec3) -> Affine {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]
}
