//! Properties of placements, on points of a grid.

use proptest::prelude::*;
use rigy_batch::kernel::math::{Affine, Frame, Vec3};

use super::exact::{Exact, placed};
use super::sizes::{agrees, missed, sizes};
use super::{MODES, Mode, Points, ROUNDINGS, attach, image, three};
use crate::precision::exact::{big, near};

/// Points on a grid that keeps their differences exact, none too near to the line of the other two.
fn gridded() -> impl Strategy<Value = Points> {
    let near = || prop::array::uniform3(-20_000i32..20_000);
    let far = prop::array::uniform3(-10_000_000i32..10_000_000);
    (prop_oneof![near(), far], near(), near()).prop_filter_map("thin", |(origin, leg, third)| {
        let at = |v: [i32; 3]| three(|i| f64::from(origin[i] + v[i]) / 1024.0);
        let points = [at([0; 3]), at(leg), at(third)];
        Frame::new(points).ok()?;
        (Exact::new(points).thinness() < 1e3).then_some(points)
    })
}

fn mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(MODES.to_vec())
}

/// True if the image of a from-point is the to-point, up to the roundings of its terms.
fn carries(mode: Mode, from: Points, to: Points, point: Vec3, target: Vec3) -> bool {
    let sizes = sizes(mode, &Exact::new(from), &Exact::new(to));
    let length = |p: Vec3| p.iter().map(|c| c * c).sum::<f64>().sqrt();
    let allowed =
        ROUNDINGS * (sizes.weighed[1] + sizes.weighed[0] * length(point) + length(target));
    let image = image(&attach(mode, from, to), point);
    (0..3).all(|i| (image[i] - target[i]).abs() <= 2.0 * allowed)
}

fn determinant(m: &Affine) -> f64 {
    let [a, b, c] = m.map(|[x, y, z, _]| [x, y, z]);
    (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            a[i] * (b[j] * c[k] - b[k] * c[j])
        })
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn the_first_point_goes_to_the_first(mode in mode(), from in gridded(), to in gridded()) {
        prop_assert!(carries(mode, from, to, from[0], to[0]));
    }

    #[test]
    fn the_second_point_goes_to_the_second_under_affine(from in gridded(), to in gridded()) {
        prop_assert!(carries(Mode::Affine, from, to, from[1], to[1]));
    }

    /// The first leg of `to` has the components of `from`'s in another order and with other signs.
    #[test]
    fn the_second_point_goes_to_the_second_under_rigid_if_legs_are_equal(
        from in gridded(), to in gridded(), turn in 0..3usize, signs: [bool; 3],
    ) {
        let leg: Vec3 = three(|i| from[1][(i + turn) % 3] - from[0][(i + turn) % 3]);
        let second = three(|i| to[0][i] + if signs[i] { leg[i] } else { -leg[i] });
        let to = [to[0], second, to[2]];
        prop_assume!(Frame::new(to).is_ok() && Exact::new(to).thinness() < 1e3);
        prop_assert!(carries(Mode::Rigid, from, to, from[1], to[1]));
        // A triangle with its lengths kept goes onto itself as a whole.
        let third: Vec3 = three(|i| from[2][(i + turn) % 3] - from[0][(i + turn) % 3]);
        let third = three(|i| to[0][i] + if signs[i] { third[i] } else { -third[i] });
        prop_assert!(carries(Mode::Rigid, from, [to[0], to[1], third], from[2], third));
    }

    #[test]
    fn nothing_is_mirrored(mode in mode(), from in gridded(), to in gridded()) {
        prop_assert!(determinant(&attach(mode, from, to)) > 0.0);
    }

    #[test]
    fn equal_frames_give_the_identity(mode in mode(), frame in gridded()) {
        let exact = Exact::new(frame);
        let identity = placed(&exact, &exact, [&big(1.0); 3]);
        let missed = missed(&attach(mode, frame, frame), &identity);
        prop_assert!(agrees(missed, &sizes(mode, &exact, &exact)), "{missed:?}");
        // The placement that is compared above is the identity.
        let (m, b) = identity;
        for (i, row) in m.iter().enumerate() {
            for (j, element) in row.iter().enumerate() {
                prop_assert!((near(element) - f64::from(u8::from(i == j))).abs() < 1e-40);
            }
            prop_assert!(near(&b[i]).abs() < 1e-40);
        }
    }
}
