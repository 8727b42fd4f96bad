//! The transforms of all joints of a skin, in the form that each solver reads.

use std::sync::OnceLock;

use super::lists::{Sets, each_slot};
use super::signs::{Signed, Signs, flip_weights, is_opposite};
use crate::math::{Affine, DualQuat, Quat, Vec3, affine, affine_product, rotation_of};

/// A joint's rigid pose in model space: rotation about the joint, then the joint moved to `translation`.
#[derive(Clone, Copy, Debug)]
pub struct JointPose {
    /// Rotation, used as given.
    pub rotation: Quat,
    /// Model-space position of the posed joint.
    pub translation: Vec3,
}

impl JointPose {
    /// The pose of a joint that a document's pose leaves out.
    pub const IDENTITY: Self = Self {
        rotation: Quat::IDENTITY,
        translation: [0.0; 3],
    };

    /// Returns the pose as a matrix.
    pub fn matrix(&self) -> Affine {
        affine(&rotation_of(self.rotation), self.translation)
    }
}

/// The transforms of all joints for one pose.
#[derive(Debug)]
pub enum Palette {
    /// Linear blend skinning (`numerics.md` §6).
    Linear(LinearPalette),
    /// Dual quaternion skinning (`numerics.md` §7).
    Dual(DualPalette),
}

/// The matrices of all joints.
#[derive(Debug)]
pub struct LinearPalette {
    pub(super) matrices: Vec<JointMatrix>,
}

/// A 3×4 matrix: three columns that are multiplied with x, y and z, and the translation. A column is stored as the row
/// that [`twice`](crate::simd::Row::twice) wants, and the translation as [`add_to_first`](crate::simd::Row::add_to_first)
/// wants it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct JointMatrix {
    pub columns: [[f64; 8]; 3],
    pub moved: [f64; 4],
}

/// The dual quaternions of all joints, and the table of their signs.
#[derive(Debug)]
pub struct DualPalette {
    pub(super) rows: Vec<JointRow>,
    /// Computed at the first use: meshes whose vertices share lists do not need it.
    signs: OnceLock<Option<Signs>>,
}

/// The dual quaternions of joints that are scaled, and the table of their signs.
#[derive(Debug)]
pub struct ScaledPalette {
    pub(super) rows: Vec<ScaledRow>,
    pub(super) dual: DualPalette,
}

impl ScaledPalette {
    /// First-stage matrices F, each with the rigid motion of the same joint: a rotation, followed by a translation.
    pub(super) fn new(first: &[Affine], joints: &[(Quat, Vec3)]) -> Self {
        Self {
            rows: first
                .iter()
                .zip(joints)
                .map(|(first, joint)| ScaledRow::new(first, joint.0, joint.1))
                .collect(),
            dual: DualPalette::rigid(joints.iter().copied()),
        }
    }
}

/// Real part w x y z, then dual part w x y z, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct JointRow(pub [f64; 8]);

impl Palette {
    /// The linear palette of joints: pose matrix times inverse bind matrix. A joint comes with its matrix in model
    /// space and the translation of its inverse bind matrix: the negated head, signed zeros kept.
    pub fn linear(joints: impl IntoIterator<Item = (Affine, Vec3)>) -> Self {
        let row = |(pose, inverse_bind): (Affine, Vec3)| {
            let [a, b, c] = affine_product(&pose, &offset(inverse_bind));
            let column = |i: usize| [a[i], b[i], c[i], a[i], a[i], b[i], c[i], a[i]];
            JointMatrix {
                columns: [column(0), column(1), column(2)],
                moved: [a[3], b[3], c[3], 0.0],
            }
        };
        Self::Linear(LinearPalette {
            matrices: joints.into_iter().map(row).collect(),
        })
    }

    /// The dual quaternion palette of posed joints, each with the translation of its inverse bind matrix.
    pub fn dual(joints: impl IntoIterator<Item = (JointPose, Vec3)>) -> Self {
        Self::Dual(DualPalette::new(
            joints
                .into_iter()
                .map(|(pose, inverse_bind)| {
                    let turned = pose.rotation.rotate(inverse_bind);
                    let moved = std::array::from_fn(|i| turned[i] + pose.translation[i]);
                    JointRow::new(pose.rotation, moved)
                })
                .collect(),
        ))
    }

    /// Number of joints.
    pub fn joint_count(&self) -> usize {
        match self {
            Self::Linear(palette) => palette.matrices.len(),
            Self::Dual(palette) => palette.rows.len(),
        }
    }
}

impl LinearPalette {
    /// Returns the matrix of a joint, which must be below the number of joints.
    pub fn matrix(&self, joint: usize) -> Affine {
        let JointMatrix {
            columns: [x, y, z],
            moved,
        } = &self.matrices[joint];
        [0, 1, 2].map(|row| [x[row], y[row], z[row], moved[row]])
    }
}

impl DualPalette {
    /// Returns the dual quaternion of a joint, which must be below the number of joints.
    pub fn dual_quaternion(&self, joint: usize) -> DualQuat {
        let [a, b, c, d, e, f, g, h] = self.rows[joint].0;
        DualQuat {
            real: Quat::from_wxyz([a, b, c, d]),
            dual: Quat::from_wxyz([e, f, g, h]),
        }
    }

    fn new(rows: Vec<JointRow>) -> Self {
        Self {
            rows,
            signs: OnceLock::new(),
        }
    }

    /// Rotations, each followed by a translation.
    pub(super) fn rigid(joints: impl IntoIterator<Item = (Quat, Vec3)>) -> Self {
        let rows = joints
            .into_iter()
            .map(|(rotation, translation)| JointRow::new(rotation, translation));
        Self::new(rows.collect())
    }

    /// Returns the table of signs; `None` if there are too many joints.
    pub(super) fn signs(&self) -> Option<&Signs> {
        self.signs
            .get_or_init(|| Signs::new(&self.rows.iter().map(JointRow::real).collect::<Vec<_>>()))
            .as_ref()
    }

    /// Copies the weights of some lists to `signed` and negates those whose joints are in the other hemisphere. `signs` is
    /// the table, if it is to be used.
    #[inline(always)]
    pub(super) fn sign_weights(&self, signs: Option<&Signs>, sets: &[Sets], signed: &mut [Signed]) {
        let real = |joint: u16| self.rows[usize::from(joint)].real();
        match signs {
            Some(signs) => signs.sign_weights(sets, signed),
            None => flip_weights(sets, signed, |reference, joints| {
                let reference = real(reference);
                each_slot(joints, |joint| {
                    u64::from(is_opposite(real(joint), reference)) << 63
                })
            }),
        }
    }
}

/// The dual quaternion of a joint that is scaled, which depends on the rest position: three columns that are multiplied with
/// x, y and z, and one row that is added. Unlike elsewhere the dual part comes first, since only it has columns.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct ScaledRow {
    pub added: [f64; 8],
    pub columns: [[f64; 4]; 3],
}

impl ScaledRow {
    /// With u = F·p − p and M = (r, d), the real part is r and the dual part d + ½·r ⊗ (0, u). Each column is ½·r ⊗ (0, v), the
    /// product first, where v is a column of F; 1 is subtracted from its diagonal, and d is added to the last.
    fn new(first: &Affine, rotation: Quat, translation: Vec3) -> Self {
        let DualQuat { real, dual } = DualQuat::new(rotation, translation);
        let column = |of: usize| {
            let mut vector = first.map(|row| row[of]);
            if of < 3 {
                vector[of] -= 1.0;
            }
            real.product(Quat::pure(vector))
                .wxyz()
                .map(|part| 0.5 * part)
        };
        let [a, b, c, d] = real.wxyz();
        let [e, f, g, h] = dual.wxyz();
        let [i, j, k, l] = column(3);
        Self {
            added: [e + i, f + j, g + k, h + l, a, b, c, d],
            columns: [column(0), column(1), column(2)],
        }
    }
}

impl JointRow {
    fn new(rotation: Quat, translation: Vec3) -> Self {
        let DualQuat { real, dual } = DualQuat::new(rotation, translation);
        let [a, b, c, d] = real.wxyz();
        let [e, f, g, h] = dual.wxyz();
        Self([a, b, c, d, e, f, g, h])
    }

    fn real(&self) -> Quat {
        let [w, x, y, z, ..] = self.0;
        Quat::from_wxyz([w, x, y, z])
    }
}

/// The identity with a translation column.
fn offset([x, y, z]: Vec3) -> Affine {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]
}
