//! Expands abbreviations of the author's.
//!
//! In: a parsed document. Out: the same document with its symmetry written out (`language.md` §3).
//! Expansion cannot fail: `validate` reports ids that are equal after renaming.

mod symmetry;

pub use symmetry::{expand, rename};
