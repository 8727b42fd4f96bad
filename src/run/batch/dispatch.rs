//! Handing jobs to threads, and their results on in order.
//!
//! One thread outside the pool hands jobs in and results on; it alone waits. A job is handed in once there is memory for
//! it, so no thread of the pool ever waits for another: it might hold, further down its stack, the very job it waits
//! for (a thread that waits for the pieces of a big mesh takes up other jobs meanwhile). Results that come early are
//! held back; when they come to much, nothing new is handed in until the slow job is done.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::budget::{Budget, Grant, Postponed};
use super::order::InOrder;
use crate::io::give_back_memory;

/// Jobs, by number.
pub(super) trait Jobs: Sync {
    /// What comes of one.
    type Result: Send;

    /// How many there are.
    fn count(&self) -> usize;

    /// Memory that a job takes, as far as that is known before it begins.
    fn estimate(&self, index: usize) -> u64;

    /// Does a job; a result comes with the bytes that it takes.
    ///
    /// # Errors
    /// If it needs more memory than there is.
    fn run(&self, index: usize, grant: &Grant<'_>) -> Result<(Self::Result, usize), Postponed>;

    /// Whether no more jobs are to be begun.
    fn is_stopped(&self) -> bool;
}

/// Bytes of results held back, beyond which nothing new is begun.
pub(super) const MOST_HELD: usize = 32 << 20;

/// A job of so many bytes gives its memory back to the system before others may take as much: the allocator would keep it
/// for the thread that has freed it, beside what other threads then take.
const LARGE: u64 = 16 << 20;

/// How often it is asked whether to stop while nothing else happens.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the threads have done.
struct State<T> {
    order: InOrder<T>,
    /// Jobs that need so much memory before they are done again.
    postponed: BTreeMap<usize, u64>,
    in_flight: usize,
    /// Jobs that have left the pool, postponed ones included.
    ended: usize,
    /// Whether every job that ends is waited for.
    eager: bool,
    /// What the first job that panicked did so with; no more are begun.
    panic: Option<Box<dyn Any + Send>>,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// With so few jobs in flight, it is time to hand in more.
    few: usize,
}

/// Does all jobs on the threads of a pool.
pub(super) fn dispatch<J: Jobs>(
    jobs: &J,
    pool: &rayon::ThreadPool,
    budget: &Budget,
    mut hand_on: impl FnMut(J::Result),
) {
    // Enough that no thread runs dry while this one is busy handing results on.
    let few = 2 * pool.current_num_threads();
    let shared = Shared {
        state: Mutex::new(State {
            order: InOrder::new(),
            postponed: BTreeMap::new(),
            in_flight: 0,
            ended: 0,
            eager: false,
            panic: None,
        }),
        changed: Condvar::new(),
        few,
    };
    let most = 2 * few + 4;
    pool.in_place_scope(|scope| {
        let shared = &shared;
        let mut next = 0;
        // The job at the head of the queue: none overtakes it, so a large one gets its turn.
        let mut head: Option<(usize, u64)> = None;
        loop {
            let seen = shared.lock().ended;
            // The lock is free while a result is handed on, which may take its time.
            while let Some(result) = shared.next() {
                hand_on(result);
            }
            let mut state = shared.lock();
            let stopped = jobs.is_stopped() || state.panic.is_some();
            state.eager = false;
            while !stopped && state.in_flight < most {
                if head.is_none() {
                    // Postponed jobs first, though much is held back: what is held may be waiting for them.
                    head = match state.postponed.pop_first() {
                        Some(job) => Some(job),
                        None if next == jobs.count() || state.order.held() > MOST_HELD => None,
                        None => {
                            // The lock is free while files are looked at.
                            drop(state);
                            next += 1;
                            let job = (next - 1, jobs.estimate(next - 1));
                            state = shared.lock();
                            Some(job)
                        }
                    };
                }
                let granted = head.and_then(|(index, bytes)| Some((index, budget.admit(bytes)?)));
                let Some((index, grant)) = granted else {
                    state.eager = true;
                    break;
                };
                head = None;
                state.in_flight += 1;
                scope.spawn(move |_| shared.run(jobs, index, grant));
            }
            let idle = state.in_flight == 0 && state.ended == seen;
            if idle && (stopped || (head.is_none() && next == jobs.count())) {
                break;
            }
            if state.ended == seen {
                let waited = shared.changed.wait_timeout(state, PATIENCE);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
            }
        }
    });
    let state = shared.state.into_inner();
    let state = state.unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = state.panic {
        resume_unwind(panic);
    }
    state.order.rest().for_each(hand_on);
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nobody panics with the lock held; if it happens, the state is still whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<T> {
        self.lock().order.next()
    }

    /// One job, on a thread of the pool.
    fn run<J: Jobs<Result = T>>(&self, jobs: &J, index: usize, grant: Grant<'_>) {
        let run = AssertUnwindSafe(|| (!jobs.is_stopped()).then(|| jobs.run(index, &grant)));
        let result = catch_unwind(run);
        if grant.bytes() >= LARGE {
            give_back_memory();
        }
        drop(grant);
        let mut state = self.lock();
        match result {
            Ok(Some(Ok((result, len)))) => state.order.put(index, result, len),
            Ok(Some(Err(Postponed { bytes }))) => {
                state.postponed.insert(index, bytes);
            }
            Ok(None) => {}
            Err(panic) => state.panic = state.panic.take().or(Some(panic)),
        }
        state.in_flight -= 1;
        state.ended += 1;
        if state.eager || state.in_flight <= self.few {
            self.changed.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};

    /// Jobs of given sizes, some of which turn out larger; all of them spread work over the pool.
    struct Planned {
        /// What is known before, and what is needed.
        sizes: Vec<(u64, u64)>,
        limit: u64,
        taken: AtomicU64,
        running: AtomicUsize,
        broken: AtomicBool,
        /// Length of each result.
        len: usize,
        /// The job that ends only when so many others have begun.
        slow: Option<(usize, usize)>,
        begun: AtomicUsize,
        stop_after: usize,
    }

    impl Planned {
        fn new(sizes: Vec<(u64, u64)>, limit: u64) -> Self {
            Self {
                sizes,
                limit,
                taken: AtomicU64::new(0),
                running: AtomicUsize::new(0),
                broken: AtomicBool::new(false),
                len: 1,
                slow: None,
                begun: AtomicUsize::new(0),
                stop_after: usize::MAX,
            }
        }

        fn results(&self, threads: usize) -> Vec<usize> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let mut seen = Vec::new();
            let budget = Budget::new(self.limit);
            dispatch(self, &pool.build().unwrap(), &budget, |n| seen.push(n));
            assert!(!self.broken.load(SeqCst), "more was taken than there is");
            seen
        }
    }

    impl Jobs for Planned {
        type Result = usize;

        fn count(&self) -> usize {
            self.sizes.len()
        }

        fn estimate(&self, index: usize) -> u64 {
            self.sizes[index].0
        }

        fn run(&self, index: usize, grant: &Grant<'_>) -> Result<(usize, usize), Postponed> {
            let needed = self.sizes[index].1;
            grant.grow_to(needed)?;
            let begun = self.begun.fetch_add(1, SeqCst);
            let taken = self.taken.fetch_add(needed, SeqCst) + needed;
            let running = self.running.fetch_add(1, SeqCst) + 1;
            if taken > self.limit && running > 1 {
                self.broken.store(true, SeqCst);
            }
            // Waiting in here, a thread takes up other jobs.
            let sum: usize = (0..64).into_par_iter().map(|n| n ^ begun).max().unwrap();
            assert!(sum > 0 || begun == 0);
            if let Some((_, others)) = self.slow.filter(|(slow, _)| *slow == index) {
                let begun = || self.begun.load(SeqCst);
                let start = std::time::Instant::now();
                while begun() < others && start.elapsed() < Duration::from_millis(400) {
                    std::thread::yield_now();
                }
            }
            self.running.fetch_sub(1, SeqCst);
            self.taken.fetch_sub(needed, SeqCst);
            Ok((index, self.len))
        }

        fn is_stopped(&self) -> bool {
            self.begun.load(SeqCst) >= self.stop_after
        }
    }

    #[test]
    fn what_is_taken_never_exceeds_the_budget_and_every_job_gets_its_turn() {
        // Small ones, large ones, ones that turn out large, and ones larger than all there is.
        let sizes = |n: u64| match n % 17 {
            0 => (900, 900),
            3 => (10, 700),
            5 => (2000, 2000),
            9 => (1, 3000),
            n => (30 * n, 40 * n),
        };
        let planned: Vec<(u64, u64)> = (0..600).map(sizes).collect();
        for threads in [1, 2, 8, 64] {
            let jobs = Planned::new(planned.clone(), 1000);
            assert_eq!(jobs.results(threads), (0..600).collect::<Vec<_>>());
        }
    }

    #[test]
    fn one_slow_job_does_not_let_results_pile_up() {
        let mut jobs = Planned::new(vec![(1, 1); 500], 1000);
        jobs.len = MOST_HELD / 10;
        jobs.slow = Some((0, 500));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4);
        let (mut seen, mut begun) = (Vec::new(), 0);
        dispatch(&jobs, &pool.build().unwrap(), &Budget::new(1000), |n| {
            if n == 0 {
                begun = jobs.begun.load(SeqCst);
            }
            seen.push(n);
        });
        // Ten results are as much as may be held; besides, only what was in flight then, and what is now.
        assert!((10..=10 + 1 + 20 + 20).contains(&begun), "{begun}");
        assert_eq!(seen, (0..500).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_begins_once_it_is_stopped() {
        let mut jobs = Planned::new(vec![(1, 1); 10_000], 1000);
        jobs.stop_after = 50;
        let seen = jobs.results(2);
        assert!((50..=60).contains(&seen.len()), "{}", seen.len());
    }

    #[test]
    fn a_panic_in_a_job_ends_it_all_instead_of_waiting_for_ever() {
        let jobs = Planned::new(vec![(1, 1); 50], 1000);
        struct Panics(Planned);
        impl Jobs for Panics {
            type Result = usize;
            fn count(&self) -> usize {
                100
            }
            fn estimate(&self, _: usize) -> u64 {
                1
            }
            fn run(&self, index: usize, grant: &Grant<'_>) -> Result<(usize, usize), Postponed> {
                self.0.run(index, grant) // there are only 50
            }
            fn is_stopped(&self) -> bool {
                false
            }
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
        let pool = pool.build().unwrap();
        let all = || dispatch(&Panics(jobs), &pool, &Budget::new(9), |_| ());
        assert!(catch_unwind(AssertUnwindSafe(all)).is_err());
    }
}
