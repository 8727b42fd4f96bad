//! Triangles to samples: fixed-point edge functions, the top-left rule and a depth buffer.

use super::Image;
use rigy_kernel::math::Vec3;

/// Samples along each side of a pixel.
pub(super) const SAMPLES: usize = 2;

/// Steps of fixed-point coordinates in a sample.
const STEPS: f64 = 256.0;
/// Half a sample in steps: samples lie in the middle of their squares.
const HALF: i64 = 128;

/// Colours and depths of the samples of a square picture.
pub(super) struct Canvas {
    /// Samples in a row, and rows.
    size: usize,
    colors: Vec<[u8; 3]>,
    /// The greatest depth so far, towards the viewer, in samples.
    depths: Vec<f32>,
}

/// A corner in steps.
type Corner = [i64; 2];

/// A triangle whose corners turn clockwise in the picture, and how it covers samples.
struct Covered {
    /// For each corner, the edge function of the opposite edge: value at the first sample, and its change by a sample to
    /// the right and by a row.
    edges: [[i64; 3]; 3],
    /// Twice the area in square steps.
    area: f64,
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
}

impl Canvas {
    /// Returns a canvas of `size` × `size` samples in one colour.
    pub fn new(size: usize, color: [u8; 3]) -> Self {
        Self {
            size,
            colors: vec![color; size * size],
            depths: vec![f32::NEG_INFINITY; size * size],
        }
    }

    /// Draws a triangle with corners in samples. `color` gets the barycentric coordinates of each visible sample, and gives
    /// its colour; `None` leaves a hole. A triangle without area, or with a corner outside the canvas, is left out.
    pub fn triangle(&mut self, corners: [Vec3; 3], color: impl Fn([f64; 3]) -> Option<[u8; 3]>) {
        let Some((covered, is_swapped)) = Covered::of(&corners, self.size) else {
            return;
        };
        let mut depths = corners.map(|corner| corner[2]);
        if is_swapped {
            depths.swap(1, 2);
        }
        let mut at_row = covered.edges.map(|[value, ..]| value);
        let columns_end = covered.columns.end.max(covered.columns.start);
        for row in covered.rows.clone() {
            let mut at = at_row;
            let samples = row * self.size + covered.columns.start..row * self.size + columns_end;
            let colors = &mut self.colors[samples.clone()];
            for (color_at, depth_at) in colors.iter_mut().zip(&mut self.depths[samples]) {
                if at[0] | at[1] | at[2] >= 0 {
                    let (b, c) = (at[1] as f64 / covered.area, at[2] as f64 / covered.area);
                    let depth =
                        depths[0] + b * (depths[1] - depths[0]) + c * (depths[2] - depths[0]);
                    if depth as f32 > *depth_at {
                        let (b, c) = if is_swapped { (c, b) } else { (b, c) };
                        if let Some(color) = color([1.0 - b - c, b, c]) {
                            *depth_at = depth as f32;
                            *color_at = color;
                        }
                    }
                }
                for (value, edge) in at.iter_mut().zip(&covered.edges) {
                    *value += edge[1];
                }
            }
            for (value, edge) in at_row.iter_mut().zip(&covered.edges) {
                *value += edge[2];
            }
        }
    }

    /// Draws a point as one pixel's samples.
    pub fn point(&mut self, place: Vec3, color: [u8; 3]) {
        let Some([x, y]) = in_steps(&place, self.size) else {
            return;
        };
        let first = |steps: i64| (steps / STEPS as i64) as usize / SAMPLES * SAMPLES;
        let (left, top) = (first(x), first(y));
        for row in top..(top + SAMPLES).min(self.size) {
            for column in left..(left + SAMPLES).min(self.size) {
                let sample = row * self.size + column;
                if place[2] as f32 > self.depths[sample] {
                    self.depths[sample] = place[2] as f32;
                    self.colors[sample] = color;
                }
            }
        }
    }

    /// Returns the picture: each pixel is the mean of its samples.
    pub fn into_image(self) -> Image {
        let size = self.size / SAMPLES;
        let mut image = Image::filled(size, size, [0; 3]);
        for (index, pixel) in image.pixels.iter_mut().enumerate() {
            let first = index / size * SAMPLES * self.size + index % size * SAMPLES;
            let mut sums = [0u16; 3];
            for row in 0..SAMPLES {
                for color in &self.colors[first + row * self.size..][..SAMPLES] {
                    for (sum, component) in sums.iter_mut().zip(color) {
                        *sum += u16::from(*component);
                    }
                }
            }
            let count = (SAMPLES * SAMPLES) as u16;
            *pixel = sums.map(|sum| ((sum + count / 2) / count) as u8);
        }
        image
    }
}

/// The number of samples that are tested for a triangle with these corners on a canvas of `size` × `size` samples,
/// and 1 for the triangle itself.
pub(super) fn tested_samples(corners: &[Vec3; 3], size: usize) -> u64 {
    let covered = Covered::of(corners, size);
    covered.map_or(0, |(covered, _)| covered.columns.len() * covered.rows.len()) as u64 + 1
}

/// A place in steps; `None` if it is not finite or not on the canvas.
fn in_steps(place: &Vec3, size: usize) -> Option<Corner> {
    let is_inside = |number: f64| (0.0..size as f64).contains(&number);
    let [x, y, z] = *place;
    (is_inside(x) && is_inside(y) && z.is_finite())
        .then(|| [x, y].map(|number| (number * STEPS + 0.5) as i64))
}

impl Covered {
    /// How a triangle covers samples, and true if its second and third corner have been swapped.
    fn of(corners: &[Vec3; 3], size: usize) -> Option<(Self, bool)> {
        let [a, mut b, mut c] = [
            in_steps(&corners[0], size)?,
            in_steps(&corners[1], size)?,
            in_steps(&corners[2], size)?,
        ];
        let mut area = edge(a, b, c);
        let is_swapped = area < 0;
        if is_swapped {
            (b, c) = (c, b);
            area = -area;
        }
        if area == 0 {
            return None;
        }
        // The samples whose middle lies in the box around the triangle.
        let range = |axis: usize| {
            let (least, greatest) = (
                a[axis].min(b[axis]).min(c[axis]),
                a[axis].max(b[axis]).max(c[axis]),
            );
            let sample = |steps: i64| ((steps + HALF - 1).div_euclid(STEPS as i64)) as usize;
            sample(least)..sample(greatest + 1).min(size)
        };
        let (columns, rows) = (range(0), range(1));
        let middle = |index: usize| index as i64 * STEPS as i64 + HALF;
        let first = [middle(columns.start), middle(rows.start)];
        let function = |from: Corner, to: Corner| {
            let (x, y) = (to[0] - from[0], to[1] - from[1]);
            // An edge at the top or on the left owns the samples on it. With y down, and the area positive, an edge at the
            // top points to the right and one on the left points up.
            let owns = (y == 0 && x > 0) || y < 0;
            let value = edge(from, to, first) - i64::from(!owns);
            [value, -y * STEPS as i64, x * STEPS as i64]
        };
        let covered = Self {
            edges: [function(b, c), function(c, a), function(a, b)],
            area: area as f64,
            columns,
            rows,
        };
        Some((covered, is_swapped))
    }
}

/// Twice the area of a triangle in square steps; its sign tells the side of the edge on which `at` lies.
fn edge(from: Corner, to: Corner, at: Corner) -> i64 {
    (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_language::base::random::Random;

    fn covered(size: usize, corners: [Vec3; 3]) -> Vec<bool> {
        let mut canvas = Canvas::new(size, [0; 3]);
        canvas.triangle(corners, |_| Some([255; 3]));
        canvas.colors.iter().map(|color| color[0] == 255).collect()
    }

    #[test]
    fn triangles_that_share_edges_cover_each_sample_once() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            // A fan around an inner point, with corners on quarters of samples, so that many samples lie on edges.
            let mut point = |least: usize, count: usize| -> Vec3 {
                let mut number = || (least + random.below(count)) as f64 / 4.0;
                [number(), number(), 0.0]
            };
            let square = [
                [0.0, 0.0, 0.0],
                [15.5, 0.0, 0.0],
                [15.5, 15.5, 0.0],
                [0.0, 15.5, 0.0],
            ];
            let centre = point(1, 60);
            let mut counts = vec![0; 256];
            for side in 0..4 {
                let mut corners = [square[side], square[(side + 1) % 4], centre];
                corners.rotate_left(side % 3);
                if side % 2 == 1 {
                    corners.swap(0, 1);
                }
                for (count, is_covered) in counts.iter_mut().zip(covered(16, corners)) {
                    *count += u32::from(is_covered);
                }
            }
            for (index, count) in counts.iter().enumerate() {
                // The square ends at 15.5, where the last samples lie on its right and lower edge.
                let is_inside = index % 16 < 15 && index / 16 < 15;
                assert_eq!(*count, u32::from(is_inside), "{centre:?} {index}");
            }
        }
    }

    #[test]
    fn nearer_triangles_hide_others_in_any_order_and_odd_ones_are_left_out() {
        let at = |depth: f64| [[1.0, 1.0, depth], [14.0, 1.0, depth], [1.0, 14.0, depth]];
        for order in [[1.0, 2.0], [2.0, 1.0]] {
            let mut canvas = Canvas::new(16, [9; 3]);
            for depth in order {
                canvas.triangle(at(depth), |_| Some([depth as u8; 3]));
                canvas.triangle(at(depth + 5.0), |_| None);
            }
            assert_eq!(canvas.colors[3 * 16 + 3], [2; 3]);
            for bad in [f64::NAN, f64::INFINITY, -1.0, 16.0, 1e300] {
                let mut corners = at(9.0);
                corners[1][0] = bad;
                canvas.triangle(corners, |_| Some([7; 3]));
                canvas.point(corners[1], [7; 3]);
            }
            canvas.triangle([[3.0, 3.0, 9.0]; 3], |_| Some([7; 3]));
            assert!(!canvas.colors.contains(&[7; 3]));
        }
    }

    #[test]
    fn depths_and_weights_are_interpolated_in_small_triangles_and_large_ones() {
        for corners in [
            [[0.3, 0.2, 100.0], [0.8, 0.2, 200.0], [0.3, 0.9, 300.0]],
            [[15.9, 0.0, 300.0], [0.0, 0.0, 100.0], [0.0, 15.9, 500.0]],
        ] {
            let mut canvas = Canvas::new(16, [0; 3]);
            canvas.triangle(corners, |weights| {
                Some(weights.map(|weight| (weight * 100.0).round() as u8))
            });
            let ([x, y], sample) = ([0.5, 0.5], canvas.colors[0]);
            let found: f64 = (0..3)
                .map(|k| corners[k][0] * f64::from(sample[k]) / 100.0)
                .sum();
            assert!((found - x).abs() < 0.1, "{found}");
            let found: f64 = (0..3)
                .map(|k| corners[k][1] * f64::from(sample[k]) / 100.0)
                .sum();
            assert!((found - y).abs() < 0.1, "{found}");
            let depth: f64 = (0..3)
                .map(|k| corners[k][2] * f64::from(sample[k]) / 100.0)
                .sum();
            assert!((f64::from(canvas.depths[0]) - depth).abs() < 5.0, "{depth}");
        }
    }
}
