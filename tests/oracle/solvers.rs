//! One vertex through linear blend skinning (§6) or dual quaternion skinning (§7).
//! Every quantity is computed anew for every vertex: nothing is cached, nothing is shared.

use super::arithmetic::{
    Matrix, Vec3, add, divide, dot, matrix_product, matrix_vector, negate, scale, subtract,
};

/// A bone under a pose. The rotation is w, x, y, z, used exactly as given; a pose that must be
/// normalised (`decisions.md`, Numbers) is normalised before it comes here.
#[derive(Clone, Debug)]
pub struct Bone {
    pub head: [f64; 3],
    pub rotation: [f64; 4],
    pub translation: [f64; 3],
}

/// Joint numbers and normalised weights of a vertex, in stored order.
pub type Influences = [(usize, f64)];

pub type Quaternion = [f64; 4];

/// §6: posed position and normal of one vertex.
pub fn lbs_vertex(
    bones: &[Bone],
    influences: &Influences,
    p: [f64; 3],
    n: [f64; 3],
) -> ([f64; 3], [f64; 3]) {
    let (position, sum) = lbs_sums(bones, influences, p, n);
    let len = dot(&sum, &sum).sqrt();
    let normal = if len > 1e-12 { divide(&sum, len) } else { n };
    (position, normal)
}

/// §6: the weighted sums `P` and `N`, from +0.0, over the slots with a positive weight.
pub fn lbs_sums(bones: &[Bone], influences: &Influences, p: Vec3, n: Vec3) -> (Vec3, Vec3) {
    let mut position = [0.0; 3];
    let mut normal = [0.0; 3];
    for (joint, w) in positive(influences) {
        let b = skinning_matrix(&bones[joint]);
        let [qx, qy, qz, _] = matrix_vector(&b, &[p[0], p[1], p[2], 1.0]);
        let [gx, gy, gz, _] = matrix_vector(&b, &[n[0], n[1], n[2], 0.0]);
        position = add(&position, &scale(&[qx, qy, qz], w));
        normal = add(&normal, &scale(&[gx, gy, gz], w));
    }
    (position, normal)
}

/// The influences that count: positive weight, stored order.
fn positive(influences: &Influences) -> impl Iterator<Item = (usize, f64)> {
    influences
        .iter()
        .copied()
        .filter(|(_, weight)| *weight > 0.0)
}

/// §6: `B = Mpose IBM`, a full 4x4 product.
pub fn skinning_matrix(bone: &Bone) -> Matrix<4> {
    matrix_product(&pose_matrix(bone), &inverse_bind_matrix(bone.head))
}

/// §5: identity with the negated head as translation; -0.0 for a zero coordinate.
pub fn inverse_bind_matrix(head: Vec3) -> Matrix<4> {
    let [x, y, z] = negate(&head);
    [
        [1.0, 0.0, 0.0, x],
        [0.0, 1.0, 0.0, y],
        [0.0, 0.0, 1.0, z],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

/// §6: the pose of a bone in model space.
#[rustfmt::skip] // one matrix row a line
fn pose_matrix(bone: &Bone) -> Matrix<4> {
    let [w, x, y, z] = bone.rotation;
    let [tx, ty, tz] = bone.translation;
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), tx],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), ty],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), tz],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

/// §7: posed position and normal of one vertex.
pub fn dqs_vertex(
    bones: &[Bone],
    influences: &Influences,
    p: [f64; 3],
    n: [f64; 3],
) -> ([f64; 3], [f64; 3]) {
    let (real_sum, dual_sum) = dqs_sums(bones, influences);
    let (r, d) = unit(real_sum, dual_sum);
    let position = add(&rotate(r, p), &translation(r, d));
    (position, rotate(r, n))
}

/// §7 steps 1-3: the weighted sums `R` and `D`, from +0.0, in one hemisphere.
pub fn dqs_sums(bones: &[Bone], influences: &Influences) -> (Quaternion, Quaternion) {
    let reference = positive(influences).map(|(joint, _)| joint).min();
    let reference = bones[reference.expect("an influence")].rotation;
    let mut real_sum = [0.0; 4];
    let mut dual_sum = [0.0; 4];
    for (joint, w) in positive(influences) {
        let mut real = bones[joint].rotation;
        let mut dual = dual_part(&bones[joint]);
        if dot(&real, &reference) < 0.0 {
            real = negate(&real);
            dual = negate(&dual);
        }
        real_sum = add(&real_sum, &scale(&real, w));
        dual_sum = add(&dual_sum, &scale(&dual, w));
    }
    (real_sum, dual_sum)
}

/// §7, per bone: `tc = rot(qr, -head) + tp`, `qd = 0.5 * ((0, tc) qr)`.
pub fn dual_part(bone: &Bone) -> Quaternion {
    let moved = rotate(bone.rotation, negate(&bone.head));
    let [x, y, z] = add(&moved, &bone.translation);
    scale(&multiply([0.0, x, y, z], bone.rotation), 0.5)
}

/// §7 step 4: unit real part `r`, and the dual part `d` made orthogonal to it.
pub fn unit(real_sum: Quaternion, dual_sum: Quaternion) -> (Quaternion, Quaternion) {
    let n = dot(&real_sum, &real_sum).sqrt();
    let rn = 1.0 / n;
    let r = scale(&real_sum, rn);
    let s = scale(&dual_sum, rn);
    let k = dot(&r, &s);
    let d = subtract(&s, &scale(&r, k));
    (r, d)
}

/// §7 step 5: the vector part of `2.0 * (d conj(r))`.
pub fn translation(r: Quaternion, d: Quaternion) -> Vec3 {
    let [_, x, y, z] = scale(&multiply(d, conjugate(r)), 2.0);
    [x, y, z]
}

/// §7: the vector part of `(q (0, v)) conj(q)`.
pub fn rotate(q: Quaternion, [x, y, z]: Vec3) -> Vec3 {
    let [_, x, y, z] = multiply(multiply(q, [0.0, x, y, z]), conjugate(q));
    [x, y, z]
}

fn conjugate([w, x, y, z]: Quaternion) -> Quaternion {
    [w, -x, -y, -z]
}

/// §7: the product of two quaternions, each component left to right.
fn multiply([aw, ax, ay, az]: Quaternion, [bw, bx, by, bz]: Quaternion) -> Quaternion {
    [
        ((aw * bw - ax * bx) - ay * by) - az * bz,
        ((aw * bx + ax * bw) + ay * bz) - az * by,
        ((aw * by - ax * bz) + ay * bw) + az * bx,
        ((aw * bz + ax * by) - ay * bx) + az * bw,
    ]
}
