//! Dual quaternions for whole frames, by passes over the blocks of a chunk.

use super::super::chunks::CHUNK;
use super::super::dqs;
use super::super::evaluate::{load_three, store_three};
use super::super::frame_palette::FrameMatrices;
use super::super::lbs::Directions;
use super::super::lists::BlockLists;
use super::super::palette::{DualPalette, ScaledRow};
use super::super::rest::BLOCK;
use super::super::rotate;
use super::super::signs::Signed;
use super::super::transforms::{Sums, Transforms};
use super::matrices::{Blend, Matrices};
use super::vectors::{OfVector, Room, Unfinished, Vectors, block_of};
use super::{Run, part};
use crate::simd::F64Lanes;

/// What the passes hand on for a block.
struct Staged {
    matrices: Matrices,
    turned: Unfinished,
    moved: Room,
}

impl Staged {
    const EMPTY: Self = Self {
        matrices: Matrices::ZERO,
        turned: Unfinished::ZERO,
        moved: Room::EMPTY,
    };
}

impl Run<'_, '_> {
    /// Dual quaternions, after linear blending if there are matrices. `scaled` has the rows of joints that are scaled in place.
    #[inline(always)]
    pub fn dual<V: F64Lanes>(
        self,
        token: V::Token,
        matrices: Option<&FrameMatrices>,
        dual: &DualPalette,
        scaled: Option<&[ScaledRow]>,
        set_count: usize,
    ) {
        let Self { job, mut to } = self;
        let influences = job.influences;
        let signs = dual.signs();
        let mut signed = vec![Signed::default(); CHUNK / BLOCK * set_count];
        let mut sums = Sums::default();
        let mut transforms = Transforms::default();
        let mut staged = [const { Staged::EMPTY }; CHUNK / BLOCK];
        let stages = [matrices.is_some() && scaled.is_none(), matrices.is_some()];
        if matrices.is_none() {
            to.signs.fill(1.0);
        }
        let mut blocks = 0..to.positions.len() / 3 / BLOCK;
        while !blocks.is_empty() {
            let chunk = influences.chunk(blocks.clone());
            blocks.start = chunk.blocks.end;
            let sets = influences.sets(chunk.lists.clone());
            dual.sign_weights(signs, sets, &mut signed);
            match scaled {
                None => dqs::sum::<V>(token, &dual.rows, set_count, sets, &signed, &mut sums),
                // No two vertices share a list, so the lists of the chunk are its vertices.
                Some(rows) => {
                    for (place, block) in chunk.blocks.clone().enumerate() {
                        let of_block = place * set_count..(place + 1) * set_count;
                        let sets = &sets[of_block.clone()];
                        let signed = &signed[of_block];
                        let positions = block_of(job.positions, block);
                        let start = place * BLOCK;
                        dqs::sum_scaled::<V>(
                            token, rows, sets, signed, positions, start, &mut sums,
                        );
                    }
                }
            }
            dqs::finish::<V>(token, chunk.lists.len(), &sums, &mut transforms);
            if let Some(FrameMatrices(matrices)) = matrices {
                let lists = sets.chunks_exact(set_count);
                for ((block, staged), sets) in chunk.blocks.clone().zip(&mut staged).zip(lists) {
                    let of = Blend::of(token, matrices, sets, job, block);
                    for first in (0..BLOCK).step_by(V::LANES) {
                        let position = staged.matrices.blend::<V>(&of, first);
                        store_three(&mut staged.moved.0[0], first, position);
                    }
                }
                for (block, staged) in chunk.blocks.clone().zip(&mut staged) {
                    let Staged {
                        matrices, turned, ..
                    } = staged;
                    matrices.turn::<V>(token, &job.block(block), turned, to.signs(block));
                }
                for (block, staged) in chunk.blocks.clone().zip(&mut staged) {
                    let Staged { turned, moved, .. } = staged;
                    turned.keep::<V>(token, &job.block(block), moved);
                }
            }
            for (place, (block, staged)) in chunk.blocks.clone().zip(&mut staged).enumerate() {
                let transforms = (&transforms, place * BLOCK);
                let Staged { moved, turned, .. } = staged;
                let vectors = job.block(block).moved(moved, stages);
                if let Some(normals) = vectors.normals {
                    turn::<V>(token, transforms, normals, &mut turned.normals);
                }
                if let Some(tangents) = vectors.tangents {
                    turn::<V>(token, transforms, tangents, &mut turned.tangents);
                }
            }
            for (place, (block, staged)) in chunk.blocks.clone().zip(&staged).enumerate() {
                let Vectors { positions, .. } = job.block(block).moved(&staged.moved, stages);
                let to = part(to.positions, block);
                for first in (0..BLOCK).step_by(V::LANES) {
                    let position = load_three(token, positions, first);
                    let transform = transform(token, (&transforms, place * BLOCK), first);
                    let position = rotate::moved(V::splat(token, 0.0), transform, position);
                    V::store_interleaved(position, &mut to[3 * first..]);
                }
            }
            for (block, staged) in chunk.blocks.zip(&staged) {
                let vectors = job.block(block).moved(&staged.moved, stages);
                staged.turned.finish::<V>(token, &vectors, block, &mut to);
            }
        }
    }
}

/// Rotates directions of a block.
#[inline(always)]
fn turn<V: F64Lanes>(
    token: V::Token,
    transforms: (&Transforms, usize),
    vectors: OfVector,
    turned: &mut Directions,
) {
    for first in (0..BLOCK).step_by(V::LANES) {
        let direction = load_three(token, vectors, first);
        let transform = transform(token, transforms, first);
        let direction = rotate::turned(V::splat(token, 0.0), transform, direction);
        turned.store(first, direction);
    }
}

/// The transforms of the vertices from `first` on in a block, the first of whose lists is `list` in the chunk.
#[inline(always)]
fn transform<V: F64Lanes>(
    token: V::Token,
    (transforms, list): (&Transforms, usize),
    first: usize,
) -> [V; 7] {
    transforms.load(token, list, &BlockLists::EACH, first)
}
