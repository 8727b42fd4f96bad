//! Workloads for measurements of the kernel, and the clock by which cycles are counted.

mod clock;
mod workload;

pub use clock::frequency;
pub use workload::{BYTES_PER_VERTEX, Kind, SOLVERS, Workload};
