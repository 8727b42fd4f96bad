//! The soft shadow that a model has on the ground below it, where it nearly touches it.

use super::coverage::{Corner, Covered, SAMPLES};
use super::projection::{Pixel, Projection};
use super::raster::{Band, Depths, Write};
use crate::light::{LIGHT, mix};
use rigy_kernel::math::{Vec3, cross, dot, minus};
use rigy_models::mesh::Model;
use wide::f32x8;

/// Cells to each side over which the shadow is blurred, each time.
const BLUR: usize = 2;
/// Most cells that are tested. Triangles that lie over each other more often have no shadow.
const MAX_WORK: u64 = 1 << 24;

/// The ground below a model.
pub struct Ground {
    /// The opacity of the shadow in the middles of all cells, in rows.
    opacities: Vec<f64>,
    /// The factors that give the column and the row of the cell that is seen at a place in the picture, from that place in pixels and 1. Both are
    /// times the third number, which is not positive above the horizon.
    cells: [Vec3; 3],
}

/// Cells along each side of the ground.
fn side() -> usize {
    LIGHT.shadow.cells
}

impl Ground {
    /// Returns the ground below a model; `None` if it is not seen from above, or has no shadow.
    pub fn below(model: &Model, projection: &Projection) -> Option<Self> {
        let bounds = model.bounds().filter(|_| projection.sees_ground())?;
        let middle = [0, 2].map(|axis| bounds[0][axis] * 0.5 + bounds[1][axis] * 0.5);
        let sides = [0, 2].map(|axis| bounds[1][axis] * 0.5 - bounds[0][axis] * 0.5);
        let half = sides[0].max(sides[1]) * LIGHT.shadow.reach;
        if !(half > 0.0 && half.is_finite()) {
            return None;
        }
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
        let pixel = |cell: [f64; 2]| {
            let at = |axis: usize| middle[axis] + ((cell[axis] + 0.5) / cells * 2.0 - 1.0) * half;
            projection.multiple(&[at(0), projection.ground, at(1)])
        };
        let first = pixel([0.0, 0.0]);
        let [right, down] = [[1.0, 0.0], [0.0, 1.0]].map(|cell| minus(pixel(cell), first));
        // The inverse times the determinant, which is positive as the ground is seen from above.
        let cells = [cross(down, first), cross(first, right), cross(right, down)];
        Some(Self { opacities, cells })
    }

    /// Mixes the shadow into some rows.
    pub fn draw(&self, band: &mut Band) {
        let [red, green, blue] = LIGHT.shadow.color;
        let last = (side() - 1) as f64;
        band.mix(|pixel| {
            let [x, y] = pixel.map(|number| number as f64 + 0.5);
            let [x, z, factor] = self.cells.map(|cells| dot(cells, [x, y, 1.0]));
            // Nothing is between these above the horizon.
            let is_inside = |number: f64| number > 0.0 && number < last * factor;
            if !is_inside(x) || !is_inside(z) {
                return None;
            }
            let opacity = self.opacity([x / factor, z / factor]) * LIGHT.shadow.opacity;
            let opacity = (opacity * 255.0 + 0.5) as u8;
            (opacity > 0).then_some([red, green, blue, opacity])
        });
    }

    /// The opacity at a place in cells, between the middles of the four nearest.
    fn opacity(&self, at: [f64; 2]) -> f64 {
        let [column, row] = at.map(|number| (number as usize).min(side() - 2));
        let in_row = |row: usize| {
            let first = row * side() + column;
            let ends = [self.opacities[first], self.opacities[first + 1]];
            mix(ends[0], ends[1], at[0] - column as f64)
        };
        mix(in_row(row), in_row(row + 1), at[1] - row as f64)
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
    let of_cell = |samples: &Depths| {
        let samples = samples.iter().flat_map(f32x8::as_array);
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
    let rows = cells.chunks_exact(count).enumerate();
    for (row, cells) in rows.filter(|(_, cells)| cells.iter().any(|cell| *cell != 0.0)) {
        let mut sum = 0.0;
        for column in 0..count + BLUR {
            sum += cells.get(column).unwrap_or(&0.0);
            if column > 2 * BLUR {
                sum -= cells[column - 2 * BLUR - 1];
            }
            if column >= BLUR {
                result[(column - BLUR) * count + row] = sum / (2 * BLUR + 1) as f64;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::super::camera::VIEWS;
    use super::super::frame::Frame;
    use super::*;
    use rigy_models::mesh::Surface;

    #[test]
    fn the_cell_that_is_seen_at_a_place_is_the_one_that_is_drawn_there() {
        for unit in [1.0, 1e300, 1e-300] {
            let corners = [[-1.0, 0.0, 2.0], [5.0, 3.0, -2.0], [0.5, 0.0, 0.0]];
            let surface = Surface {
                positions: corners.map(|corner| corner.map(|n| n * unit)).to_vec(),
                triangles: vec![[0, 1, 2]],
                ..Surface::default()
            };
            let model = Model {
                surfaces: vec![surface],
                ..Model::default()
            };
            for view in VIEWS {
                let mut frame = Frame::new(view);
                frame.include(&model);
                let projection = frame.projection(100);
                let Some(ground) = Ground::below(&model, &projection) else {
                    assert!(!projection.sees_ground(), "{view:?}");
                    continue;
                };
                let Pixel { x, y, .. } = projection.pixel(&corners[0].map(|n| n * unit));
                let [column, row, factor] = ground.cells.map(|cells| dot(cells, [x, y, 1.0]));
                // The corner lies on the left and in front, 1 / 1.4 and 2 / 4.2 of the way to the edges.
                let expected = [1.0 - 1.0 / 1.4, 1.0 + 2.0 / 4.2].map(|n| n * 32.0 - 0.5);
                for (found, expected) in [column, row].into_iter().zip(expected) {
                    let off = found / factor - expected;
                    assert!(factor > 0.0 && off.abs() < 1e-6, "{view:?} {off}");
                }
            }
        }
    }
}
