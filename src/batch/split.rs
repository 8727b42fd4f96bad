//! Cutting big meshes up for the threads of a pool.

use std::ops::Range;

use rayon::prelude::*;

use crate::compile::{Evaluate, Splitter};
use crate::glb::Posed;
use crate::kernel::BLOCK;

/// Cuts meshes of more than [`SPLIT_ABOVE`] vertices into pieces for the threads of the current pool.
#[derive(Clone, Copy, Debug)]
pub struct SplitByRayon;

/// Smaller meshes are not worth cutting.
const SPLIT_ABOVE: usize = 20_000;
/// Vertices of a piece: a whole number of blocks, large enough to forget the cost of handing it out.
const PIECE: usize = 1_024 * BLOCK;

impl Splitter for SplitByRayon {
    fn for_each_piece(&self, vertex_count: usize, posed: &mut Posed, evaluate: &Evaluate<'_>) {
        let (positions, normals) = (&mut posed.positions, &mut posed.normals);
        if vertex_count <= SPLIT_ABOVE {
            return evaluate(0..vertex_count, positions, normals);
        }
        let pieces = positions
            .par_chunks_mut(3 * PIECE)
            .zip(normals.par_chunks_mut(3 * PIECE));
        pieces
            .enumerate()
            .for_each(|(index, (positions, normals))| {
                let start = index * PIECE;
                let range: Range<usize> = start..vertex_count.min(start + PIECE);
                evaluate(range, positions, normals);
            });
    }
}
