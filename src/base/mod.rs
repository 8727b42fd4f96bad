//! Types and functions that every other module may use: findings and their places, limits, loaders and output files.
//!
//! This module uses no other. It has [`diag`] (codes, diagnostics, sources of text), [`limits`], [`loader`] and [`output`].

pub mod diag;
pub mod limits;
pub mod loader;
pub mod output;
