//! Repeated work is bounded: where a document relates many things to many others, cost grows with their sum.
//!
//! Files that are read are counted. Elsewhere the processor time of this thread is measured for an input and for one
//! eight times as long: in proportion that is a factor of 8, a square would be one of 64, and the bound is 24.

mod documents;
mod files;
mod gltf;
mod scenes;
mod surfaces;
mod texts;

use std::time::Duration;

/// Processor time of this thread, by its clock; wall-clock time where there is no such clock.
#[cfg(unix)]
fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ThreadCPUTime);
    let nanoseconds = u32::try_from(time.tv_nsec).expect("nanoseconds are below a second");
    Duration::new(time.tv_sec.unsigned_abs(), nanoseconds)
}

#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// The cost of `work`: the least of three measured times.
fn cost(work: &dyn Fn()) -> Duration {
    let one = || {
        let start = now();
        work();
        now() - start
    };
    (0..3).map(|_| one()).min().expect("there are three")
}

/// Compares the cost of an input of a size with that of one eight times as long; `prepared` makes the input of a size.
fn grows_like_a_line<I>(size: usize, prepared: impl Fn(usize) -> I, work: impl Fn(&I)) {
    let of = |size| {
        let input = prepared(size);
        cost(&|| work(&input))
    };
    let (short, long) = (of(size), of(8 * size));
    println!("{short:?}, and {long:?} of eight times as much");
    assert!(
        long <= 24 * short + Duration::from_millis(50),
        "{short:?}, but {long:?} of eight times as much"
    );
}
