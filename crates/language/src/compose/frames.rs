//! Frames of three points, and the transform from one to another (`extensions.md` §12.2).

use crate::model::Place;
use rigy_kernel::math::{Affine, Matrix3, Vec3, cross, length, matrix_product, minus, transpose};

/// Least length of the sides of a frame.
const LEAST: f64 = 1e-9;

/// An origin and three perpendicular unit axes.
pub struct Frame {
    origin: Vec3,
    axes: [Vec3; 3],
}

impl Frame {
    /// Returns the frame of three points: X along the first two, Z perpendicular to all; `None` if they lie on one line.
    pub fn new([p1, p2, p3]: [Vec3; 3]) -> Option<Self> {
        let side = minus(p2, p1);
        let side_length = length(side);
        if side_length.is_nan() || side_length <= LEAST {
            return None;
        }
        let x = side.map(|c| c / side_length);
        let normal = cross(x, minus(p3, p1));
        let normal_length = length(normal);
        if normal_length.is_nan() || normal_length <= LEAST {
            return None;
        }
        let z = normal.map(|c| c / normal_length);
        let y = cross(z, x);
        Some(Self {
            origin: p1,
            axes: [x, y, z],
        })
    }

    /// Returns the matrix whose columns are the axes.
    fn matrix(&self) -> Matrix3 {
        transpose(&self.axes)
    }
}

/// Returns the transform that brings the mount to the slot (§12.2).
pub fn transform(slot: &Frame, mount: &Frame, place: &Place) -> Affine {
    let [x, y, z] = slot.axes;
    let nudge = place.nudge;
    let turned = matrix_product(&slot.matrix(), &quarters(place.rotate));
    let rotation = matrix_product(&turned, &inverse(mount.matrix()));
    [0, 1, 2].map(|row| {
        let offset = (nudge.east * x[row] + nudge.up * y[row]) + nudge.north * z[row];
        let [a, b, c] = rotation[row];
        let [mx, my, mz] = mount.origin;
        let moved = c * mz + (a * mx + b * my);
        [a, b, c, (slot.origin[row] + offset) - moved]
    })
}

/// Returns the rotation by quarters of a turn about Y.
fn quarters(count: usize) -> Matrix3 {
    match count {
        0 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        1 => [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
        2 => [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        _ => [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    }
}

/// Returns the inverse by an LU decomposition with partial pivoting, in the order of §12.2.
fn inverse(mut a: Matrix3) -> Matrix3 {
    let mut order = [0, 1, 2];
    let mut pivot = 0;
    for (row, numbers) in a.iter().enumerate() {
        if numbers[0].abs() > a[pivot][0].abs() {
            pivot = row;
        }
    }
    a.swap(0, pivot);
    order.swap(0, pivot);
    let reciprocal = 1.0 / a[0][0];
    let mut l0 = [1, 2].map(|row: usize| a[row][0] * reciprocal);
    a[1][1] -= l0[0] * a[0][1];
    a[2][1] -= l0[1] * a[0][1];
    if a[2][1].abs() > a[1][1].abs() {
        a.swap(1, 2);
        order.swap(1, 2);
        l0.swap(0, 1);
    }
    let [l10, l20] = l0;
    let l21 = a[2][1] * (1.0 / a[1][1]);
    let u12 = a[1][2] - l10 * a[0][2];
    let u22 = a[2][2] - (l20 * a[0][2] + l21 * u12);
    let columns = [0, 1, 2].map(|column| {
        let unit = order.map(|row| if row == column { 1.0 } else { 0.0 });
        let b1 = -l10 * unit[0] + unit[1];
        let b2 = -l21 * b1 + (-l20 * unit[0] + unit[2]);
        let b2 = b2 * (1.0 / u22);
        let b1 = (b1 - u12 * b2) * (1.0 / a[1][1]);
        let b0 = ((unit[0] - a[0][2] * b2) - a[0][1] * b1) * (1.0 / a[0][0]);
        [b0, b1, b2]
    });
    transpose(&columns)
}
