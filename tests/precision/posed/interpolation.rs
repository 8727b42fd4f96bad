//! Polar decomposition and spherical interpolation against 192 bits.

use std::array::from_fn;

use rigy_batch::bake::gltf::slerp;
use rigy_batch::kernel::math::{Matrix3, Quat, polar};
use rigy_batch::kernel::random::Random;

use super::rig::rotation;
use crate::precision::exact::{self, Map, big, near};
use crate::precision::numbers;
use crate::support::chance::cases;

#[test]
fn polar_decompositions_agree_with_exact_arithmetic() {
    let mut random = Random::new(21);
    let mut most = [0.0f64; 2];
    for _ in 0..cases(60, 200) {
        let m: Matrix3 = from_fn(|_| numbers(&mut random, 3.0));
        let map = Map::of(&m.map(|[a, b, c]| [a, b, c, 0.0]));
        let (r, s) = exact::polar(&map.linear);
        let found = polar(&m).unwrap();
        // The error of a rotation grows as the sum of two stretches approaches zero: here, as they become smaller.
        let size = near(&s[0][0]).abs() + near(&s[1][1]).abs() + near(&s[2][2]).abs();
        let thin = size.powi(3) / near(&exact::determinant(&map.linear)).abs();
        for i in 0..3 {
            for j in 0..3 {
                let off = |got: f64, want: &exact::Big| near(&(big(got) - want)).abs();
                most[0] = most[0].max(off(found.rotation[i][j], &r[i][j]) / thin);
                most[1] = most[1].max(off(found.stretch[i][j], &s[i][j]) / size);
            }
        }
    }
    println!("polar: rotation {:.1e}, stretch {:.1e}", most[0], most[1]);
    assert!(most.iter().all(|most| *most < 1e-14), "{most:?}");
}

#[test]
fn slerp_agrees_with_exact_arithmetic() {
    let mut random = Random::new(31);
    let mut pairs: Vec<[Quat; 2]> = (0..40)
        .map(|_| [rotation(&mut random), rotation(&mut random)])
        .collect();
    let a = rotation(&mut random);
    let near_a = |by: f64| Quat { x: a.x + by, ..a };
    let opposite = |q: Quat| Quat::from_wxyz(q.wxyz().map(|c| -c));
    // Equal, antipodal, and on both sides of the angle below which an arc becomes a line; a half turn, which has two arcs.
    pairs.extend([[a, a], [a, opposite(a)], [opposite(a), near_a(1e-3)]]);
    pairs.extend([1e-16, 1e-9, 1e-7, 1e-6, 1.5e-6, 3e-6, 1e-5, 1e-4].map(|by| [a, near_a(by)]));
    let unit = |i: usize| Quat::from_wxyz(from_fn(|j| f64::from(u8::from(i == j))));
    pairs.extend([[unit(0), unit(1)], [unit(2), unit(3)]]);
    let mut most = 0.0f64;
    for [a, b] in pairs {
        for u in [
            0.0,
            1e-9,
            0.1,
            0.25,
            0.5,
            0.7,
            0.999_999,
            1.0 - f64::EPSILON,
        ] {
            let got = slerp(a.normalised(), b.normalised(), u).wxyz();
            let want = exact::slerp(a.wxyz(), b.wxyz(), u);
            for i in 0..4 {
                most = most.max(near(&(big(got[i]) - &want[i])).abs());
            }
        }
    }
    println!("slerp: {most:.1e}");
    assert!(most < 1e-15, "{most:e}");
}
