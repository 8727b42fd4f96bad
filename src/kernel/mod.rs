//! Skinning: palette, influences and rest vertices in, posed vertices out.
//!
//! In: a [`Job`], which borrows everything it reads. Out: positions and normals rounded once to f32 and
//! interleaved as x y z. This room knows numbers and nothing else: no documents, no files, no threads; a
//! caller may evaluate any range of vertices in any order and gets the same bits.
//!
//! ```text
//! for each block of 64 vertices (the last one filled up with copies of its last vertex):
//!     load   rest positions and normals as f64, one plane per component
//!     blend  per group of lanes: influences -> rigid transform, or LBS sums      (lbs.rs, dqs.rs)
//!     apply  per group of lanes: transform -> position, normal
//!     store  round to f32, interleave, leave the copies out
//! ```
//! Departures from the letter of `numerics.md` §6–§7, each of which keeps every bit:
//! a negated dual quaternion times w is taken as the dual quaternion times −w; slots of weight zero are not
//! skipped but point at the vertex's reference joint, and add a zero to sums that are never −0.0.

/// Lists of influences that are blended together.
const CHUNK: usize = 32;

mod dqs;
mod evaluate;
mod influences;
mod lbs;
mod palette;
mod rest;
mod signs;

pub use evaluate::{Job, evaluate};
pub use influences::{Influences, SLOTS};
pub use palette::{DualPalette, JointPose, LinearPalette, Palette};
pub use rest::{BLOCK, Rest};
