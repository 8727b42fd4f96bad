//! What tests of chance share: numbers that look random, and how many rounds are asked for.
#![allow(dead_code)] // every test binary uses its own part of this

use std::time::{Duration, Instant, SystemTime};

/// A number from the environment, where longer runs than those of every day are asked for.
pub fn asked(name: &str, otherwise: usize) -> usize {
    let given = std::env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Chance, from the clock: each run is another. What it comes to does not depend on it.
pub struct Chance(u64);

impl Chance {
    pub fn new() -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self(since.unwrap().as_nanos() as u64 | 1)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    /// A time up to `most`.
    pub fn time(&mut self, most: Duration) -> Duration {
        Duration::from_nanos(self.below(most.as_nanos() as u64))
    }
}

/// How long something takes.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let value = work();
    (value, started.elapsed())
}
