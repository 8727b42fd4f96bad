//! The Rigy language: from text to a checked document (`language.md`).
//!
//! The stages, in the order in which they run: [`yaml`] makes a tree of spanned nodes, [`preprocess`] writes out
//! repeats, params and macros, [`parse`] makes the typed
//! document of [`model`], [`expand`] applies symmetry, [`validate`] checks every rule that needs no geometry, and
//! [`compose`] places the instances of documents that import each other. [`checks`] reads what only `inspect` uses. [`schema`] is
//! the table of fields by which `parse` reads.

pub mod checks;
pub mod compose;
pub mod expand;
pub mod format;
pub mod model;
pub mod parse;
pub mod preprocess;
pub mod schema;
pub mod validate;
pub mod version;
pub mod yaml;

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
