//! Small f64 algebra whose order of operations is part of the contract.
//!
//! In: plain numbers. Out: plain numbers, every operation rounded once, in the order written, with sums of
//! products starting from +0.0 (`numerics.md` §1.1). Nothing here depends on meshes, bones or files. Nothing
//! here may be rewritten with fused operations, reciprocals or another association: that would change output bytes.

mod bounds;
mod frame;
mod matrix;
mod polar;
mod quaternion;
pub mod trig;

pub use bounds::Bounds;
pub use frame::{Degenerate, Frame, SHORTEST_LEG, SMALLEST_SCALE};
pub use matrix::{
    Affine, IDENTITY, Matrix3, affine, affine_inverse, affine_product, cofactors, column_major,
    determinant, euler_rotation, linear_part, matrix_product, moved, rotation_of, transformed,
    translation_part, transpose,
};
pub use polar::{NoPolar, Polar, distance_from_identity, polar, principal_stretches};
pub use quaternion::{DualQuat, Quat, UnitRotation};

/// Three components, x, y and z.
pub type Vec3 = [f64; 3];

/// Sum of products from left to right, starting at +0.0 (`numerics.md` §1.1), so an exact zero is +0.0.
#[inline]
pub fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

/// Cross product, each component one difference of two products.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The square root of the product with itself.
pub fn length<const N: usize>(a: [f64; N]) -> f64 {
    dot(a, a).sqrt()
}

/// Sums of the components.
pub fn plus(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[i] + b[i])
}

/// Differences of the components.
pub fn minus(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[i] - b[i])
}

/// The square of the distance between two points.
pub fn squared_distance(a: Vec3, b: Vec3) -> f64 {
    let between = minus(a, b);
    dot(between, between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_negative_zeros_are_positive_zero() {
        assert_eq!(dot([-0.0, 0.0], [1.0, -1.0]).to_bits(), 0.0_f64.to_bits());
    }
}
