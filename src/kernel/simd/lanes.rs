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

    /// Transposes the first `LANES` rows: lane `l` of result `c` is number `c` of row `l`.
    fn columns(rows: &impl Rows<Self::Row>) -> [Self; 8];

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

    /// Returns the same number eight times.
    fn splat(token: Self::Token, value: f64) -> Self;

    /// Returns one number three times, then another five times.
    fn pair(token: Self::Token, first: f64, second: f64) -> Self;

    /// Loads eight numbers.
    fn load(token: Self::Token, from: &[f64; 8]) -> Self;
}

/// Rows that are computed on demand. `row` must be `#[inline(always)]`, so that the compiler keeps every row in registers.
pub trait Rows<R> {
    /// Returns the row that becomes lane `lane` of the columns.
    fn row(&self, lane: usize) -> R;
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

    #[inline(always)]
    fn splat(token: V::Token, value: f64) -> Self {
        Self([V::splat(token, value); N])
    }

    #[inline(always)]
    fn pair(token: V::Token, a: f64, b: f64) -> Self {
        Self::load(token, &[a, a, a, b, b, b, b, b])
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
}
