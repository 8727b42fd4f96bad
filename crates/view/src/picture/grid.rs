//! A grid on the ground, and the axes of the scene.

use super::coverage::{Corner, Covered};
use super::projection::{Pixel, Projection};
use super::raster::{Band, Write};
use super::sheet::text_on;
use rigy_kernel::math::Vec3;
use rigy_models::mesh::Model;

/// Steps of the grid in half of the picture's side.
const STEPS: f64 = 3.0;
/// Most lines in one direction. Scenes that are much deeper than broad have no grid.
const MOST_LINES: f64 = 100.0;
/// Parts of a line: those that leave the picture are not drawn.
const PARTS: i64 = 16;
/// Opacity of lines.
const OPACITY: u8 = 64;
/// The colours of the axes.
const AXES: [[u8; 4]; 3] = [[212, 62, 58, 224], [62, 150, 66, 224], [58, 108, 214, 224]];

/// Returns the step of a grid for a picture that shows `extent` units to each side of its middle: 1, 2 or 5 times a power of ten.
pub fn step(extent: f64) -> f64 {
    let size = extent / STEPS;
    let power = libm::log10(size).floor();
    let digit = match size / libm::pow(10.0, power) {
        ..2.0 => 1,
        ..5.0 => 2,
        _ => 5,
    };
    // Read from a text, it is the number that is printed with one digit.
    format!("{digit}e{power}").parse().unwrap_or(1.0)
}

/// A line from one point of the scene to another, with its colour.
type Line = ([Vec3; 2], [u8; 4]);

/// Lines on the ground, and the axis that stands on it.
#[derive(Default)]
pub struct Grid {
    pub on_ground: Vec<Line>,
    pub upright: Vec<Line>,
}

impl Grid {
    /// Returns the grid below a model, one step beyond it on each side; without lines if there would be too many.
    pub fn below(model: &Model, projection: &Projection, background: [u8; 4]) -> Self {
        let step = step(projection.extent);
        let height = projection.ground;
        let Some([least, most]) = model.bounds() else {
            return Self::default();
        };
        let ends = [0, 2].map(|axis| {
            let first = (least[axis] / step).floor() - 1.0;
            [first, (most[axis] / step).ceil() + 1.0]
        });
        let is_short = |[first, last]: [f64; 2]| {
            last - first <= MOST_LINES && first.abs().max(last.abs()) < 1e12
        };
        if !ends.into_iter().all(is_short) {
            return Self::default();
        }
        let [red, green, blue, _] = text_on(background);
        let numbers = ends.map(|[first, last]| first as i64..=last as i64);
        let mut grid = Self::default();
        let line = |lines: &mut Vec<Line>, from: Vec3, to: Vec3, axis: Option<usize>| {
            let color = axis.map_or([red, green, blue, OPACITY], |axis| AXES[axis]);
            let between = |part: i64| -> Vec3 {
                let share = part as f64 / PARTS as f64;
                std::array::from_fn(|k| from[k] + share * (to[k] - from[k]))
            };
            lines.extend((0..PARTS).map(|part| ([between(part), between(part + 1)], color)));
        };
        for (along, across) in [(0, 1), (1, 0)] {
            for number in numbers[across].clone() {
                let end = |side: usize| {
                    let mut place = [number as f64; 2];
                    place[along] = ends[along][side];
                    [place[0] * step, height, place[1] * step]
                };
                let axis = (number == 0).then_some(2 * along);
                line(&mut grid.on_ground, end(0), end(1), axis);
            }
        }
        if numbers.iter().all(|numbers| numbers.contains(&0)) {
            let top = [0.0, height + 2.0 * step, 0.0];
            line(&mut grid.upright, [0.0, height, 0.0], top, Some(1));
        }
        grid
    }

    /// Draws lines into some rows.
    pub fn draw(lines: &[Line], band: &mut Band, projection: &Projection) {
        let width = (band.size as f64 / 512.0).max(1.0);
        for (ends, color) in lines {
            let [a, b] = ends.each_ref().map(|end| projection.pixel(end));
            let x = b.x - a.x;
            let y = b.y - a.y;
            let length = (x * x + y * y).sqrt();
            // The half of the width to the side of the line.
            let (x, y) = (-y / length * width * 0.5, x / length * width * 0.5);
            let corner = |end: Pixel, side: f64| {
                let x = end.x + side * x;
                let y = end.y + side * y;
                Corner::new(Pixel { x, y, ..end }, band.size)
            };
            let corners = [
                corner(a, 1.0),
                corner(a, -1.0),
                corner(b, -1.0),
                corner(b, 1.0),
            ];
            let [Some(a), Some(b), Some(c), Some(d)] = corners else {
                continue;
            };
            for corners in [[a, b, c], [a, c, d]] {
                if band.is_beside(&corners) {
                    continue;
                }
                if let Some(covered) = Covered::of(&corners, band.size) {
                    band.triangle(&covered, &corners, Write::Mix, |_| Some(*color));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_a_few_lie_in_every_picture() {
        let cases = [(3.0, 1.0), (0.9, 0.2), (1.7, 0.5), (0.06, 0.02), (3e7, 1e7)];
        for (extent, expected) in cases {
            assert_eq!(step(extent), expected, "{extent}");
        }
        for extent in [1e-300, 7e-12, 0.3, 55.0, 1e300] {
            assert!((1.0..=8.0).contains(&(extent / step(extent))), "{extent}");
        }
    }
}
