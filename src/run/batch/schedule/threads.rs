//! Pools of threads, whose size the system may limit, and the results of their work in the order of the inputs.

use std::collections::BTreeMap;
use std::io;
use std::thread::{self, JoinHandle, available_parallelism};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::io::{own_memory_limit, try_allocate};

/// The largest number of threads of a pool.
pub const MAX_THREADS: usize = 1024;

/// The environment variable with the number of threads, used if the caller gives none.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// Bytes of address space that must be free for the heap of each thread other than the first. Allocators reserve up to
/// 128 MiB, and an allocation that fails ends the process.
const HEADROOM: usize = 160 << 20;

/// The reason why a pool of threads cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// The caller has requested too many threads.
    #[error("cannot work with {0} threads; ask for 1 to {MAX_THREADS}")]
    TooMany(usize),
    /// The environment variable does not hold a number of threads.
    #[error(
        "the environment variable {VARIABLE} is {0:?}; set it to a number of threads from 1 to {MAX_THREADS}, or to 0 \
         for one per processor, or use `-j`, which goes before it"
    )]
    Variable(String),
    /// The system refuses to start threads.
    #[error(
        "cannot start threads ({wanted} asked for): {source}; ask for fewer with `-j`, or raise the limit on processes \
         (`ulimit -u`) or on memory (`ulimit -v`)"
    )]
    Start {
        /// The number of threads that were requested.
        wanted: usize,
        /// The error of the first thread that did not start.
        source: ThreadPoolBuildError,
    },
}

/// Returns the number of threads to use: `jobs`, or else the number in the environment variable `RAYON_NUM_THREADS`. If the
/// number is missing or 0, it is the number of processors.
///
/// # Errors
/// If the number is more than [`MAX_THREADS`], or the variable does not hold a number.
pub fn thread_count(jobs: Option<usize>) -> Result<usize, ThreadsError> {
    let value = match jobs {
        Some(_) => None,
        None => std::env::var_os(VARIABLE).filter(|value| !value.is_empty()),
    };
    let value = value.map(|value| value.to_string_lossy().into_owned());
    count(jobs, value)
}

/// Returns the number of threads for `jobs` and the value of the variable.
fn count(jobs: Option<usize>, value: Option<String>) -> Result<usize, ThreadsError> {
    let wanted = match value {
        None => jobs.unwrap_or(0),
        Some(text) => match text.parse() {
            Ok(number) if number <= MAX_THREADS => number,
            _ => return Err(ThreadsError::Variable(text)),
        },
    };
    match wanted {
        0 => Ok(available_parallelism()
            .map_or(1, usize::from)
            .min(MAX_THREADS)),
        1..=MAX_THREADS => Ok(wanted),
        _ => Err(ThreadsError::TooMany(wanted)),
    }
}

/// Starts a pool of `wanted` threads, or of as many as the system starts; [`ThreadPool::current_num_threads`] returns their
/// number.
///
/// # Errors
/// If the system does not start a single thread.
pub fn thread_pool_of_at_most(wanted: usize) -> Result<ThreadPool, ThreadsError> {
    let mut count = wanted;
    loop {
        match start(count) {
            Ok(pool) => return Ok(pool),
            Err((0, source)) => return Err(ThreadsError::Start { wanted, source }),
            Err((started, _)) => count = started,
        }
        // The system still counts a thread for a moment after it has ended.
        thread::sleep(Duration::from_millis(10));
    }
}

/// Starts a pool of `count` threads.
fn start(count: usize) -> Result<ThreadPool, (usize, ThreadPoolBuildError)> {
    let mut started: Vec<JoinHandle<()>> = Vec::new();
    ThreadPoolBuilder::new()
        .num_threads(count)
        .spawn_handler(|thread| {
            check_headroom(started.len())?;
            started.push(thread::Builder::new().spawn(|| thread.run())?);
            Ok(())
        })
        .build()
        .map_err(|error| {
            let count = started.len();
            for thread in started {
                let _ = thread.join(); // rayon catches panics of the thread
            }
            (count, error)
        })
}

/// Checks that [`HEADROOM`] bytes can be allocated for another thread. Threads reserve their heaps when they allocate for the
/// first time, so where the process has a limit of its own on memory, they are counted for all threads that have started, except
/// with glibc, whose threads then share one heap.
fn check_headroom(started: usize) -> io::Result<()> {
    let has_heaps = !cfg!(target_env = "gnu") && own_memory_limit().is_some();
    let heaps = if has_heaps { started } else { started.min(1) };
    try_allocate(heaps.saturating_mul(HEADROOM))
}

/// Holds early results back until all results before them have been taken, and counts the bytes that are held.
pub struct InOrder<T> {
    /// The number of the input whose result is taken next.
    next: usize,
    /// Results with their bytes, by input.
    waiting: BTreeMap<usize, (T, usize)>,
    /// Bytes of all results in `waiting`.
    pub held: usize,
}

impl<T> InOrder<T> {
    pub fn new() -> Self {
        Self {
            next: 0,
            waiting: BTreeMap::new(),
            held: 0,
        }
    }

    /// Adds the result of input number `index`, which takes about `len` bytes.
    pub fn put(&mut self, index: usize, result: T, len: usize) {
        self.held += len;
        self.waiting.insert(index, (result, len));
    }

    /// Takes the next result in order; returns `None` if it has not been added yet.
    pub fn next(&mut self) -> Option<T> {
        let (result, len) = self.waiting.remove(&self.next)?;
        self.next += 1;
        self.held -= len;
        Some(result)
    }

    /// Returns the results that are still held back, in order, when some inputs give no result.
    pub fn rest(self) -> impl Iterator<Item = T> {
        self.waiting.into_values().map(|(result, _)| result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_has_the_bounds_of_the_option_and_the_option_goes_before_it() {
        let variable = |text: &str| count(None, Some(text.to_owned()));
        assert_eq!(variable("3").unwrap(), 3);
        assert_eq!(variable("1024").unwrap(), 1024);
        let processors = count(None, None).unwrap();
        assert!((1..=MAX_THREADS).contains(&processors));
        assert_eq!(variable("0").unwrap(), processors);
        for text in ["1025", "20000", "-1", "two", " 2", "99999999999999999999"] {
            let error = variable(text).unwrap_err().to_string();
            assert!(error.contains(VARIABLE) && error.contains(text), "{error}");
        }
        assert_eq!(count(Some(7), None).unwrap(), 7);
        assert_eq!(count(Some(0), None).unwrap(), processors);
        assert!(matches!(
            count(Some(1025), None),
            Err(ThreadsError::TooMany(1025))
        ));
        assert_eq!(thread_pool_of_at_most(3).unwrap().current_num_threads(), 3);
    }

    #[test]
    fn results_leave_in_order_and_none_is_lost() {
        let mut seen = Vec::new();
        let mut order = InOrder::new();
        for n in [2, 0, 1, 5, 3] {
            order.put(n, n, 10);
            while let Some(n) = order.next() {
                seen.push(n);
            }
        }
        assert_eq!((&*seen, order.held), (&[0, 1, 2, 3][..], 10));
        seen.extend(order.rest());
        assert_eq!(seen, [0, 1, 2, 3, 5]);
    }
}
