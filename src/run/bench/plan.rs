//! The plan of a measurement: its workloads, and the time that each takes.

use std::time::Duration;

use rigy_kernel::simd::Isa;

/// The extent of a measurement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// Vertices of each workload.
    pub vertex_count: usize,
    /// Instruction sets to measure.
    pub instruction_sets: Vec<Isa>,
    /// The measurement begins no further round after this time. There are at least three rounds.
    pub time: Duration,
}

impl Plan {
    /// Workloads of so many vertices, on every instruction set of this machine, for at least a second.
    pub fn new(vertex_count: usize) -> Self {
        Self {
            vertex_count,
            instruction_sets: Isa::available(),
            time: Duration::from_secs(1),
        }
    }
}
