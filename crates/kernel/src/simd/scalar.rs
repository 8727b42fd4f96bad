//! One lane: plain `f64`. Every machine has this path, and the others are compared with it.

use super::F64Lanes;
use super::lanes::{Parts, Rows};

impl F64Lanes for f64 {
    type Token = ();
    type Row = Parts<Self, 8>;
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
    fn load_single(_: (), from: &[f32]) -> Self {
        f64::from(from[0])
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[0] = self;
    }

    #[inline(always)]
    fn store_interleaved([x, y, z]: [Self; 3], to: &mut [f32]) {
        to[..3].copy_from_slice(&[x as f32, y as f32, z as f32]);
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self {
        if self > bound { yes } else { no }
    }

    #[inline(always)]
    fn all_greater(self, bound: Self) -> bool {
        self > bound
    }

    #[inline(always)]
    fn columns<const N: usize>(rows: &impl Rows<Self::Row, N>) -> [[Self; 8]; N] {
        let mut columns = [[0.0; 8]; N];
        for (columns, row) in columns.iter_mut().zip(rows.of(0)) {
            *columns = row.0;
        }
        columns
    }
}
