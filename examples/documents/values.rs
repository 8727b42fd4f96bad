//! Numbers for tests. They come from plain arithmetic and `sqrt` alone, so every machine draws the same.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, PI};

use super::model::Vec3;
use super::random::{Draw, Random};

pub type Quaternion = [f64; 4];

/// A length that is positive after any rounding: `(0, 1000]`.
pub fn extent(random: &mut Random) -> f64 {
    match random.weighted(&[40, 20, 20, 16, 2, 2]) {
        0 => (1 + random.below(300)) as f64 / 100.0,
        1 => (1 + random.below(4)) as f64,
        2 => random.unit() + 0.01,
        3 => (1 + random.below(24)) as f64 / 8.0,
        4 => 1e-6 * (1.0 + random.unit()),
        _ => 1000.0 * (1.0 - random.unit() * 0.5),
    }
}

/// A place in a model: zeros of both signs, round numbers, full-precision ones, now and then far away.
pub fn coordinate(random: &mut Random) -> f64 {
    match random.weighted(&[22, 6, 14, 28, 10, 17, 1, 2]) {
        0 => 0.0,
        1 => -0.0,
        2 => random.below(7) as f64 - 3.0,
        3 => (random.below(401) as f64 - 200.0) / 100.0,
        4 => (random.below(33) as f64 - 16.0) / 8.0,
        5 => 2.0 * random.signed_unit(),
        6 => 1e-17 * random.signed_unit(),
        _ => 1e4 * random.signed_unit(),
    }
}

/// As `coordinate`, reaching into the subnormals and up to a million.
pub fn wide_coordinate(random: &mut Random) -> f64 {
    const WIDE: [f64; 9] = [
        1e-300, -1e-300, 5e-324, -5e-324, 2.2e-310, 1e6, -1e6, 1e-45, 123456.789,
    ];
    if random.chance(4) {
        *random.pick(&WIDE)
    } else {
        coordinate(random)
    }
}

pub fn vector(random: &mut Random, component: fn(&mut Random) -> f64) -> Vec3 {
    [component(random), component(random), component(random)]
}

pub fn radians(random: &mut Random) -> f64 {
    const EXACT: [f64; 9] = [
        FRAC_PI_2,
        -FRAC_PI_2,
        PI,
        -PI,
        FRAC_PI_4,
        -FRAC_PI_4,
        1.25,
        -0.35,
        2.0 * PI,
    ];
    match random.weighted(&[30, 6, 24, 30, 5, 2, 3]) {
        0 => 0.0,
        1 => -0.0,
        2 => *random.pick(&EXACT),
        3 => 4.0 * random.signed_unit(),
        4 => (random.below(63) as f64 - 31.0) / 10.0,
        5 => 1e-17 * random.signed_unit(),
        _ => 1e5 * random.signed_unit(),
    }
}

pub fn degrees(random: &mut Random) -> f64 {
    match random.weighted(&[30, 6, 24, 20, 17, 3]) {
        0 => 0.0,
        1 => -0.0,
        2 => 90.0 * (random.below(9) as f64 - 4.0),
        3 => 15.0 * (random.below(25) as f64 - 12.0),
        4 => 180.0 * random.signed_unit(),
        _ => 1e6 * random.signed_unit(),
    }
}

/// In `[0, 1]`.
pub fn weight(random: &mut Random) -> f64 {
    match random.weighted(&[25, 12, 15, 25, 20, 2, 1]) {
        0 => 1.0,
        1 => 0.0,
        2 => 0.5,
        3 => random.below(11) as f64 / 10.0,
        4 => random.unit(),
        5 => 1e-9,
        _ => -0.0,
    }
}

/// A quaternion `[w, x, y, z]` that is exact or nearly so.
pub fn exact_quaternion(random: &mut Random) -> Quaternion {
    const H: f64 = FRAC_1_SQRT_2;
    let mut quaternion = match random.below(5) {
        0 => [1.0, 0.0, 0.0, 0.0],
        1 => [0.0, 1.0, 0.0, 0.0],
        2 => [0.6, 0.8, 0.0, 0.0],
        3 => [H, H, 0.0, 0.0],
        _ => [0.5, 0.5, 0.5, 0.5],
    };
    if random.chance(60) {
        random.shuffle(&mut quaternion[1..]);
    }
    for component in &mut quaternion[1..] {
        if random.chance(30) {
            *component = -*component;
        }
    }
    quaternion
}

/// A unit quaternion at full precision.
pub fn random_quaternion(random: &mut Random) -> Quaternion {
    loop {
        let q: Quaternion = [(); 4].map(|()| random.signed_unit());
        let norm = squared_norm(&q).sqrt();
        if norm > 0.1 {
            return q.map(|c| c / norm);
        }
    }
}

/// A quaternion as people type it: four decimals.
pub fn rounded_quaternion(random: &mut Random) -> Quaternion {
    loop {
        let q = random_quaternion(random).map(|c| (c * 10_000.0).round() / 10_000.0);
        if (squared_norm(&q) - 1.0).abs() <= 2.4e-4 {
            return q;
        }
    }
}

pub fn squared_norm(q: &Quaternion) -> f64 {
    ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]
}

pub fn negated(q: Quaternion) -> Quaternion {
    q.map(|c| -c)
}

/// `q` turned by half a revolution about x: its inner product with `q` cancels to exactly zero.
pub fn orthogonal_to(q: Quaternion) -> Quaternion {
    [-q[1], q[0], q[3], -q[2]]
}
