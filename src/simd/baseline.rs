//! Four lanes on what every build of a platform may assume (SSE2, NEON, wasm), by way of `wide`.

use wide::f64x4;

use super::F64Lanes;

impl F64Lanes for f64x4 {
    type Token = ();
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(_: (), value: f64) -> Self {
        f64x4::splat(value)
    }

    #[inline(always)]
    fn load(_: (), from: &[f64]) -> Self {
        f64x4::new([from[0], from[1], from[2], from[3]])
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[..4].copy_from_slice(&self.to_array());
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x4::sqrt(self)
    }

    #[inline(always)]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self {
        self.simd_gt(bound).select(yes, no)
    }
}
