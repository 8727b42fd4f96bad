//! The plan of a measurement: its workloads, and the time that each takes.

use std::time::Duration;

use rigy_kernel::simd::Isa;

/// The extent of a measurement.
#[derive(Debug)]
pub struct Plan {
    /// Vertices of each workload.
    pub vertex_count: usize,
    /// Instruction sets to measure.
    pub instruction_sets: Vec<Isa>,
    /// The measurement begins no further round after this time. There are at least three rounds.
    pub time: Duration,
}
