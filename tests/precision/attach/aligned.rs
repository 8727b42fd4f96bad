//! Frames along the coordinate axes, whose placements doubles hold exactly.

use rigy_batch::kernel::math::{Affine, Vec3};

use super::{Mode, Points, attach, bits, image, three};

type Whole = [i64; 3];

/// Right-handed axes along the coordinate axes.
fn orientations() -> Vec<[Whole; 3]> {
    let unit = |axis: usize, sign: i64| three(|i| if i == axis { sign } else { 0 });
    let mut all = Vec::new();
    for (i, j) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        for (si, sj) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (x, y) = (unit(i, si), unit(j, sj));
            let z = three(|i| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                x[j] * y[k] - x[k] * y[j]
            });
            all.push([x, y, z]);
        }
    }
    all
}

/// First leg, where p3 stands along it, and how far off it.
type Legs = [i64; 3];

fn aligned([x, y, _]: [Whole; 3], origin: Whole, [length, along, height]: Legs) -> Points {
    [
        origin,
        three(|i| origin[i] + length * x[i]),
        three(|i| origin[i] + along * x[i] + height * y[i]),
    ]
    .map(|p| p.map(|c| c as f64))
}

const ORIGINS: [Whole; 4] = [
    [0, 0, 0],
    [3, -2, 5],
    [-10_000, 0, 9_999],
    [1 << 40, -(1 << 30) - 1, 7],
];

/// Calls with all pairs of orientations and origins.
fn every_placement(mut check: impl FnMut([Whole; 3], Whole, [Whole; 3], Whole)) {
    for from in orientations() {
        for to in orientations() {
            for from_origin in ORIGINS {
                for to_origin in ORIGINS {
                    check(from, from_origin, to, to_origin);
                }
            }
        }
    }
}

/// The placement with these scales along the axes, if no operation rounds; and no zero is negative.
fn whole(from: [Whole; 3], o: Whole, to: [Whole; 3], to_origin: Whole, s: Vec3) -> Affine {
    three(|i| {
        let m: Vec3 = three(|j| (0..3).map(|k| s[k] * (to[k][i] * from[k][j]) as f64).sum());
        let m = m.map(|element| element + 0.0);
        let moved: f64 = (0..3).map(|j| m[j] * o[j] as f64).sum();
        [m[0], m[1], m[2], to_origin[i] as f64 - moved]
    })
}

#[test]
fn axis_aligned_rigid_placements_are_exact() {
    const LEGS: [Legs; 4] = [[1, 0, 1], [3, -2, 5], [1_000_003, 77, 1], [7, 1 << 20, 3]];
    assert_eq!(orientations().len(), 24);
    every_placement(|from, from_origin, to, to_origin| {
        let expected = whole(from, from_origin, to, to_origin, [1.0; 3]);
        for from_legs in LEGS {
            for to_legs in LEGS {
                let points = aligned(from, from_origin, from_legs);
                let target = aligned(to, to_origin, to_legs);
                let got = attach(Mode::Rigid, points, target);
                assert_eq!(bits(got), bits(expected), "{points:?} {target:?}");
                for element in got.iter().flat_map(|row| &row[..3]) {
                    let clean = [0.0f64, 1.0, -1.0].map(f64::to_bits);
                    assert!(clean.contains(&element.to_bits()), "{element:?}");
                }
                assert_eq!(
                    image(&got, points[0]).map(f64::to_bits),
                    target[0].map(f64::to_bits)
                );
            }
        }
    });
}

#[test]
fn axis_aligned_scaled_placements_are_exact() {
    // From, to, sx, sy and the cube root of sx·sy·sy.
    const CASES: [(Legs, Legs, [f64; 3]); 9] = [
        ([1, 0, 1], [2, 0, 2], [2.0, 2.0, 2.0]),
        ([3, 1, 5], [9, -4, 15], [3.0, 3.0, 3.0]),
        ([7, -3, 11], [7000, 5, 11_000], [1000.0, 1000.0, 1000.0]),
        ([1, 0, 1], [8, 3, 1], [8.0, 1.0, 2.0]),
        ([1, 2, 1], [1, 0, 8], [1.0, 8.0, 4.0]),
        ([2, 0, 5], [48, 1, 15], [24.0, 3.0, 6.0]),
        ([1, 1, 2], [343, 2, 2], [343.0, 1.0, 7.0]),
        ([8, 0, 8], [4, 1, 4], [0.5, 0.5, 0.5]),
        ([8, 3, 1], [1, 1, 1], [0.125, 1.0, 0.5]),
    ];
    every_placement(|from, from_origin, to, to_origin| {
        for (from_legs, to_legs, [sx, sy, k]) in CASES {
            let points = aligned(from, from_origin, from_legs);
            let target = aligned(to, to_origin, to_legs);
            for (mode, s) in [(Mode::Uniform, [k; 3]), (Mode::Affine, [sx, sy, sy])] {
                let expected = whole(from, from_origin, to, to_origin, s);
                let got = attach(mode, points, target);
                assert_eq!(bits(got), bits(expected), "{mode:?} {points:?} {target:?}");
                assert_eq!(
                    image(&got, points[0]).map(f64::to_bits),
                    target[0].map(f64::to_bits)
                );
            }
        }
    });
}
