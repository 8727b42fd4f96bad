//! From the values of the field to triangles, layer by layer (`extensions.md` §8.3 to §8.5).

use std::ops::Range;

use super::field::{BLOCK, evaluate};
use super::table::{CORNERS, EDGES, triangles};
use super::{Extracted, Surface};
use crate::kernel::math::Vec3;
use crate::kernel::simd::Isa;

/// Shortest gradient that gives a normal.
const LEAST: f64 = 1e-30;

/// Returns the triangles of some layers of cells. `permits` is called with the number of vertices of each layer before memory
/// is taken for them; the layer and all later ones are left out when it returns false.
pub(super) fn extract(
    surface: &Surface,
    isa: Isa,
    layers: Range<usize>,
    mut permits: impl FnMut(u64) -> bool,
) -> Extracted {
    let mut grid = Grid::new(surface, isa);
    let mut out = Extracted::default();
    let mut corners = Corners::default();
    let mut upper = grid.layer(layers.start);
    let mut lower = upper.clone();
    for z in layers {
        std::mem::swap(&mut lower, &mut upper);
        grid.fill(z + 1, &mut upper);
        corners.clear();
        for y in 0..surface.samples[1] - 1 {
            grid.cells(&lower, &upper, [y, z], &mut corners);
        }
        if !permits(corners.order.len() as u64) {
            break;
        }
        grid.normals(&mut corners);
        corners.write(&mut out);
    }
    out
}

/// The samples of one layer of the grid.
#[derive(Clone)]
struct Layer {
    /// Values, row by row; rows are padded.
    values: Vec<f64>,
    /// True where the value is at least that of the surface.
    inside: Vec<bool>,
}

struct Grid<'s> {
    surface: &'s Surface,
    isa: Isa,
    /// Coordinates of the samples along x, y and z.
    axes: [Vec<f64>; 3],
    /// Length of a row with its padding.
    row: usize,
    /// Points of a row, or points at which normals need the field.
    points: [Vec<f64>; 3],
}

impl<'s> Grid<'s> {
    fn new(surface: &'s Surface, isa: Isa) -> Self {
        let axes = [0, 1, 2].map(|axis| surface.coordinates(axis));
        let row = surface.samples[0].next_multiple_of(BLOCK);
        Self {
            surface,
            isa,
            axes,
            row,
            points: Default::default(),
        }
    }

    fn layer(&mut self, z: usize) -> Layer {
        let len = self.row * self.surface.samples[1];
        let mut layer = Layer {
            values: vec![0.0; len],
            inside: vec![false; len],
        };
        self.fill(z, &mut layer);
        layer
    }

    /// Computes the samples of the layer `z`.
    fn fill(&mut self, z: usize, layer: &mut Layer) {
        let [xs, ys, zs] = &mut self.points;
        xs.clear();
        xs.extend_from_slice(&self.axes[0]);
        // The padding repeats the last sample, and is not read.
        xs.resize(self.row, self.axes[0][self.axes[0].len() - 1]);
        zs.clear();
        zs.resize(self.row, self.axes[2][z]);
        for (y, values) in self.axes[1]
            .iter()
            .zip(layer.values.chunks_exact_mut(self.row))
        {
            ys.clear();
            ys.resize(self.row, *y);
            evaluate(self.isa, &self.surface.operators, [xs, ys, zs], values);
        }
        for (inside, value) in layer.inside.iter_mut().zip(&layer.values) {
            *inside = *value >= self.surface.iso;
        }
    }

    /// Adds the corners of the triangles of a row of cells.
    fn cells(&self, lower: &Layer, upper: &Layer, [y, z]: [usize; 2], out: &mut Corners) {
        // The four rows of samples at the edges of the cells, by their offsets along y and z.
        let starts = [y * self.row, (y + 1) * self.row];
        let layers = [lower, upper];
        let columns = |x: usize| {
            let inside = |y: usize, z: usize| layers[z].inside[starts[y] + x];
            [[inside(0, 0), inside(1, 0)], [inside(0, 1), inside(1, 1)]]
        };
        let mut left = columns(0);
        for x in 0..self.surface.samples[0] - 1 {
            let right = columns(x + 1);
            let sides = [left, right];
            left = right;
            let mut case = 0;
            for (corner, [dx, dy, dz]) in CORNERS.iter().enumerate() {
                case |= u8::from(sides[*dx][*dz][*dy]) << corner;
            }
            if case == 0 || case == u8::MAX {
                continue;
            }
            let sample = |corner: usize| {
                let [dx, dy, dz] = CORNERS[corner];
                let point = [
                    self.axes[0][x + dx],
                    self.axes[1][y + dy],
                    self.axes[2][z + dz],
                ];
                (point, layers[dz].values[starts[dy] + x + dx])
            };
            out.add_cell(case, self.surface.iso, sample);
        }
    }

    /// Computes the normals of all points: the negated gradient, by differences over a step of the grid to both sides.
    fn normals(&mut self, corners: &mut Corners) {
        let Surface { min, max, .. } = *self.surface;
        let steps = self.surface.steps();
        let count = corners.points[0].len();
        let len = count.next_multiple_of(BLOCK);
        let mut values = [vec![0.0; len], vec![0.0; len]];
        for (axis, step) in steps.into_iter().enumerate() {
            for (side, values) in [1.0, -1.0].into_iter().zip(&mut values) {
                for (component, plane) in self.points.iter_mut().enumerate() {
                    let (lo, hi) = (min[component], max[component]);
                    plane.clear();
                    let of_points = corners.points[component].iter();
                    plane.extend(of_points.map(|value| {
                        let moved = if component == axis {
                            value + side * step
                        } else {
                            *value
                        };
                        clamped(moved, lo, hi)
                    }));
                    plane.resize(len, lo);
                }
                let points = self.points.each_ref().map(Vec::as_slice);
                evaluate(self.isa, &self.surface.operators, points, values);
            }
            let [ahead, behind] = &values;
            let differences = ahead.iter().zip(behind).take(count);
            corners.normals[axis].clear();
            corners.normals[axis].extend(differences.map(|(ahead, behind)| -(ahead - behind)));
        }
        let [xs, ys, zs] = &mut corners.normals;
        for ((x, y), z) in xs.iter_mut().zip(ys).zip(zs) {
            let length = ((*x * *x + *y * *y) + *z * *z).sqrt();
            [*x, *y, *z] = match length < LEAST {
                true => [0.0, 1.0, 0.0],
                false => [*x / length, *y / length, *z / length],
            };
        }
    }
}

fn clamped(value: f64, lo: f64, hi: f64) -> f64 {
    let value = if value < lo { lo } else { value };
    if value > hi { hi } else { value }
}

/// The corners of the triangles of a layer. A point of an edge is kept once for each cell.
#[derive(Default)]
struct Corners {
    points: [Vec<f64>; 3],
    normals: [Vec<f64>; 3],
    /// The points of the triangles in order.
    order: Vec<u32>,
}

impl Corners {
    fn clear(&mut self) {
        self.points.iter_mut().for_each(Vec::clear);
        self.order.clear();
    }

    /// Adds the triangles of a cell, given the place and the value of each of its corners.
    fn add_cell(&mut self, case: u8, iso: f64, sample: impl Fn(usize) -> (Vec3, f64)) {
        let mut known = [u32::MAX; EDGES.len()];
        for edge in triangles(case) {
            if known[edge] == u32::MAX {
                known[edge] = self.points[0].len() as u32;
                let [(a, at_a), (b, at_b)] = EDGES[edge].map(&sample);
                let t = (iso - at_a) / (at_b - at_a);
                for (axis, plane) in self.points.iter_mut().enumerate() {
                    plane.push(a[axis] + t * (b[axis] - a[axis]));
                }
            }
            self.order.push(known[edge]);
        }
    }

    /// Appends the vertices of the triangles.
    fn write(&self, out: &mut Extracted) {
        let planes = out.positions.iter_mut().chain(&mut out.normals);
        for (plane, from) in planes.zip(self.points.iter().chain(&self.normals)) {
            plane.extend(self.order.iter().map(|index| from[*index as usize]));
        }
    }
}
