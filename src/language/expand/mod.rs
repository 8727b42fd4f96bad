//! From what was authored to what is meant.
//!
//! In: a parsed document. Out: the same document with symmetry written out and cleared (`language.md` §3).
//! Collisions that renaming causes are left for `validate` to find; nothing here can fail.

mod symmetry;

pub use symmetry::{expand, rename};
