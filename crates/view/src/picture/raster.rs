//! Triangles to samples: a depth buffer, in which a triangle's colour is computed once for each pixel.

use std::ops::Range;

use super::Image;
use super::color::{Color, mean, mixed};
use super::coverage::{
    Corner, Covered, Halves, Mask, PLACES, STEPS, covered_samples, halves, mask_of, middle_of,
    numbers,
};
use wide::f32x8;

/// Colours and depths of the samples of some rows of a square picture.
#[derive(Default)]
pub struct Band {
    /// Pixels in a row.
    pub size: usize,
    rows: Range<usize>,
    /// For each pixel its colour where it is not drawn.
    plain: Vec<Color>,
    /// For each pixel the index of its samples if it is drawn.
    drawn: Vec<Option<u32>>,
    samples: Vec<Samples>,
}

/// The samples of a pixel.
struct Samples {
    /// Colours by their bytes, the first in the lowest bits.
    colors: Halves<u32>,
    /// The greatest depths so far, towards the viewer.
    depths: Depths,
}

/// The depths of a pixel's samples.
pub type Depths = [f32x8; 2];

/// Behind everything.
const NOWHERE: Depths = [f32x8::new([f32::NEG_INFINITY; 8]); 2];

/// What a triangle does to the samples that it covers.
#[derive(Clone, Copy, PartialEq)]
pub enum Write {
    /// It replaces their colours and depths.
    Replace,
    /// Its colour is mixed with theirs by its opacity, and leaves their depths.
    Mix,
}

impl Samples {
    /// Those at which these depths are nearer.
    fn behind(&self, depths: &Depths) -> Mask {
        mask_of(|half| depths[half].simd_gt(self.depths[half]).to_bitmask())
    }

    /// Those that no triangle has covered.
    fn without_depth(&self) -> Mask {
        !mask_of(|half| self.depths[half].simd_gt(NOWHERE[half]).to_bitmask())
    }

    fn replace(&mut self, samples: Mask, color: Color, depths: Depths) {
        let color = u32::from_le_bytes(color);
        if samples == Mask::MAX {
            (self.colors, self.depths) = ([[color; 8]; 2], depths);
            return;
        }
        for sample in numbers(samples) {
            let (half, lane) = (sample / 8, sample % 8);
            self.colors[half][lane] = color;
            self.depths[half].as_mut_array()[lane] = depths[half].as_array()[lane];
        }
    }

    fn mix(&mut self, samples: Mask, color: Color) {
        let colors = self.colors.as_flattened_mut();
        let mut known = None;
        for sample in numbers(samples) {
            let before = colors[sample];
            colors[sample] = match known {
                Some((of, after)) if of == before => after,
                _ => u32::from_le_bytes(mixed(before.to_le_bytes(), color)),
            };
            known = Some((before, colors[sample]));
        }
    }
}

impl Band {
    /// Returns no rows of a picture with `size` pixels in each.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            ..Self::default()
        }
    }

    /// Goes on with other rows, in one colour.
    pub fn start(&mut self, rows: Range<usize>, color: Color) {
        self.plain.clear();
        self.plain.resize(self.size * rows.len(), color);
        self.drawn.clear();
        self.drawn.resize(self.size * rows.len(), None);
        self.rows = rows;
        self.samples.clear();
    }

    /// The bytes that a band of so many pixels takes.
    pub fn memory(pixels: usize) -> u64 {
        (pixels * (size_of::<Samples>() + size_of::<(Option<u32>, Color)>())) as u64
    }

    /// The depths of the samples of all pixels in rows; `None` for those that are not drawn.
    pub fn depths(&self) -> impl Iterator<Item = Option<&Depths>> {
        let drawn = self.drawn.iter();
        drawn.map(|place| Some(&self.samples[(*place)? as usize].depths))
    }

    /// True if the rows are not between these corners.
    pub fn is_beside(&self, corners: &[Corner; 3]) -> bool {
        let rows = corners.map(|corner| corner.row());
        let first = self.rows.start as i32;
        let end = self.rows.end as i32;
        rows.iter().all(|row| *row < first) || rows.iter().all(|row| *row >= end)
    }

    fn samples(&mut self, pixel: usize) -> &mut Samples {
        let place = *self.drawn[pixel].get_or_insert_with(|| {
            self.samples.push(Samples {
                colors: [[u32::from_le_bytes(self.plain[pixel]); 8]; 2],
                depths: NOWHERE,
            });
            self.samples.len() as u32 - 1
        });
        &mut self.samples[place as usize]
    }

    /// Mixes colours into all pixels, given by column and row, behind everything that has a depth.
    pub fn mix(&mut self, color: impl Fn([usize; 2]) -> Option<Color>) {
        let mut pixels = self.plain.iter_mut().zip(&self.drawn);
        for row in self.rows.clone() {
            for (column, (plain, place)) in pixels.by_ref().take(self.size).enumerate() {
                let samples = place.map(|place| &mut self.samples[place as usize]);
                let seen = (samples.as_deref()).map_or(Mask::MAX, Samples::without_depth);
                if seen != 0
                    && let Some(color) = color([column, row])
                {
                    match samples {
                        None => *plain = mixed(*plain, color),
                        Some(samples) => samples.mix(seen, color),
                    }
                }
            }
        }
    }

    /// Draws a triangle. `color` gets the weights of the corners in the picture at each pixel where a sample is visible, and
    /// gives its colour; `None` leaves a hole.
    pub fn triangle(
        &mut self,
        covered: &Covered,
        corners: &[Corner; 3],
        write: Write,
        mut color: impl FnMut([f64; 3]) -> Option<Color>,
    ) {
        let depths = corners.map(|corner| f64::from(corner.depth));
        let depth_at = |at: [f64; 2]| {
            let weights = covered.weights(at);
            depths[0] + weights[1] * (depths[1] - depths[0]) + weights[2] * (depths[2] - depths[0])
        };
        let base = depth_at([0.0; 2]);
        let slope = [depth_at([1.0, 0.0]) - base, depth_at([0.0, 1.0]) - base];
        let beside = |[x, y]: [f64; 2]| slope[0] * x + slope[1] * y;
        let [right, down] = slope.map(|slope| slope as f32);
        let in_pixel = halves(|half| {
            f32x8::from_i32x8(PLACES[0][half]) * right + f32x8::from_i32x8(PLACES[1][half]) * down
        });
        let offsets = covered.offsets();
        for row in covered.rows.start.max(self.rows.start)..covered.rows.end.min(self.rows.end) {
            let line = (row - self.rows.start) * self.size;
            for column in covered.columns_in(row) {
                let inside = covered_samples(&covered.values([column, row]), &offsets);
                if inside == 0 {
                    continue;
                }
                let at = [column, row].map(|number| (number * STEPS as usize) as f64);
                let samples = self.samples(line + column);
                let depth = f32x8::splat((base + beside(at)) as f32);
                let depths = halves(|half| depth + in_pixel[half]);
                let visible = inside & samples.behind(&depths);
                if visible == 0 {
                    continue;
                }
                let middle = middle_of(inside);
                let at = std::array::from_fn(|k| at[k] + middle[k]);
                match color(covered.weights(at)) {
                    None => {}
                    Some(color) if write == Write::Mix => samples.mix(visible, color),
                    Some(color) => samples.replace(visible, color, depths),
                }
            }
        }
    }

    /// Draws a point as one pixel.
    pub fn point(&mut self, corner: Corner, color: Color) {
        let [Ok(column), Ok(row)] = corner
            .at
            .map(|steps| usize::try_from(steps.div_euclid(STEPS)))
        else {
            return;
        };
        if self.rows.contains(&row) && column < self.size {
            let samples = self.samples((row - self.rows.start) * self.size + column);
            let depths = [f32x8::splat(corner.depth); 2];
            samples.replace(samples.behind(&depths), color, depths);
        }
    }

    /// Copies the rows into the picture: each pixel is the mean of its samples, by their opacity.
    pub fn finish(&self, image: &mut Image) {
        let pixels = &mut image.pixels[self.rows.start * self.size..];
        for ((pixel, place), plain) in pixels.iter_mut().zip(&self.drawn).zip(&self.plain) {
            *pixel = place.map_or(*plain, |place| mean(&self.samples[place as usize].colors));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::coverage::SAMPLES;
    use super::super::projection::Pixel;
    use super::*;
    use rigy_kernel::random::Random;

    const WHITE: Color = [255; 4];

    fn corners(places: [[f64; 3]; 3]) -> Option<[Corner; 3]> {
        let [a, b, c] = places.map(|[x, y, depth]| Corner::new(Pixel { x, y, depth }, 16));
        Some([a?, b?, c?])
    }

    fn draw(band: &mut Band, places: [[f64; 3]; 3], color: impl FnMut([f64; 3]) -> Option<Color>) {
        if let Some(corners) = corners(places)
            && let Some(covered) = Covered::of(&corners, 16)
        {
            band.triangle(&covered, &corners, Write::Replace, color);
        }
    }

    fn band() -> Band {
        let mut band = Band::new(16);
        band.start(0..16, [0; 4]);
        band
    }

    #[test]
    fn triangles_that_share_edges_cover_each_sample_once() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            // A fan around an inner point, with corners on sixteenths of pixels, so that many samples lie on edges.
            let mut number =
                |least: usize, count: usize| (least + random.below(count)) as f64 / 16.0;
            let middle = [number(8, 230), number(8, 230), 0.0];
            let square = [[0.0, 0.0], [15.5, 0.0], [15.5, 15.5], [0.0, 15.5]];
            let mut counts = vec![[0; SAMPLES]; 256];
            for side in 0..4 {
                let [a, b] = [square[side], square[(side + 1) % 4]].map(|[x, y]| [x, y, 0.0]);
                let mut places = [a, b, middle];
                places.rotate_left(side % 3);
                if side % 2 == 1 {
                    places.swap(0, 1);
                }
                let mut band = band();
                draw(&mut band, places, |_| Some(WHITE));
                for (counts, pixel) in counts.iter_mut().zip(&band.drawn) {
                    let Some(place) = pixel else { continue };
                    let colors = band.samples[*place as usize].colors;
                    for (count, color) in counts.iter_mut().zip(colors.as_flattened()) {
                        *count += u32::from(*color == u32::MAX);
                    }
                }
            }
            for (index, counts) in counts.iter().enumerate() {
                for (sample, count) in counts.iter().enumerate() {
                    let [x, y] = PLACES.map(|axis| axis[sample / 8].to_array()[sample % 8]);
                    let is_inside =
                        |pixel: usize, place: i32| pixel * 256 + (place as usize) < 3968;
                    let expected = is_inside(index % 16, x) && is_inside(index / 16, y);
                    assert_eq!(*count, u32::from(expected), "{middle:?} {index}");
                }
            }
        }
    }

    #[test]
    fn nearer_triangles_hide_others_in_any_order_and_odd_ones_are_left_out() {
        let at = |depth: f64| [[1.0, 1.0, depth], [14.0, 1.0, depth], [1.0, 14.0, depth]];
        for order in [[1.0, 2.0], [2.0, 1.0]] {
            let mut band = band();
            for depth in order {
                draw(&mut band, at(depth), |_| Some([depth as u8; 4]));
                draw(&mut band, at(depth + 5.0), |_| None);
            }
            let colors = |band: &Band, pixel: usize| {
                band.samples[band.drawn[pixel].unwrap() as usize].colors
            };
            assert_eq!(colors(&band, 3 * 16 + 3), [[0x0202_0202; 8]; 2]);
            for bad in [f64::NAN, f64::INFINITY, -17.0, 32.0, 1e300] {
                let mut places = at(9.0);
                places[1][0] = bad;
                draw(&mut band, places, |_| Some([7; 4]));
            }
            draw(&mut band, [[3.0, 3.0, 9.0]; 3], |_| Some([7; 4]));
            let mut all = band
                .samples
                .iter()
                .flat_map(|samples| samples.colors.as_flattened());
            assert!(!all.any(|color| *color == 0x0707_0707));
        }
    }

    #[test]
    fn weights_and_depths_belong_to_the_place_in_small_triangles_and_large_ones() {
        for (size, places) in [
            (1, [[0.3, 0.2, 1.0], [0.8, 0.2, 2.0], [0.3, 0.9, 3.0]]),
            (16, [[15.9, 0.0, 3.0], [0.0, 0.0, 1.0], [0.0, 15.9, 5.0]]),
        ] {
            let mut band = band();
            let mut weights = Vec::new();
            draw(&mut band, places, |found| {
                weights.push(found);
                Some(WHITE)
            });
            assert!(weights.len() >= size);
            for found in &weights {
                assert!(
                    found
                        .iter()
                        .all(|weight| (-1e-9..1.0 + 1e-9).contains(weight))
                );
            }
            let sum = |k: usize| -> f64 { (0..3).map(|i| places[i][k] * weights[0][i]).sum() };
            let in_pixel = |number: f64| (0.0..1.0).contains(&number);
            assert!(in_pixel(sum(0)) && in_pixel(sum(1)), "{:?}", weights[0]);
            let nearest = band.depths().next().unwrap().unwrap();
            let nearest = nearest.map(f32x8::to_array).as_flattened().to_vec();
            let inside = |sample: &usize| nearest[*sample] > f32::NEG_INFINITY;
            for sample in (0..SAMPLES).filter(inside) {
                assert!(
                    (f64::from(nearest[sample]) - sum(2)).abs() < 1.0,
                    "{nearest:?}"
                );
            }
        }
    }
}
