//! Two lanes in the vectors that every processor of a platform has (SSE2, NEON, wasm), by way of the crate `wide`.

use wide::f64x2;

use super::F64Lanes;
use super::lanes::{Parts, Rows};

impl F64Lanes for f64x2 {
    type Token = ();
    type Row = Parts<Self, 4>;
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(_: (), value: f64) -> Self {
        f64x2::splat(value)
    }

    #[inline(always)]
    fn load(_: (), from: &[f64]) -> Self {
        f64x2::new([from[0], from[1]])
    }

    #[inline(always)]
    fn load_single(_: (), from: &[f32]) -> Self {
        f64x2::new([f64::from(from[0]), f64::from(from[1])])
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[..2].copy_from_slice(&self.to_array());
    }

    #[inline(always)]
    fn store_interleaved([x, y, z]: [Self; 3], to: &mut [f32]) {
        let [x0, x1] = x.to_array();
        let [y0, y1] = y.to_array();
        let [z0, z1] = z.to_array();
        let rounded = [
            x0 as f32, y0 as f32, z0 as f32, x1 as f32, y1 as f32, z1 as f32,
        ];
        to[..6].copy_from_slice(&rounded);
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x2::sqrt(self)
    }

    #[inline(always)]
    fn if_greater(self, bound: Self, yes: Self, no: Self) -> Self {
        self.simd_gt(bound).select(yes, no)
    }

    #[inline(always)]
    fn all_greater(self, bound: Self) -> bool {
        self.simd_gt(bound).all()
    }

    #[inline(always)]
    fn columns<const N: usize>(rows: &impl Rows<Self::Row, N>) -> [[Self; 8]; N] {
        let mut columns = [[f64x2::ZERO; 8]; N];
        let (rows, others) = (rows.of(0), rows.of(1));
        for (columns, (row, other)) in columns.iter_mut().zip(rows.into_iter().zip(others)) {
            for (pair, parts) in columns
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(row.0.into_iter().zip(other.0))
            {
                *pair = f64x2::transpose([parts.0, parts.1]);
            }
        }
        columns
    }
}
