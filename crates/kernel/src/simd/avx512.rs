//! Eight lanes in AVX-512 registers on x86-64.
#![allow(unsafe_code)] // intrinsics; each block relies on the token with which its value was made

use std::arch::x86_64::*;
use std::ops::Neg;

use super::avx2::operations;
use super::isa::Avx512;
use super::lanes::Rows;
use super::{F64Lanes, Row};

/// Eight lanes in one register. A value exists only where the processor has the instruction set: every
/// constructor takes the token.
#[derive(Clone, Copy)]
pub struct F64x8(__m512d);

operations! {
    F64x8:
    Add add _mm512_add_pd,
    Sub sub _mm512_sub_pd,
    Mul mul _mm512_mul_pd,
    Div div _mm512_div_pd,
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
    type Row = Self;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(_: Avx512, value: f64) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn load(_: Avx512, from: &[f64]) -> Self {
        let from = from.first_chunk::<8>().expect("there are eight");
        // SAFETY: the token proves AVX-512F; an unaligned load reads exactly the 8 numbers of the array.
        Self(unsafe { _mm512_loadu_pd(from.as_ptr()) })
    }

    #[inline(always)]
    fn load_single(_: Avx512, from: &[f32]) -> Self {
        let from = from.first_chunk::<8>().expect("there are eight");
        // SAFETY: the token proves AVX-512F, which includes AVX; an unaligned load reads exactly the array.
        Self(unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(from.as_ptr())) })
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let to = to.first_chunk_mut::<8>().expect("there are eight");
        // SAFETY: the value exists, so the processor has AVX-512F; an unaligned store writes exactly the array.
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn store_interleaved([x, y, z]: [Self; 3], to: &mut [f32]) {
        let to = to.first_chunk_mut::<24>().expect("there are 24");
        // SAFETY: the operands exist, so the processor has AVX-512F; the unaligned stores write exactly the array.
        unsafe {
            let x = _mm512_cvtpd_ps(x.0);
            let y = _mm512_cvtpd_ps(y.0);
            let z = _mm512_cvtpd_ps(z.0);
            let x = _mm512_castps_pd(_mm512_castps256_ps512(x));
            let xy = _mm512_castpd_ps(_mm512_insertf64x4::<1>(x, _mm256_castps_pd(y)));
            let z = _mm512_castps256_ps512(z);
            // Numbers below 8 are x, from 8 y, from 16 z.
            let first = _mm512_setr_epi32(0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5);
            let second = _mm512_setr_epi32(13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0);
            let first = _mm512_permutex2var_ps(xy, first, z);
            let second = _mm512_permutex2var_ps(xy, second, z);
            _mm512_storeu_ps(to.as_mut_ptr(), first);
            _mm256_storeu_ps(to[16..].as_mut_ptr(), _mm512_castps512_ps256(second));
        }
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

    #[inline(always)]
    fn all_greater(self, bound: Self) -> bool {
        // SAFETY: the operands exist, so the processor has AVX-512F.
        unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, bound.0) == 0xff }
    }

    #[inline(always)]
    fn columns<const N: usize>(rows: &impl Rows<Self, N>) -> [[Self; 8]; N] {
        let [a, b, c, d] = [rows.of(0), rows.of(1), rows.of(2), rows.of(3)];
        let [e, f, g, h] = [rows.of(4), rows.of(5), rows.of(6), rows.of(7)];
        let mut columns = [[a[0]; 8]; N];
        for (n, columns) in columns.iter_mut().enumerate() {
            *columns = transposed([a[n], b[n], c[n], d[n], e[n], f[n], g[n], h[n]]);
        }
        columns
    }

    #[inline(always)]
    fn pick(token: Avx512, from: &[f64; 8], offsets: &[u8]) -> Self {
        let offsets = offsets.first_chunk::<8>().expect("there are eight");
        let from = <Self as F64Lanes>::load(token, from);
        // SAFETY: the token proves AVX-512F; a permutation looks at the low three bits of each index only.
        Self(unsafe {
            let offsets = _mm_cvtsi64_si128(i64::from_le_bytes(*offsets));
            _mm512_permutexvar_pd(_mm512_cvtepu8_epi64(offsets), from.0)
        })
    }
}

impl Row for F64x8 {
    type Token = Avx512;
    const SECOND: usize = 4;

    #[inline(always)]
    fn splat(token: Avx512, value: f64) -> Self {
        <Self as F64Lanes>::splat(token, value)
    }

    #[inline(always)]
    fn twice(token: Avx512, from: &[f64; 8]) -> Self {
        <Self as F64Lanes>::load(token, from)
    }

    #[inline(always)]
    fn add_to_first(self, _: Avx512, from: &[f64; 4]) -> Self {
        // SAFETY: the token proves AVX-512F, which includes AVX; an unaligned load reads exactly the array.
        Self(unsafe {
            let numbers = _mm512_zextpd256_pd512(_mm256_loadu_pd(from.as_ptr()));
            _mm512_add_pd(self.0, numbers)
        })
    }

    #[inline(always)]
    fn pair(_: Avx512, first: f64, second: f64) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe {
            _mm512_mask_blend_pd(0b1111_0000, _mm512_set1_pd(first), _mm512_set1_pd(second))
        })
    }

    #[inline(always)]
    fn load(token: Avx512, from: &[f64; 8]) -> Self {
        <Self as F64Lanes>::load(token, from)
    }

    #[inline(always)]
    fn moved(
        token: Avx512,
        added: &[f64; 8],
        [c0, c1, c2]: &[[f64; 4]; 3],
        [x, y, z]: [Self; 3],
    ) -> Self {
        // SAFETY: the token proves AVX-512F, which includes AVX; unaligned loads read exactly the arrays.
        Self(unsafe {
            let times = |column: &[f64; 4], row: Self| {
                _mm256_mul_pd(
                    _mm256_loadu_pd(column.as_ptr()),
                    _mm512_castpd512_pd256(row.0),
                )
            };
            let sum = _mm256_add_pd(times(c0, x), times(c1, y));
            _mm512_zextpd256_pd512(_mm256_add_pd(sum, times(c2, z)))
        }) + <Self as F64Lanes>::load(token, added)
    }

    #[inline(always)]
    fn add_to_half(self, _: Avx512, weight: f64, numbers: &[f64; 4]) -> Self {
        // SAFETY: the token proves AVX-512F, which includes AVX; an unaligned load reads exactly the array.
        Self(unsafe {
            let numbers = _mm256_loadu_pd(numbers.as_ptr());
            let product = _mm256_mul_pd(_mm256_set1_pd(weight), numbers);
            _mm512_zextpd256_pd512(_mm256_add_pd(_mm512_castpd512_pd256(self.0), product))
        })
    }
}

/// Transposes rows to columns.
#[inline(always)]
fn transposed(rows: [F64x8; 8]) -> [F64x8; 8] {
    let [F64x8(a), F64x8(b), F64x8(c), F64x8(d), ..] = rows;
    let [.., F64x8(e), F64x8(f), F64x8(g), F64x8(h)] = rows;
    // SAFETY: the operands exist, so the processor has AVX-512F.
    unsafe {
        // Pairs of rows: even columns 0 2 4 6, odd columns 1 3 5 7.
        let ab = [_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b)];
        let cd = [_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d)];
        let ef = [_mm512_unpacklo_pd(e, f), _mm512_unpackhi_pd(e, f)];
        let gh = [_mm512_unpacklo_pd(g, h), _mm512_unpackhi_pd(g, h)];
        let mut columns = [rows[0]; 8];
        for odd in 0..2 {
            // Pairs of pairs: columns 0 and 4, columns 2 and 6 (or 1 and 5, 3 and 7).
            let abcd_04 = _mm512_shuffle_f64x2::<0b10_00_10_00>(ab[odd], cd[odd]);
            let abcd_26 = _mm512_shuffle_f64x2::<0b11_01_11_01>(ab[odd], cd[odd]);
            let efgh_04 = _mm512_shuffle_f64x2::<0b10_00_10_00>(ef[odd], gh[odd]);
            let efgh_26 = _mm512_shuffle_f64x2::<0b11_01_11_01>(ef[odd], gh[odd]);
            columns[odd] = F64x8(_mm512_shuffle_f64x2::<0b10_00_10_00>(abcd_04, efgh_04));
            columns[odd + 4] = F64x8(_mm512_shuffle_f64x2::<0b11_01_11_01>(abcd_04, efgh_04));
            columns[odd + 2] = F64x8(_mm512_shuffle_f64x2::<0b10_00_10_00>(abcd_26, efgh_26));
            columns[odd + 6] = F64x8(_mm512_shuffle_f64x2::<0b11_01_11_01>(abcd_26, efgh_26));
        }
        columns
    }
}
