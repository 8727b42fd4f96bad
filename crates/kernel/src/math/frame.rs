//! Frames of three points, and the transforms that carry one to another (`language.md` §4.4).

use super::{Affine, Matrix3, Vec3, cross, dot, length, minus};

/// Least distance between the first two points of a frame, and of the third point from their line.
pub const SHORTEST_LEG: f64 = 1e-9;
/// Smallest scale of [`Frame::uniform`].
pub const SMALLEST_SCALE: f64 = 1e-9;

/// A right-handed orthonormal frame with the size of the triangle that it came from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The first point.
    pub origin: Vec3,
    /// Unit x, y and z.
    pub axes: [Vec3; 3],
    /// Distance of the second point from the first; the second lies along x.
    pub length: f64,
    /// Distance of the third point from the line of the first two; the third lies in the plane of x and y.
    pub height: f64,
}

/// The reason why three points define no frame.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Degenerate {
    /// The first two are closer than [`SHORTEST_LEG`].
    #[error("the first two points are the same, to within {SHORTEST_LEG:e}")]
    NoLength(f64),
    /// The third is closer than [`SHORTEST_LEG`] to the line of the first two.
    #[error("the third point is on the line through the first two, to within {SHORTEST_LEG:e}")]
    OnOneLine(f64),
}

impl Frame {
    /// Returns the frame of three points.
    ///
    /// # Errors
    /// If two points coincide, or all three lie on one line.
    pub fn new([p1, p2, p3]: [Vec3; 3]) -> Result<Self, Degenerate> {
        let leg = minus(p2, p1);
        let length = length(leg);
        if length < SHORTEST_LEG {
            return Err(Degenerate::NoLength(length));
        }
        let x = leg.map(|c| c / length);
        let third = minus(p3, p1);
        let across = cross(x, third);
        let distance = super::length(across);
        if distance < SHORTEST_LEG {
            return Err(Degenerate::OnOneLine(distance));
        }
        let z = across.map(|c| c / distance);
        let along = dot(third, x);
        Ok(Self {
            origin: p1,
            axes: [x, cross(z, x), z],
            length,
            height: super::length([0, 1, 2].map(|i| third[i] - along * x[i])),
        })
    }

    /// Rotation and translation alone.
    pub fn rigid(&self, to: &Self) -> Affine {
        self.placed(to, self.turned(to, 1.0, 1.0))
    }

    /// Rotation, translation and one scale: the cube root of the change of volume.
    ///
    /// # Errors
    /// The scale, if it is below [`SMALLEST_SCALE`].
    pub fn uniform(&self, to: &Self) -> Result<Affine, f64> {
        let (sx, sy) = self.scales(to);
        let k = libm::cbrt((sx * sy) * sy);
        if k < SMALLEST_SCALE {
            return Err(k);
        }
        let turned = self.turned(to, 1.0, 1.0);
        Ok(self.placed(to, turned.map(|row| row.map(|element| k * element))))
    }

    /// Rotation, translation, one scale along the line of the first two points and another across it.
    pub fn affine(&self, to: &Self) -> Affine {
        let (sx, sy) = self.scales(to);
        self.placed(to, self.turned(to, sx, sy))
    }

    fn scales(&self, to: &Self) -> (f64, f64) {
        (to.length / self.length, to.height / self.height)
    }

    /// `to`'s axes times scales times `self`'s axes transposed. The last sum removes negative zeros.
    fn turned(&self, to: &Self, sx: f64, sy: f64) -> Matrix3 {
        let [fx, fy, fz] = self.axes;
        let [tx, ty, tz] = to.axes;
        [0, 1, 2].map(|i| {
            [0, 1, 2].map(|j| {
                (((tx[i] * sx) * fx[j] + (ty[i] * sy) * fy[j]) + (tz[i] * sy) * fz[j]) + 0.0
            })
        })
    }

    /// Returns the translation that, after `m`, brings the origin of `self` to that of `to`.
    fn placed(&self, to: &Self, m: Matrix3) -> Affine {
        let o = self.origin;
        [0, 1, 2].map(|i| {
            let [a, b, c] = m[i];
            [a, b, c, to.origin[i] - ((a * o[0] + b * o[1]) + c * o[2])]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: [Vec3; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    fn frame(points: [Vec3; 3]) -> Frame {
        Frame::new(points).unwrap()
    }

    fn bits(m: Affine) -> [[u64; 4]; 3] {
        m.map(|row| row.map(f64::to_bits))
    }

    #[test]
    fn axis_aligned_frames_come_out_clean() {
        let quarter = [[3.0, -2.0, 5.0], [3.0, 0.5, 5.0], [-4.0, -2.0, 5.0]];
        let expected = [
            [0.0, -1.0, 0.0, 3.0],
            [1.0, 0.0, 0.0, -2.0],
            [0.0, 0.0, 1.0, 5.0],
        ];
        assert_eq!(bits(frame(UNIT).rigid(&frame(quarter))), bits(expected));
        let back = frame(quarter).rigid(&frame(UNIT));
        let expected = [
            [0.0, 1.0, 0.0, 2.0],
            [-1.0, 0.0, 0.0, 3.0],
            [0.0, 0.0, 1.0, -5.0],
        ];
        assert_eq!(bits(back), bits(expected));
    }

    #[test]
    fn each_mode_has_its_own_scale() {
        let stretched = [[1.0, 0.0, 0.0], [9.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
        let diagonal = |m: Affine| [m[0][0], m[1][1], m[2][2]];
        let (from, to) = (frame(UNIT), frame(stretched));
        assert_eq!(diagonal(from.rigid(&to)), [1.0; 3]);
        assert_eq!(diagonal(from.uniform(&to).unwrap()), [2.0; 3]);
        assert_eq!(diagonal(from.affine(&to)), [8.0, 1.0, 1.0]);
    }

    #[test]
    fn the_limits_are_reached_from_outside() {
        let leg = |x: f64, y: f64| Frame::new([[0.0; 3], [x, 0.0, 0.0], [0.0, y, 0.0]]);
        assert!(leg(1e-9, 1e-9).is_ok());
        assert_eq!(leg(9.99e-10, 1.0), Err(Degenerate::NoLength(9.99e-10)));
        assert_eq!(leg(1.0, 9.99e-10), Err(Degenerate::OnOneLine(9.99e-10)));
        let (small, large) = (leg(1e-6, 1e-6).unwrap(), leg(1e6, 1e6).unwrap());
        assert!(large.uniform(&small).is_err() && small.uniform(&large).is_ok());
    }
}
