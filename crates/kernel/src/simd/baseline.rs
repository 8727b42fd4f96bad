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
    fn columns(rows: &impl Rows<Self::Row>) -> [Self; 8] {
        let [a, b, c, d] = rows.row(0).0;
        let [e, f, g, h] = rows.row(1).0;
        let [c0, c1] = f64x2::transpose([a, e]);
        let [c2, c3] = f64x2::transpose([b, f]);
        let [c4, c5] = f64x2::transpose([c, g]);
        let [c6, c7] = f64x2::transpose([d, h]);
        [c0, c1, c2, c3, c4, c5, c6, c7]
    }
}
