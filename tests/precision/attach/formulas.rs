//! Every mode of attach3 (`language.md` §4.4) on random frames, and wrong formulas that the comparison refuses.

use super::exact::{Exact, Placed, exact, linear, placed, plus, scales, translation};
use super::frames::{SORTS, Sort, pairs};
use super::sizes::{agrees, larger, missed, over, sizes};
use super::{MODES, Mode, ROUNDINGS, WELL, attach};
use crate::precision::exact::big;
use crate::support::chance::cases;

#[test]
fn every_mode_is_within_a_few_roundings_of_exact_arithmetic() {
    for sort in SORTS {
        let mut well = 0;
        let mut relative = [[0.0; 2]; 3];
        let mut weighed = [[0.0; 2]; 3];
        let count = cases(300, 1_500);
        for (from, to) in pairs(sort, count) {
            let (exact_from, exact_to) = (Exact::new(from), Exact::new(to));
            for mode in MODES {
                let got = attach(mode, from, to);
                let missed = missed(&got, &exact(mode, &exact_from, &exact_to));
                let sizes = sizes(mode, &exact_from, &exact_to);
                assert!(
                    agrees(missed, &sizes),
                    "{sort:?} {mode:?} {from:?} {to:?}: {missed:?} of {:?}, thinness {}",
                    sizes.plain,
                    sizes.thinness
                );
                let m = mode as usize;
                weighed[m] = larger(weighed[m], over(missed, sizes.weighed));
                if sizes.thinness <= WELL {
                    well += 1;
                    relative[m] = larger(relative[m], over(missed, sizes.plain));
                }
            }
        }
        for mode in MODES {
            let [[l, t], [lw, tw]] = [relative[mode as usize], weighed[mode as usize]];
            println!(
                "{sort:?} {mode:?}: linear {l:.1e}, translation {t:.1e} of the size if well-conditioned; \
                 {:.2} and {:.2} of the allowed roundings",
                lw / ROUNDINGS,
                tw / ROUNDINGS
            );
        }
        println!("{sort:?}: {} pairs well-conditioned", well / 3);
        let seldom = matches!(sort, Sort::Thin | Sort::Mixed);
        assert!(seldom || well / 3 > count * 14 / 15, "{sort:?}: {well}");
    }
}

type Formula = fn(&Exact, &Exact) -> Placed;

/// Wrong formulas that could be mistaken for the right ones.
#[rustfmt::skip] // a row stays a line
const WRONG: [(&str, Mode, Formula); 11] = [
    ("translation of the affine", Mode::Uniform, |from, to| { let affine = exact(Mode::Affine, from, to); (exact(Mode::Uniform, from, to).0, affine.1) }),
    ("cube root of sx·sx·sy", Mode::Uniform, |from, to| { let [sx, sy] = scales(from, to); placed(from, to, [&(&sx * &sx * &sy).nth_root(3); 3]) }),
    ("scale of the first leg", Mode::Uniform, |from, to| { placed(from, to, [&scales(from, to)[0]; 3]) }),
    ("sx and sy swapped", Mode::Affine, |from, to| { let [sx, sy] = scales(from, to); placed(from, to, [&sy, &sx, &sx]) }),
    ("z not scaled", Mode::Affine, |from, to| { let [sx, sy] = scales(from, to); placed(from, to, [&sx, &sy, &big(1.0)]) }),
    ("third leg for the height", Mode::Affine, |from, to| {
        let (sx, sy) = (&scales(from, to)[0], to.third() / from.third());
        placed(from, to, [sx, &sy, &sy])
    }),
    ("origins subtracted only", Mode::Affine, |from, to| { let b = plus(&to.origin, &big(-1.0), &from.origin); (exact(Mode::Affine, from, to).0, b) }),
    ("left-handed", Mode::Rigid, |from, to| { let z = to.axes[2].clone().map(|c| -c); exact(Mode::Rigid, from, &to.with_axis(2, z)) }),
    ("y along the third leg", Mode::Rigid, |from, to| {
        let skew = |frame: &Exact| {
            let ([x, y, _], third) = (&frame.axes, frame.third());
            let leg = plus(&y.clone().map(|c| c * &frame.height), &frame.along, x);
            frame.with_axis(1, leg.map(|c| c / &third))
        };
        exact(Mode::Rigid, &skew(from), &skew(to))
    }),
    ("inverse rotation", Mode::Rigid, |from, to| { let m = linear(to, from, [&big(1.0); 3]); let b = translation(from, to, &m); (m, b) }),
    ("a turn of 1e-12 about z", Mode::Rigid, |from, to| {
        let [x, y, _] = &to.axes;
        let turned = to.with_axis(0, plus(x, &big(1e-12), y));
        exact(
            Mode::Rigid,
            from,
            &turned.with_axis(1, plus(y, &big(-1e-12), x)),
        )
    }),
];

#[test]
fn wrong_formulas_are_told_from_the_right_ones() {
    for sort in SORTS {
        for (from, to) in pairs(sort, cases(30, 100)) {
            let (exact_from, exact_to) = (Exact::new(from), Exact::new(to));
            for (what, mode, formula) in WRONG {
                let sizes = sizes(mode, &exact_from, &exact_to);
                if what.contains("1e-12") && sizes.thinness > WELL {
                    continue;
                }
                let missed = missed(&attach(mode, from, to), &formula(&exact_from, &exact_to));
                assert!(
                    !agrees(missed, &sizes),
                    "{what} passes: {sort:?} {from:?} {to:?}, {missed:?} of {:?}",
                    sizes.weighed
                );
            }
        }
    }
}
