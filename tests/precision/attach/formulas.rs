//! Every mode of attach3 (`language.md` §4.4) on random frames, against 192 bits. The oracle has wrong formulas found out byte by byte.

use rigy_batch::kernel::math::{Affine, Vec3};
use rigy_batch::kernel::random::Random;

use super::{MODES, Mode, PLAIN, Points, ROUNDINGS, WELL, attach, three};
use crate::precision::exact::{Big, Big3, Map, Square, big, near, plus, product, root, times};
use crate::precision::exact::{dot, transposed};
use crate::precision::numbers;
use crate::support::chance::cases;

/// A direction that is not exactly of unit length.
fn direction(random: &mut Random) -> Vec3 {
    loop {
        let v: Vec3 = numbers(random, 1.0);
        let square: f64 = v.iter().map(|c| c * c).sum();
        if (0.01..1.0).contains(&square) {
            return v.map(|c| c / square.sqrt());
        }
    }
}

/// A number between two powers of ten; each decade is equally likely.
fn decades(random: &mut Random, powers: &[f64]) -> f64 {
    (1.0 + 9.0 * random.unit()) * powers[random.bits() as usize % powers.len()]
}

/// Legs from 1e-3 to 1e3, each its own. Near zero the height is down to 1e-6 of the leg, up to 1e4 away down to 1e-3.
fn points(random: &mut Random) -> Points {
    const POWERS: [f64; 9] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0];
    let is_near = random.bits().is_multiple_of(2);
    let (away, heights) = if is_near {
        (1.0, &POWERS[..7])
    } else {
        (1e4, &POWERS[3..7])
    };
    let [first, third] = [(); 2].map(|()| decades(random, &POWERS[3..]));
    let height = decades(random, heights);
    let (origin, x, off) = (
        numbers::<3>(random, away),
        direction(random),
        direction(random),
    );
    let side = f64::from(random.bits() as u32 % 2) * 2.0 - 1.0;
    [
        origin,
        three(|i| origin[i] + first * x[i]),
        three(|i| origin[i] + (side * x[i] + off[i] * height) * third),
    ]
}

/// A frame by Gram–Schmidt: y is what p3 has beside x, and z follows.
struct Frame {
    origin: Big3,
    axes: Square,
    length: Big,
    height: Big,
    /// |p3 − p1|.
    third: Big,
}

impl Frame {
    fn new(points: Points) -> Self {
        let [p1, p2, p3] = points.map(|p| p.map(big));
        let norm = |v: &Big3| root(&dot(v, v));
        let [leg, third] = [p2, p3].map(|p| three(|i| &p[i] - &p1[i]));
        let length = norm(&leg);
        let x = leg.map(|c| c / &length);
        let along = dot(&third, &x);
        let off = three(|i| &third[i] - &along * &x[i]);
        let height = norm(&off);
        let y = off.map(|c| c / &height);
        let z = three(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            &x[j] * &y[k] - &x[k] * &y[j]
        });
        Self {
            origin: p1,
            axes: [x, y, z],
            length,
            height,
            third: norm(&third),
        }
    }

    fn thinness(&self) -> f64 {
        near(&(&self.third / &self.height))
    }
}

/// The placement; the sizes of the terms of its linear part and translation, and the same with the worse-known directions counted as often as
/// they are worse known.
fn exact(mode: Mode, from: &Frame, to: &Frame, thinness: f64) -> (Map, [f64; 2], [f64; 2]) {
    let (sx, sy) = (&to.length / &from.length, &to.height / &from.height);
    let (one, k) = (big(1.0), (&sx * &sy * &sy).nth_root(3));
    let s = match mode {
        Mode::Rigid => [&one, &one, &one],
        Mode::Uniform => [&k, &k, &k],
        Mode::Affine => [&sx, &sy, &sy],
    };
    let scaled = three(|row| from.axes[row].clone().map(|c| c * s[row]));
    let linear = product(&transposed(&to.axes), &scaled);
    let moved = plus(&to.origin, &times(&linear, &from.origin).map(|c| -c));
    let [x, y] = [s[0], s[1]].map(near);
    let [f, t] = [from, to].map(|frame| near(&root(&dot(&frame.origin, &frame.origin))));
    let parts = |scale: f64| [scale, t + scale * f];
    (
        Map { linear, moved },
        parts(x.max(y)),
        parts(x + y * thinness),
    )
}

/// The largest miss of the linear part and of the translation.
fn missed(got: &Affine, want: &Map) -> [f64; 2] {
    let off = |got: f64, want: &Big| near(&(big(got) - want)).abs();
    let linear = |i: usize| (0..3).map(move |j| off(got[i][j], &want.linear[i][j]));
    let moved = (0..3).map(|i| off(got[i][3], &want.moved[i]));
    [
        (0..3).flat_map(linear).fold(0.0, f64::max),
        moved.fold(0.0, f64::max),
    ]
}

#[test]
fn every_mode_is_within_a_few_roundings_of_exact_arithmetic() {
    let random = &mut Random::new(0xa77a_c4e3);
    let count = cases(1_500, 7_500);
    let mut well = 0;
    for _ in 0..count {
        let [from, to] = [points(random), points(random)];
        let frames = [from, to].map(Frame::new);
        let thinness = frames[0].thinness() + frames[1].thinness();
        well += usize::from(thinness <= WELL);
        for mode in MODES {
            let (want, plain, weighed) = exact(mode, &frames[0], &frames[1], thinness);
            let missed = missed(&attach(mode, from, to), &want);
            let is_within = |size: [f64; 2], part| (0..2).all(|i| missed[i] <= part * size[i]);
            assert!(
                is_within(weighed, ROUNDINGS) && (thinness > WELL || is_within(plain, PLAIN)),
                "{mode:?} {from:?} {to:?}: {missed:?} of {plain:?}, thinness {thinness}"
            );
        }
    }
    assert!(well > count / 5, "{well} of {count} are well-conditioned");
}
