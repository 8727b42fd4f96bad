//! Workloads for measurements of the kernel, and the clock by which cycles are counted.

mod workload;

use std::hint::black_box;
use std::time::Instant;

pub use workload::{BYTES_PER_VERTEX, JOINTS, Kind, SOLVERS, Workload};

/// Cycles that a step of the chain takes: three shifts and three exclusive ors, each of which needs the result before it
/// and takes one cycle. Cores that shift and combine in one instruction take two cycles for it.
const CYCLES_PER_STEP: f64 = 6.0;

/// Steps of one measurement: about 20 microseconds.
const STEPS: u32 = 12_000;

/// Measurements in turn, of which the fastest counts: an interruption makes one slow.
const TURNS: usize = 5;

/// Returns the frequency of the core that runs this thread, in hertz. Takes about 100 microseconds.
///
/// The time stamp counter of a processor does not tell this frequency, because it ticks at a fixed rate, and counters of
/// cycles are seldom permitted in virtual machines.
pub fn frequency() -> f64 {
    (0..TURNS)
        .map(|_| {
            let start = Instant::now();
            black_box(chain(black_box(1)));
            f64::from(STEPS) * CYCLES_PER_STEP / start.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}

/// Runs the chain from a number other than zero: the generator xorshift, whose step cannot be shortened by a compiler.
#[inline(never)]
fn chain(mut state: u64) -> u64 {
    for _ in 0..STEPS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frequency_is_one_of_a_processor() {
        let frequency = frequency();
        // Without optimization a step takes several times as long.
        let least = if cfg!(debug_assertions) { 1e7 } else { 2e8 };
        assert!((least..2e10).contains(&frequency), "{frequency}");
    }

    #[test]
    fn a_step_of_the_chain_depends_on_all_bits() {
        let ends: std::collections::BTreeSet<u64> = (0..64).map(|bit| chain(1 << bit)).collect();
        assert_eq!(ends.len(), 64);
    }
}
