//! Skinning of whole vertex frames: position, normal and tangent by the rules for glTF (`bake.md` §3 to §5).
//!
//! ```text
//! LBS   p' = sum w·(J·p)   A = sum w·J₃ₓ₃   n' = cofactor(A)·n · sign(det A)   t' = A·t, its w · sign(det A)
//! DQS   the blended dual quaternion (r, t) of `numerics.md` §7: p' = rot(r, p) + t   n' = rot(r, n)   t' = rot(r, t)
//! DQS with scale: the dual parts that are summed are d + ½·r ⊗ (0, F·p − p); n and t by LBS with the first-stage matrices F, then DQS
//! in two stages:  LBS by the first-stage matrices, then DQS of its results
//! ```
//! Normals and tangents are divided by their length in the end, and between the stages; if that is at most
//! 1e-12, they stay as they were. Sums start at +0.0 and go through the slots in order, so slots of weight zero add
//! nothing, as in `lbs`. All operations are in f64; results are rounded to f32 once, when they are stored.

mod dual;
mod matrices;
mod vectors;

use self::matrices::{Blend, Matrices};
use self::vectors::{Unfinished, Vectors, block_of};
use super::evaluate::OfBlock;
use super::frame_palette::{FrameMatrices, FramePalette};
use super::influences::Influences;
use super::rest::BLOCK;
use crate::simd::{F64Lanes, Isa, Kernel, dispatch};

/// Planes of vectors, x y z; each holds a whole number of blocks of [`BLOCK`] vertices.
pub type Planes<'a> = [&'a [f64]; 3];

/// The inputs of one evaluation.
#[derive(Clone, Copy, Debug)]
pub struct FrameJob<'a> {
    /// Transforms by joint.
    pub palette: &'a FramePalette,
    /// Joints and weights by vertex, bound by [`Influences::bind_each`] or [`Influences::rebind_each`].
    pub influences: &'a Influences,
    /// Rest positions.
    pub positions: Planes<'a>,
    /// Rest normals.
    pub normals: Option<Planes<'a>>,
    /// Rest tangents without their handedness.
    pub tangents: Option<Planes<'a>>,
}

/// The outputs of one evaluation.
#[derive(Debug)]
pub struct Frames<'a> {
    /// Posed positions, x y z of each vertex in turn.
    pub positions: &'a mut [f32],
    /// Posed normals, likewise; empty where there are none.
    pub normals: &'a mut [f32],
    /// Posed tangents, likewise, without their handedness.
    pub tangents: &'a mut [f32],
    /// The factor of the handedness of each vertex's tangent: −1.0 if its transform mirrors space, else 1.0. Empty where there are no
    /// tangents.
    pub signs: &'a mut [f64],
}

/// Evaluates whole blocks.
///
/// # Panics
/// If planes or outputs differ in length from the influences' vertices, rounded up to whole blocks; if a joint
/// exceeds the palette.
pub fn evaluate_frames(isa: Isa, job: &FrameJob, to: Frames) {
    let padded = job.influences.vertex_count().next_multiple_of(BLOCK);
    let fits = |planes: &Planes| planes.iter().all(|plane| plane.len() == padded);
    assert!(fits(&job.positions) && job.influences.shared.is_none());
    assert!(job.influences.joint_limit() <= job.palette.joint_count());
    assert!(to.positions.len() == 3 * padded);
    assert_eq!(to.signs.len(), job.tangents.map_or(0, |_| padded));
    for (from, to) in [(&job.normals, &to.normals), (&job.tangents, &to.tangents)] {
        assert!(from.as_ref().is_none_or(fits));
        assert_eq!(to.len(), from.map_or(0, |_| 3 * padded));
    }
    dispatch(isa, Run { job, to });
}

struct Run<'a, 'j> {
    job: &'a FrameJob<'j>,
    to: Frames<'a>,
}

impl<'j> Kernel for Run<'_, 'j> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let Self { job, to } = self;
        // The compiler sees that all planes have one length, and compares the number of a block once.
        let padded = to.positions.len() / 3;
        let cut = |planes: Planes<'j>| planes.map(|plane| &plane[..padded]);
        let job = &FrameJob {
            positions: cut(job.positions),
            normals: job.normals.map(cut),
            tangents: job.tangents.map(cut),
            ..*job
        };
        let run = Run { job, to };
        match job.influences.set_count {
            // Nearly all files have one set, and the compiler sees it.
            1 => run.with_sets::<V>(token, 1),
            several => run.with_sets::<V>(token, several),
        }
    }
}

impl Run<'_, '_> {
    #[inline(always)]
    fn with_sets<V: F64Lanes>(self, token: V::Token, set_count: usize) {
        let (matrices, dual, scaled) = match self.job.palette {
            FramePalette::Linear(matrices) => {
                return self.linear::<V>(token, matrices, set_count);
            }
            // The compiler sees that there are no matrices.
            FramePalette::Rigid(dual) => {
                return self.dual::<V>(token, None, dual, None, set_count);
            }
            FramePalette::Scaled(matrices, scaled) => (matrices, &scaled.dual, Some(&*scaled.rows)),
            FramePalette::TwoStage(matrices, dual) => (matrices, dual, None),
        };
        self.dual::<V>(token, Some(matrices), dual, scaled, set_count);
    }

    /// Linear blending. The directions of a block are turned after the matrices of the next one are blended, and divided by their
    /// lengths after the matrices of the one after that, so that nothing waits for a long chain of operations.
    #[inline(always)]
    fn linear<V: F64Lanes>(self, token: V::Token, matrices: &FrameMatrices, set_count: usize) {
        let Self { job, mut to } = self;
        let matrices = &matrices.0;
        let mut blended = [const { Matrices::ZERO }; 2];
        let mut turned = [const { Unfinished::ZERO }; 2];
        let count = to.positions.len() / 3 / BLOCK;
        for block in 0..count + 2 {
            if block < count {
                let sets = &job.influences.sets[block * set_count..][..set_count];
                let of = Blend::of(token, matrices, sets, job, block);
                let to = part(to.positions, block);
                for first in (0..BLOCK).step_by(V::LANES) {
                    let position: [V; 3] = blended[block % 2].blend(&of, first);
                    V::store_interleaved(position, &mut to[3 * first..]);
                }
            }
            if let Some(done) = block.checked_sub(2) {
                turned[done % 2].finish::<V>(token, &job.block(done), done, &mut to);
            }
            if let Some(last) = block.checked_sub(1).filter(|last| *last < count) {
                let matrices = &blended[last % 2];
                matrices.turn::<V>(
                    token,
                    &job.block(last),
                    &mut turned[last % 2],
                    to.signs(last),
                );
            }
        }
    }
}

impl FrameJob<'_> {
    /// The rest vertices of a block.
    #[inline(always)]
    fn block(&self, block: usize) -> Vectors<'_> {
        Vectors {
            positions: block_of(self.positions, block),
            normals: self.normals.map(|planes| block_of(planes, block)),
            tangents: self.tangents.map(|planes| block_of(planes, block)),
        }
    }
}

impl Frames<'_> {
    /// The signs of a block; empty where there are no tangents.
    #[inline(always)]
    fn signs(&mut self, block: usize) -> &mut [f64] {
        self.signs.get_mut(BLOCK * block..).unwrap_or_default()
    }
}

/// The part of an output for a block.
#[inline(always)]
fn part(to: &mut [f32], block: usize) -> &mut OfBlock {
    &mut to.as_chunks_mut().0[block]
}
