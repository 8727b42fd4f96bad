//! Sizes of a placement's parts, by which its errors are judged.

use rigy_batch::kernel::math::Affine;

use super::exact::{Exact, Placed, norm, scales};
use super::{Mode, PLAIN, ROUNDINGS, WELL};
use crate::precision::exact::{Big, big, near};

/// Linear part and translation.
pub type Parts = [f64; 2];

pub struct Sizes {
    /// The size of the terms that make up each part.
    pub plain: Parts,
    /// The same with the worse-known directions counted as often as they are worse known.
    pub weighed: Parts,
    pub thinness: f64,
}

pub fn sizes(mode: Mode, from: &Exact, to: &Exact) -> Sizes {
    let thinness = from.thinness() + to.thinness();
    let [sx, sy] = scales(from, to);
    let k = near(&(&sx * &sy * &sy).nth_root(3));
    let (sx, sy) = (near(&sx), near(&sy));
    let (scale, weighed) = match mode {
        Mode::Rigid => (1.0, 1.0 + thinness),
        Mode::Uniform => (k, k * (1.0 + thinness)),
        Mode::Affine => (sx.max(sy), sx + sy * thinness),
    };
    let [from, to] = [from, to].map(|frame| near(&norm(&frame.origin)));
    Sizes {
        plain: [scale, to + scale * from],
        weighed: [weighed, to + weighed * from],
        thinness,
    }
}

/// The largest miss of each part.
pub fn missed(got: &Affine, (m, b): &Placed) -> Parts {
    let off = |got: f64, want: &Big| near(&(big(got) - want)).abs();
    let mut worst = [0.0f64; 2];
    for i in 0..3 {
        for j in 0..3 {
            worst[0] = worst[0].max(off(got[i][j], &m[i][j]));
        }
        worst[1] = worst[1].max(off(got[i][3], &b[i]));
    }
    worst
}

pub fn over(a: Parts, b: Parts) -> Parts {
    [a[0] / b[0], a[1] / b[1]]
}

pub fn larger(a: Parts, b: Parts) -> Parts {
    [a[0].max(b[0]), a[1].max(b[1])]
}

pub fn agrees(missed: Parts, sizes: &Sizes) -> bool {
    let within = |size: Parts, part: f64| over(missed, size).iter().all(|m| *m <= part);
    within(sizes.weighed, ROUNDINGS) && (sizes.thinness > WELL || within(sizes.plain, PLAIN))
}
