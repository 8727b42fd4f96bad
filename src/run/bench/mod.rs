//! Measuring the speed of the kernel on this machine: three workloads, compared with a copy of as many bytes as the kernel
//! reads and writes.
//!
//! A [`Bench`] takes a number of vertices, instruction sets and a pool of threads, and returns a [`Measurement`] for each
//! solver, workload, instruction set and number of threads. Before anything is timed, the result of every case is compared,
//! bit for bit, with that of one lane on one thread. The cases take turns in rounds, so that a busy moment of the machine
//! affects one round of each case rather than all rounds of one case. The median of the rounds is reported, and the minimum in
//! cycles: in a busy machine, it is the minimum that two measurements have in common.

mod measure;

use std::time::Duration;

use crate::kernel::simd::Isa;

pub use measure::{Bench, BenchError, Measurement};

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

    /// Sets the instruction sets to measure.
    #[must_use]
    pub fn instruction_sets(self, instruction_sets: Vec<Isa>) -> Self {
        Self {
            instruction_sets,
            ..self
        }
    }

    /// Sets the time after which no further round begins.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Self { time, ..self }
    }
}
