//! Implicit surfaces: the surface where a sum of fields has a given value, as triangles (`extensions.md` §8).
//!
//! In: a [`Surface`]. Out: [`Extracted`] vertices with normals, three for each triangle, not shared. The field is evaluated in
//! lanes, one point in each, so every instruction set gives the bits of the scalar path. Layers of cells are tasks that an
//! executor runs. Memory is that of two layers of samples for each task, and that of the output.

mod cells;
mod field;
mod table;

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use super::math::Vec3;
use super::simd::Isa;
use crate::executor::Executor;
pub use field::{Falloff, Operator, Skeleton};

/// A surface in a box that is sampled on a regular grid.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The corner of the box with the smallest coordinates, in metres.
    pub min: Vec3,
    /// The corner with the largest, each larger than that of `min`.
    pub max: Vec3,
    /// The number of samples along x, y and z, at least 2 each.
    pub samples: [usize; 3],
    /// The value of the field at the surface.
    pub iso: f64,
    /// The fields, which are summed in this order.
    pub operators: Vec<Operator>,
}

/// Vertices of triangles: planes of x, y and z. Three vertices in turn are a triangle.
#[derive(Debug, Default, PartialEq)]
pub struct Extracted {
    /// Positions in metres.
    pub positions: [Vec<f64>; 3],
    /// Unit normals, which point to where the field becomes less.
    pub normals: [Vec<f64>; 3],
}

impl Extracted {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.positions[0].len()
    }

    /// Returns true if the surface has no vertices.
    pub fn is_empty(&self) -> bool {
        self.positions[0].is_empty()
    }

    /// Returns vertices that are all zeros.
    fn zeroed(len: usize) -> Self {
        let plane = || vec![0.0; len];
        Self {
            positions: std::array::from_fn(|_| plane()),
            normals: std::array::from_fn(|_| plane()),
        }
    }

    /// Returns all parts in turn. The executor copies them, so that its threads take the new memory from the system.
    fn joined(parts: Vec<Self>, executor: &dyn Executor) -> Self {
        let mut all = Self::zeroed(parts.iter().map(Self::len).sum());
        let [x, y, z] = &mut all.positions;
        let [u, v, w] = &mut all.normals;
        let mut rest = [x, y, z, u, v, w].map(Vec::as_mut_slice);
        let pieces: Vec<_> = parts
            .into_iter()
            .map(|part| {
                let places = rest.each_mut().map(|rest| {
                    let (place, after) = std::mem::take(rest).split_at_mut(part.len());
                    *rest = after;
                    place
                });
                Mutex::new((places, part))
            })
            .collect();
        executor.for_each(pieces.len(), &|index| {
            let mut piece = pieces[index].lock().unwrap_or_else(PoisonError::into_inner);
            let (places, part) = &mut *piece;
            let planes = part.positions.iter().chain(&part.normals);
            places
                .iter_mut()
                .zip(planes)
                .for_each(|(place, plane)| place.copy_from_slice(plane));
            *part = Self::default();
        });
        drop(pieces);
        all
    }
}

/// The error of a surface with more vertices than are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyVertices;

/// Least layers of cells of a task: each task evaluates one layer of samples more than it has layers of cells.
const LEAST_LAYERS: usize = 16;

impl Surface {
    /// Returns the number of samples of the whole grid.
    pub fn sample_count(&self) -> usize {
        self.samples
            .iter()
            .fold(1, |count, n| count.saturating_mul(*n))
    }

    /// Returns the coordinates of the samples along an axis: `lo + ((hi − lo)·i)/(n − 1)`.
    fn coordinates(&self, axis: usize) -> Vec<f64> {
        let indices = 0..self.samples[axis];
        indices.map(|i| self.coordinate(axis, i)).collect()
    }

    fn coordinate(&self, axis: usize, i: usize) -> f64 {
        let lo = self.min[axis];
        let hi = self.max[axis];
        let count = self.samples[axis];
        lo + ((hi - lo) * i as f64) / (count - 1) as f64
    }

    /// Returns for each axis whether the triangles of the surface have edges in the first and in the last side of the box: there
    /// the surface is open.
    pub fn open_sides(&self, extracted: &Extracted) -> [[bool; 2]; 3] {
        let planes = &extracted.positions;
        let is_long = |a: usize, b: usize| planes.iter().any(|plane| plane[a] != plane[b]);
        [0, 1, 2].map(|axis| {
            [0, self.samples[axis] - 1].map(|i| {
                let side = self.coordinate(axis, i);
                let is_in = |vertex: usize| planes[axis][vertex] == side;
                let is_open = |a: usize, b: usize| is_in(a) && is_in(b) && is_long(a, b);
                (0..extracted.len())
                    .step_by(3)
                    .any(|v| is_open(v, v + 1) || is_open(v + 1, v + 2) || is_open(v + 2, v))
            })
        })
    }

    /// Returns the distances of samples along each axis.
    fn steps(&self) -> Vec3 {
        [0, 1, 2].map(|axis| (self.max[axis] - self.min[axis]) / (self.samples[axis] - 1) as f64)
    }

    /// Returns the triangles of the surface, in the order of the cells: z outermost, then y, then x.
    ///
    /// # Errors
    /// If there would be more than `limit` vertices; memory is taken for no more.
    pub fn extract(
        &self,
        isa: Isa,
        executor: &dyn Executor,
        limit: u64,
    ) -> Result<Extracted, TooManyVertices> {
        let layers = self.samples[2] - 1;
        let per_layer = self.samples[0] * self.samples[1];
        let per_task = executor.vertices_per_task(self.sample_count()) / per_layer;
        let per_task = per_task.max(LEAST_LAYERS).min(layers);
        let count = layers.div_ceil(per_task);
        let grid = cells::Grid::new(self, isa);
        let total = AtomicU64::new(0);
        let mut parts = executor.results(count, |task| {
            let first = task * per_task;
            let layers = first..layers.min(first + per_task);
            cells::extract(&grid, layers, |more| {
                total
                    .fetch_add(more, Ordering::Relaxed)
                    .saturating_add(more)
                    <= limit
            })
        });
        if total.into_inner() > limit {
            return Err(TooManyVertices);
        }
        parts.retain(|part| !part.is_empty());
        Ok(match parts.len() {
            0 | 1 => parts.pop().unwrap_or_default(),
            _ => Extracted::joined(parts, executor),
        })
    }
}

#[cfg(test)]
mod tests;
