//! Cutting big meshes up for the threads of a pool.

use std::ops::Range;

use rayon::prelude::*;

use crate::compile::{Evaluate, Splitter};
use crate::glb::Posed;
use crate::kernel::BLOCK;

/// Cuts meshes of more than [`SPLIT_ABOVE`] vertices into pieces for the threads of the current pool.
#[derive(Clone, Copy, Debug)]
pub struct SplitByRayon;

/// Meshes of at most this many vertices are not worth cutting.
pub const SPLIT_ABOVE: usize = 20_000;

/// Vertices of a piece, a whole number of blocks: few enough for several pieces a thread of the current pool, so that
/// none waits for long in the end, and enough to forget the cost of handing one out.
pub fn piece_len(vertex_count: usize) -> usize {
    let even = vertex_count / (4 * rayon::current_num_threads());
    even.clamp(1_024, 8_192).next_multiple_of(BLOCK)
}

impl Splitter for SplitByRayon {
    fn for_each_piece(&self, vertex_count: usize, posed: &mut Posed, evaluate: &Evaluate<'_>) {
        let (positions, normals) = (&mut posed.positions, &mut posed.normals);
        if vertex_count <= SPLIT_ABOVE {
            return evaluate(0..vertex_count, positions, normals);
        }
        let len = piece_len(vertex_count);
        let pieces = positions
            .par_chunks_mut(3 * len)
            .zip(normals.par_chunks_mut(3 * len));
        pieces
            .enumerate()
            .for_each(|(index, (positions, normals))| {
                let start = index * len;
                let range: Range<usize> = start..vertex_count.min(start + len);
                evaluate(range, positions, normals);
            });
    }
}
