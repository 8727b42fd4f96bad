//! `bake.md` in 192 bits: matrices, polar decomposition, the two stages of dual quaternion skinning. Written from the
//! contract; slow and plain.

use std::array::from_fn;

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;
use rigy_batch::kernel::math::{Affine, Vec3};

pub type Big = FBig<HalfEven, 2>;
pub type Big3 = [Big; 3];
pub type Big4 = [Big; 4];
pub type Square = [Big3; 3];

/// An affine map: `linear · p + moved`.
#[derive(Clone)]
pub struct Map {
    pub linear: Square,
    pub moved: Big3,
}

pub fn big(value: f64) -> Big {
    Big::try_from(value).unwrap().with_precision(192).value()
}

pub fn near(value: &Big) -> f64 {
    value.to_f64().value()
}

pub fn root(value: &Big) -> Big {
    value.nth_root(2)
}

pub fn is_negative(value: &Big) -> bool {
    *value < big(0.0)
}

pub fn times(m: &Square, v: &Big3) -> Big3 {
    from_fn(|i| dot(&m[i], v))
}

pub fn dot(a: &Big3, b: &Big3) -> Big {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub fn plus(a: &Big3, b: &Big3) -> Big3 {
    from_fn(|i| &a[i] + &b[i])
}

pub fn product(a: &Square, b: &Square) -> Square {
    from_fn(|i| from_fn(|j| &a[i][0] * &b[0][j] + &a[i][1] * &b[1][j] + &a[i][2] * &b[2][j]))
}

pub fn transposed(m: &Square) -> Square {
    from_fn(|i| from_fn(|j| m[j][i].clone()))
}

pub fn determinant(m: &Square) -> Big {
    let minor = |j: usize, k: usize| &m[1][j] * &m[2][k] - &m[1][k] * &m[2][j];
    &m[0][0] * minor(1, 2) - &m[0][1] * minor(0, 2) + &m[0][2] * minor(0, 1)
}

pub fn inverse(m: &Square) -> Square {
    let whole = determinant(m);
    from_fn(|i| {
        from_fn(|j| {
            let (r, s, c, d) = ((j + 1) % 3, (j + 2) % 3, (i + 1) % 3, (i + 2) % 3);
            (&m[r][c] * &m[s][d] - &m[r][d] * &m[s][c]) / &whole
        })
    })
}

impl Map {
    pub fn of(m: &Affine) -> Self {
        Self {
            linear: from_fn(|i| from_fn(|j| big(m[i][j]))),
            moved: from_fn(|i| big(m[i][3])),
        }
    }

    pub fn linear(linear: Square) -> Self {
        let moved = from_fn(|_| big(0.0));
        Self { linear, moved }
    }

    /// First `other`, then `self`.
    pub fn after(&self, other: &Self) -> Self {
        Self {
            linear: product(&self.linear, &other.linear),
            moved: self.apply(&other.moved),
        }
    }

    pub fn apply(&self, p: &Big3) -> Big3 {
        plus(&times(&self.linear, p), &self.moved)
    }

    pub fn inverse(&self) -> Self {
        let linear = inverse(&self.linear);
        let moved = times(&linear, &self.moved).map(|c| -c);
        Self { linear, moved }
    }

    /// Translation · rotation · scale; the rotation w x y z of any length.
    pub fn trs(translation: Vec3, rotation: [f64; 4], scale: Vec3) -> Self {
        let turned = rotation_matrix(&normalised(&rotation.map(big)));
        Self {
            linear: from_fn(|i| from_fn(|j| &turned[i][j] * big(scale[j]))),
            moved: translation.map(big),
        }
    }
}

// Quaternions are w x y z.

pub fn dot4(a: &Big4, b: &Big4) -> Big {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2] + &a[3] * &b[3]
}

pub fn normalised(q: &Big4) -> Big4 {
    let length = root(&dot4(q, q));
    from_fn(|i| &q[i] / &length)
}

pub fn rotation_matrix([w, x, y, z]: &Big4) -> Square {
    let (one, two) = (big(1.0), big(2.0));
    [
        [
            &one - &two * (y * y + z * z),
            &two * (x * y - w * z),
            &two * (x * z + w * y),
        ],
        [
            &two * (x * y + w * z),
            &one - &two * (x * x + z * z),
            &two * (y * z - w * x),
        ],
        [
            &two * (x * z - w * y),
            &two * (y * z + w * x),
            &one - &two * (x * x + y * y),
        ],
    ]
}

/// A unit quaternion of a rotation matrix: the longest column of `4·q·qᵀ`, of either sign.
pub fn quaternion(m: &Square) -> Big4 {
    let one = big(1.0);
    let d = |i: usize, j: usize, k: usize| &m[i][i] - &m[j][j] - &m[k][k] + &one;
    let (a, b) = (
        |i: usize, j: usize| &m[i][j] + &m[j][i],
        |i: usize, j: usize| &m[i][j] - &m[j][i],
    );
    let columns = [
        [
            &m[0][0] + &m[1][1] + &m[2][2] + &one,
            b(2, 1),
            b(0, 2),
            b(1, 0),
        ],
        [b(2, 1), d(0, 1, 2), a(0, 1), a(0, 2)],
        [b(0, 2), a(0, 1), d(1, 2, 0), a(1, 2)],
        [b(1, 0), a(0, 2), a(1, 2), d(2, 0, 1)],
    ];
    let longest = (0..4)
        .max_by(|i, j| near(&columns[*i][*i]).total_cmp(&near(&columns[*j][*j])))
        .unwrap();
    normalised(&columns[longest])
}

fn times4(a: &Big4, b: &Big4) -> Big4 {
    let t = |i: usize, j: usize| &a[i] * &b[j];
    [
        t(0, 0) - t(1, 1) - t(2, 2) - t(3, 3),
        t(0, 1) + t(1, 0) + t(2, 3) - t(3, 2),
        t(0, 2) - t(1, 3) + t(2, 0) + t(3, 1),
        t(0, 3) + t(1, 2) - t(2, 1) + t(3, 0),
    ]
}

/// On the shorter arc, without a sine: halves the arc once for every binary digit of `u`.
pub fn slerp(a: [f64; 4], b: [f64; 4], mut u: f64) -> Big4 {
    let (mut from, mut to) = (normalised(&a.map(big)), normalised(&b.map(big)));
    if is_negative(&dot4(&from, &to)) {
        to = to.map(|c| -c);
    }
    while u > 0.0 {
        let middle = normalised(&from_fn(|i| &from[i] + &to[i]));
        u *= 2.0;
        if u >= 1.0 {
            u -= 1.0;
            from = middle;
        } else {
            to = middle;
        }
    }
    from
}

/// Returns rotation and stretch, after a check that they are that.
pub fn polar(m: &Square) -> (Square, Square) {
    let mut x = m.clone();
    for _ in 0..80 {
        let other = transposed(&inverse(&x));
        x = from_fn(|i| from_fn(|j| (&x[i][j] + &other[i][j]) / big(2.0)));
    }
    if is_negative(&determinant(m)) {
        x = x.map(|row| row.map(|c| -c));
    }
    let stretch = product(&transposed(&x), m);
    let ones = product(&transposed(&x), &x);
    let size = m
        .iter()
        .flatten()
        .map(|c| near(c).abs())
        .fold(0.0, f64::max);
    for i in 0..3 {
        for j in 0..3 {
            let one = f64::from(u8::from(i == j));
            assert!((near(&(&ones[i][j] - big(one)))).abs() < 1e-45);
            assert!(near(&(&stretch[i][j] - &stretch[j][i])).abs() < 1e-40 * size);
        }
    }
    assert!(!is_negative(&determinant(&x)));
    (x, stretch)
}

/// Joint and weight, in slot order; weights sum to 1 already.
pub type Influences = [(usize, f64)];

pub fn linear_blend(joints: &[Map], influences: &Influences, p: Vec3) -> Big3 {
    let p = p.map(big);
    let terms = influences.iter().map(|(joint, weight)| {
        let moved = joints[*joint].apply(&p);
        moved.map(|c| c * big(*weight))
    });
    terms.reduce(|a, b| plus(&a, &b)).unwrap()
}

/// `p` by the blended dual quaternion of rigid maps (`numerics.md` §7), each of which carries it to where the map in `first` of the
/// same joint has moved it (`bake.md` §5).
pub fn blend_in_place(first: &[Map], joints: &[Map], influences: &Influences, p: Vec3) -> Big3 {
    let p = &p.map(big);
    let real = |joint: usize| quaternion(&joints[joint].linear);
    let used = influences.iter().filter(|(_, weight)| *weight > 0.0);
    let reference = real(used.clone().map(|(joint, _)| *joint).min().unwrap());
    let zero = || -> Big4 { from_fn(|_| big(0.0)) };
    let (mut r, mut d) = (zero(), zero());
    for (joint, weight) in used {
        let q = real(*joint);
        let [x, y, z] = joints[*joint].moved.clone();
        let [u, v, w] = plus(&first[*joint].apply(p), &p.clone().map(|c| -c));
        let moved = times4(&[big(0.0), x, y, z], &q);
        let carried = times4(&q, &[big(0.0), u, v, w]);
        let dual: Big4 = from_fn(|i| (&moved[i] + &carried[i]) / big(2.0));
        let sign = if is_negative(&dot4(&q, &reference)) {
            -1.0
        } else {
            1.0
        };
        let weight = big(sign * weight);
        r = from_fn(|i| &r[i] + &weight * &q[i]);
        d = from_fn(|i| &d[i] + &weight * &dual[i]);
    }
    let length = root(&dot4(&r, &r));
    let (r, s): (Big4, Big4) = (from_fn(|i| &r[i] / &length), from_fn(|i| &d[i] / &length));
    let along = dot4(&r, &s);
    let d: Big4 = from_fn(|i| &s[i] - &along * &r[i]);
    let conjugate: Big4 = [r[0].clone(), -&r[1], -&r[2], -&r[3]];
    let t = times4(&d, &conjugate);
    let turned = times(&rotation_matrix(&r), p);
    from_fn(|i| &turned[i] + &t[i + 1] * big(2.0))
}
