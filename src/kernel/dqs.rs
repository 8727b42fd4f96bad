//! Dual quaternion skinning (`numerics.md` §7).
//!
//! ```text
//! R = D = +0
//! for each slot:   w' = dot4(real, reference) < 0 ? -w : w     R += w' * real     D += w' * dual
//! n = sqrt(dot4(R, R))   rn = 1 / n   r = R * rn   s = D * rn   k = dot4(r, s)   d = s - k * r
//! t = vector part of 2 * (d ⊗ conj(r))
//! position = rot(r, p) + t     normal = rot(r, n)
//! ```
//! `(-w) * q` is exactly `w * (-q)`, so flipping the weight negates the dual quaternion. Everything else is
//! written out literally, products with the zero of `(0, v)` included: each of them decides the sign of some
//! zero.

use super::group::{Group, Vertex};
use super::influences::Influences;
use crate::simd::F64Lanes;

/// Parts w, x, y, z in lanes.
type Quat<V> = [V; 4];

/// Poses one group of lanes; the weights of the group carry their hemisphere's sign.
#[inline(always)]
pub(super) fn pose<V: F64Lanes>(
    token: V::Token,
    rows: &[[f64; 8]],
    influences: &Influences,
    group: &Group,
    rest: Vertex<V>,
) -> Vertex<V> {
    let zero = V::splat(token, 0.0);
    let (r, t) = blend(token, rows, influences, group);
    let moved = rotate(zero, r, rest.position);
    Vertex {
        position: [moved[0] + t[0], moved[1] + t[1], moved[2] + t[2]],
        normal: rotate(zero, r, rest.normal),
    }
}

/// Steps 3 to 5: the blended unit rotation and the translation that follows it.
#[inline(always)]
fn blend<V: F64Lanes>(
    token: V::Token,
    rows: &[[f64; 8]],
    influences: &Influences,
    group: &Group,
) -> (Quat<V>, [V; 3]) {
    let zero = V::splat(token, 0.0);
    let mut real = [zero; 4];
    let mut dual = [zero; 4];
    for slot in 0..influences.slot_count() {
        let weight = V::load(token, group.signed_weights(slot));
        let row = V::gather(token, rows, group.joints(slot));
        for part in 0..4 {
            real[part] = real[part] + weight * row[part];
            dual[part] = dual[part] + weight * row[4 + part];
        }
    }
    let rn = V::splat(token, 1.0) / dot4(zero, real, real).sqrt();
    let r = real.map(|part| part * rn);
    let s = dual.map(|part| part * rn);
    let k = dot4(zero, r, s);
    let d = [
        s[0] - k * r[0],
        s[1] - k * r[1],
        s[2] - k * r[2],
        s[3] - k * r[3],
    ];
    let two = V::splat(token, 2.0);
    let [x, y, z] = vector_of_product(d, conjugate(r));
    (r, [two * x, two * y, two * z])
}

#[inline(always)]
fn dot4<V: F64Lanes>(zero: V, a: Quat<V>, b: Quat<V>) -> V {
    zero + a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[inline(always)]
fn conjugate<V: F64Lanes>([w, x, y, z]: Quat<V>) -> Quat<V> {
    [w, -x, -y, -z]
}

/// The vector part of `a ⊗ b`; the scalar part is never needed of the outer products.
#[inline(always)]
fn vector_of_product<V: F64Lanes>([aw, ax, ay, az]: Quat<V>, [bw, bx, by, bz]: Quat<V>) -> [V; 3] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

/// `rot(q, v)`: the vector part of `(q ⊗ (0, v)) ⊗ conj(q)`.
#[inline(always)]
fn rotate<V: F64Lanes>(zero: V, q: Quat<V>, [x, y, z]: [V; 3]) -> [V; 3] {
    let pure = [zero, x, y, z];
    let [aw, ax, ay, az] = q;
    let w = aw * zero - ax * x - ay * y - az * z;
    let [qx, qy, qz] = vector_of_product(q, pure);
    vector_of_product([w, qx, qy, qz], conjugate(q))
}
