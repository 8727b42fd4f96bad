//! The closed forms of `attach3` (`language.md` 4.4, with `decisions.md`: for `uniform` the linear
//! part `k R` counts in the translation too).

use super::arithmetic::{Matrix, Vec3, divide, scale, subtract};
use super::document::Mode;

/// Unit axes, where they start, and how far the three points reach along x and off it.
pub struct Frame {
    pub origin: Vec3,
    pub x: Vec3,
    pub y: Vec3,
    pub z: Vec3,
    pub length: f64,
    pub height: f64,
}

pub fn frame([p1, p2, p3]: [Vec3; 3]) -> Frame {
    let d = subtract(&p2, &p1);
    let length = norm(&d);
    assert!(length >= 1e-9, "points 1 and 2 coincide");
    let x = divide(&d, length);
    let t = subtract(&p3, &p1);
    let c = cross(&x, &t);
    assert!(norm(&c) >= 1e-9, "three points on a line");
    let z = divide(&c, norm(&c));
    let y = cross(&z, &x);
    let k = dot(&t, &x);
    let height = norm(&subtract(&t, &scale(&x, k)));
    Frame {
        origin: p1,
        x,
        y,
        z,
        length,
        height,
    }
}

/// The instance's matrix, row after row.
pub fn attach3(from: [Vec3; 3], to: [Vec3; 3], mode: Mode) -> Matrix<4> {
    let from = frame(from);
    let to = frame(to);
    let sx = to.length / from.length;
    let sy = to.height / from.height;
    let m = match mode {
        Mode::Rigid => rotation(&from, &to),
        Mode::Uniform => {
            let k = libm::cbrt(sx * sy * sy);
            assert!(k >= 1e-9, "the scale is nearly zero");
            rotation(&from, &to).map(|row| row.map(|element| k * element + 0.0))
        }
        Mode::Affine => affine(&from, &to, sx, sy),
    };
    let o = from.origin;
    let b: Vec3 = std::array::from_fn(|i| {
        to.origin[i] - ((m[i][0] * o[0] + m[i][1] * o[1]) + m[i][2] * o[2])
    });
    let matrix = [
        [m[0][0], m[0][1], m[0][2], b[0]],
        [m[1][0], m[1][1], m[1][2], b[1]],
        [m[2][0], m[2][1], m[2][2], b[2]],
        [0.0, 0.0, 0.0, 1.0],
    ];
    assert!(
        matrix
            .as_flattened()
            .iter()
            .all(|element| element.is_finite())
    );
    matrix
}

/// `R`: to-axes times the transpose of from-axes. The last sum turns -0.0 into 0.0.
fn rotation(from: &Frame, to: &Frame) -> Matrix<3> {
    let element = |i: usize, j: usize| {
        ((to.x[i] * from.x[j] + to.y[i] * from.y[j]) + to.z[i] * from.z[j]) + 0.0
    };
    std::array::from_fn(|i| std::array::from_fn(|j| element(i, j)))
}

/// `A`: as `R`, with the axes scaled by sx, sy and sy.
fn affine(from: &Frame, to: &Frame, sx: f64, sy: f64) -> Matrix<3> {
    let element = |i: usize, j: usize| {
        (((to.x[i] * sx) * from.x[j] + (to.y[i] * sy) * from.y[j]) + (to.z[i] * sy) * from.z[j])
            + 0.0
    };
    std::array::from_fn(|i| std::array::from_fn(|j| element(i, j)))
}

fn dot(a: &Vec3, b: &Vec3) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

fn norm(a: &Vec3) -> f64 {
    dot(a, a).sqrt()
}

fn cross(a: &Vec3, b: &Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
