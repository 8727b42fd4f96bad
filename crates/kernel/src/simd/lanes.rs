//! The small set of operations a kernel may use.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A vector of f64 lanes. Every arithmetic operation acts on each lane by itself and rounds once; the other operations only
/// move numbers.
///
/// `Token` proves that the processor has the instruction set. Every value was made with a token, so operations on values
/// need no further proof.
pub trait F64Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Proof that the processor has the instruction set.
    type Token: Copy;

    /// Eight numbers of one vertex or one joint.
    type Row: Row<Token = Self::Token>;

    /// Number of lanes: 1, 2, 4 or 8.
    const LANES: usize;

    /// True if the two products of a rotation are faster apart, with their operands in memory, than one after the other.
    const ROTATES_APART: bool = false;

    /// Returns the same number in every lane.
    fn splat(token: Self::Token, value: f64) -> Self;

    /// Loads the first `LANES` numbers of a slice.
    ///
    /// # Panics
    /// If the slice is shorter.
    fn load(token: Self::Token, from: &[f64]) -> Self;

    /// Loads the first `LANES` numbers of a slice as f64, which is exact.
    ///
    /// # Panics
    /// If the slice is shorter.
    fn load_single(token: Self::Token, from: &[f32]) -> Self;

    /// Writes the lanes to the beginning of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than `LANES`.
    fn store(self, to: &mut [f64]);

    /// Rounds three vectors to f32, to nearest even, and writes them as x y z, x y z, ….
    ///
    /// # Panics
    /// If the slice is shorter than `3 * LANES`.
    fn store_interleaved(xyz: [Self; 3], to: &mut [f32]);

    /// Correctly rounded square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `yes` where `self > bound`, else `no`; not-a-number selects `no`.
    #[must_use]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self;

    /// Returns true if every lane is greater than the bound's; not-a-number is not.
    #[must_use]
    fn all_greater(self, bound: Self) -> bool;

    /// Returns the same values, computed before anything that follows (see [`Row::settled`]).
    #[inline(always)]
    #[must_use]
    fn settled<const N: usize>(values: [Self; N]) -> [Self; N] {
        values
    }

    /// Transposes the first `LANES` rows: lane `l` of column `c` of result `n` is number `c` of row `n` of lane `l`.
    fn columns<const N: usize>(rows: &impl Rows<Self::Row, N>) -> [[Self; 8]; N];

    /// Returns `from[offsets[l]]` in lane `l`; offsets count modulo 8.
    ///
    /// # Panics
    /// If there are fewer than `LANES` offsets.
    #[inline(always)]
    fn pick(token: Self::Token, from: &[f64; 8], offsets: &[u8]) -> Self {
        let mut lanes = [0.0; 8];
        for (lane, offset) in lanes.iter_mut().zip(&offsets[..Self::LANES]) {
            *lane = from[usize::from(offset & 7)];
        }
        Self::load(token, &lanes)
    }
}

/// Eight numbers in one or more registers. Operations act on each number by itself and round once.
pub trait Row: Copy + Add<Output = Self> + Mul<Output = Self> {
    /// Proof that the processor has the instruction set.
    type Token: Copy;

    /// Index of the second of two threes of numbers in a row made by [`Row::pair`] or [`Row::twice`]; the first begins at
    /// 0. The other two numbers of such a row have no meaning.
    const SECOND: usize;

    /// Returns the same number eight times.
    fn splat(token: Self::Token, value: f64) -> Self;

    /// Returns the numbers at one index of three planes, each eight times.
    #[inline(always)]
    fn splats(token: Self::Token, [x, y, z]: [&[f64; 8]; 3], at: usize) -> [Self; 3] {
        [
            Self::splat(token, x[at]),
            Self::splat(token, y[at]),
            Self::splat(token, z[at]),
        ]
    }

    /// Returns one number three times, and another three times.
    fn pair(token: Self::Token, first: f64, second: f64) -> Self;

    /// Loads three numbers, and the same three again. `from` has them, the first of them again, and the same four again: the
    /// widest row is one load of all eight.
    fn twice(token: Self::Token, from: &[f64; 8]) -> Self;

    /// Adds three numbers to the first three of a row made of threes. The fourth must be +0.0; the second three stay as they
    /// are, or have +0.0 added.
    #[must_use]
    fn add_to_first(self, token: Self::Token, from: &[f64; 4]) -> Self;

    /// Returns the same row, which the compiler must compute before anything that follows. Otherwise compilers mix the
    /// operations of several joints until registers run out.
    #[inline(always)]
    #[must_use]
    fn settled(self) -> Self {
        self
    }

    /// Loads eight numbers.
    fn load(token: Self::Token, from: &[f64; 8]) -> Self;

    /// Returns eight numbers, to the first four of which `columns[0] * x + columns[1] * y + columns[2] * z` is added; the others stay as
    /// they are, or have +0.0 added.
    fn moved(
        token: Self::Token,
        added: &[f64; 8],
        columns: &[[f64; 4]; 3],
        vector: [Self; 3],
    ) -> Self;

    /// Adds `weight * numbers` to the first half of a row of which the second is +0.0.
    #[must_use]
    fn add_to_half(self, token: Self::Token, weight: f64, numbers: &[f64; 4]) -> Self;
}

/// Rows that are computed on demand, `N` for each lane. `of` must be `#[inline(always)]`, so that the compiler keeps every row in
/// registers.
pub trait Rows<R, const N: usize> {
    /// Returns the rows that become lane `lane` of the columns.
    fn of(&self, lane: usize) -> [R; N];
}

/// A row made of `N` vectors narrower than itself.
#[derive(Clone, Copy)]
pub struct Parts<V, const N: usize>(pub(super) [V; N]);

impl<V: F64Lanes, const N: usize> Add for Parts<V, N> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part = *part + other;
        }
        self
    }
}

impl<V: F64Lanes, const N: usize> Mul for Parts<V, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part = *part * other;
        }
        self
    }
}

impl<V: F64Lanes, const N: usize> Row for Parts<V, N> {
    type Token = V::Token;

    /// Parts of two numbers hold the threes one after the other, so that three parts suffice; parts of four hold one each.
    const SECOND: usize = if V::LANES < 4 { 3 } else { 4 };

    #[inline(always)]
    fn splat(token: V::Token, value: f64) -> Self {
        Self([V::splat(token, value); N])
    }

    #[inline(always)]
    fn pair(token: V::Token, a: f64, b: f64) -> Self {
        let mut parts = [V::splat(token, a); N];
        for (index, part) in parts.iter_mut().enumerate() {
            let first = index * V::LANES;
            if first >= Self::SECOND {
                *part = V::splat(token, b);
            } else if first + V::LANES > Self::SECOND {
                *part = V::load(token, &[a, b]); // the middle one of three parts of two
            }
        }
        Self(parts)
    }

    #[inline(always)]
    fn twice(token: V::Token, from: &[f64; 8]) -> Self {
        let mut parts = [V::splat(token, 0.0); N];
        for (index, part) in parts.iter_mut().enumerate() {
            *part = V::load(token, &from[index * V::LANES % Self::SECOND..]);
        }
        Self(parts)
    }

    #[inline(always)]
    fn add_to_first(mut self, token: V::Token, from: &[f64; 4]) -> Self {
        for first in (0..3).step_by(V::LANES) {
            let part = &mut self.0[first / V::LANES];
            *part = *part + V::load(token, &from[first..]);
        }
        self
    }

    #[inline(always)]
    fn settled(self) -> Self {
        Self(V::settled(self.0))
    }

    #[inline(always)]
    fn load(token: V::Token, from: &[f64; 8]) -> Self {
        const { assert!(V::LANES * N == 8, "a row has eight numbers") };
        let mut parts = [V::splat(token, 0.0); N];
        for (index, part) in parts.iter_mut().enumerate() {
            *part = V::load(token, &from[index * V::LANES..]);
        }
        Self(parts)
    }

    #[inline(always)]
    fn moved(
        token: V::Token,
        added: &[f64; 8],
        [c0, c1, c2]: &[[f64; 4]; 3],
        [x, y, z]: [Self; 3],
    ) -> Self {
        let mut row = Self::load(token, added);
        for (index, part) in row.0[..N / 2].iter_mut().enumerate() {
            let first = index * V::LANES;
            let turned = V::load(token, &c0[first..]) * x.0[index]
                + V::load(token, &c1[first..]) * y.0[index]
                + V::load(token, &c2[first..]) * z.0[index];
            *part = turned + *part;
        }
        row
    }

    #[inline(always)]
    fn add_to_half(mut self, token: V::Token, weight: f64, numbers: &[f64; 4]) -> Self {
        let weight = V::splat(token, weight);
        for (index, part) in self.0[..N / 2].iter_mut().enumerate() {
            *part = *part + weight * V::load(token, &numbers[index * V::LANES..]);
        }
        self
    }
}
