//! What every other module may use: findings and their places, limits, and how stages ask for files.
//!
//! In: nothing from other modules. Out: [`diag`] (codes, diagnostics, sources of text), [`limits`] and [`loader`].

pub mod diag;
pub mod limits;
pub mod loader;
