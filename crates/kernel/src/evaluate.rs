//! From a job to its kernel: ranges of vertices, whole blocks, the entry point of an instruction set.

use std::ops::Range;
use std::slice::IterMut;
use std::sync::{Mutex, PoisonError};

use super::influences::Influences;
use super::palette::Palette;
use super::rest::{BLOCK, Block, Blocks, Coordinate, Rest};
use crate::executor::Executor;
use crate::simd::{F64Lanes, Isa, dispatch};

/// Everything one skinning evaluation reads.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Transforms by joint.
    pub palette: &'a Palette,
    /// Joints and weights by vertex; joints are below the palette's joint count.
    pub influences: &'a Influences,
    /// Rest positions and normals.
    pub rest: &'a Rest,
}

/// Poses all vertices of a job, in tasks that `executor` runs, and writes them, three f32 each, to `positions` and
/// `normals`. The executor changes no bit of them.
///
/// # Panics
/// As [`evaluate`]; the outputs must hold exactly three numbers for each vertex of the job.
pub fn evaluate_all(
    isa: Isa,
    job: &Job,
    executor: &dyn Executor,
    positions: &mut [f32],
    normals: &mut [f32],
) {
    let count = job.rest.vertex_count();
    let len = executor.vertices_per_task(count).max(1);
    if len >= count {
        return evaluate(isa, job, 0..count, positions, normals);
    }
    assert!(positions.len() == 3 * count && normals.len() == 3 * count);
    // Each task locks only its own part of the outputs, and each part belongs to one task, so no lock is waited for.
    let parts: Vec<Mutex<_>> = positions
        .chunks_mut(3 * len)
        .zip(normals.chunks_mut(3 * len))
        .map(Mutex::new)
        .collect();
    executor.for_each(parts.len(), &|index| {
        let mut part = parts[index].lock().unwrap_or_else(PoisonError::into_inner);
        let (positions, normals) = &mut *part;
        let start = index * len;
        evaluate(isa, job, start..count.min(start + len), positions, normals);
    });
}

/// Poses a range of vertices and writes them, three f32 each, to `positions` and `normals`. Ranges that begin and
/// end at multiples of [`BLOCK`] are the fastest.
///
/// # Panics
/// If influences and rest vertices differ in number, the range exceeds them, a joint exceeds the palette, or
/// the outputs do not hold exactly three numbers for each vertex of the range.
pub fn evaluate(
    isa: Isa,
    job: &Job,
    vertices: Range<usize>,
    positions: &mut [f32],
    normals: &mut [f32],
) {
    let count = vertices.len();
    assert_eq!(job.influences.vertex_count(), job.rest.vertex_count());
    assert!(vertices.end <= job.rest.vertex_count());
    assert!(job.influences.joint_limit() <= job.palette.joint_count());
    assert!(positions.len() == 3 * count && normals.len() == 3 * count);

    let end = vertices.end;
    let mut to = Outputs { positions, normals };
    let mut vertices = vertices;
    let whole = vertices.start.next_multiple_of(BLOCK)..end / BLOCK * BLOCK;
    if !whole.is_empty() {
        part_of_block(
            isa,
            job,
            vertices.start..whole.start,
            to.take(whole.start - vertices.start),
        );
        blocks(
            isa,
            job,
            whole.start / BLOCK..whole.end / BLOCK,
            to.take(whole.len()),
        );
        vertices.start = whole.end;
    }
    while !vertices.is_empty() {
        let block_end = (vertices.start / BLOCK + 1) * BLOCK;
        let part = vertices.start..end.min(block_end);
        vertices.start = part.end;
        part_of_block(isa, job, part.clone(), to.take(part.len()));
    }
}

/// Evaluates one whole block and copies the results of the vertices in the range.
fn part_of_block(isa: Isa, job: &Job, vertices: Range<usize>, to: Outputs) {
    if vertices.is_empty() {
        return;
    }
    let block = vertices.start / BLOCK;
    let mut positions = [0.0; 3 * BLOCK];
    let mut normals = [0.0; 3 * BLOCK];
    let all = Outputs {
        positions: &mut positions,
        normals: &mut normals,
    };
    blocks(isa, job, block..block + 1, all);
    let kept = 3 * (vertices.start - block * BLOCK)..3 * (vertices.end - block * BLOCK);
    to.positions.copy_from_slice(&positions[kept.clone()]);
    to.normals.copy_from_slice(&normals[kept]);
}

/// Evaluates whole blocks.
fn blocks(isa: Isa, job: &Job, blocks: Range<usize>, to: Outputs) {
    let influences = job.influences;
    match (job.palette, &job.rest.blocks) {
        (Palette::Linear(palette), Blocks::Double(rest)) => {
            dispatch(isa, Run::new(palette, influences, rest, blocks, to));
        }
        (Palette::Linear(palette), Blocks::Single(rest)) => {
            dispatch(isa, Run::new(palette, influences, rest, blocks, to));
        }
        (Palette::Dual(palette), Blocks::Double(rest)) => {
            dispatch(isa, Run::new(palette, influences, rest, blocks, to));
        }
        (Palette::Dual(palette), Blocks::Single(rest)) => {
            dispatch(isa, Run::new(palette, influences, rest, blocks, to));
        }
    }
}

/// Slices that take the posed vertices, three numbers each.
struct Outputs<'a> {
    positions: &'a mut [f32],
    normals: &'a mut [f32],
}

impl<'a> Outputs<'a> {
    /// Splits off and returns the part for the next vertices.
    fn take(&mut self, vertex_count: usize) -> Outputs<'a> {
        let cut = |from: &mut &'a mut [f32]| {
            let (taken, left) = std::mem::take(from).split_at_mut(3 * vertex_count);
            *from = left;
            taken
        };
        Outputs {
            positions: cut(&mut self.positions),
            normals: cut(&mut self.normals),
        }
    }
}

/// An evaluation of whole blocks, to be passed to `simd::dispatch`. Each kind of palette implements the kernel: `lbs` and
/// `dqs`.
pub struct Run<'a, P, T> {
    pub palette: &'a P,
    pub influences: &'a Influences,
    pub rest: &'a [Block<T>],
    pub blocks: Range<usize>,
    outputs: Outputs<'a>,
}

impl<'a, P, T> Run<'a, P, T> {
    fn new(
        palette: &'a P,
        influences: &'a Influences,
        rest: &'a [Block<T>],
        blocks: Range<usize>,
        outputs: Outputs<'a>,
    ) -> Self {
        Self {
            palette,
            influences,
            rest,
            blocks,
            outputs,
        }
    }

    /// Returns the parts of the outputs for positions and normals of each block, in order.
    #[inline(always)]
    pub fn outputs(self) -> (IterMut<'a, OfBlock>, IterMut<'a, OfBlock>) {
        let Outputs { positions, normals } = self.outputs;
        let positions = positions.as_chunks_mut().0;
        let normals = normals.as_chunks_mut().0;
        (positions.iter_mut(), normals.iter_mut())
    }
}

/// Posed positions or normals of a block, three numbers each.
pub type OfBlock = [f32; 3 * BLOCK];

/// Loads positions and normals of the vertices from `first` on in a block.
#[inline(always)]
pub fn load<V: F64Lanes, T: Coordinate>(
    token: V::Token,
    block: &Block<T>,
    first: usize,
) -> [[V; 3]; 2] {
    [
        load_three(token, block.positions(), first),
        load_three(token, block.normals(), first),
    ]
}

/// Loads the vectors from `first` on in a block.
#[inline(always)]
pub fn load_three<V: F64Lanes, T: Coordinate>(
    token: V::Token,
    [x, y, z]: [&[T; BLOCK]; 3],
    first: usize,
) -> [V; 3] {
    [
        T::load(token, &x[first..]),
        T::load(token, &y[first..]),
        T::load(token, &z[first..]),
    ]
}

/// Stores vectors from `first` on in a block.
#[inline(always)]
pub fn store_three<V: F64Lanes>(planes: &mut [[f64; BLOCK]; 3], first: usize, vectors: [V; 3]) {
    for (plane, lanes) in planes.iter_mut().zip(vectors) {
        lanes.store(&mut plane[first..]);
    }
}
