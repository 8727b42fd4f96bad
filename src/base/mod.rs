//! Types and functions that every other module may use: findings and their places, limits, and how files are asked for and
//! put somewhere.
//!
//! In: nothing from other modules. Out: [`diag`] (codes, diagnostics, sources of text), [`limits`], [`loader`], [`output`]
//! and [`random`].

pub mod diag;
pub mod limits;
pub mod loader;
pub mod output;
pub mod random;
