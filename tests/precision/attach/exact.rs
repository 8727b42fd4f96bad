//! attach3 (`language.md` §4.4) in 192 bits.

use super::{Mode, Points, three};
use crate::precision::exact::{Big, Big3, big, near};

pub fn dot(a: &Big3, b: &Big3) -> Big {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub fn norm(a: &Big3) -> Big {
    dot(a, a).nth_root(2)
}

/// `a + s·b`.
pub fn plus(a: &Big3, s: &Big, b: &Big3) -> Big3 {
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
pub struct Exact {
    pub origin: Big3,
    pub axes: [Big3; 3],
    pub length: Big,
    pub height: Big,
    /// Where p3 projects to, along x.
    pub along: Big,
}

impl Exact {
    pub fn new(points: Points) -> Self {
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
    pub fn third(&self) -> Big {
        (&self.along * &self.along + &self.height * &self.height).nth_root(2)
    }

    pub fn thinness(&self) -> f64 {
        near(&(self.third() / &self.height))
    }

    pub fn with_axis(&self, axis: usize, value: Big3) -> Self {
        let mut changed = self.clone();
        changed.axes[axis] = value;
        changed
    }
}

pub fn scales(from: &Exact, to: &Exact) -> [Big; 2] {
    [&to.length / &from.length, &to.height / &from.height]
}

pub fn linear(from: &Exact, to: &Exact, s: [&Big; 3]) -> [Big3; 3] {
    three(|i| {
        three(|j| {
            let term = |k: usize| &to.axes[k][i] * s[k] * &from.axes[k][j];
            term(0) + term(1) + term(2)
        })
    })
}

pub fn translation(from: &Exact, to: &Exact, m: &[Big3; 3]) -> Big3 {
    three(|i| &to.origin[i] - dot(&m[i], &from.origin))
}

pub type Placed = ([Big3; 3], Big3);

pub fn placed(from: &Exact, to: &Exact, s: [&Big; 3]) -> Placed {
    let m = linear(from, to, s);
    let b = translation(from, to, &m);
    (m, b)
}

pub fn exact(mode: Mode, from: &Exact, to: &Exact) -> Placed {
    let [sx, sy] = scales(from, to);
    let (one, k) = (big(1.0), (&sx * &sy * &sy).nth_root(3));
    match mode {
        Mode::Rigid => placed(from, to, [&one; 3]),
        Mode::Uniform => placed(from, to, [&k; 3]),
        Mode::Affine => placed(from, to, [&sx, &sy, &sy]),
    }
}
