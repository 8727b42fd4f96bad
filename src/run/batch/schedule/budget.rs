//! The memory that is reserved for jobs, by estimates made beforehand.
//!
//! No function here waits. A job that does not fit is not admitted, or is postponed, and the dispatcher tries again when
//! another job has ended. A thread that waited for memory might itself hold the memory that it waits for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rigy_base::sync::Mutex;

/// No job of fewer bytes is large.
const LEAST_LARGE: u64 = 16 << 20;
/// Jobs may take this many bytes together before [`MemoryLimit::Found`] is found out.
const ALWAYS: u64 = 16 << 20;

/// The bytes of memory that inputs in progress may take together, by estimate. An input that needs more is processed alone.
#[derive(Clone, Copy, Debug)]
pub enum MemoryLimit {
    /// This many bytes.
    Bytes(u64),
    /// As many bytes as the function returns, and never fewer than 16 MiB. It is called once in a run, when the inputs first
    /// take more than that, because asking the system takes as long as a small document.
    Found(fn() -> u64),
}

impl From<u64> for MemoryLimit {
    fn from(bytes: u64) -> Self {
        Self::Bytes(bytes)
    }
}

/// A limit on the memory of all jobs together.
pub struct Budget {
    limit: MemoryLimit,
    found: OnceLock<u64>,
    taken: Mutex<Taken>,
}

/// The reservations of the jobs that have been admitted and have not ended.
#[derive(Default)]
struct Taken {
    bytes: u64,
    jobs: usize,
}

/// The memory that is reserved for one job, until this is dropped.
pub struct Grant<'b> {
    budget: &'b Budget,
    /// Bytes; changes only while the budget is locked.
    bytes: AtomicU64,
}

/// The result of a job that has not been done: it needs more memory than is free now and must be started again later, or
/// the run has been stopped, in which case it is not started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Postponed {
    /// The bytes that the job needs.
    pub(crate) bytes: u64,
}

impl Postponed {
    /// The result of a job that was given up because the run has been stopped.
    pub(crate) const STOPPED: Self = Self { bytes: 0 };
}

impl Budget {
    /// Makes a budget.
    pub fn new(limit: impl Into<MemoryLimit>) -> Self {
        Self {
            limit: limit.into(),
            found: OnceLock::new(),
            taken: Mutex::default(),
        }
    }

    /// Returns the limit, in bytes.
    fn limit(&self) -> u64 {
        match self.limit {
            MemoryLimit::Bytes(limit) => limit,
            MemoryLimit::Found(find) => *self.found.get_or_init(|| find().max(ALWAYS)),
        }
    }

    /// Returns true if jobs may not take this many bytes together.
    fn is_exceeded_by(&self, bytes: u64) -> bool {
        let may_always = matches!(self.limit, MemoryLimit::Found(_)) && bytes <= ALWAYS;
        !may_always && bytes > self.limit()
    }

    /// Reserves memory for a job; returns `None` if there is not enough. While there is no other job, a job of any size is
    /// admitted.
    pub fn admit(&self, bytes: u64) -> Option<Grant<'_>> {
        let mut taken = self.taken.lock();
        let total = taken.bytes.saturating_add(bytes);
        if taken.jobs > 0 && self.is_exceeded_by(total) {
            return None;
        }
        taken.bytes = total;
        taken.jobs += 1;
        Some(Grant {
            budget: self,
            bytes: AtomicU64::new(bytes),
        })
    }
}

impl Grant<'_> {
    /// Returns the bytes that are reserved.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Returns true if the memory of such a job is to be given back to the system before other jobs may take as much. The
    /// allocator would keep it for the thread that has freed it, in addition to what other threads then take. If each of `threads` threads
    /// kept less, that would be less than a sixteenth of the limit.
    pub fn is_large(&self, threads: usize) -> bool {
        let bytes = self.bytes();
        bytes >= LEAST_LARGE && bytes >= self.budget.limit() / (16 * threads.max(1) as u64)
    }

    /// Raises the reservation to `bytes` if it is lower.
    ///
    /// # Errors
    /// If there is not enough memory now. The reservation stays as it is.
    pub fn grow_to(&self, bytes: u64) -> Result<(), Postponed> {
        let mut taken = self.budget.taken.lock();
        let has = self.bytes.load(Relaxed);
        if bytes <= has {
            return Ok(());
        }
        let total = (taken.bytes - has).saturating_add(bytes);
        if taken.jobs > 1 && self.budget.is_exceeded_by(total) {
            return Err(Postponed { bytes });
        }
        taken.bytes = total;
        self.bytes.store(bytes, Relaxed);
        Ok(())
    }
}

impl Drop for Grant<'_> {
    fn drop(&mut self) {
        let mut taken = self.budget.taken.lock();
        taken.bytes -= self.bytes.load(Relaxed);
        taken.jobs -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_job_takes_much_of_what_there_is() {
        let is_large = |limit, bytes, threads| {
            let budget = Budget::new(limit);
            budget
                .admit(bytes)
                .expect("there is no other job")
                .is_large(threads)
        };
        assert!(is_large(1 << 20, 16 << 20, 1) && !is_large(1 << 20, (16 << 20) - 1, 1));
        assert!(is_large(16 << 30, 1 << 30, 1) && !is_large(16 << 30, (1 << 30) - 1, 1));
        assert!(is_large(16 << 30, 1 << 29, 2) && !is_large(16 << 30, (1 << 29) - 1, 2));
    }

    #[test]
    fn a_limit_is_found_out_when_it_is_needed() {
        let budget = Budget::new(MemoryLimit::Found(|| 32 << 20));
        let first = budget.admit(1 << 20).unwrap();
        let second = budget.admit(ALWAYS - (1 << 20)).unwrap();
        assert!(!first.is_large(1));
        assert_eq!(budget.found.get(), None);
        assert_eq!(second.grow_to(31 << 20), Ok(()));
        assert_eq!(budget.found.get(), Some(&(32 << 20)));
        assert!(second.is_large(1));
        assert!(second.grow_to((31 << 20) + 1).is_err());
        assert!(budget.admit(1).is_none());
        let little = Budget::new(MemoryLimit::Found(|| 1));
        let both = [little.admit(1), little.admit(ALWAYS - 1)];
        assert!(both.iter().all(Option::is_some) && little.admit(1).is_none());
    }

    #[test]
    fn jobs_share_what_there_is_and_a_larger_one_is_alone() {
        let budget = Budget::new(100);
        let large = budget.admit(1000).expect("there is no other job");
        assert!(budget.admit(1).is_none());
        drop(large);
        let (first, second) = (budget.admit(60).unwrap(), budget.admit(40).unwrap());
        assert!(budget.admit(1).is_none());
        assert_eq!(first.grow_to(61), Err(Postponed { bytes: 61 }));
        drop(second);
        assert_eq!(first.grow_to(99), Ok(()));
        assert_eq!(first.grow_to(5), Ok(()), "what is granted stays");
        assert!(budget.admit(2).is_none());
        assert_eq!(first.grow_to(5000), Ok(()), "alone");
        drop(first);
        assert_eq!(budget.taken.lock().bytes, 0);
    }
}
