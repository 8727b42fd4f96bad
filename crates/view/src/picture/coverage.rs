//! How triangles cover pixels: fixed-point edge functions, the top-left rule, and sixteen samples a pixel.

use std::ops::Range;

use super::projection::Pixel;
use wide::i32x8;

/// Samples of a pixel.
pub const SAMPLES: usize = 16;

/// A value for each sample.
pub type Halves<T> = [[T; 8]; 2];

/// Steps of fixed-point coordinates in a pixel.
pub const STEPS: i32 = 256;

/// The places of the samples in a pixel along each axis, in steps: one in each sixteenth of its width and of its height.
pub const PLACES: [[i32x8; 2]; 2] = [
    [
        i32x8::new([8, 24, 40, 56, 72, 88, 104, 120]),
        i32x8::new([136, 152, 168, 184, 200, 216, 232, 248]),
    ],
    [
        i32x8::new([8, 136, 72, 200, 40, 168, 104, 232]),
        i32x8::new([24, 152, 88, 216, 56, 184, 120, 248]),
    ],
];

/// A bit for each sample.
pub type Mask = u16;

/// A corner in the picture: its place in steps, and its depth.
#[derive(Clone, Copy)]
pub struct Corner {
    pub at: [i32; 2],
    pub depth: f32,
}

/// A triangle whose corners turn clockwise in the picture, and how it covers pixels.
pub struct Covered {
    /// For each corner, the edge function of the opposite edge: value at the upper left corner of the picture, and its change
    /// by a step to the right and one down.
    edges: [[i64; 3]; 3],
    /// 1 over twice the area in square steps.
    per_area: f64,
    columns: Range<usize>,
    pub rows: Range<usize>,
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
            let x = i64::from(to[0] - from[0]);
            let y = i64::from(to[1] - from[1]);
            // An edge at the top or on the left owns the samples on it. With y down, and the area positive, an edge at the
            // top points to the right and one on the left points up.
            let owns = (y == 0 && x > 0) || y < 0;
            [edge(from, to, [0, 0]) - i64::from(!owns), -y, x]
        };
        Some(Self {
            edges: [function(b, c), function(c, a), function(a, b)],
            per_area: 1.0 / area as f64,
            columns: range(0),
            rows: range(1),
            is_clockwise,
        })
    }

    pub fn offsets(&self) -> Offsets {
        self.edges.map(|[_, right, down]| {
            halves(|half| PLACES[0][half] * right as i32 + PLACES[1][half] * down as i32)
        })
    }

    /// The columns of a row in which there may be samples.
    pub fn columns_in(&self, row: usize) -> Range<usize> {
        let Range { mut start, mut end } = self.columns;
        // So few pixels are looked at in less time than their columns are.
        if self.columns.len() < 4 {
            return start..end;
        }
        for (value, [_, right, down]) in self.values([0, row]).into_iter().zip(self.edges) {
            let steps = i64::from(STEPS);
            // The value in column 0 is not greater than this at any sample.
            let greatest = value + (right.max(0) + down.max(0)) * steps;
            let column = -greatest as f64 / (right * steps) as f64;
            if right > 0 {
                start = start.max(column as usize);
            } else if right < 0 {
                end = end.min((column + 2.0) as usize);
            }
        }
        start..end
    }

    /// The edge functions at the upper left corner of a pixel.
    pub fn values(&self, pixel: [usize; 2]) -> [i64; 3] {
        let x = pixel[0] as i64 * i64::from(STEPS);
        let y = pixel[1] as i64 * i64::from(STEPS);
        let value = |k: usize| {
            let [value, right, down] = self.edges[k];
            value + right * x + down * y
        };
        [value(0), value(1), value(2)]
    }

    /// The number of pixels in the box around the triangle.
    pub fn pixel_count(&self) -> u64 {
        self.columns.len() as u64 * self.rows.len() as u64
    }

    /// The weights of the corners at a place in steps, in their own order.
    pub fn weights(&self, at: [f64; 2]) -> [f64; 3] {
        let weight = |k: usize| {
            let [value, right, down] = self.edges[k].map(|number| number as f64);
            (value + right * at[0] + down * at[1]) * self.per_area
        };
        let b = weight(1);
        let c = weight(2);
        let (b, c) = if self.is_clockwise { (b, c) } else { (c, b) };
        [1.0 - b - c, b, c]
    }
}

/// The edge functions of a triangle at the samples of a pixel, beside their values at the pixel's upper left corner.
type Offsets = [[i32x8; 2]; 3];

/// The samples of a pixel that lie in a triangle, given its edge functions at the pixel's corner.
#[inline]
pub fn covered_samples(values: &[i64; 3], [of_a, of_b, of_c]: &Offsets) -> Mask {
    // Offsets are less than 3 · 2048 · 256 · 2 · 256, so beyond 2³⁰ they change no sign, and sums do not overflow.
    let [a, b, c] = values.map(|value| value.clamp(-1 << 30, 1 << 30) as i32);
    !mask_of(|half| ((a + of_a[half]) | (b + of_b[half]) | (c + of_c[half])).to_bitmask())
}

/// A value for each half of the samples.
pub fn halves<T>(of: impl Fn(usize) -> T) -> [T; 2] {
    [of(0), of(1)]
}

/// The samples by their halves, each with a bit for each sample of it.
pub fn mask_of(half: impl Fn(usize) -> u32) -> Mask {
    (half(0) | half(1) << 8) as Mask
}

/// The numbers of some samples.
pub fn numbers(mut samples: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (samples != 0).then(|| samples.trailing_zeros() as usize)?;
        samples &= samples - 1;
        Some(first)
    })
}

/// The middle of some samples in steps, or of the pixel if they are all.
pub fn middle_of(samples: Mask) -> [f64; 2] {
    if samples == Mask::MAX {
        return [f64::from(STEPS) * 0.5; 2];
    }
    let mut sums = [0; 2];
    for sample in numbers(samples) {
        for (sum, places) in sums.iter_mut().zip(&PLACES) {
            *sum += places[sample / 8].as_array()[sample % 8];
        }
    }
    sums.map(|sum| f64::from(sum) / f64::from(samples.count_ones()))
}

/// Twice the area of a triangle in square steps; its sign tells the side of the edge on which `at` lies.
fn edge(from: [i32; 2], to: [i32; 2], at: [i32; 2]) -> i64 {
    let [x, y] = std::array::from_fn(|k| i64::from(to[k] - from[k]));
    let [at_x, at_y] = std::array::from_fn(|k| i64::from(at[k] - from[k]));
    x * at_y - y * at_x
}
