//! Rotations of 0.12 and later: every form as one canonical quaternion x, y, z, w (`extensions.md` 2.8).

use serde_yaml::Value;

use super::arithmetic::{Matrix, Vec3};
use super::reading::radians_from_degrees;
use super::yaml::{field, number, tuple};

/// x, y, z, w.
pub type Quaternion = [f64; 4];

/// The rotation of a transform, if it has one.
pub fn canonical_rotation(transform: &Value) -> Option<Quaternion> {
    if let Some(angles) = tuple(transform, "rotation_euler") {
        return Some(canonical(from_euler(angles)));
    }
    if let Some(angles) = tuple::<3>(transform, "rotation_degrees") {
        return Some(canonical(from_euler(angles.map(radians_from_degrees))));
    }
    if let Some(turn) = field(transform, "rotation_axis_angle") {
        let axis = tuple(turn, "axis").expect("an axis");
        return Some(canonical(about_axis(axis, number(&turn["degrees"]))));
    }
    tuple(transform, "rotation_quat").map(canonical)
}

fn from_euler(angles: Vec3) -> Quaternion {
    let [cx, cy, cz] = angles.map(|angle| libm::cos(angle / 2.0));
    let [sx, sy, sz] = angles.map(|angle| libm::sin(angle / 2.0));
    [
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    ]
}

fn about_axis(axis: Vec3, degrees: f64) -> Quaternion {
    let mut axis = axis;
    let square = |[x, y, z]: Vec3| (x * x + y * y) + z * z;
    if square(axis) == f64::INFINITY {
        axis = by_largest(axis);
    }
    let length = square(axis).sqrt();
    let half = radians_from_degrees(degrees) / 2.0;
    let (s, c) = (libm::sin(half), libm::cos(half));
    let [x, y, z] = axis.map(|component| component / length * s);
    [x, y, z, c]
}

/// Each component over the largest magnitude of all.
fn by_largest<const N: usize>(components: [f64; N]) -> [f64; N] {
    let magnitudes = components.map(f64::abs).into_iter();
    let largest = magnitudes.reduce(f64::max).expect("there are some");
    components.map(|component| component / largest)
}

/// Of unit length, w not negative, every component rounded to twelve decimals, no -0.0.
pub fn canonical(quaternion: Quaternion) -> Quaternion {
    let mut quaternion = quaternion;
    let square = |[x, y, z, w]: Quaternion| ((x * x + y * y) + z * z) + w * w;
    if square(quaternion) == f64::INFINITY {
        quaternion = by_largest(quaternion);
    }
    let length = square(quaternion).sqrt();
    assert!(length > 1e-12, "not a rotation");
    let mut unit = quaternion.map(|component| component / length);
    if unit[3] < 0.0 {
        unit = unit.map(|component| -component);
    }
    unit.map(|component| (component / 1e-12).round_ties_even() * 1e-12 + 0.0)
}

/// The reflection in the plane x = 0.
pub fn mirrored([x, y, z, w]: Quaternion) -> Quaternion {
    [x, -y + 0.0, -z + 0.0, w]
}

pub fn matrix([x, y, z, w]: Quaternion) -> Matrix<3> {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        [1.0 - (yy + zz), xy - wz, xz + wy],
        [xy + wz, 1.0 - (xx + zz), yz - wx],
        [xz - wy, yz + wx, 1.0 - (xx + yy)],
    ]
}
