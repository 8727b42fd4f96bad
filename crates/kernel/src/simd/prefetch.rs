//! Prefetching.
#![allow(unsafe_code)] // one intrinsic without a precondition

/// Prefetches data into the cache, on platforms that have an instruction for it. This changes no value.
#[inline(always)]
pub fn prefetch<T>(values: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const LINE: usize = 64;
        let first = values.as_ptr().cast::<i8>();
        for offset in (0..size_of_val(values)).step_by(LINE) {
            // SAFETY: every x86-64 has the instruction; it reads nothing and never faults, and the address lies
            // within the slice.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.add(offset)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}
