//! Polar decomposition: a 3×3 matrix as a rotation after a stretch along perpendicular axes (`bake.md` §5).
//!
//! Newton's iteration `X ← (X + X⁻ᵀ)/2` from the matrix itself goes to the nearest orthonormal matrix. Each
//! principal stretch σ becomes (σ + 1/σ)/2: large and small ones are halved towards 1, step by step, and those
//! near 1 square their distance. 32 steps suffice for stretches from about 1e-7 to 1e7. A matrix for which the iteration
//! does not converge is an error; it is not approximated.

use super::{Matrix3, cofactors, determinant, matrix_product, transpose, trig};

/// The factors of a matrix: it is `rotation · stretch`.
#[derive(Clone, Copy, Debug)]
pub struct Polar {
    /// Orthonormal, with determinant 1.
    pub rotation: Matrix3,
    /// Symmetric. Its principal stretches are all positive, or all negative if the determinant of the matrix is negative.
    pub stretch: Matrix3,
}

/// The reason why a matrix has no polar decomposition.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoPolar {
    /// The matrix is singular, or nearly. Holds its determinant.
    #[error("it flattens space (determinant {0:e})")]
    Singular(f64),
    /// The matrix stretches some direction so much or so little that the iteration does not converge.
    #[error("its scale is too large or too small")]
    Extreme,
}

/// Least |determinant|, relative to the cube of the largest component.
const FLAT: f64 = 1e-12;
/// The iteration has converged when no component moves by more than this, relative to the largest component.
const STILL: f64 = 1e-15;
/// Most steps taken.
const STEPS: usize = 32;
/// Largest distance of the products of a rotation's rows from those of the identity. Rounding leaves about 1e-15; this bound
/// only detects an iteration that was cut short.
const ORTHONORMAL: f64 = 1e-12;

/// The polar decomposition of a matrix.
///
/// # Errors
/// If |determinant| is zero or below 1e-12 times the cube of the largest component, if either is not finite, and
/// if the iteration has not converged after 32 steps.
pub fn polar(m: &Matrix3) -> Result<Polar, NoPolar> {
    let volume = determinant(m);
    let size = largest(m);
    let sound = volume.is_finite() && volume != 0.0 && volume.abs() >= FLAT * (size * size * size);
    if !sound {
        return Err(NoPolar::Singular(volume));
    }
    let sign = if volume < 0.0 { -1.0 } else { 1.0 };
    let rotation = orthonormal(m).map(|row| row.map(|element| sign * element));
    let off = distance_from_identity(&matrix_product(&rotation, &transpose(&rotation)));
    // The comparison is also false if a component is not a number.
    let arrived = off <= ORTHONORMAL;
    if !arrived {
        return Err(NoPolar::Extreme);
    }
    let s = matrix_product(&transpose(&rotation), m);
    let stretch = [0, 1, 2].map(|i| [0, 1, 2].map(|j| (s[i][j] + s[j][i]) * 0.5));
    Ok(Polar { rotation, stretch })
}

/// Newton's iteration.
fn orthonormal(m: &Matrix3) -> Matrix3 {
    let mut x = *m;
    for _ in 0..STEPS {
        let cofactors = cofactors(&x);
        let volume = determinant(&x);
        let next = pairs(&x, &cofactors, |a, cofactor| (a + cofactor / volume) / 2.0);
        let moved = largest(&pairs(&next, &x, |new, old| new - old));
        x = next;
        if moved <= STILL * largest(&x) {
            break;
        }
    }
    x
}

/// The largest distance of a component from the identity's.
pub fn distance_from_identity(m: &Matrix3) -> f64 {
    const ONE: Matrix3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    largest(&pairs(m, &ONE, |element, one| element - one))
}

/// Returns the factors by which a symmetric matrix stretches along its axes, the largest first, with few digits, for messages.
pub fn principal_stretches(s: &Matrix3) -> [f64; 3] {
    let mean = (s[0][0] + s[1][1] + s[2][2]) / 3.0;
    let mut rest = *s;
    (0..3).for_each(|i| rest[i][i] -= mean);
    let spread = (rest.as_flattened().iter().map(|e| e * e).sum::<f64>() / 6.0).sqrt();
    if spread == 0.0 {
        return [mean; 3];
    }
    let scaled = rest.map(|row| row.map(|element| element / spread));
    let cosine = (determinant(&scaled) / 2.0).clamp(-1.0, 1.0);
    let angle = trig::acos(cosine) / 3.0;
    let at = |degrees: f64| mean + 2.0 * spread * trig::cos(angle + trig::radians(degrees));
    [at(0.0), at(240.0), at(120.0)]
}

/// Returns the largest absolute value of a component; not a number if a component is not a number.
fn largest(m: &Matrix3) -> f64 {
    m.as_flattened()
        .iter()
        .map(|element| element.abs())
        .fold(0.0, |a: f64, b| if a.is_nan() || b <= a { a } else { b })
}

fn pairs(a: &Matrix3, b: &Matrix3, f: impl Fn(f64, f64) -> f64) -> Matrix3 {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| f(a[i][j], b[i][j])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, rotation_of};

    const TURN: Quat = Quat {
        w: 0.5,
        x: -0.5,
        y: 0.1,
        z: 0.7,
    };

    fn diagonal([x, y, z]: [f64; 3]) -> Matrix3 {
        [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
    }

    fn assert_near(a: &Matrix3, b: &Matrix3, within: f64) {
        let off = largest(&pairs(a, b, |x, y| x - y));
        assert!(off <= within, "{off:e}: {a:?} {b:?}");
    }

    #[test]
    fn the_identity_is_neither_turned_nor_stretched() {
        let one = diagonal([1.0; 3]);
        let found = polar(&one).unwrap();
        assert_eq!((found.rotation, found.stretch), (one, one));
    }

    #[test]
    fn rotation_and_stretch_are_told_apart() {
        let turned = rotation_of(TURN.normalised());
        for scale in [
            [1.0; 3],
            [77.0; 3],
            [1.0, 2.0, 3.0],
            [1e-6, 1e-6, 1e-6],
            [1e6, 2e6, 5e5],
        ] {
            let size = scale.iter().fold(0.0f64, |a, b| a.max(*b));
            let found = polar(&matrix_product(&turned, &diagonal(scale))).unwrap();
            assert_near(&found.rotation, &turned, 4e-15);
            assert_near(&found.stretch, &diagonal(scale), 4e-15 * size);
        }
    }

    #[test]
    fn a_mirror_is_a_negative_stretch() {
        let turned = rotation_of(TURN.normalised());
        let found = polar(&matrix_product(&turned, &diagonal([-2.0; 3]))).unwrap();
        assert_near(&found.rotation, &turned, 4e-15);
        assert_near(&found.stretch, &diagonal([-2.0; 3]), 1e-14);
        // One mirrored axis is a half turn about it and three mirrored ones.
        let found = polar(&diagonal([-1.0, 1.0, 1.0])).unwrap();
        assert_eq!(found.rotation, diagonal([1.0, -1.0, -1.0]));
        assert_eq!(found.stretch, diagonal([-1.0; 3]));
    }

    #[test]
    fn flat_and_extreme_matrices_are_refused() {
        let of = |scale| polar(&diagonal(scale)).map(|found| found.stretch);
        assert_eq!(of([0.0; 3]), Err(NoPolar::Singular(0.0)));
        assert_eq!(of([1.0, 1.0, 0.9e-12]), Err(NoPolar::Singular(0.9e-12)));
        assert_eq!(of([1e-120; 3]), Err(NoPolar::Singular(0.0)));
        assert!(matches!(of([f64::NAN; 3]), Err(NoPolar::Singular(_))));
        assert!(matches!(of([1e200; 3]), Err(NoPolar::Singular(_))));
        assert_eq!(of([1e12; 3]), Err(NoPolar::Extreme));
        assert_eq!(of([1.0, 1.0, 2e-12]), Err(NoPolar::Extreme));
        assert!(of([1e7; 3]).is_ok() && of([1.0, 1.0, 1e-7]).is_ok());
    }

    #[test]
    fn stretches_are_found_along_any_axes() {
        let turned = rotation_of(TURN.normalised());
        let m = matrix_product(&turned, &diagonal([0.5, 3.0, 2.0]));
        let along = matrix_product(&m, &transpose(&turned));
        for (found, expected) in principal_stretches(&along).into_iter().zip([3.0, 2.0, 0.5]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(principal_stretches(&diagonal([2.0; 3])), [2.0; 3]);
    }
}
