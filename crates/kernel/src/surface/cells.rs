//! From the values of the field to triangles, layer by layer (`extensions.md` §8.3 to §8.5).

use std::ops::Range;

use super::field::{BLOCK, evaluate};
use super::table::{CORNERS, EDGES, triangles};
use super::{Extracted, Surface};
use crate::math::Vec3;
use crate::simd::Isa;

/// Shortest gradient that gives a normal.
const LEAST: f64 = 1e-30;

/// Samples and points are evaluated when there are so many, a multiple of [`BLOCK`].
const PIECE: usize = 8 * BLOCK;

/// Returns the triangles of some layers of cells. `permits` is called with numbers of vertices before memory is taken for them;
/// these and all later ones are left out when it returns false.
pub fn extract(
    grid: &Grid,
    layers: Range<usize>,
    mut permits: impl FnMut(u64) -> bool,
) -> Extracted {
    let mut slab = Slab::new(grid, &layers);
    let mut corners = Corners::default();
    let mut out = Extracted::default();
    let [nx, ny, _] = grid.surface.samples;
    while slab.advance(grid, layers.end) {
        for (z, y) in (0..slab.count).flat_map(|z| (0..ny - 1).map(move |y| (z, y))) {
            for x in (0..nx - 1).step_by(PIECE) {
                grid.cells(&slab, x..(nx - 1).min(x + PIECE), [y, z], &mut corners);
                let is_full = corners.points[0].len() >= PIECE;
                if is_full && !corners.finish(grid, &mut permits, &mut out) {
                    return out;
                }
            }
        }
    }
    corners.finish(grid, &mut permits, &mut out);
    out
}

/// Some layers of samples in turn: several if they are small, so that few of the evaluated points are padding.
struct Slab {
    /// The layer of samples at the beginning.
    first: usize,
    /// The number of layers of cells, of which each has a layer of samples at both sides.
    count: usize,
    /// The most layers of cells that there may be.
    most: usize,
    /// Values, layer by layer and row by row, then padding.
    values: Vec<f64>,
    /// True where the value is at least that of the surface.
    inside: Vec<bool>,
    /// Points that have not been evaluated.
    points: [Vec<f64>; 3],
}

impl Slab {
    /// Returns the first layer of samples of some layers of cells.
    fn new(grid: &Grid, cells: &Range<usize>) -> Self {
        let most = (PIECE / grid.layer()).clamp(1, cells.len());
        let len = (most + 1) * grid.layer() + BLOCK;
        let mut slab = Self {
            first: cells.start,
            count: 0,
            most,
            values: vec![0.0; len],
            inside: vec![false; len],
            points: Default::default(),
        };
        slab.fill(grid, cells.start..cells.start + 1, 0);
        slab
    }

    /// Goes on to the next layers, of cells below `end`. Returns false if there are none.
    fn advance(&mut self, grid: &Grid, end: usize) -> bool {
        let len = grid.layer();
        let last = self.count * len..(self.count + 1) * len;
        self.values.copy_within(last.clone(), 0);
        self.inside.copy_within(last, 0);
        self.first += self.count;
        self.count = self.most.min(end - self.first);
        self.fill(grid, self.first + 1..self.first + 1 + self.count, len);
        self.count > 0
    }

    /// Computes layers of samples and stores them from the place `at` on.
    fn fill(&mut self, grid: &Grid, layers: Range<usize>, mut at: usize) {
        let [xs, ys, zs] = &grid.axes;
        for (z, y) in layers.flat_map(|z| ys.iter().map(move |y| (zs[z], *y))) {
            for xs in xs.chunks(PIECE) {
                self.points[0].extend_from_slice(xs);
                let len = self.points[0].len();
                self.points[1].resize(len, y);
                self.points[2].resize(len, z);
                if len >= PIECE {
                    at = self.evaluate(grid, len - len % BLOCK, at);
                }
            }
        }
        let len = self.points[0].len().next_multiple_of(BLOCK);
        // The values of the padding are not read.
        self.points
            .iter_mut()
            .for_each(|plane| plane.resize(len, 0.0));
        self.evaluate(grid, len, at);
    }

    /// Computes the values at the first `count` points, a multiple of [`BLOCK`], and stores them from the place `at` on. Returns
    /// the place after them.
    fn evaluate(&mut self, grid: &Grid, count: usize, at: usize) -> usize {
        let end = at + count;
        let values = &mut self.values[at..end];
        let points = self.points.each_ref().map(|plane| &plane[..count]);
        evaluate(grid.isa, &grid.surface.operators, points, values);
        for (inside, value) in self.inside[at..end].iter_mut().zip(values) {
            *inside = *value >= grid.surface.iso;
        }
        for plane in &mut self.points {
            plane.drain(..count);
        }
        end
    }
}

/// The grid of a surface.
pub struct Grid<'s> {
    surface: &'s Surface,
    isa: Isa,
    /// Coordinates of the samples along x, y and z.
    axes: [Vec<f64>; 3],
}

impl<'s> Grid<'s> {
    pub fn new(surface: &'s Surface, isa: Isa) -> Self {
        Self {
            surface,
            isa,
            axes: [0, 1, 2].map(|axis| surface.coordinates(axis)),
        }
    }

    /// Number of samples of a layer.
    fn layer(&self) -> usize {
        self.axes[0].len() * self.axes[1].len()
    }

    /// Adds the corners of the triangles of some cells of a row, the row `y` of the layer `z` of a slab.
    fn cells(&self, slab: &Slab, cells: Range<usize>, [y, z]: [usize; 2], out: &mut Corners) {
        // The four rows of samples at the edges of the cells, by their offsets along z and y.
        let nx = self.axes[0].len();
        let start = z * self.layer() + y * nx;
        let rows = [0, self.layer()].map(|layer| [0, nx].map(|row| start + layer + row));
        let inside = rows
            .map(|rows| rows.map(|row: usize| &slab.inside[row + cells.start..=row + cells.end]));
        let count: usize = inside.iter().flatten().map(|row| count_true(row)).sum();
        if count == 0 || count == 4 * (cells.len() + 1) {
            return; // no cell has triangles
        }
        let first = cells.start;
        let columns = |x: usize| inside.map(|rows| rows.map(|row| row[x - first]));
        let mut left = columns(cells.start);
        for x in cells {
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
            out.add_cell(case, self.surface.iso, |corner| {
                let [dx, dy, dz] = CORNERS[corner];
                let point = [
                    self.axes[0][x + dx],
                    self.axes[1][y + dy],
                    self.axes[2][slab.first + z + dz],
                ];
                (point, slab.values[rows[dz][dy] + x + dx])
            });
        }
    }

    /// Computes the normals of all points: the negated gradient, by differences over a step of the grid to both sides.
    fn normals(&self, corners: &mut Corners) {
        let Surface { min, max, .. } = *self.surface;
        let steps = self.surface.steps();
        let count = corners.points[0].len();
        let len = count.next_multiple_of(BLOCK);
        let mut values = [vec![0.0; len], vec![0.0; len]];
        let mut points: [Vec<f64>; 3] = Default::default();
        for (axis, step) in steps.into_iter().enumerate() {
            for (side, values) in [1.0, -1.0].into_iter().zip(&mut values) {
                for (component, plane) in points.iter_mut().enumerate() {
                    let lo = min[component];
                    let hi = max[component];
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
                let points = points.each_ref().map(Vec::as_slice);
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

fn count_true(row: &[bool]) -> usize {
    row.iter().map(|inside| usize::from(*inside)).sum()
}

fn clamped(value: f64, lo: f64, hi: f64) -> f64 {
    let value = if value < lo { lo } else { value };
    if value > hi { hi } else { value }
}

/// The corners of triangles. A point of an edge is kept once for each cell.
#[derive(Default)]
struct Corners {
    points: [Vec<f64>; 3],
    normals: [Vec<f64>; 3],
    /// The points of the triangles in order.
    order: Vec<u32>,
}

impl Corners {
    /// Computes normals, appends the vertices of the triangles and forgets them, if `permits` returns true for their number.
    fn finish(
        &mut self,
        grid: &Grid,
        permits: &mut impl FnMut(u64) -> bool,
        out: &mut Extracted,
    ) -> bool {
        let is_permitted = permits(self.order.len() as u64);
        if is_permitted {
            grid.normals(self);
            self.write(out);
            self.points.iter_mut().for_each(Vec::clear);
            self.order.clear();
        }
        is_permitted
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
        for (plane, from) in out
            .positions
            .iter_mut()
            .chain(&mut out.normals)
            .zip(self.points.iter().chain(&self.normals))
        {
            plane.extend(self.order.iter().map(|index| from[*index as usize]));
        }
    }
}
