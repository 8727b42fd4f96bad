//! Runs: many inputs at once, conformance manifests, and measurements of the kernel.
//!
//! [`batch`] processes inputs in parallel and puts their outputs in place, [`conformance`] compares outputs with
//! goldens, [`bench`](mod@bench) measures how fast this machine poses vertices. No module outside `run` starts threads for its work.

pub mod batch;
pub mod bench;
pub mod conformance;
mod parallel;

pub use parallel::{DIVIDED_ABOVE, Parallel};
