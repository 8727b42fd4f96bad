//! One entry point for each instruction set, through which every kernel is called.
#![allow(unsafe_code)] // calling a `target_feature` function; the token is the proof

use super::{F64Lanes, Isa};

/// An algorithm over lanes. `run` must be `#[inline(always)]`, and so must every function that it passes lanes to:
/// otherwise the compiler builds them outside the function with the `target_feature`, without the instruction set.
pub trait Kernel {
    /// Runs the algorithm with lanes of one type.
    fn run<V: F64Lanes>(self, token: V::Token);
}

/// Runs a kernel with the lanes of an instruction set.
pub fn dispatch<K: Kernel>(isa: Isa, kernel: K) {
    match isa {
        Isa::Scalar => kernel.run::<f64>(()),
        Isa::Baseline => kernel.run::<wide::f64x2>(()),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the token proves AVX2.
        Isa::Avx2(token) => unsafe { x86::run_with_avx2(token, kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the token proves AVX-512F.
        Isa::Avx512(token) => unsafe { x86::run_with_avx512(token, kernel) },
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Kernel;
    use crate::simd::avx2::F64x4;
    use crate::simd::avx512::F64x8;
    use crate::simd::isa::{Avx2, Avx512};

    #[target_feature(enable = "avx2")]
    pub fn run_with_avx2<K: Kernel>(token: Avx2, kernel: K) {
        kernel.run::<F64x4>(token);
    }

    #[target_feature(enable = "avx512f")]
    pub fn run_with_avx512<K: Kernel>(token: Avx512, kernel: K) {
        kernel.run::<F64x8>(token);
    }
}
