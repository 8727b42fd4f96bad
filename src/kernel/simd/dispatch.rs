//! One door per instruction set, for every kernel.
#![allow(unsafe_code)] // calling a `target_feature` function; the token is the proof

use super::{F64Lanes, Isa};

/// An algorithm over lanes. `run` must be `#[inline(always)]`, and so must what it calls with lanes in hand,
/// or the compiler builds it outside the door, without the instruction set.
pub trait Kernel {
    /// Runs the algorithm with lanes of one type.
    fn run<V: F64Lanes>(self, token: V::Token);
}

/// Runs a kernel with the lanes of an instruction set, or with the baseline's where the machine lacks it
/// (which [`Isa::named`] and [`Isa::best`] rule out).
pub fn dispatch<K: Kernel>(isa: Isa, kernel: K) {
    match isa {
        Isa::Scalar => kernel.run::<f64>(()),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => match super::isa::Avx2::detect() {
            // SAFETY: the token proves AVX2.
            Some(token) => unsafe { x86::through_avx2(token, kernel) },
            None => kernel.run::<wide::f64x2>(()),
        },
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => match super::isa::Avx512::detect() {
            // SAFETY: the token proves AVX-512F.
            Some(token) => unsafe { x86::through_avx512(token, kernel) },
            None => kernel.run::<wide::f64x2>(()),
        },
        _ => kernel.run::<wide::f64x2>(()),
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Kernel;
    use crate::kernel::simd::avx2::F64x4;
    use crate::kernel::simd::avx512::F64x8;
    use crate::kernel::simd::isa::{Avx2, Avx512};

    #[target_feature(enable = "avx2")]
    pub(super) fn through_avx2<K: Kernel>(token: Avx2, kernel: K) {
        kernel.run::<F64x4>(token);
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn through_avx512<K: Kernel>(token: Avx512, kernel: K) {
        kernel.run::<F64x8>(token);
    }
}
