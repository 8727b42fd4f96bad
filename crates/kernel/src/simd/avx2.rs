//! Four lanes in AVX2 registers on x86-64.
#![allow(unsafe_code)] // intrinsics; each block relies on the token with which its value was made

use std::arch::asm;
use std::arch::x86_64::*;
use std::ops::Neg;

use super::F64Lanes;
use super::isa::Avx2;
use super::lanes::{Parts, Rows};

/// Four lanes in one register. A value exists only where the processor has the instruction set: every
/// constructor takes the token.
#[derive(Clone, Copy)]
pub struct F64x4(__m256d);

/// The operations of two operands of a type, each one intrinsic.
macro_rules! operations {
    ($lanes:ident: $($operation:ident $method:ident $intrinsic:ident,)+) => {$(
        impl std::ops::$operation for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the operands exist, so the processor has the instruction set of the type.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )+};
}
pub(super) use operations;

operations! {
    F64x4:
    Add add _mm256_add_pd,
    Sub sub _mm256_sub_pd,
    Mul mul _mm256_mul_pd,
    Div div _mm256_div_pd,
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
    type Row = Parts<Self, 2>;
    const LANES: usize = 4;
    const ROTATES_APART: bool = true;

    #[inline(always)]
    fn splat(_: Avx2, value: f64) -> Self {
        // SAFETY: the token proves AVX.
        Self(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    fn load(_: Avx2, from: &[f64]) -> Self {
        let from = from.first_chunk::<4>().expect("there are four");
        // SAFETY: the token proves AVX; an unaligned load reads exactly the 4 numbers of the array.
        Self(unsafe { _mm256_loadu_pd(from.as_ptr()) })
    }

    #[inline(always)]
    fn load_single(_: Avx2, from: &[f32]) -> Self {
        let from = from.first_chunk::<4>().expect("there are four");
        // SAFETY: the token proves AVX; an unaligned load reads exactly the 4 numbers of the array.
        Self(unsafe { _mm256_cvtps_pd(_mm_loadu_ps(from.as_ptr())) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let to = to.first_chunk_mut::<4>().expect("there are four");
        // SAFETY: the value exists, so the processor has AVX; an unaligned store writes exactly the array.
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn store_interleaved([x, y, z]: [Self; 3], to: &mut [f32]) {
        let to = to.first_chunk_mut::<12>().expect("there are twelve");
        // SAFETY: the operands exist, so the processor has AVX; the unaligned stores write exactly the array.
        unsafe {
            let x = _mm256_cvtpd_ps(x.0);
            let y = _mm256_cvtpd_ps(y.0);
            let z = _mm256_cvtpd_ps(z.0);
            let xy_low = _mm_unpacklo_ps(x, y); // x0 y0 x1 y1
            let xy_high = _mm_unpackhi_ps(x, y); // x2 y2 x3 y3
            let yz = _mm_unpacklo_ps(y, z); // y0 z0 y1 z1
            let z0_x1 = _mm_shuffle_ps::<0b01_01_00_00>(z, x); // z0 z0 x1 x1
            let first = _mm_shuffle_ps::<0b10_00_01_00>(xy_low, z0_x1);
            let second = _mm_shuffle_ps::<0b01_00_11_10>(yz, xy_high);
            let z2_x3 = _mm_shuffle_ps::<0b11_11_10_10>(z, x); // z2 z2 x3 x3
            let y3_z3 = _mm_shuffle_ps::<0b11_11_11_11>(y, z); // y3 y3 z3 z3
            let third = _mm_shuffle_ps::<0b10_00_10_00>(z2_x3, y3_z3);
            _mm_storeu_ps(to.as_mut_ptr(), first);
            _mm_storeu_ps(to[4..].as_mut_ptr(), second);
            _mm_storeu_ps(to[8..].as_mut_ptr(), third);
        }
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

    #[inline(always)]
    fn all_greater(self, bound: Self) -> bool {
        // SAFETY: the operands exist, so the processor has AVX.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, bound.0)) == 0b1111 }
    }

    #[inline(always)]
    fn settled<const N: usize>(mut values: [Self; N]) -> [Self; N] {
        if let [a, b] = values.as_mut_slice() {
            // SAFETY: the values exist, so the processor has AVX2.
            (a.0, b.0) = unsafe { settled(a.0, b.0) };
        }
        values
    }

    #[inline(always)]
    fn columns<const N: usize>(rows: &impl Rows<Self::Row, N>) -> [[Self; 8]; N] {
        let rows = [rows.of(0), rows.of(1), rows.of(2), rows.of(3)];
        let mut columns = [[rows[0][0].0[0]; 8]; N];
        for (n, columns) in columns.iter_mut().enumerate() {
            let [a, b, c, d] = [rows[0][n].0, rows[1][n].0, rows[2][n].0, rows[3][n].0];
            for (part, four) in columns.as_chunks_mut().0.iter_mut().enumerate() {
                *four = transposed([a[part], b[part], c[part], d[part]]);
            }
        }
        columns
    }
}

/// Returns the same values. For the compiler it is an instruction that may change both, so it has to compute them first.
#[target_feature(enable = "avx2")]
#[inline]
fn settled(mut a: __m256d, mut b: __m256d) -> (__m256d, __m256d) {
    // SAFETY: the text is a comment of the assembler, so nothing is executed and both registers keep their values.
    unsafe {
        asm!(
            "/* {a} {b} */",
            a = inout(ymm_reg) a,
            b = inout(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    (a, b)
}

/// Transposes rows to columns.
#[inline(always)]
fn transposed([a, b, c, d]: [F64x4; 4]) -> [F64x4; 4] {
    // SAFETY: the operands exist, so the processor has AVX.
    unsafe {
        let ab_even = _mm256_unpacklo_pd(a.0, b.0); // a0 b0 a2 b2
        let ab_odd = _mm256_unpackhi_pd(a.0, b.0); // a1 b1 a3 b3
        let cd_even = _mm256_unpacklo_pd(c.0, d.0);
        let cd_odd = _mm256_unpackhi_pd(c.0, d.0);
        [
            F64x4(_mm256_permute2f128_pd::<0x20>(ab_even, cd_even)),
            F64x4(_mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd)),
            F64x4(_mm256_permute2f128_pd::<0x31>(ab_even, cd_even)),
            F64x4(_mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd)),
        ]
    }
}
