//! One lane: plain `f64`. The path every machine has, and the one bug reports are checked against.

use super::F64Lanes;

impl F64Lanes for f64 {
    type Token = ();
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(_: (), value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn load(_: (), from: &[f64]) -> Self {
        from[0]
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[0] = self;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self {
        if self > bound { yes } else { no }
    }
}
