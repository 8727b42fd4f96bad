//! Dual quaternions for whole frames: each block goes through five stages, each one block behind that before it.

use super::super::chunks::CHUNK;
use super::super::dqs;
use super::super::evaluate::{OfBlock, load_three, store_three};
use super::super::frame_palette::FrameMatrices;
use super::super::lists::BlockLists;
use super::super::palette::{DualPalette, ScaledRow};
use super::super::rest::BLOCK;
use super::super::rotate::Turned;
use super::super::signs::Signed;
use super::super::transforms::{Sums, Transforms};
use super::matrices::{Blend, Matrices};
use super::vectors::{Room, Unfinished, Vectors};
use super::{Run, part};
use crate::simd::F64Lanes;

/// Number of blocks that are under way; sums and transforms have room for so many.
const STAGES: usize = CHUNK / BLOCK;

/// What the stages hand on for a block.
struct Staged {
    matrices: Matrices,
    moved: Room,
    /// Of positions, normals and tangents.
    turned: [Turned; 3],
    directions: Unfinished,
}

impl Staged {
    const EMPTY: Self = Self {
        matrices: Matrices::ZERO,
        moved: Room::EMPTY,
        turned: [Turned::ZERO; 3],
        directions: Unfinished::ZERO,
    };
}

impl Run<'_, '_> {
    /// Dual quaternions, after linear blending if there are matrices. `scaled` has the rows of joints that are scaled in place.
    ///
    /// Each stage is one long chain of operations, or waits for roots or quotients. Between stages of other blocks a processor
    /// finds something to do meanwhile; their order below is the fastest of some that were measured.
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
        let signs = dual.signs();
        let mut signed = vec![Signed::default(); set_count];
        let mut sums = Sums::default();
        let mut transforms = Transforms::default();
        let mut staged = [const { Staged::EMPTY }; STAGES];
        let is_moved = [matrices.is_some() && scaled.is_none(), matrices.is_some()];
        if matrices.is_none() {
            to.signs.fill(1.0);
        }
        let count = to.positions.len() / 3 / BLOCK;
        for block in 0..count + STAGES {
            let behind = |stages| block.checked_sub(stages).filter(|block| *block < count);
            let start = |block: usize| block % STAGES * BLOCK;
            // Before the first stage, which gives the place of this block to another.
            if let Some(block) = behind(4) {
                let staged = &staged[block % STAGES];
                let rest = job.block(block).moved(&staged.moved, is_moved);
                staged.directions.finish::<V>(token, &rest, block, &mut to);
            }
            if let Some(block) = behind(2) {
                let lists = start(block)..start(block) + BLOCK;
                dqs::finish::<V>(token, lists, &sums, &mut transforms);
                if matrices.is_some() {
                    let staged = &mut staged[block % STAGES];
                    let rest = job.block(block);
                    staged.directions.keep::<V>(token, &rest, &mut staged.moved);
                }
            }
            if let Some(block) = behind(0) {
                let sets = &job.influences.sets[block * set_count..][..set_count];
                dual.sign_weights(signs, sets, &mut signed);
                let (signed, sums, start) = (&signed, &mut sums, start(block));
                if let Some(rows) = scaled {
                    let positions = job.block(block).positions;
                    dqs::sum_scaled::<V>(token, rows, sets, signed, positions, start, sums);
                } else {
                    dqs::sum_block::<V>(token, &dual.rows, sets, signed, start, sums);
                }
                if let Some(FrameMatrices(matrices)) = matrices {
                    let of = Blend::of(token, matrices, sets, job, block);
                    let Staged {
                        matrices, moved, ..
                    } = &mut staged[block % STAGES];
                    for first in (0..BLOCK).step_by(V::LANES) {
                        let position = matrices.blend::<V>(&of, first);
                        store_three(&mut moved.0[0], first, position);
                    }
                }
            }
            if let Some(block) = behind(3) {
                let transforms = (&transforms, start(block));
                let to = part(to.positions, block);
                staged[block % STAGES].place::<V>(token, transforms, &job.block(block), to);
            }
            if let Some(block) = behind(1) {
                sums.invert::<V>(token, start(block));
                if matrices.is_some() {
                    let staged = &mut staged[block % STAGES];
                    let (rest, directions) = (job.block(block), &mut staged.directions);
                    let signs = to.signs(block);
                    staged.matrices.turn::<V>(token, &rest, directions, signs);
                }
            }
            if let Some(block) = behind(2) {
                let transforms = (&transforms, start(block));
                let rest = job.block(block);
                staged[block % STAGES].turn::<V>(token, transforms, rest, is_moved);
            }
        }
    }
}

impl Staged {
    /// The first half of rotations.
    #[inline(always)]
    fn turn<V: F64Lanes>(
        &mut self,
        token: V::Token,
        (transforms, list): (&Transforms, usize),
        rest: Vectors,
        is_moved: [bool; 2],
    ) {
        let rest = rest.moved(&self.moved, is_moved);
        let rest = [Some(rest.positions), rest.normals, rest.tangents];
        for first in (0..BLOCK).step_by(V::LANES) {
            let transform = transforms.load(token, list, &BlockLists::EACH, first);
            for (turned, rest) in self.turned.iter_mut().zip(rest) {
                if let Some(rest) = rest {
                    let vector: [V; 3] = load_three(token, rest, first);
                    turned.turn(token, transform, vector, first);
                }
            }
        }
    }

    /// The second half. Positions are stored at once.
    #[inline(always)]
    fn place<V: F64Lanes>(
        &mut self,
        token: V::Token,
        (transforms, list): (&Transforms, usize),
        rest: &Vectors,
        to: &mut OfBlock,
    ) {
        let [position, normal, tangent] = &self.turned;
        for first in (0..BLOCK).step_by(V::LANES) {
            let transform = transforms.load::<V>(token, list, &BlockLists::EACH, first);
            let position = position.moved(token, transform, first);
            V::store_interleaved(position, &mut to[3 * first..]);
            if rest.normals.is_some() {
                let normal = normal.placed(token, transform, first);
                self.directions.normals.store(first, normal);
            }
            if rest.tangents.is_some() {
                let tangent = tangent.placed(token, transform, first);
                self.directions.tangents.store(first, tangent);
            }
        }
    }
}
