//! Running jobs on the threads of a pool, and passing their results on in order.
//!
//! The calling thread, which is outside the pool, starts jobs and passes results on; it is the only thread that waits. A
//! job is started once there is memory for it, so no thread of the pool ever waits for another one. Such a wait could
//! last for ever: a thread that waits for the pieces of a big mesh executes other jobs meanwhile, so the job that it would
//! wait for may be further down its own stack. Results that come early are held back; when they take more than
//! [`MAX_HELD`] bytes, no new job is started until the slow job is done.

#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::budget::{Budget, Grant, Postponed};
use super::order::InOrder;
use crate::io::give_back_memory;

/// The result of a job and the number of bytes that it takes; an error if the job needs more memory than there is now.
type JobResult<T> = Result<(T, usize), Postponed>;

/// Jobs, numbered from 0.
pub(crate) struct Jobs<'j, T> {
    /// Number of jobs.
    pub count: usize,
    /// Estimates the bytes of memory that a job takes, from what is known before it starts.
    pub estimate: &'j dyn Fn(usize) -> u64,
    /// Does a job.
    pub run: &'j (dyn Fn(usize, &Grant<'_>) -> JobResult<T> + Sync),
    /// True once no further job is to be started.
    pub is_stopped: &'j (dyn Fn() -> bool + Sync),
}

/// No new job is started while the results that are held back take more bytes than this.
const MAX_HELD: usize = 32 << 20;

/// After a job of at least this many bytes, memory is given back to the system before other jobs may take as much. The
/// allocator would keep it for the thread that has freed it, in addition to what other threads then take.
const LARGE: u64 = 16 << 20;

/// The interval at which [`Jobs::is_stopped`] is called while nothing else happens.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// Progress of the jobs, which the threads share.
struct Progress<T> {
    state: Mutex<State<T>>,
    /// Notified when a job ends and the calling thread may be able to start another one.
    changed: Condvar,
    /// When no more than this many jobs are in flight, the calling thread is to start more.
    few: usize,
}

struct State<T> {
    order: InOrder<T>,
    /// Jobs that need this many bytes of memory before they are started again.
    postponed: BTreeMap<usize, u64>,
    /// Jobs that have been started and have not ended.
    in_flight: usize,
    /// Jobs that have ended, postponed ones included.
    ended: usize,
    /// True if the calling thread waits for memory, so that it is notified of every job that ends.
    waits_for_memory: bool,
    /// The panic of the first job that has panicked; no more jobs are started.
    panic: Option<Box<dyn Any + Send>>,
}

/// Does all jobs on the threads of a pool. Passes their results to `hand_on`, in order, on the calling thread.
///
/// # Panics
/// If a job panics, once all jobs that have been started have ended.
pub(crate) fn dispatch<T: Send>(
    jobs: &Jobs<'_, T>,
    pool: &rayon::ThreadPool,
    budget: &Budget,
    mut hand_on: impl FnMut(T),
) {
    // Enough that no thread of the pool runs out of jobs while this one passes results on.
    let few = 2 * pool.current_num_threads();
    let progress = Progress::new(few);
    let max_in_flight = 2 * few + 4;
    let (run, is_stopped) = (jobs.run, jobs.is_stopped);
    pool.in_place_scope(|scope| {
        let progress = &progress;
        let mut next = 0;
        // The job that is started next, and its bytes. No other job overtakes it, so a large one gets its turn.
        let mut head: Option<(usize, u64)> = None;
        loop {
            let ended_before = progress.lock().ended;
            // The lock is free while a result is passed on, which may take long.
            while let Some(result) = progress.next_result() {
                hand_on(result);
            }
            let mut state = progress.lock();
            let stopped = is_stopped() || state.panic.is_some();
            state.waits_for_memory = false;
            while !stopped && state.in_flight < max_in_flight {
                if head.is_none() {
                    // Postponed jobs come first even if much is held back: the results held back may wait for them.
                    head = match state.postponed.pop_first() {
                        Some(job) => Some(job),
                        None if next == jobs.count || state.order.held() > MAX_HELD => None,
                        None => {
                            // The lock is free while the estimate looks at files.
                            drop(state);
                            next += 1;
                            let job = (next - 1, (jobs.estimate)(next - 1));
                            state = progress.lock();
                            Some(job)
                        }
                    };
                }
                let granted = head.and_then(|(index, bytes)| Some((index, budget.admit(bytes)?)));
                let Some((index, grant)) = granted else {
                    state.waits_for_memory = true;
                    break;
                };
                head = None;
                state.in_flight += 1;
                scope.spawn(move |_| {
                    let job = |grant: &Grant<'_>| (!is_stopped()).then(|| run(index, grant));
                    progress.run(index, grant, job);
                });
            }
            let idle = state.in_flight == 0 && state.ended == ended_before;
            if idle && (stopped || (head.is_none() && next == jobs.count)) {
                break;
            }
            if state.ended == ended_before {
                let waited = progress.changed.wait_timeout(state, STOP_INTERVAL);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
            }
        }
    });
    let state = progress.state.into_inner();
    let state = state.unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = state.panic {
        resume_unwind(panic);
    }
    state.order.rest().for_each(hand_on);
}

impl<T> Progress<T> {
    fn new(few: usize) -> Self {
        let state = Mutex::new(State {
            order: InOrder::new(),
            postponed: BTreeMap::new(),
            in_flight: 0,
            ended: 0,
            waits_for_memory: false,
            panic: None,
        });
        let changed = Condvar::new();
        Self {
            state,
            changed,
            few,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No thread panics while it holds the lock, so the state is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_result(&self) -> Option<T> {
        self.lock().order.next()
    }

    /// Runs one job on a thread of the pool and records how it has ended. `job` returns `None` if it was not to start.
    fn run(
        &self,
        index: usize,
        grant: Grant<'_>,
        job: impl FnOnce(&Grant<'_>) -> Option<JobResult<T>>,
    ) {
        let result = catch_unwind(AssertUnwindSafe(|| job(&grant)));
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
        if state.waits_for_memory || state.in_flight <= self.few {
            self.changed.notify_one();
        }
    }
}
