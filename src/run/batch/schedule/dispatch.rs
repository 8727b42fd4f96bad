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
use std::sync::{Condvar, PoisonError};
use std::time::Duration;

use super::budget::{Budget, Grant, Postponed};
use super::threads::InOrder;
use crate::io::give_back_memory;
use rigy_base::sync::Mutex;

/// The result of a job and the number of bytes that it takes; an error if the job needs more memory than there is now.
type JobResult<T> = Result<(T, usize), Postponed>;

/// Jobs, numbered from 0.
pub struct Jobs<'j, T> {
    /// Number of jobs.
    pub count: usize,
    /// Estimates the bytes of memory that a job takes, from what is known before it starts.
    pub estimate: &'j (dyn Fn(usize) -> u64 + Sync),
    /// Does a job.
    pub run: &'j (dyn Fn(usize, &Grant<'_>) -> JobResult<T> + Sync),
    /// True once no further job is to be started.
    pub is_stopped: &'j (dyn Fn() -> bool + Sync),
}

/// No new job is started while the results that are held back take more bytes than this.
const MAX_HELD: usize = 32 << 20;

/// The interval at which [`Jobs::is_stopped`] is called while nothing else happens.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// Progress of the jobs, which the threads share.
struct Progress<T> {
    state: Mutex<State<T>>,
    /// Notified when a job ends and the calling thread may be able to start another one.
    changed: Condvar,
    /// When no more than this many jobs are in flight, the calling thread is to start more. This is enough that no thread
    /// of the pool runs out of jobs while the calling thread passes results on.
    few: usize,
}

struct State<T> {
    order: InOrder<T>,
    /// Jobs that need this many bytes of memory before they are started again.
    postponed: BTreeMap<usize, u64>,
    /// Estimates of jobs that are started soon. The thread that has done a job makes one, because the calling thread starts
    /// jobs for all threads, and each file that it looks at itself would keep them waiting.
    estimates: BTreeMap<usize, u64>,
    /// Jobs that have been started and have not ended.
    in_flight: usize,
    /// Jobs that have ended, postponed ones included.
    ended: usize,
    /// True if the calling thread is to be notified of every job that ends.
    notify_each: bool,
    /// The panic of the first job that has panicked; no more jobs are started.
    panic: Option<Box<dyn Any + Send>>,
}

/// Does all jobs on the threads of a pool. Passes their results to `hand_on`, in order, on the calling thread.
///
/// # Panics
/// If a job panics, once all jobs that have been started have ended.
pub fn dispatch<T: Send>(
    jobs: &Jobs<'_, T>,
    pool: &rayon::ThreadPool,
    budget: &Budget,
    mut hand_on: impl FnMut(T),
) {
    let progress = Progress::new(2 * pool.current_num_threads());
    let Jobs {
        count,
        estimate,
        run,
        is_stopped,
    } = *jobs;
    // Far enough ahead that the calling thread does not start the job before its estimate is made.
    let ahead = 2 * progress.max_in_flight();
    pool.in_place_scope(|scope| {
        let progress = &progress;
        let mut queue = Queue::new(jobs);
        loop {
            let ended_before = progress.state.lock().ended;
            // The lock is free while a result is passed on, which may take long. Jobs are started between two results, so that the
            // threads have work meanwhile.
            let result = progress.next_result();
            let passed_on = result.is_some();
            result.into_iter().for_each(&mut hand_on);
            let stopped = is_stopped() || progress.state.lock().panic.is_some();
            while !stopped && let Some((index, grant)) = queue.admit(progress, budget) {
                scope.spawn(move |_| {
                    let job = |grant: &Grant| (!is_stopped()).then(|| run(index, grant));
                    let later = Some(index + ahead).filter(|later| *later < count);
                    progress.run(index, grant, job, || Some((later?, estimate(later?))));
                });
            }
            let state = progress.state.lock();
            if passed_on || state.ended > ended_before {
                continue;
            }
            if state.in_flight == 0 && (stopped || queue.is_empty()) {
                break;
            }
            let waited = progress.changed.wait_timeout(state, STOP_INTERVAL);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
    });
    let state = progress.state.into_inner();
    if let Some(panic) = state.panic {
        resume_unwind(panic);
    }
    state.order.rest().for_each(hand_on);
}

/// The jobs that have not been started yet. Jobs that were postponed are in [`State`].
struct Queue<'j, T> {
    jobs: &'j Jobs<'j, T>,
    /// The job that is started next, and its bytes. No other job overtakes it, so a large one gets its turn.
    head: Option<(usize, u64)>,
    /// The first job that has not been at the head.
    next: usize,
}

impl<'j, T> Queue<'j, T> {
    fn new(jobs: &'j Jobs<'j, T>) -> Self {
        let (head, next) = (None, 0);
        Self { jobs, head, next }
    }

    /// Returns true if every job has been started.
    fn is_empty(&self) -> bool {
        self.head.is_none() && self.next == self.jobs.count
    }

    /// Takes the next job, reserves its memory and counts it as in flight. Returns `None` if enough jobs are in flight, no
    /// job is left, too many results are held back, or there is not enough memory.
    fn admit<'b>(
        &mut self,
        progress: &Progress<T>,
        budget: &'b Budget,
    ) -> Option<(usize, Grant<'b>)> {
        let mut state = progress.state.lock();
        state.notify_each = false;
        if state.in_flight >= progress.max_in_flight() {
            return None;
        }
        if self.head.is_none() {
            // Postponed jobs come first even if much is held back: the results held back may wait for them.
            self.head = state.postponed.pop_first();
        }
        if self.head.is_none() && self.next < self.jobs.count && state.order.held <= MAX_HELD {
            let known = state.take_estimate(self.next);
            // The lock is free while the estimate looks at files.
            drop(state);
            let bytes = known.unwrap_or_else(|| (self.jobs.estimate)(self.next));
            self.head = Some((self.next, bytes));
            self.next += 1;
            state = progress.state.lock();
        }
        let granted = self
            .head
            .and_then(|(index, bytes)| Some((index, budget.admit(bytes)?)));
        match granted {
            Some(_) => {
                self.head = None;
                state.in_flight += 1;
            }
            None => state.notify_each = true,
        }
        granted
    }
}

impl<T> State<T> {
    /// Takes the estimate of a job, if it has been made, and drops those of earlier jobs, which came too late.
    fn take_estimate(&mut self, index: usize) -> Option<u64> {
        let later = self.estimates.split_off(&(index + 1));
        std::mem::replace(&mut self.estimates, later).remove(&index)
    }
}

impl<T> Progress<T> {
    fn new(few: usize) -> Self {
        let state = Mutex::new(State {
            order: InOrder::new(),
            postponed: BTreeMap::new(),
            estimates: BTreeMap::new(),
            in_flight: 0,
            ended: 0,
            notify_each: false,
            panic: None,
        });
        let changed = Condvar::new();
        Self {
            state,
            changed,
            few,
        }
    }

    /// Returns the number of jobs that may be in flight.
    fn max_in_flight(&self) -> usize {
        2 * self.few + 4
    }

    fn next_result(&self) -> Option<T> {
        self.state.lock().order.next()
    }

    /// Runs one job on a thread of the pool and records how it has ended. `job` returns `None` if it was not to start;
    /// `later` returns the number of a later job and its estimate.
    fn run(
        &self,
        index: usize,
        grant: Grant,
        job: impl FnOnce(&Grant) -> Option<JobResult<T>>,
        later: impl FnOnce() -> Option<(usize, u64)>,
    ) {
        let result = catch_unwind(AssertUnwindSafe(|| job(&grant)));
        if grant.is_large(self.few.div_ceil(2)) {
            give_back_memory();
        }
        drop(grant);
        // If the estimate panics, the calling thread makes it when it comes to that job.
        let later = catch_unwind(AssertUnwindSafe(later)).ok().flatten();
        let mut state = self.state.lock();
        state.estimates.extend(later);
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
        let notify = state.notify_each || state.in_flight <= self.few;
        // The calling thread, once it is awake, takes the lock.
        drop(state);
        if notify {
            self.changed.notify_one();
        }
    }
}
