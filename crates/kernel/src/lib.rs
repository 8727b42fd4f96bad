//! The strict f64 skinning kernel of rigy-batch: palette, influences and rest vertices in, posed vertices out.
//!
//! In: a [`Job`], which borrows everything it reads. Out: positions and normals rounded once to f32 and
//! interleaved as x y z. The crate works on numbers alone, without documents, files or threads; a caller may
//! evaluate any range of vertices in any order and gets the same bits. All arithmetic is IEEE binary64 in the order of
//! `docs/src/contract/numerics.md`, without fused or reordered operations, so every instruction set ([`simd::Isa`]) gives the same
//! bits, too. [`surface`] makes triangles of implicit surfaces by the same rules.
//!
//! ```text
//! bound once per mesh    rest vertices in blocks of eight, a short plane per component            (rest.rs)
//!                        influence lists in eights; neighbours share one if that is faster  (influences.rs, lists.rs)
//! for each chunk of blocks that have at most 32 lists together:                                (chunks.rs)
//!     dual quaternions   sign   the weight of each slot takes its joint's hemisphere            (signs.rs)
//!                        sum    rows of joints, weighted: one list after the other                (dqs.rs)
//!                        finish unit rotation and translation: lists in lanes            (transforms.rs)
//!                        turn   position and normal, first product: vertices in lanes           (rotate.rs)
//!                        place  second product and translation, which may run one block behind
//! for each block, linear blending:
//!                        sum    vertices in rows, or in lanes where they share a list             (lbs.rs)
//!                        measure, finish  normals of unit length: one and two blocks behind
//! frames of glTF files go through the same passes, with matrices of their own and with tangents          (frames)
//! stored                 rounded to f32, interleaved
//! ```
//! The passes are short and run over a chunk each, so that the latencies of one list's long chain of operations
//! hide behind those of others. A *row* holds eight numbers of one joint or vertex, a vector of *lanes* the same
//! number of several; rows become lanes by a transposition in registers. Neither changes which operations a number
//! goes through. `lbs` and `dqs` list their departures from the letter of `numerics.md` and why each keeps every
//! bit; one is common to both: a slot of weight zero is not skipped but points at the vertex's reference joint,
//! and adds a zero to sums that are never −0.0.

pub mod bench;
mod chunks;
mod dqs;
mod evaluate;
pub mod executor;
mod frame_palette;
mod frames;
mod influences;
mod lbs;
mod lists;
pub mod math;
mod palette;
pub mod random;
mod rebind;
mod reference;
mod rest;
mod rotate;
mod signs;
pub mod simd;
mod solver;
pub mod surface;
mod transforms;

pub use evaluate::{Job, evaluate, evaluate_all};
pub use frame_palette::{DualForm, FrameMatrices, FramePalette, Rigid};
pub use frames::{FrameJob, Frames, evaluate_frames};
pub use influences::Influences;
pub use lbs::SHORTEST;
pub use lists::SLOTS;
pub use palette::{DualPalette, JointPose, LinearPalette, Palette, ScaledPalette};
pub use reference::ReferenceRule;
pub use rest::{BLOCK, Rest};
pub use solver::Solver;

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
