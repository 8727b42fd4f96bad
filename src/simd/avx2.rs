//! Four lanes in AVX2 registers on x86-64.
#![allow(unsafe_code)] // intrinsics; each block leans on the token that its value needed to come into being

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::F64Lanes;
use super::isa::Avx2;

/// Four lanes in one register. A value exists only where the processor has the instruction set: both
/// constructors take the token, and nothing else makes one.
#[derive(Clone, Copy)]
pub(super) struct F64x4(__m256d);

impl Add for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX.
        Self(unsafe { _mm256_add_pd(self.0, other.0) })
    }
}

impl Sub for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX.
        Self(unsafe { _mm256_sub_pd(self.0, other.0) })
    }
}

impl Mul for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX.
        Self(unsafe { _mm256_mul_pd(self.0, other.0) })
    }
}

impl Div for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX.
        Self(unsafe { _mm256_div_pd(self.0, other.0) })
    }
}

impl Neg for F64x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the operand exists, so the processor has AVX.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl F64Lanes for F64x4 {
    type Token = Avx2;
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(_: Avx2, value: f64) -> Self {
        // SAFETY: the token proves AVX.
        Self(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    fn load(_: Avx2, from: &[f64]) -> Self {
        let from: &[f64; 4] = from[..4].try_into().expect("a slice of 4 is an array of 4");
        // SAFETY: the token proves AVX; an unaligned load reads exactly the 4 numbers of the array.
        Self(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let to: &mut [f64; 4] = (&mut to[..4])
            .try_into()
            .expect("a slice of 4 is an array of 4");
        // SAFETY: the value exists, so the processor has AVX; an unaligned store writes exactly the array.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the operand exists, so the processor has AVX.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX.
        Self(unsafe {
            let greater = _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, bound.0);
            _mm256_blendv_pd(no.0, yes.0, greater)
        })
    }
}
