//! How fast this machine is: the kernel on three workloads, beside a copy of as many bytes as it reads and writes.
//!
//! In: a number of vertices, instruction sets, a pool of threads. Out: a [`Measurement`] for each solver,
//! workload, instruction set and number of threads. Every case is checked against one lane on one thread, bit
//! for bit, before anything is timed. All cases take turns, round after round, so that a busy moment of the
//! machine spoils one round of each and not all rounds of one; what counts is the median.

mod measure;
mod workload;

pub use measure::{Bench, BenchError, Measurement, Plan};
pub use workload::{BYTES_PER_VERTEX, Kind, SOLVERS, Workload};
