//! Triangles to samples: fixed-point edge functions, the top-left rule and a depth buffer. Sixteen samples of a pixel say how
//! much of it a triangle covers; its colour is computed once for each pixel.

use super::Image;
use super::camera::Pixel;

/// Samples of a pixel.
const SAMPLES: usize = 16;

/// Steps of fixed-point coordinates in a pixel.
const STEPS: i32 = 256;

/// The places of the samples in a pixel, in steps: one in each sixteenth of its width and of its height.
const PLACES: [[i32; 2]; SAMPLES] = {
    let mut places = [[0; 2]; SAMPLES];
    let mut index = 0;
    while index < SAMPLES {
        let turned = (index as u32).reverse_bits() >> 28;
        places[index] = [index as i32 * 16 + 8, turned as i32 * 16 + 8];
        index += 1;
    }
    places
};

/// A bit for each sample.
type Mask = u16;

/// Red, green, blue and opacity in sRGB.
pub(super) type Color = [u8; 4];

/// Colours and depths of the samples of some rows of a square picture.
pub(super) struct Band {
    /// Pixels in a row.
    size: usize,
    rows: std::ops::Range<usize>,
    colors: Vec<[Color; SAMPLES]>,
    /// The greatest depth so far, towards the viewer.
    depths: Vec<[f32; SAMPLES]>,
}

/// A corner in the picture: its place in steps, and its depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    at: [i32; 2],
    pub depth: f32,
}

/// What a triangle does to the samples that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// It replaces their colours and depths.
    Replace,
    /// Its colour is mixed with theirs by its opacity, and leaves their depths.
    Mix,
}

/// A triangle whose corners turn clockwise in the picture, and how it covers pixels.
#[derive(Debug)]
pub(super) struct Covered {
    /// For each corner, the edge function of the opposite edge: value at the upper left corner of the picture, and its change
    /// by a step to the right and one down.
    edges: [[i64; 3]; 3],
    /// Twice the area in square steps.
    area: f64,
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
    /// True if the corners turn clockwise as they are seen; otherwise the second and the third have been swapped.
    pub is_clockwise: bool,
}

impl Corner {
    /// The corner at a point of a picture of `size` × `size` pixels; `None` if it is not finite, or farther beside the picture
    /// than its side.
    pub fn new(pixel: Pixel, size: usize) -> Option<Self> {
        let near = -(size as f64)..2.0 * size as f64;
        let is_inside = |number: f64| near.contains(&number);
        let in_steps = |number: f64| (number * f64::from(STEPS) + 0.5).floor() as i32;
        (is_inside(pixel.x) && is_inside(pixel.y) && pixel.depth.is_finite()).then(|| Self {
            at: [in_steps(pixel.x), in_steps(pixel.y)],
            depth: pixel.depth as f32,
        })
    }

    /// The row of pixels in which it lies.
    pub fn row(&self) -> i32 {
        self.at[1].div_euclid(STEPS)
    }

    /// Its place in pixels.
    pub fn place(&self) -> [f64; 2] {
        self.at.map(|steps| f64::from(steps) / f64::from(STEPS))
    }
}

impl Covered {
    /// How a triangle covers a picture of `size` × `size` pixels; `None` if it has no area.
    pub fn of(corners: &[Corner; 3], size: usize) -> Option<Self> {
        let [a, mut b, mut c] = corners.map(|corner| corner.at);
        let mut area = edge(a, b, c);
        let is_clockwise = area >= 0;
        if !is_clockwise {
            (b, c) = (c, b);
            area = -area;
        }
        if area == 0 {
            return None;
        }
        // The pixels that the box around the triangle touches.
        let range = |axis: usize| {
            let least = a[axis].min(b[axis]).min(c[axis]);
            let greatest = a[axis].max(b[axis]).max(c[axis]);
            let pixel = |steps: i32| steps.div_euclid(STEPS).clamp(0, size as i32) as usize;
            pixel(least)..pixel(greatest + STEPS)
        };
        let function = |from: [i32; 2], to: [i32; 2]| {
            let (x, y) = (i64::from(to[0] - from[0]), i64::from(to[1] - from[1]));
            // An edge at the top or on the left owns the samples on it. With y down, and the area positive, an edge at the
            // top points to the right and one on the left points up.
            let owns = (y == 0 && x > 0) || y < 0;
            [edge(from, to, [0, 0]) - i64::from(!owns), -y, x]
        };
        Some(Self {
            edges: [function(b, c), function(c, a), function(a, b)],
            area: area as f64,
            columns: range(0),
            rows: range(1),
            is_clockwise,
        })
    }

    /// The number of pixels in the box around the triangle.
    pub fn pixel_count(&self) -> u64 {
        self.columns.len() as u64 * self.rows.len() as u64
    }

    /// The weights of the corners at a place in steps, in their own order.
    fn weights(&self, at: [f64; 2]) -> [f64; 3] {
        let weight = |k: usize| {
            let [value, right, down] = self.edges[k].map(|number| number as f64);
            (value + right * at[0] + down * at[1]) / self.area
        };
        let (b, c) = (weight(1), weight(2));
        let (b, c) = if self.is_clockwise { (b, c) } else { (c, b) };
        [1.0 - b - c, b, c]
    }
}

/// The edge function of a triangle at the samples of a pixel, beside its value at the pixel's upper left corner.
struct Offsets {
    samples: [i64; SAMPLES],
    least: i64,
    most: i64,
}

impl Offsets {
    fn new([_, right, down]: [i64; 3]) -> Self {
        let samples = PLACES.map(|[x, y]| right * i64::from(x) + down * i64::from(y));
        Self {
            samples,
            least: samples.iter().copied().fold(i64::MAX, i64::min),
            most: samples.iter().copied().fold(i64::MIN, i64::max),
        }
    }
}

impl Band {
    /// Returns rows of a picture with `size` pixels in each, in one colour.
    pub fn new(size: usize, rows: std::ops::Range<usize>, color: Color) -> Self {
        let count = size * rows.len();
        Self {
            size,
            rows,
            colors: vec![[color; SAMPLES]; count],
            depths: vec![[f32::NEG_INFINITY; SAMPLES]; count],
        }
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
        let (first, end) = (self.rows.start as i32, self.rows.end as i32);
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
            for column in covered.columns.clone() {
                let corner = [column * steps, row * steps];
                let values = covered.edges.map(|[value, right, down]| {
                    value + right * corner[0] as i64 + down * corner[1] as i64
                });
                let Some(inside) = covered_samples(&values, &offsets) else {
                    continue;
                };
                let at = corner.map(|number| number as f64);
                let depth = depth_at(at) as f32;
                let (colors, nearest) = (
                    &mut self.colors[line + column],
                    &mut self.depths[line + column],
                );
                let visible = inside & nearer(depth, &in_pixel, nearest);
                if visible == 0 {
                    continue;
                }
                let middle = middle_of(inside);
                let at = std::array::from_fn(|k| at[k] + middle[k]);
                let Some(color) = color(covered.weights(at)) else {
                    continue;
                };
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
        let pixels = image.pixels[self.rows.start * self.size..].iter_mut();
        for (pixel, samples) in pixels.zip(&self.colors) {
            *pixel = mean(samples);
        }
    }
}

/// The samples of a pixel that lie in a triangle, given its edge functions at the pixel's corner; `None` if there are none.
fn covered_samples(values: &[i64; 3], offsets: &[Offsets; 3]) -> Option<Mask> {
    let mut inside = Mask::MAX;
    for (value, offsets) in values.iter().zip(offsets) {
        if value + offsets.most < 0 {
            return None;
        }
        if value + offsets.least < 0 {
            let mut mask = 0;
            for (sample, offset) in offsets.samples.iter().enumerate() {
                mask |= Mask::from(value + offset >= 0) << sample;
            }
            inside &= mask;
        }
    }
    (inside != 0).then_some(inside)
}

/// The samples of a pixel at which a triangle is nearer than what is there.
fn nearer(depth: f32, in_pixel: &[f32; SAMPLES], nearest: &[f32; SAMPLES]) -> Mask {
    let mut mask = 0;
    for sample in 0..SAMPLES {
        mask |= Mask::from(depth + in_pixel[sample] > nearest[sample]) << sample;
    }
    mask
}

/// The middle of some samples in steps, or of the pixel if they are all.
fn middle_of(samples: Mask) -> [f64; 2] {
    if samples == Mask::MAX {
        return [f64::from(STEPS) * 0.5; 2];
    }
    let mut sums = [0; 2];
    for sample in (0..SAMPLES).filter(|sample| samples >> sample & 1 == 1) {
        sums[0] += PLACES[sample][0];
        sums[1] += PLACES[sample][1];
    }
    sums.map(|sum| f64::from(sum) / f64::from(samples.count_ones()))
}

/// A colour over another, as browsers mix them: sRGB values by opacity.
pub(super) fn mixed(under: Color, over: Color) -> Color {
    let [opacity, below] = [over[3], under[3]].map(u32::from);
    let rest = below * (255 - opacity);
    // 255 times the opacity of both together.
    let whole = 255 * opacity + rest;
    if whole == 0 {
        return under;
    }
    let part = |k: usize| {
        let sum = u32::from(over[k]) * opacity * 255 + u32::from(under[k]) * rest;
        ((sum + whole / 2) / whole) as u8
    };
    [part(0), part(1), part(2), ((whole + 127) / 255) as u8]
}

fn mean(samples: &[Color; SAMPLES]) -> Color {
    let opacity: u32 = samples.iter().map(|sample| u32::from(sample[3])).sum();
    if opacity == 0 {
        return samples[0];
    }
    let part = |k: usize| {
        let weighted = samples
            .iter()
            .map(|sample| u32::from(sample[k]) * u32::from(sample[3]));
        ((weighted.sum::<u32>() + opacity / 2) / opacity) as u8
    };
    let count = SAMPLES as u32;
    [
        part(0),
        part(1),
        part(2),
        ((opacity + count / 2) / count) as u8,
    ]
}

/// Twice the area of a triangle in square steps; its sign tells the side of the edge on which `at` lies.
fn edge(from: [i32; 2], to: [i32; 2], at: [i32; 2]) -> i64 {
    let [x, y] = std::array::from_fn(|k| i64::from(to[k] - from[k]));
    let [at_x, at_y] = std::array::from_fn(|k| i64::from(at[k] - from[k]));
    x * at_y - y * at_x
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_language::base::random::Random;

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

    #[test]
    fn colours_are_mixed_by_their_opacity() {
        for (under, over, expected) in [
            ([10, 20, 30, 255], [200, 100, 0, 255], [200, 100, 0, 255]),
            ([10, 20, 30, 255], [200, 100, 0, 0], [10, 20, 30, 255]),
            ([0, 100, 200, 255], [255, 100, 0, 51], [51, 100, 160, 255]),
            ([9, 9, 9, 0], [200, 100, 0, 128], [200, 100, 0, 128]),
            ([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),
        ] {
            assert_eq!(mixed(under, over), expected);
        }
        let mut samples = [[200, 100, 0, 255]; SAMPLES];
        samples[..8].fill([0; 4]);
        assert_eq!(mean(&samples), [200, 100, 0, 128]);
    }
}
