//! Helpers of tests that act at random moments: random numbers, and the number of rounds.

use std::process::Child;
use std::time::{Duration, Instant, SystemTime};

use rigy_batch::kernel::random::Random;

/// The number in an environment variable, which asks for longer runs than those of every day, or else `otherwise`.
pub fn asked(name: &str, otherwise: usize) -> usize {
    let given = std::env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Returns `full` if the environment has `RIGY_FULL`, as the proof `soak` sets it, else `daily`: how many cases a test tries.
pub fn cases(daily: usize, full: usize) -> usize {
    match std::env::var_os("RIGY_FULL") {
        Some(_) => full,
        None => daily,
    }
}

/// Random numbers seeded by the clock, so that each run differs. The results of the tests do not depend on them.
pub fn chance() -> Random {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Random::new(since.unwrap().as_nanos() as u64)
}

pub fn time(random: &mut Random, most: Duration) -> Duration {
    most.mul_f64(random.unit())
}

pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let value = work();
    (value, started.elapsed())
}

/// Kills a program, and returns true if it was still running. Its status does not tell: on Windows it is that of a failure.
pub fn killed(mut run: Child) -> bool {
    let was_running = run.try_wait().unwrap().is_none();
    run.kill().unwrap();
    run.wait().unwrap();
    was_running
}
