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

use super::chunks::CHUNK;
use super::dqs;
use super::frame_palette::{FrameMatrix, FramePalette};
use super::influences::Influences;
use super::lbs::unit_or_rest;
use super::lists::{SLOTS, Sets};
use super::palette::DualPalette;
use super::rest::BLOCK;
use super::rotate;
use super::signs::Signed;
use super::transforms::{Sums, Transforms};
use crate::simd::{F64Lanes, Isa, Kernel, Row, Rows, dispatch};

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
    /// The factor of the handedness of each vertex's tangent: −1.0 if its transform mirrors space, else 1.0.
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
    assert!(to.positions.len() == 3 * padded && to.signs.len() == padded);
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

/// Positions, and the normals and tangents that there are, in lanes.
#[derive(Clone, Copy)]
struct Frame<V> {
    position: [V; 3],
    normal: Option<[V; 3]>,
    tangent: Option<[V; 3]>,
    sign: V,
}

impl Kernel for Run<'_, '_> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        let Self { job, to } = self;
        let (matrices, dual, scaled) = match job.palette {
            FramePalette::Linear(matrices) => (Some(matrices), None, None),
            FramePalette::Rigid(dual) => (None, Some(dual), None),
            FramePalette::Scaled(matrices, scaled) => {
                (Some(matrices), Some(&scaled.dual), Some(&scaled.rows))
            }
            FramePalette::TwoStage(matrices, dual) => (Some(matrices), Some(dual), None),
        };
        let signs = dual.and_then(DualPalette::signs);
        let (influences, set_count) = (job.influences, job.influences.set_count);
        let mut signed = vec![Signed::default(); CHUNK / BLOCK * set_count];
        let mut sums = Sums::default();
        let mut transforms = Transforms::default();
        let mut blocks = 0..to.signs.len() / BLOCK;
        while !blocks.is_empty() {
            let chunk = influences.chunk(blocks.clone());
            blocks.start = chunk.blocks.end;
            let sets = influences.sets(chunk.lists.clone());
            if let Some(dual) = dual {
                dual.sign_weights(signs, sets, &mut signed);
                match scaled {
                    None => {
                        dqs::sum::<V>(token, &dual.rows, set_count, sets, &signed, &mut sums);
                    }
                    // No two vertices share a list, so the lists of the chunk are its vertices.
                    Some(rows) => {
                        for (block, at) in chunk.lists.clone().step_by(BLOCK).enumerate() {
                            let of_block = block * set_count..(block + 1) * set_count;
                            let sets = &sets[of_block.clone()];
                            let signed = &signed[of_block];
                            let positions = block_of(job.positions, at);
                            let start = block * BLOCK;
                            dqs::sum_scaled::<V>(
                                token, rows, sets, signed, positions, start, &mut sums,
                            );
                        }
                    }
                }
                dqs::finish::<V>(token, chunk.lists.len(), &sums, &mut transforms);
            }
            for (list, at) in chunk.lists.enumerate().step_by(V::LANES) {
                let block = list / BLOCK;
                let first = list % BLOCK;
                let mut frame = load::<V>(token, job, at);
                if let Some(matrices) = matrices {
                    let position = frame.position;
                    let sets = &sets[block * set_count..][..set_count];
                    frame = linear(token, &matrices.0, sets, first, frame);
                    if scaled.is_some() {
                        frame.position = position;
                    }
                }
                if dual.is_some() {
                    let lists = influences.of_block(block);
                    let transform = transforms.load::<V>(token, block * BLOCK, &lists, first);
                    frame = rigid(token, transform, frame);
                }
                V::store_interleaved(frame.position, &mut to.positions[3 * at..]);
                if let Some(normal) = frame.normal {
                    V::store_interleaved(normal, &mut to.normals[3 * at..]);
                }
                if let Some(tangent) = frame.tangent {
                    V::store_interleaved(tangent, &mut to.tangents[3 * at..]);
                }
                frame.sign.store(&mut to.signs[at..]);
            }
        }
    }
}

/// The positions of the block that begins at a vertex.
#[inline(always)]
fn block_of([x, y, z]: Planes<'_>, at: usize) -> [&[f64; BLOCK]; 3] {
    [block(x, at), block(y, at), block(z, at)]
}

#[inline(always)]
fn block(plane: &[f64], at: usize) -> &[f64; BLOCK] {
    plane[at..].first_chunk().expect("planes hold whole blocks")
}

/// Loads the rest frames of the vertices from `at` on.
#[inline(always)]
fn load<V: F64Lanes>(token: V::Token, job: &FrameJob, at: usize) -> Frame<V> {
    Frame {
        position: load_planes(token, job.positions, at),
        normal: job.normals.map(|planes| load_planes(token, planes, at)),
        tangent: job.tangents.map(|planes| load_planes(token, planes, at)),
        sign: V::splat(token, 1.0),
    }
}

#[inline(always)]
fn load_planes<V: F64Lanes>(token: V::Token, [x, y, z]: Planes, at: usize) -> [V; 3] {
    [
        V::load(token, &x[at..]),
        V::load(token, &y[at..]),
        V::load(token, &z[at..]),
    ]
}

/// Linear blending of one vector of vertices. `first` is the list of lane 0 in `sets`.
#[inline(always)]
fn linear<V: F64Lanes>(
    token: V::Token,
    matrices: &[FrameMatrix],
    sets: &[Sets],
    first: usize,
    frame: Frame<V>,
) -> Frame<V> {
    let mut positions = [[0.0; BLOCK]; 3];
    for (plane, lanes) in positions.iter_mut().zip(frame.position) {
        lanes.store(plane);
    }
    let blend = Blend {
        token,
        matrices,
        sets,
        first,
    };
    let positions = &positions;
    let [px, py, pz, a00, a01, a02, a10, a11] = V::columns(&Moved { blend, positions });
    let [a12, a20, a21, a22, ..] = V::columns(&blend);
    let cofactor = [
        [
            a11 * a22 - a12 * a21,
            a12 * a20 - a10 * a22,
            a10 * a21 - a11 * a20,
        ],
        [
            a02 * a21 - a01 * a22,
            a00 * a22 - a02 * a20,
            a01 * a20 - a00 * a21,
        ],
        [
            a01 * a12 - a02 * a11,
            a02 * a10 - a00 * a12,
            a00 * a11 - a01 * a10,
        ],
    ];
    let zero = V::splat(token, 0.0);
    let determinant = a00 * cofactor[0][0] + a01 * cofactor[0][1] + a02 * cofactor[0][2];
    let one = V::splat(token, 1.0);
    let sign = zero.if_greater(determinant, -one, one);
    let mut posed = Frame {
        position: [px, py, pz],
        sign,
        ..frame
    };
    if let Some(rest) = frame.normal {
        let [x, y, z] = times(zero, cofactor, rest);
        let normal = unit_or_rest(token, [x * sign, y * sign, z * sign], rest);
        posed.normal = Some(normal);
    }
    if let Some(rest) = frame.tangent {
        let upper = [[a00, a01, a02], [a10, a11, a12], [a20, a21, a22]];
        posed.tangent = Some(unit_or_rest(token, times(zero, upper, rest), rest));
    }
    posed
}

/// Applies a rotation and a translation to one vector of vertices.
#[inline(always)]
fn rigid<V: F64Lanes>(token: V::Token, transform: [V; 7], frame: Frame<V>) -> Frame<V> {
    let zero = V::splat(token, 0.0);
    let mut posed = Frame {
        position: rotate::moved(zero, transform, frame.position),
        ..frame
    };
    if let Some(rest) = frame.normal {
        let normal = rotate::turned(zero, transform, rest);
        posed.normal = Some(unit_or_rest(token, normal, rest));
    }
    if let Some(rest) = frame.tangent {
        let tangent = rotate::turned(zero, transform, rest);
        posed.tangent = Some(unit_or_rest(token, tangent, rest));
    }
    posed
}

#[inline(always)]
fn times<V: F64Lanes>(zero: V, m: [[V; 3]; 3], [x, y, z]: [V; 3]) -> [V; 3] {
    [
        zero + m[0][0] * x + m[0][1] * y + m[0][2] * z,
        zero + m[1][0] * x + m[1][1] * y + m[1][2] * z,
        zero + m[2][0] * x + m[2][1] * y + m[2][2] * z,
    ]
}

/// The blended matrices of one vector of vertices: rows that hold the last four elements of `A`.
#[derive(Clone, Copy)]
struct Blend<'a, T> {
    token: T,
    matrices: &'a [FrameMatrix],
    sets: &'a [Sets],
    /// Index of the list in lane 0.
    first: usize,
}

impl<R: Row> Rows<R> for Blend<'_, R::Token> {
    #[inline(always)]
    fn row(&self, lane: usize) -> R {
        let token = self.token;
        let list = self.first + lane;
        let mut sum = R::splat(token, 0.0);
        for sets in self.sets {
            for slot in 0..SLOTS {
                let matrix = &self.matrices[usize::from(sets.joints[list][slot])];
                sum = sum.add_to_half(token, sets.weights[list][slot], &matrix.last);
            }
        }
        sum
    }
}

/// The same matrices applied to positions: rows that hold `p'` and then the first five elements of `A`.
struct Moved<'a, T> {
    blend: Blend<'a, T>,
    positions: &'a [[f64; BLOCK]; 3],
}

impl<R: Row> Rows<R> for Moved<'_, R::Token> {
    #[inline(always)]
    fn row(&self, lane: usize) -> R {
        let Blend { token, first, .. } = self.blend;
        let [x, y, z] = self.positions;
        let position = R::splats(token, [x, y, z], lane);
        let list = first + lane;
        let mut sum = R::splat(token, 0.0);
        for sets in self.blend.sets {
            for slot in 0..SLOTS {
                let matrix = &self.blend.matrices[usize::from(sets.joints[list][slot])];
                let turned = R::half_of_columns(token, &matrix.columns, position);
                let moved = turned + R::load(token, &matrix.added);
                sum = sum + R::splat(token, sets.weights[list][slot]) * moved;
            }
        }
        sum
    }
}
