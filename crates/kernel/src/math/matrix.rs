//! Matrices: row-major arrays, every element a dot product from +0.0 (`numerics.md` §1.1).

use super::{Quat, Vec3, cross, dot, plus, trig};

/// A 3×3 matrix, rows first.
pub type Matrix3 = [[f64; 3]; 3];

/// The upper three rows of a 4×4 matrix whose last row is 0 0 0 1.
pub type Affine = [[f64; 4]; 3];

/// The identity.
pub const IDENTITY: Affine = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
];

/// Product of two 3×3 matrices. Zeros and ones are multiplied, too.
pub fn matrix_product(a: &Matrix3, b: &Matrix3) -> Matrix3 {
    a.map(|row| [0, 1, 2].map(|c| dot(row, [b[0][c], b[1][c], b[2][c]])))
}

/// Rotation about fixed x, then y, then z: `(Rz·Ry)·Rx` of angles in radians (`numerics.md` §4.1).
pub fn euler_rotation([rx, ry, rz]: Vec3) -> Matrix3 {
    let sx = trig::sin(rx);
    let cx = trig::cos(rx);
    let sy = trig::sin(ry);
    let cy = trig::cos(ry);
    let sz = trig::sin(rz);
    let cz = trig::cos(rz);
    let about_x = [[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]];
    let about_y = [[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]];
    let about_z = [[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]];
    matrix_product(&matrix_product(&about_z, &about_y), &about_x)
}

/// Rotation matrix of a quaternion, used as authored (`numerics.md` §6).
pub fn rotation_of(q: Quat) -> Matrix3 {
    let Quat { w, x, y, z } = q;
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

/// Product of two affine matrices as the full 4×4 product would give it: the constant last rows take part.
pub fn affine_product(a: &Affine, b: &Affine) -> Affine {
    a.map(|row| {
        let column = |c: usize, last: f64| dot(row, [b[0][c], b[1][c], b[2][c], last]);
        [
            column(0, 0.0),
            column(1, 0.0),
            column(2, 0.0),
            column(3, 1.0),
        ]
    })
}

/// The first three columns of an affine matrix, which transform directions.
pub fn linear_part(m: &Affine) -> Matrix3 {
    m.map(|[x, y, z, _]| [x, y, z])
}

/// The last column of an affine matrix, which is its image of the origin.
pub fn translation_part(m: &Affine) -> Vec3 {
    m.map(|row| row[3])
}

/// The affine matrix of a 3×3 matrix followed by a translation.
pub fn affine(m: &Matrix3, [x, y, z]: Vec3) -> Affine {
    let [a, b, c] = *m;
    [
        [a[0], a[1], a[2], x],
        [b[0], b[1], b[2], y],
        [c[0], c[1], c[2], z],
    ]
}

/// Matrix times vector.
pub fn transformed(m: &Matrix3, v: Vec3) -> Vec3 {
    m.map(|row| dot(row, v))
}

/// The point that an affine matrix takes a point to.
pub fn moved(m: &Affine, point: Vec3) -> Vec3 {
    plus(transformed(&linear_part(m), point), translation_part(m))
}

/// The sixteen numbers of an affine matrix with its last row, column by column.
pub fn column_major(m: &Affine) -> [f64; 16] {
    let last = [0.0, 0.0, 0.0, 1.0];
    std::array::from_fn(|at| {
        let row = at % 4;
        let column = at / 4;
        m.get(row).map_or(last[column], |row| row[column])
    })
}

/// Cofactors of a 3×3 matrix: its inverse transposed, times its determinant.
pub fn cofactors([a, b, c]: &Matrix3) -> Matrix3 {
    [cross(*b, *c), cross(*c, *a), cross(*a, *b)]
}

/// Determinant of a 3×3 matrix: its first row times that row's cofactors.
pub fn determinant(m: &Matrix3) -> f64 {
    dot(m[0], cross(m[1], m[2]))
}

/// The transpose of a 3×3 matrix.
pub fn transpose(m: &Matrix3) -> Matrix3 {
    [0, 1, 2].map(|r| [0, 1, 2].map(|c| m[c][r]))
}

/// Inverse of an affine matrix: cofactors over determinant. The result is not finite if there is none.
pub fn affine_inverse(m: &Affine) -> Affine {
    let linear = linear_part(m);
    let divisor = determinant(&linear);
    let inverse = transpose(&cofactors(&linear)).map(|row| row.map(|c| c / divisor));
    let moved = transformed(&inverse, translation_part(m));
    affine(&inverse, moved.map(|c| 0.0 - c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let m = [
            [2.0, 1.0, 0.0, 3.0],
            [0.0, 4.0, -1.0, -5.0],
            [1.0, 0.0, 8.0, 0.25],
        ];
        assert_eq!(determinant(&linear_part(&m)), 63.0);
        let both = affine_product(&m, &affine_inverse(&m));
        for (row, ones) in both.iter().zip(IDENTITY) {
            for (element, one) in row.iter().zip(ones) {
                assert!((element - one).abs() <= 4.0 * f64::EPSILON, "{both:?}");
            }
        }
        assert!(affine_inverse(&[[0.0; 4]; 3])[0][0].is_nan());
    }

    fn hex(sign: f64, bits: u64) -> f64 {
        sign * f64::from_bits(bits)
    }

    #[test]
    fn the_published_rotation_comes_out_bit_for_bit() {
        // numerics.md §13.2; a fused multiply-add would change three of these twelve values.
        let matrix = euler_rotation([-2.6, -1.6, 1.6]);
        let expected = [
            [
                hex(1.0, 0x3f4b_f03a_8c68_94d2),
                hex(1.0, 0x3fea_ed62_04d4_ca1f),
                hex(-1.0, 0x3fe1_4a11_aff4_a969),
            ],
            [
                hex(-1.0, 0x3f9d_e337_39e8_2d32),
                hex(1.0, 0x3fe1_485b_4963_40ad),
                hex(1.0, 0x3fea_ea56_a398_ea91),
            ],
            [
                hex(1.0, 0x3fef_fc81_c7e0_42c5),
                hex(1.0, 0x3f8e_d3ca_18e0_bd33),
                hex(1.0, 0x3f99_9f09_96fa_2fd2),
            ],
        ];
        let bits = |m: Matrix3| m.map(|row| row.map(f64::to_bits));
        assert_eq!(bits(matrix), bits(expected));
        let turned = matrix.map(|row| dot(row, [0.23, -0.53, -0.34]).to_bits());
        let expected = [
            hex(-1.0, 0x3fd0_c60b_c42d_9996),
            hex(-1.0, 0x3fe2_869d_ff03_c8c2),
            hex(1.0, 0x3fcb_5140_74ce_299c),
        ];
        assert_eq!(turned, expected.map(f64::to_bits));
    }

    #[test]
    fn a_quarter_turn_leaves_its_residue_and_no_negative_zero() {
        let matrix = euler_rotation([trig::radians(90.0), 0.0, 0.0]);
        let turned = matrix.map(|row| dot(row, [1.0, 1.0, 0.0]).to_bits());
        let residue = f64::from_bits(0x3c91_a626_3314_5c07);
        assert_eq!(turned, [1.0, residue, 1.0].map(f64::to_bits));
        let zeros = matrix.map(|row| dot(row, [-0.0; 3]).to_bits());
        assert_eq!(zeros, [0; 3]);
    }
}
