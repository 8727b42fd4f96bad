//! Where joints are at one moment, and where vertices are to be.

use rigy_kernel::math::{
    Affine, DualQuat, IDENTITY, Matrix3, Quat, cofactors, determinant, dot, length, linear_part,
    matrix_product, rotation_of,
};
use rigy_kernel::{DualForm, Rigid};

use super::skin::Row;

/// The transforms of the joints of a skin at one moment.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The matrices of linear blending: global matrix times inverse bind matrix.
    pub matrices: Vec<Affine>,
    /// The dual quaternions to be met; `None` if linear blending with all influences is the target.
    pub dual: Option<DualForm>,
}

/// What is blended for a joint: the real part, and the dual part's columns for x, y, z and 1, as `bake.md` §5 has them.
type Parts = [[f64; 4]; 5];

impl Moment {
    /// The rotations of dual quaternions, with translations.
    pub(crate) fn rotations(&self) -> Option<&[Rigid]> {
        match self.dual.as_ref()? {
            DualForm::Rigid(rigid) | DualForm::Scaled { rigid, .. } => Some(rigid),
        }
    }

    /// The matrices by which vertices are to be moved, given their rows.
    pub(crate) fn targets(&self) -> impl Fn(&Row) -> Affine {
        self.blends(self.stretches())
    }

    /// The matrices by which normals are to be turned, given the rows of their vertices; their length means nothing.
    pub(crate) fn normals(&self) -> impl Fn(&Row) -> Matrix3 {
        let (turned, stretches) = (self.blends(None), self.stretches());
        move |row| {
            let blended = |first: &Vec<Affine>| blended(row.weights.iter().copied(), first);
            let stretched = stretches.map_or(IDENTITY, blended);
            matrix_product(&of_normals(&turned(row)), &of_normals(&stretched))
        }
    }

    /// The first stages of scaled joints.
    fn stretches(&self) -> Option<&Vec<Affine>> {
        match &self.dual {
            Some(DualForm::Scaled { first, .. }) => Some(first),
            _ => None,
        }
    }

    /// The blends of joints that have these first stages.
    fn blends(&self, first: Option<&Vec<Affine>>) -> impl Fn(&Row) -> Affine {
        let joints: Option<Vec<Parts>> = self.rotations().map(|rigid| {
            let joints = rigid.iter().enumerate();
            let stretch = |joint: usize| first.map_or(&IDENTITY, |first| &first[joint]);
            joints
                .map(|(joint, (turn, moved))| parts(&DualQuat::new(*turn, *moved), stretch(joint)))
                .collect()
        });
        move |row| match &joints {
            None => blended(row.weights.iter().copied(), &self.matrices),
            Some(joints) => target(row, joints),
        }
    }
}

/// The matrix that turns normals where this one moves vertices (`bake.md` §4).
pub fn of_normals(matrix: &Affine) -> Matrix3 {
    let linear = linear_part(matrix);
    let sign = determinant(&linear).signum();
    cofactors(&linear).map(|row| row.map(|part| sign * part))
}

/// A weighted sum of matrices.
pub fn blended(weights: impl Iterator<Item = (u16, f64)>, matrices: &[Affine]) -> Affine {
    let mut sum = [[0.0; 4]; 3];
    for (column, weight) in weights {
        add(&mut sum, weight, &matrices[usize::from(column)]);
    }
    sum
}

pub fn add<const N: usize>(sum: &mut [[f64; 4]; N], factor: f64, of: &[[f64; 4]; N]) {
    for (sum, of) in sum.as_flattened_mut().iter_mut().zip(of.as_flattened()) {
        *sum += factor * of;
    }
}

fn parts(DualQuat { real, dual }: &DualQuat, first: &Affine) -> Parts {
    let column = |of: usize| {
        let vector = [0, 1, 2].map(|row| first[row][of] - IDENTITY[row][of]);
        real.product(Quat::pure(vector))
            .wxyz()
            .map(|part| 0.5 * part)
    };
    let mut parts = [real.wxyz(), column(0), column(1), column(2), column(3)];
    (0..4).for_each(|part| parts[4][part] += dual.wxyz()[part]);
    parts
}

/// The affine matrix that a blended dual quaternion b is: column j is the rotated axis j and 2·vec(Bⱼ ⊗ b*), the last one the latter alone.
fn target(row: &Row, joints: &[Parts]) -> Affine {
    let reference = joints[usize::from(row.reference)][0];
    let mut sum: Parts = [[0.0; 4]; 5];
    for (joint, weight) in &row.weights {
        let parts = &joints[usize::from(*joint)];
        let sign = if dot(parts[0], reference) < 0.0 {
            -weight
        } else {
            *weight
        };
        add(&mut sum, sign, parts);
    }
    let norm = length(sum[0]);
    let [real, columns @ ..] = sum.map(|part| Quat::from_wxyz(part.map(|c| c / norm)));
    let moved = columns.map(|column| column.product(real.conjugate()).vector());
    let turn = rotation_of(real);
    [0, 1, 2].map(|row| {
        [0, 1, 2, 3].map(|column| turn[row].get(column).unwrap_or(&0.0) + 2.0 * moved[column][row])
    })
}
