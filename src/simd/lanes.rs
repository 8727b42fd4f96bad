//! The small set of operations a kernel may use.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A vector of f64 lanes. Every operation acts on each lane by itself and rounds once.
///
/// `Token` proves that the processor can run the type; whoever holds a value has needed one to make it, so
/// operations on values need no further proof.
pub trait F64Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Proof that the instruction set is there.
    type Token: Copy;

    /// Number of lanes; divides 64.
    const LANES: usize;

    /// The same number in every lane.
    fn splat(token: Self::Token, value: f64) -> Self;

    /// The first `LANES` numbers of a slice.
    ///
    /// # Panics
    /// If the slice is shorter.
    fn load(token: Self::Token, from: &[f64]) -> Self;

    /// Writes the lanes to the beginning of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than `LANES`.
    fn store(self, to: &mut [f64]);

    /// Correctly rounded square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `yes` where `self > bound`, else `no`; not-a-number selects `no`.
    #[must_use]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self;

    /// Column by column, the rows named by the first `LANES` indices: lane `l` of result `c` is
    /// `rows[index[l]][c]`. A named operation of its own because instruction sets may transpose in registers.
    ///
    /// # Panics
    /// If there are fewer than `LANES` indices, or one is out of range.
    #[inline(always)]
    fn gather<const N: usize>(token: Self::Token, rows: &[[f64; N]], index: &[u16]) -> [Self; N] {
        let mut columns = [[0.0; 8]; N];
        for (lane, &row) in index[..Self::LANES].iter().enumerate() {
            let row = &rows[usize::from(row)];
            for (column, value) in columns.iter_mut().zip(row) {
                column[lane] = *value;
            }
        }
        columns.map(|column| Self::load(token, &column))
    }
}
