//! Quaternions and dual quaternions in the exact operation order of `numerics.md` §7.

use super::{Matrix3, Vec3, dot, length};

/// A quaternion with named parts, so that the order of storage cannot be confused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat {
    /// Scalar part.
    pub w: f64,
    /// First vector part.
    pub x: f64,
    /// Second vector part.
    pub y: f64,
    /// Third vector part.
    pub z: f64,
}

/// A rigid transform as a real (rotation) and a dual part.
#[derive(Clone, Copy, Debug)]
pub struct DualQuat {
    /// Rotation.
    pub real: Quat,
    /// Half of translation times rotation.
    pub dual: Quat,
}

/// The three cases of an authored rotation (`decisions.md`, "Pose quaternion norm").
#[derive(Clone, Copy, Debug)]
pub enum UnitRotation {
    /// Within 1e-6 of unit squared norm: used exactly as authored.
    Exact(Quat),
    /// Within 2.5e-4, as four-decimal authoring produces: divided by its norm.
    Normalised(Quat),
    /// Anything else, with its squared norm, which may be non-finite.
    Invalid(f64),
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Self = Self {
        w: 1.0,
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };

    /// From `[w, x, y, z]`, the order documents use.
    pub fn from_wxyz([w, x, y, z]: [f64; 4]) -> Self {
        Self { w, x, y, z }
    }

    /// As `[w, x, y, z]`.
    pub fn wxyz(self) -> [f64; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// The pure quaternion of a vector.
    pub fn pure([x, y, z]: Vec3) -> Self {
        Self { w: 0.0, x, y, z }
    }

    /// The vector part.
    pub fn vector(self) -> Vec3 {
        [self.x, self.y, self.z]
    }

    /// `(w, -x, -y, -z)`.
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self {
            w: self.w,
            x: -self.x,
            y: -self.y,
            z: -self.z,
        }
    }

    /// Product `self ⊗ b`, each component from left to right.
    #[must_use]
    pub fn product(self, b: Self) -> Self {
        let a = self;
        Self {
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        }
    }

    /// A vector turned by this rotation: the vector part of `(q ⊗ v) ⊗ conj(q)`.
    pub fn rotate(self, v: Vec3) -> Vec3 {
        self.product(Self::pure(v))
            .product(self.conjugate())
            .vector()
    }

    /// Returns the quaternion divided by its length, or the identity if its length is zero. If the square of its length leaves
    /// the normal numbers of f64, its parts are first divided by the largest of them (`bake.md` §1).
    #[must_use]
    pub fn normalised(self) -> Self {
        let squared_length = self.dot(self);
        if squared_length.is_normal() {
            let length = squared_length.sqrt();
            return self.divided(length);
        }
        let largest = self.wxyz().into_iter().map(f64::abs).fold(0.0, f64::max);
        if largest == 0.0 {
            return Self::IDENTITY;
        }
        let scaled = self.divided(largest);
        scaled.divided(scaled.dot(scaled).sqrt())
    }

    /// Each part divided by a number.
    fn divided(self, divisor: f64) -> Self {
        Self::from_wxyz(self.wxyz().map(|part| part / divisor))
    }

    /// Dot product of all four parts.
    pub fn dot(self, other: Self) -> f64 {
        dot(self.wxyz(), other.wxyz())
    }

    /// The unit quaternion of a rotation matrix. It is computed from the largest of its four parts, so that no small number
    /// is a divisor. `rotation` is orthonormal, at least nearly, with determinant 1.
    pub fn of_rotation(rotation: &Matrix3) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] = *rotation;
        let candidates = [
            [((1.0 + a) + e) + i, h - f, c - g, d - b],
            [h - f, ((1.0 + a) - e) - i, b + d, c + g],
            [c - g, b + d, ((1.0 - a) + e) - i, f + h],
            [d - b, c + g, f + h, ((1.0 - a) - e) + i],
        ];
        let mut best = 0;
        for part in 1..4 {
            if candidates[part][part] > candidates[best][best] {
                best = part;
            }
        }
        let wxyz = candidates[best];
        let norm = length(wxyz);
        Self::from_wxyz(wxyz.map(|part| part / norm))
    }

    /// Decides whether an authored rotation is used as it is, normalised, or refused.
    pub fn authored(self) -> UnitRotation {
        let Self { w, x, y, z } = self;
        let squared_norm = w * w + x * x + y * y + z * z;
        let error = (squared_norm - 1.0).abs();
        if error <= 1e-6 {
            UnitRotation::Exact(self)
        } else if error <= 2.5e-4 {
            let norm = squared_norm.sqrt();
            UnitRotation::Normalised(Self::from_wxyz(self.wxyz().map(|part| part / norm)))
        } else {
            UnitRotation::Invalid(squared_norm)
        }
    }
}

impl DualQuat {
    /// The dual quaternion of a rotation and the translation that follows it: `dual = ½·(0, t) ⊗ real`,
    /// product first, then each part halved.
    pub fn new(real: Quat, translation: Vec3) -> Self {
        let product = Quat::pure(translation).product(real);
        Self {
            real,
            dual: Quat::from_wxyz(product.wxyz().map(|part| 0.5 * part)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation_of;

    #[test]
    fn matrices_give_their_quaternion_back() {
        let (half, tiny) = (0.5, 1e-9);
        for wxyz in [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [half, half, half, half],
            [half, -half, half, -half],
            [0.6, 0.0, -0.8, 0.0],
            [tiny, 0.6, 0.0, 0.8],
        ] {
            let q = Quat::from_wxyz(wxyz);
            let back = Quat::of_rotation(&rotation_of(q));
            let sign = if back.dot(q) < 0.0 { -1.0 } else { 1.0 };
            for (found, expected) in back.wxyz().into_iter().zip(wxyz) {
                assert!(
                    (sign * found - expected).abs() <= 1e-15,
                    "{wxyz:?} {back:?}"
                );
            }
        }
    }

    #[test]
    fn quaternions_are_normalised_whatever_their_length() {
        let expected = Quat::from_wxyz([0.6, 0.0, -0.8, 0.0]);
        for factor in [1.0, 1e-150, 1e-154, 1e-160, 1e-200, 1e150, 1e160, 1e300] {
            let long = Quat::from_wxyz([3.0 * factor, 0.0, -4.0 * factor, 0.0]);
            let unit = long.normalised();
            let pairs = unit.wxyz().into_iter().zip(expected.wxyz());
            let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off <= 3e-16, "{factor} {unit:?}");
        }
        // Where the square is a normal number, the quotient is that of the length.
        let (w, x) = (1e-150_f64, 7e-151_f64);
        let length = (w * w + x * x).sqrt();
        let unit = Quat::from_wxyz([w, x, 0.0, 0.0]).normalised();
        assert_eq!(unit.wxyz(), [w / length, x / length, 0.0, 0.0]);
        let tiny = Quat::from_wxyz([0.0, 0.0, 0.0, -5e-324]).normalised();
        assert_eq!(tiny.wxyz(), [0.0, 0.0, 0.0, -1.0]);
        let none = Quat::from_wxyz([0.0, -0.0, 0.0, 0.0]).normalised();
        assert_eq!(none, Quat::IDENTITY);
    }

    #[test]
    fn a_two_bone_blend_starts_from_the_published_dual_parts() {
        // numerics.md §13.4, bone a: head (0.1, 0.2, -0.3), no translation.
        let real = Quat::from_wxyz([0.5, 0.5, -0.5, 0.5]);
        let moved = real.rotate([-0.1, -0.2, 0.3]);
        let dual = DualQuat::new(real, [moved[0] + 0.0, moved[1] + 0.0, moved[2] + 0.0]).dual;
        let expected = [
            -f64::from_bits(0x3fb9_9999_9999_999a),
            -f64::from_bits(0x3fa9_9999_9999_999b),
            -f64::from_bits(0x3fc3_3333_3333_3333),
            f64::from_bits(0x3c60_0000_0000_0000),
        ];
        assert_eq!(dual.wxyz().map(f64::to_bits), expected.map(f64::to_bits));
    }

    #[test]
    fn the_tolerance_of_a_unit_rotation_has_the_published_edges() {
        let sort = |w: f64| Quat::from_wxyz([w, 0.0, 0.0, 0.0]).authored();
        assert!(matches!(sort(1.000_000_49), UnitRotation::Exact(_)));
        assert!(matches!(sort(0.999_999_5), UnitRotation::Exact(_)));
        assert!(matches!(sort(1.000_000_51), UnitRotation::Normalised(_)));
        assert!(matches!(sort(1.000_124), UnitRotation::Normalised(_)));
        assert!(matches!(sort(1.000_126), UnitRotation::Invalid(_)));
        assert!(matches!(sort(f64::NAN), UnitRotation::Invalid(_)));
        assert!(matches!(sort(f64::INFINITY), UnitRotation::Invalid(_)));
    }
}
