//! Triangles to samples: a depth buffer, in which a triangle's colour is computed once for each pixel.

use super::Image;
use super::color::{Color, mean, mixed};
use super::coverage::{
    Corner, Covered, Mask, Offsets, PLACES, SAMPLES, STEPS, covered_samples, middle_of,
};

/// Colours and depths of the samples of some rows of a square picture.
pub struct Band {
    /// Pixels in a row.
    size: usize,
    rows: std::ops::Range<usize>,
    colors: Vec<[Color; SAMPLES]>,
    /// The greatest depth so far, towards the viewer.
    depths: Vec<[f32; SAMPLES]>,
}

/// What a triangle does to the samples that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// It replaces their colours and depths.
    Replace,
    /// Its colour is mixed with theirs by its opacity, and leaves their depths.
    Mix,
}

impl Band {
    /// Returns rows of a picture with `size` pixels in each, in one colour.
    pub fn new(size: usize, rows: std::ops::Range<usize>, color: Color) -> Self {
        let mut band = Self {
            size,
            rows: 0..0,
            colors: Vec::new(),
            depths: Vec::new(),
        };
        band.start(rows, color);
        band
    }

    /// Goes on with other rows, in one colour.
    pub fn start(&mut self, rows: std::ops::Range<usize>, color: Color) {
        let count = self.size * rows.len();
        self.rows = rows;
        self.colors.clear();
        self.colors.resize(count, [color; SAMPLES]);
        self.depths.clear();
        self.depths.resize(count, [f32::NEG_INFINITY; SAMPLES]);
    }

    /// The bytes that a band of so many pixels takes.
    pub fn memory(pixels: usize) -> u64 {
        (pixels * SAMPLES * (size_of::<Color>() + size_of::<f32>())) as u64
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// The depths of all samples, in rows of pixels.
    pub fn depths(&self) -> &[[f32; SAMPLES]] {
        &self.depths
    }

    /// True if the rows are not between these corners.
    pub fn is_beside(&self, corners: &[Corner; 3]) -> bool {
        let rows = corners.map(|corner| corner.row());
        let first = self.rows.start as i32;
        let end = self.rows.end as i32;
        rows.iter().all(|row| *row < first) || rows.iter().all(|row| *row >= end)
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
        let offsets = covered.edges.map(Offsets::new);
        let depths = corners.map(|corner| f64::from(corner.depth));
        let depth_at = |at: [f64; 2]| {
            let weights = covered.weights(at);
            depths[0] + weights[1] * (depths[1] - depths[0]) + weights[2] * (depths[2] - depths[0])
        };
        let base = depth_at([0.0; 2]);
        let slope = [depth_at([1.0, 0.0]) - base, depth_at([0.0, 1.0]) - base];
        let in_pixel =
            PLACES.map(|[x, y]| (slope[0] * f64::from(x) + slope[1] * f64::from(y)) as f32);
        let steps = STEPS as usize;
        let rows = covered.rows.start.max(self.rows.start)..covered.rows.end.min(self.rows.end);
        for row in rows {
            let line = (row - self.rows.start) * self.size;
            let mut next = covered.edges.map(|[value, right, down]| {
                value + right * (covered.columns.start * steps) as i64 + down * (row * steps) as i64
            });
            for column in covered.columns.clone() {
                let values = next;
                for (value, [_, right, _]) in next.iter_mut().zip(&covered.edges) {
                    *value += right * i64::from(STEPS);
                }
                let Some(inside) = covered_samples(&values, &offsets) else {
                    continue;
                };
                let at = [column * steps, row * steps].map(|number| number as f64);
                let depth = depth_at(at) as f32;
                let colors = &mut self.colors[line + column];
                let nearest = &mut self.depths[line + column];
                let visible = inside & nearer(depth, &in_pixel, nearest);
                if visible == 0 {
                    continue;
                }
                let middle = middle_of(inside);
                let at = std::array::from_fn(|k| at[k] + middle[k]);
                let Some(color) = color(covered.weights(at)) else {
                    continue;
                };
                if visible == Mask::MAX && write == Write::Replace {
                    *nearest = in_pixel.map(|more| depth + more);
                    *colors = [color; SAMPLES];
                    continue;
                }
                for sample in (0..SAMPLES).filter(|sample| visible >> sample & 1 == 1) {
                    if write == Write::Replace {
                        nearest[sample] = depth + in_pixel[sample];
                        colors[sample] = color;
                    } else {
                        colors[sample] = mixed(colors[sample], color);
                    }
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
        if !self.rows.contains(&row) || column >= self.size {
            return;
        }
        let pixel = (row - self.rows.start) * self.size + column;
        for sample in 0..SAMPLES {
            let nearest = &mut self.depths[pixel][sample];
            if corner.depth > *nearest {
                *nearest = corner.depth;
                self.colors[pixel][sample] = color;
            }
        }
    }

    /// Copies the rows into the picture: each pixel is the mean of its samples, by their opacity.
    pub fn finish(&self, image: &mut Image) {
        for (pixel, samples) in image.pixels[self.rows.start * self.size..]
            .iter_mut()
            .zip(&self.colors)
        {
            *pixel = mean(samples);
        }
    }
}

/// The samples of a pixel at which a triangle is nearer than what is there.
fn nearer(depth: f32, in_pixel: &[f32; SAMPLES], nearest: &[f32; SAMPLES]) -> Mask {
    let is_nearer: [bool; SAMPLES] =
        std::array::from_fn(|sample| depth + in_pixel[sample] > nearest[sample]);
    if is_nearer == [true; SAMPLES] {
        return Mask::MAX;
    }
    is_nearer
        .iter()
        .rev()
        .fold(0, |mask, is_nearer| mask << 1 | Mask::from(*is_nearer))
}

#[cfg(test)]
mod tests {
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
        Band::new(16, 0..16, [0; 4])
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
                for (counts, colors) in counts.iter_mut().zip(&band.colors) {
                    for (count, color) in counts.iter_mut().zip(colors) {
                        *count += u32::from(*color == WHITE);
                    }
                }
            }
            for (index, counts) in counts.iter().enumerate() {
                for (sample, [x, y]) in PLACES.into_iter().enumerate() {
                    let is_inside =
                        |pixel: usize, place: i32| pixel * 256 + (place as usize) < 3968;
                    let expected = is_inside(index % 16, x) && is_inside(index / 16, y);
                    assert_eq!(counts[sample], u32::from(expected), "{middle:?} {index}");
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
            assert_eq!(band.colors[3 * 16 + 3], [[2; 4]; SAMPLES]);
            for bad in [f64::NAN, f64::INFINITY, -17.0, 32.0, 1e300] {
                let mut places = at(9.0);
                places[1][0] = bad;
                draw(&mut band, places, |_| Some([7; 4]));
            }
            draw(&mut band, [[3.0, 3.0, 9.0]; 3], |_| Some([7; 4]));
            assert!(!band.colors.iter().flatten().any(|color| *color == [7; 4]));
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
            let nearest = band.depths[0];
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
