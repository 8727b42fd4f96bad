//! Repeated work is bounded: where a document relates many things to many others, cost grows with their sum.
//!
//! Files that are read are counted. Elsewhere the processor time of this thread is measured for an input and for one
//! eight times as long: in proportion that is a factor of 8, a square would be one of 64, and the bound is 24.

mod documents;
mod files;
mod gltf;
mod scenes;
mod texts;

use std::time::{Duration, Instant};

/// Processor time of this thread; wall-clock time where the system does not report it.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|first| first.parse().ok());
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    first.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// Returns the cost of `work`: the least of three measured times.
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
