//! attach3 (`language.md` §4.4): against the same mathematics in 192 bits, on cases that doubles hold exactly, by
//! properties, and by bits.
//!
//! How far off a double may be. The differences of the given points are rounded once, so that offsets do not harm
//! the axes. The direction of p3 off the line p1p2 is known the worse the smaller the height H of the triangle is
//! beside |p3 − p1|: y, z and H are wrong by some roundings times τ = |p3 − p1| / H, x and the length by some
//! roundings. So the linear part may miss by some roundings of `sx + sy·(τ + τ')`, and the translation by as many
//! of that times |f1|, and of |t1|, which both go into it. The number of roundings is [`ROUNDINGS`]; for
//! well-conditioned frames ([`WELL`]) it comes to less than 1e-12 of the sizes themselves, which is tested too.

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;
use proptest::prelude::*;
use rigy_batch::kernel::math::{Affine, Frame, Vec3};
use sha2::{Digest, Sha256};

/// Roundings allowed, of what is said above.
const ROUNDINGS: f64 = 8.0 * (f64::EPSILON / 2.0);
/// Largest τ + τ' of frames that are called well-conditioned.
const WELL: f64 = 200.0;
/// Allowed of the sizes themselves if frames are well-conditioned.
const PLAIN: f64 = 1e-12;

type Points = [Vec3; 3];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Rigid,
    Uniform,
    Affine,
}

const MODES: [Mode; 3] = [Mode::Rigid, Mode::Uniform, Mode::Affine];

fn attach(mode: Mode, from: Points, to: Points) -> Affine {
    let (from, to) = (Frame::new(from).unwrap(), Frame::new(to).unwrap());
    match mode {
        Mode::Rigid => from.rigid(&to),
        Mode::Uniform => from.uniform(&to).unwrap(),
        Mode::Affine => from.affine(&to),
    }
}

type Bits = [[u64; 4]; 3];

fn bits(m: Affine) -> Bits {
    m.map(|row| row.map(f64::to_bits))
}

// ---- The same mathematics in 192 bits.

type Big = FBig<HalfEven, 2>;
type Big3 = [Big; 3];

fn big(value: f64) -> Big {
    Big::try_from(value).unwrap().with_precision(192).value()
}

fn three<T>(element: impl FnMut(usize) -> T) -> [T; 3] {
    std::array::from_fn(element)
}

fn dot(a: &Big3, b: &Big3) -> Big {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn norm(a: &Big3) -> Big {
    dot(a, a).nth_root(2)
}

/// `a + s·b`.
fn plus(a: &Big3, s: &Big, b: &Big3) -> Big3 {
    three(|i| &a[i] + s * &b[i])
}

fn cross(a: &Big3, b: &Big3) -> Big3 {
    three(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

/// A frame by Gram–Schmidt: y is what p3 has beside x, and z follows.
#[derive(Clone)]
struct Exact {
    origin: Big3,
    axes: [Big3; 3],
    length: Big,
    height: Big,
    /// Where p3 projects to, along x.
    along: Big,
}

impl Exact {
    fn new(points: Points) -> Self {
        let [p1, p2, p3] = points.map(|p| p.map(big));
        let minus_one = big(-1.0);
        let leg = plus(&p2, &minus_one, &p1);
        let length = norm(&leg);
        let x = leg.map(|c| c / &length);
        let third = plus(&p3, &minus_one, &p1);
        let along = dot(&third, &x);
        let off = plus(&third, &-&along, &x);
        let height = norm(&off);
        let y = off.map(|c| c / &height);
        let z = cross(&x, &y);
        Self {
            origin: p1,
            axes: [x, y, z],
            length,
            height,
            along,
        }
    }

    /// |p3 − p1|.
    fn third(&self) -> Big {
        (&self.along * &self.along + &self.height * &self.height).nth_root(2)
    }

    fn thinness(&self) -> f64 {
        near(&(self.third() / &self.height))
    }

    fn with_axis(&self, axis: usize, value: Big3) -> Self {
        let mut changed = self.clone();
        changed.axes[axis] = value;
        changed
    }
}

fn near(value: &Big) -> f64 {
    value.to_f64().value()
}

fn scales(from: &Exact, to: &Exact) -> [Big; 2] {
    [&to.length / &from.length, &to.height / &from.height]
}

fn linear(from: &Exact, to: &Exact, s: [&Big; 3]) -> [Big3; 3] {
    three(|i| {
        three(|j| {
            let term = |k: usize| &to.axes[k][i] * s[k] * &from.axes[k][j];
            term(0) + term(1) + term(2)
        })
    })
}

fn translation(from: &Exact, to: &Exact, m: &[Big3; 3]) -> Big3 {
    three(|i| &to.origin[i] - dot(&m[i], &from.origin))
}

type Placed = ([Big3; 3], Big3);

fn placed(from: &Exact, to: &Exact, s: [&Big; 3]) -> Placed {
    let m = linear(from, to, s);
    let b = translation(from, to, &m);
    (m, b)
}

fn exact(mode: Mode, from: &Exact, to: &Exact) -> Placed {
    let [sx, sy] = scales(from, to);
    let (one, k) = (big(1.0), (&sx * &sy * &sy).nth_root(3));
    match mode {
        Mode::Rigid => placed(from, to, [&one; 3]),
        Mode::Uniform => placed(from, to, [&k; 3]),
        Mode::Affine => placed(from, to, [&sx, &sy, &sy]),
    }
}

// ---- What may be missed, and what is.

/// Linear part and translation.
type Parts = [f64; 2];

struct Sizes {
    /// What the parts are made of.
    plain: Parts,
    /// The same with the worse-known directions counted as often as they are worse known.
    weighed: Parts,
    thinness: f64,
}

fn sizes(mode: Mode, from: &Exact, to: &Exact) -> Sizes {
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
fn missed(got: &Affine, (m, b): &Placed) -> Parts {
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

fn over(a: Parts, b: Parts) -> Parts {
    [a[0] / b[0], a[1] / b[1]]
}

fn larger(a: Parts, b: Parts) -> Parts {
    [a[0].max(b[0]), a[1].max(b[1])]
}

fn agrees(missed: Parts, sizes: &Sizes) -> bool {
    let within = |size: Parts, part: f64| over(missed, size).iter().all(|m| *m <= part);
    within(sizes.weighed, ROUNDINGS) && (sizes.thinness > WELL || within(sizes.plain, PLAIN))
}

// ---- Random frames of several sorts. Nothing but sums, products and quotients, so they are the same everywhere.

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In the cube from −`size` to `size`.
    fn vector(&mut self, size: f64) -> Vec3 {
        three(|_| (2.0 * self.unit() - 1.0) * size)
    }

    /// A direction that is not exactly of unit length.
    fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            let square: f64 = v.iter().map(|c| c * c).sum();
            if (0.01..1.0).contains(&square) {
                return v.map(|c| c / square.sqrt());
            }
        }
    }

    /// Between two powers of ten from 1e-6 to 1e3, every decade as often.
    fn decades(&mut self, range: std::ops::Range<usize>) -> f64 {
        const POWERS: [f64; 9] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0];
        let powers = &POWERS[range];
        (1.0 + 9.0 * self.unit()) * powers[self.bits() as usize % powers.len()]
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
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

const SORTS: [Sort; 5] = [
    Sort::Generic,
    Sort::Offset,
    Sort::Legs,
    Sort::Thin,
    Sort::Mixed,
];

fn points(sort: Sort, random: &mut Random) -> Points {
    let (away, first, third, height) = match sort {
        Sort::Generic => return three(|_| random.vector(1.0)),
        Sort::Offset => {
            let away = random.vector(1e4);
            return three(|_| random.vector(1.0)).map(|p| three(|i| away[i] + p[i]));
        }
        Sort::Legs => (1.0, random.decades(3..9), random.decades(3..9), 1.0),
        Sort::Thin => (1.0, 1.0, 1.0, random.decades(0..5)),
        Sort::Mixed => (
            1e4,
            random.decades(3..9),
            random.decades(3..9),
            random.decades(3..6),
        ),
    };
    let (origin, x, off) = (random.vector(away), random.direction(), random.direction());
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

fn pairs(sort: Sort, count: usize) -> impl Iterator<Item = (Points, Points)> {
    let mut random = Random(0xa77a_c4e3 + sort as u64);
    std::iter::repeat_with(move || (points(sort, &mut random), points(sort, &mut random)))
        .take(count)
}

#[test]
fn every_mode_is_within_a_few_roundings_of_exact_arithmetic() {
    for sort in SORTS {
        let mut well = 0;
        let mut relative = [[0.0; 2]; 3];
        let mut weighed = [[0.0; 2]; 3];
        for (from, to) in pairs(sort, 1_500) {
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
        assert!(seldom || well / 3 > 1_400, "{sort:?}: {well}");
    }
}

type Formula = fn(&Exact, &Exact) -> Placed;

/// Formulas that somebody could have meant.
const WRONG: [(&str, Mode, Formula); 11] = [
    ("translation of the affine", Mode::Uniform, |from, to| {
        let affine = exact(Mode::Affine, from, to);
        (exact(Mode::Uniform, from, to).0, affine.1)
    }),
    ("cube root of sx·sx·sy", Mode::Uniform, |from, to| {
        let [sx, sy] = scales(from, to);
        placed(from, to, [&(&sx * &sx * &sy).nth_root(3); 3])
    }),
    ("scale of the first leg", Mode::Uniform, |from, to| {
        placed(from, to, [&scales(from, to)[0]; 3])
    }),
    ("sx and sy swapped", Mode::Affine, |from, to| {
        let [sx, sy] = scales(from, to);
        placed(from, to, [&sy, &sx, &sx])
    }),
    ("z not scaled", Mode::Affine, |from, to| {
        let [sx, sy] = scales(from, to);
        placed(from, to, [&sx, &sy, &big(1.0)])
    }),
    ("third leg for the height", Mode::Affine, |from, to| {
        let (sx, sy) = (&scales(from, to)[0], to.third() / from.third());
        placed(from, to, [sx, &sy, &sy])
    }),
    ("origins subtracted only", Mode::Affine, |from, to| {
        let b = plus(&to.origin, &big(-1.0), &from.origin);
        (exact(Mode::Affine, from, to).0, b)
    }),
    ("left-handed", Mode::Rigid, |from, to| {
        let z = to.axes[2].clone().map(|c| -c);
        exact(Mode::Rigid, from, &to.with_axis(2, z))
    }),
    ("y along the third leg", Mode::Rigid, |from, to| {
        let skew = |frame: &Exact| {
            let ([x, y, _], third) = (&frame.axes, frame.third());
            let leg = plus(&y.clone().map(|c| c * &frame.height), &frame.along, x);
            frame.with_axis(1, leg.map(|c| c / &third))
        };
        exact(Mode::Rigid, &skew(from), &skew(to))
    }),
    ("inverse rotation", Mode::Rigid, |from, to| {
        let m = linear(to, from, [&big(1.0); 3]);
        let b = translation(from, to, &m);
        (m, b)
    }),
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
        for (from, to) in pairs(sort, 100) {
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

// ---- Exact cases.

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

fn image(m: &Affine, p: Vec3) -> Vec3 {
    m.map(|[a, b, c, d]| ((a * p[0] + b * p[1]) + c * p[2]) + d)
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

// ---- Properties.

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

/// Whether the image of a from-point is the to-point, up to roundings of all that goes into it.
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
        // What is meant above is the identity.
        let (m, b) = identity;
        for (i, row) in m.iter().enumerate() {
            for (j, element) in row.iter().enumerate() {
                prop_assert!((near(element) - f64::from(u8::from(i == j))).abs() < 1e-40);
            }
            prop_assert!(near(&b[i]).abs() < 1e-40);
        }
    }
}

// ---- Bits.

/// Frames in no special position, with the placements that they had when this was written. The digest says the
/// same of thousands.
#[rustfmt::skip] // a row of the matrix stays a line
const PINNED: [(Points, Points, [Bits; 3]); 2] = [
    (
        [[0.31, -1.27, 2.05], [1.13, 0.44, -0.68], [-2.9, 1.61, 0.07]],
        [[-7.3, 4.1, 0.9], [-5.2, 6.7, 3.3], [-9.8, 3.9, 5.6]],
        [
            [
                [0x3fec_4b29_8e51_9fde, 0x3fdd_98a3_603c_1dcd, 0xbfb0_f27e_47fc_8fd8, 0xc01b_6782_6ff8_6bdc],
                [0x3fb9_0fad_60b6_1f2c, 0xbfd4_9b46_a693_b45d, 0xbfee_222e_5eb1_fa18, 0x4016_5d5b_a274_8538],
                [0xbfdd_3bef_9839_4f92, 0x3fea_6f98_d0c3_1955, 0xbfd5_1dfc_733c_fcc6, 0x4006_2332_d045_3b94],
            ],
            [
                [0x3ff1_93e5_f6b0_6c2f, 0x3fe2_6312_f367_5f39, 0xbfb5_0ead_9cec_d961, 0xc01a_f806_21f8_b744],
                [0x3fbf_23a0_9481_c625, 0xbfd9_9aa6_fe9a_22e8, 0xbff2_b886_300c_c352, 0x4017_cfae_37db_7017],
                [0xbfe2_297b_4eb3_e471, 0x3ff0_6c72_a304_584d, 0xbfda_3d10_0dbf_edaa, 0x4009_c29b_43b2_d7a2],
            ],
            [
                [0x3ff1_98ca_e0ba_bc97, 0x3fe2_5cd3_80d6_4dec, 0xbfb4_571d_191e_be70, 0xc01a_ff46_5ff5_81aa],
                [0x3fbe_eaad_36db_0cac, 0xbfd9_cca6_ac4a_0817, 0xbff2_b29d_a58d_cf74, 0x4017_c8f5_af6c_dc4b],
                [0xbfe2_3a9c_d600_8170, 0x3ff0_6bbf_e34a_e514, 0xbfda_126e_7056_78d5, 0x4009_b891_0605_c17f],
            ],
        ],
    ),
    (
        [
            [1203.7, -88.1, 40.3],
            [1203.9, -87.4, 39.9],
            [1204.6, -88.3, 41.7],
        ],
        [
            [0.017, 0.23, -0.41],
            [0.29, 0.11, -0.13],
            [-0.071, 0.37, 0.19],
        ],
        [
            [
                [0xbfe1_f33d_a69c_269a, 0x3fe6_4c12_eac4_fc3d, 0xbfdc_9c13_2adc_5199, 0x4087_9501_03f9_2ffe],
                [0xbfd8_13ad_0173_705e, 0x3fd1_0d9c_3c68_ab41, 0x3fec_658f_5438_094a, 0x407b_8c69_2807_658c],
                [0x3fe7_9919_d920_285a, 0x3fe5_4f77_80be_894f, 0x3fbc_d7a2_c968_f516, 0xc08a_0f7c_1964_4388],
            ],
            [
                [0xbfcb_fbb3_9004_8f2a, 0x3fd1_6145_3273_022a, 0xbfc6_4ce4_dd3c_0199, 0x4072_61d3_c9cb_3ea6],
                [0xbfc2_c465_ed95_7815, 0x3fba_95b8_ab9a_c07b, 0x3fd6_2266_b63a_de10, 0x4065_7da1_b280_252b],
                [0x3fd2_64da_d3d4_80c6, 0x3fd0_9c5e_e93b_7845, 0x3fa6_7b51_eba8_a4ad, 0xc074_5439_212a_9233],
            ],
            [
                [0xbfc5_e59e_95df_5972, 0x3fd4_b502_bbf4_e193, 0xbfc9_d56e_aed9_2ab6, 0x406e_524e_27e1_5b6a],
                [0xbfc2_0361_02d7_bd05, 0x3fac_dade_f960_2dd2, 0x3fd5_023b_b90a_4cd0, 0x4064_2b89_ed90_2c10],
                [0x3fd1_e698_f9ca_24fb, 0x3fd4_2846_fb01_8b29, 0xbf82_6083_14a0_a5ea, 0xc073_4f99_3cf8_3382],
            ],
        ],
    ),
];
const DIGEST: &str = "cc8602e26b41c5f473bfc1c29c7a966a25d4e8f2715ab349a7acc9ced5426fcc";

#[test]
fn placements_keep_their_bits() {
    for (from, to, pinned) in PINNED {
        for (mode, pinned) in MODES.into_iter().zip(pinned) {
            let got = bits(attach(mode, from, to));
            assert_eq!(got, pinned, "{mode:?} {from:?}: {got:#018x?}");
        }
    }
    let mut digest = Sha256::new();
    for (from, to) in SORTS.into_iter().flat_map(|sort| pairs(sort, 1_000)) {
        for mode in MODES {
            for element in attach(mode, from, to).as_flattened() {
                digest.update(element.to_le_bytes());
            }
        }
    }
    let digest: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(digest, DIGEST);
}
