//! The work on one input: from a file to its outputs.
//!
//! A [`Work`] is a kind of input: [`documents`] compiles and bakes Rigy documents, [`bakes`] bakes skinned glTF files. The
//! other modules are shared by both: names of outputs, estimates of memory, and staging, which makes all outputs of an
//! input before it puts the first in its place.

#[cfg(feature = "cli")]
pub mod bake_arguments;
pub mod bake_content;
pub mod bake_exports;
mod bake_file;
pub mod bake_job;
mod bake_maker;
pub mod bake_options;
pub mod bake_plan;
pub mod bake_values;
pub mod bakes;
pub mod beside;
pub mod content;
pub mod documents;
pub mod estimate;
pub mod frames;
pub mod job;
pub mod names;
pub mod outlet;
pub mod outputs;
pub mod staging;
