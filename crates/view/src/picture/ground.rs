//! The soft shadow that a model has on the ground below it, where it nearly touches it.

use super::color::Color;
use super::coverage::{Corner, Covered, Halves, SAMPLES};
use super::projection::{Pixel, Projection};
use super::raster::{Band, Write};
use crate::light::LIGHT;
use rigy_kernel::math::dot;
use rigy_models::mesh::Model;

/// Cells to each side over which the shadow is blurred, each time.
const BLUR: usize = 2;
/// Most cells that are tested. Triangles that lie over each other more often have no shadow.
const MAX_WORK: u64 = 1 << 24;

/// The ground below a model.
pub struct Ground {
    /// The middles of all cells in the picture, in rows; `None` for those outside.
    corners: Vec<Option<Corner>>,
    /// The opacity of the shadow there.
    opacities: Vec<f64>,
}

/// Cells along each side of the ground.
fn side() -> usize {
    LIGHT.shadow.cells
}

impl Ground {
    /// Returns the ground below a model; `None` if it is not seen from above, or has no shadow.
    pub fn below(model: &Model, projection: &Projection, size: usize) -> Option<Self> {
        let bounds = model.bounds().filter(|_| projection.sees_ground())?;
        let middle = [0, 2].map(|axis| bounds[0][axis] * 0.5 + bounds[1][axis] * 0.5);
        let sides = [0, 2].map(|axis| bounds[1][axis] * 0.5 - bounds[0][axis] * 0.5);
        let half = sides[0].max(sides[1]) * LIGHT.shadow.reach;
        if !(half > 0.0 && half.is_finite()) {
            return None;
        }
        let count = side();
        let cells = side() as f64;
        let height = LIGHT.shadow.height * projection.extent;
        let mut opacities = contact(model, |position| Pixel {
            x: ((position[0] - middle[0]) / half + 1.0) * 0.5 * cells,
            y: ((position[2] - middle[1]) / half + 1.0) * 0.5 * cells,
            // Greater where it is lower: 1 on the ground, 0 where no shadow is left.
            depth: 1.0 - (position[1] - projection.ground) / height,
        })?;
        if opacities.iter().all(|opacity| *opacity == 0.0) {
            return None;
        }
        for _ in 0..3 {
            opacities = blurred(&blurred(&opacities));
        }
        Some(Self {
            corners: (0..count * count)
                .map(|index| {
                    let at = |cell: usize, axis: usize| {
                        middle[axis] + ((cell as f64 + 0.5) / cells * 2.0 - 1.0) * half
                    };
                    let place = [
                        at(index % count, 0),
                        projection.ground,
                        at(index / count, 1),
                    ];
                    Corner::new(projection.pixel(&place), size)
                })
                .collect(),
            opacities,
        })
    }

    /// Draws the shadow into some rows.
    pub fn draw(&self, band: &mut Band, projection: &Projection) {
        let count = side();
        for cell in (0..count * (count - 1)).filter(|cell| cell % count + 1 < count) {
            let [a, b, c, d] = [cell, cell + 1, cell + count + 1, cell + count];
            for triangle in [[a, b, c], [a, c, d]] {
                let opacities = triangle.map(|cell| self.opacities[cell]);
                if opacities == [0.0; 3] {
                    continue;
                }
                let [Some(a), Some(b), Some(c)] = triangle.map(|cell| self.corners[cell]) else {
                    continue;
                };
                let corners = [a, b, c];
                if band.is_beside(&corners) {
                    continue;
                }
                let depths = corners.map(|corner| f64::from(corner.depth));
                let color = |weights| -> Option<Color> {
                    let weights: [f64; 3] = projection.in_space(weights, depths);
                    let opacity = dot(weights, opacities);
                    let [red, green, blue] = LIGHT.shadow.color;
                    Some([
                        red,
                        green,
                        blue,
                        (opacity * LIGHT.shadow.opacity * 255.0 + 0.5) as u8,
                    ])
                };
                if let Some(covered) = Covered::of(&corners, band.size) {
                    band.triangle(&covered, &corners, Write::Mix, color);
                }
            }
        }
    }
}

/// How dark the ground is in each cell, from 0 to 1, by the lowest triangles above it; `None` if that would take very long. `place` gives
/// a position's place in cells, and a depth that is 1 on the ground.
fn contact(model: &Model, place: impl Fn(&[f64; 3]) -> Pixel) -> Option<Vec<f64>> {
    let mut work = 0;
    let count = side();
    let mut band = Band::new(count);
    band.start(0..count, [0; 4]);
    for surface in &model.surfaces {
        for triangle in &surface.triangles {
            let pixels = triangle.map(|vertex| place(&surface.positions[vertex as usize]));
            if pixels.iter().all(|pixel| pixel.depth <= 0.0) {
                continue;
            }
            let [Some(a), Some(b), Some(c)] = pixels.map(|pixel| Corner::new(pixel, count)) else {
                continue;
            };
            let corners = [a, b, c];
            if let Some(covered) = Covered::of(&corners, count) {
                work += covered.pixel_count();
                if work > MAX_WORK {
                    return None;
                }
                band.triangle(&covered, &corners, Write::Replace, |_| Some([0; 4]));
            }
        }
    }
    let darkness = |depth: &f32| f64::from(*depth).clamp(0.0, 1.0);
    let of_cell = |samples: &Halves<f32>| {
        let samples = samples.as_flattened().iter();
        let squares = samples.map(|depth| darkness(depth) * darkness(depth));
        squares.sum::<f64>() / SAMPLES as f64
    };
    Some(
        band.depths()
            .map(|samples| samples.map_or(0.0, of_cell))
            .collect(),
    )
}

/// The mean of the cells to both sides of each one, with rows and columns exchanged. There is nothing beyond the ground.
fn blurred(cells: &[f64]) -> Vec<f64> {
    let count = side();
    let mut result = vec![0.0; count * count];
    for (row, cells) in cells.chunks_exact(count).enumerate() {
        for column in 0..count {
            let range = column.saturating_sub(BLUR)..(column + BLUR + 1).min(count);
            let sum: f64 = cells[range].iter().sum();
            result[column * count + row] = sum / (2 * BLUR + 1) as f64;
        }
    }
    result
}
