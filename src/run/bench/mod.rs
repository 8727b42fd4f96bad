//! Measuring the speed of the kernel on this machine: three workloads, compared with a copy of as many bytes as the kernel
//! reads and writes.
//!
//! A [`Bench`] takes a number of vertices, instruction sets and a pool of threads, and returns a [`Measurement`] for each
//! solver, workload, instruction set and number of threads. Before anything is timed, the result of every case is compared,
//! bit for bit, with that of one lane on one thread. The cases take turns in rounds, so that a busy moment of the machine
//! affects one round of each case rather than all rounds of one case. The median of the rounds is reported, and the minimum in
//! cycles: in a busy machine, it is the minimum that two measurements have in common.

mod measure;
mod plan;

pub use measure::{Bench, BenchError, Measurement};
pub use plan::Plan;
