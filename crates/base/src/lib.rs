//! What every package of rigy-batch shares: findings and their places, limits, and the traits by which files are read and written.
//!
//! In: nothing from other packages. Out: [`diag`] (codes, diagnostics, sources of text), [`limits`], [`loader`], [`maps`], [`meter`], [`output`], [`paths`],
//! [`hash`], [`named!`] and [`choices!`], [`short`], [`base64`](mod@base64), [`sync`], [`terminal`], [`transient`] and [`uri`].

pub mod base64;
pub mod diag;
pub mod hash;
pub mod limits;
pub mod loader;
pub mod maps;
pub mod meter;
mod named;
pub mod output;
pub mod paths;
pub mod short;
pub mod sync;
pub mod terminal;
pub mod transient;
pub mod uri;
