//! Eight lanes in AVX-512 registers on x86-64.
#![allow(unsafe_code)] // intrinsics; each block leans on the token that its value needed to come into being

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::F64Lanes;
use super::isa::Avx512;

/// Eight lanes in one register. A value exists only where the processor has the instruction set: both
/// constructors take the token, and nothing else makes one.
#[derive(Clone, Copy)]
pub(super) struct F64x8(__m512d);

impl Add for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX-512F.
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }
}

impl Sub for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX-512F.
        Self(unsafe { _mm512_sub_pd(self.0, other.0) })
    }
}

impl Mul for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX-512F.
        Self(unsafe { _mm512_mul_pd(self.0, other.0) })
    }
}

impl Div for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX-512F.
        Self(unsafe { _mm512_div_pd(self.0, other.0) })
    }
}

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the operand exists, so the processor has AVX-512F; flipping the top bit of each integer is
        // negation, and unlike the floating-point exclusive or it needs no further extension.
        Self(unsafe {
            let signs = _mm512_set1_epi64(i64::MIN);
            _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self.0), signs))
        })
    }
}

impl F64Lanes for F64x8 {
    type Token = Avx512;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, value: f64) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn load(_: Avx512, from: &[f64]) -> Self {
        let from: &[f64; 8] = from[..8].try_into().expect("a slice of 8 is an array of 8");
        // SAFETY: the token proves AVX-512F; an unaligned load reads exactly the 8 numbers of the array.
        Self(unsafe { _mm512_loadu_pd(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let to: &mut [f64; 8] = (&mut to[..8])
            .try_into()
            .expect("a slice of 8 is an array of 8");
        // SAFETY: the value exists, so the processor has AVX-512F; an unaligned store writes exactly the array.
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the operand exists, so the processor has AVX-512F.
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self {
        // SAFETY: the operands exist, so the processor has AVX-512F.
        Self(unsafe {
            let greater = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, bound.0);
            _mm512_mask_blend_pd(greater, no.0, yes.0)
        })
    }
}
