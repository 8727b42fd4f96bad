//! Types and functions that every other module may use: findings and their places, limits, the traits by
//! which files are read and written and work is spread over threads.
//!
//! In: nothing from other modules. Out: [`diag`] (codes, diagnostics, sources of text), [`limits`], [`loader`], [`maps`], [`output`], [`paths`],
//! [`executor`], [`hash`], [`random`], [`short`], [`base64`](mod@base64), [`terminal`], [`transient`] and [`uri`].

pub mod base64;
pub mod diag;
pub mod hash;
pub mod limits;
pub mod loader;
pub mod maps;
pub mod output;
pub mod paths;
pub mod short;
pub mod terminal;
pub mod transient;
pub mod uri;

pub use rigy_kernel::{executor, random};
