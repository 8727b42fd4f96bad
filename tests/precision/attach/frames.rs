//! Random frames of several sorts. They are made by sums, products and quotients alone, so they are the same everywhere.

use rigy_batch::kernel::math::Vec3;
use rigy_batch::kernel::random::Random;

use super::{Points, three};
use crate::precision::numbers;

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

/// A number between two powers of ten from 1e-6 to 1e3; each decade is equally likely.
fn decades(random: &mut Random, range: std::ops::Range<usize>) -> f64 {
    const POWERS: [f64; 9] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0];
    let powers = &POWERS[range];
    (1.0 + 9.0 * random.unit()) * powers[random.bits() as usize % powers.len()]
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sort {
    /// Three points in a cube.
    Generic,
    /// The same, up to 1e4 away from zero.
    Offset,
    /// Legs from 1e-3 to 1e3, each its own.
    Legs,
    /// Height 1e-1 to 1e-6 of the leg.
    Thin,
    /// All of it: offsets to 1e4, legs from 1e-3 to 1e3, heights to 1e-3 of the leg.
    Mixed,
}

pub const SORTS: [Sort; 5] = [
    Sort::Generic,
    Sort::Offset,
    Sort::Legs,
    Sort::Thin,
    Sort::Mixed,
];

fn points(sort: Sort, random: &mut Random) -> Points {
    let (away, first, third, height) = match sort {
        Sort::Generic => return three(|_| numbers(random, 1.0)),
        Sort::Offset => {
            let away = numbers::<3>(random, 1e4);
            return three(|_| numbers::<3>(random, 1.0)).map(|p| three(|i| away[i] + p[i]));
        }
        Sort::Legs => (1.0, decades(random, 3..9), decades(random, 3..9), 1.0),
        Sort::Thin => (1.0, 1.0, 1.0, decades(random, 0..5)),
        Sort::Mixed => (
            1e4,
            decades(random, 3..9),
            decades(random, 3..9),
            decades(random, 3..6),
        ),
    };
    let (origin, x, off) = (
        numbers::<3>(random, away),
        direction(random),
        direction(random),
    );
    let side = if random.bits().is_multiple_of(2) {
        1.0
    } else {
        -1.0
    };
    let third = three(|i| (side * x[i] + off[i] * height) * third);
    [
        origin,
        three(|i| origin[i] + first * x[i]),
        three(|i| origin[i] + third[i]),
    ]
}

pub fn pairs(sort: Sort, count: usize) -> impl Iterator<Item = (Points, Points)> {
    let mut random = Random::new(0xa77a_c4e3 + sort as u64);
    std::iter::repeat_with(move || (points(sort, &mut random), points(sort, &mut random)))
        .take(count)
}
