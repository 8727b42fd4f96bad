//! Memory that jobs have been promised, by estimates made beforehand.
//!
//! Nobody waits here. A job that does not fit is not admitted, or is postponed, and whoever hands out jobs tries again
//! once another has ended: a thread that waited for memory might be the one that has to give some back.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How much memory jobs may take together.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    bytes: u64,
    jobs: usize,
}

/// The memory of one job, given back when dropped.
#[derive(Debug)]
pub(crate) struct Grant<'b> {
    budget: &'b Budget,
    /// Changes only under the budget's lock.
    bytes: AtomicU64,
}

/// A job needs more memory than there is now, and has to be done again from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Postponed {
    /// What it needs.
    pub(crate) bytes: u64,
}

impl Budget {
    pub fn new(limit: u64) -> Self {
        let taken = Mutex::default();
        Self { limit, taken }
    }

    /// Memory for a job, if there is as much. A job that would never fit is admitted once it is alone.
    pub fn admit(&self, bytes: u64) -> Option<Grant<'_>> {
        let mut taken = self.taken();
        let total = taken.bytes.saturating_add(bytes);
        if taken.jobs > 0 && total > self.limit {
            return None;
        }
        taken.bytes = total;
        taken.jobs += 1;
        Some(Grant {
            budget: self,
            bytes: AtomicU64::new(bytes),
        })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        // Nothing in here panics half way.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Grant<'_> {
    /// How much the job has, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Makes sure that the job has so much.
    ///
    /// # Errors
    /// If there is not as much now.
    pub fn grow_to(&self, bytes: u64) -> Result<(), Postponed> {
        let mut taken = self.budget.taken();
        let has = self.bytes.load(Relaxed);
        if bytes <= has {
            return Ok(());
        }
        let total = (taken.bytes - has).saturating_add(bytes);
        if taken.jobs > 1 && total > self.budget.limit {
            return Err(Postponed { bytes });
        }
        taken.bytes = total;
        self.bytes.store(bytes, Relaxed);
        Ok(())
    }
}

impl Drop for Grant<'_> {
    fn drop(&mut self) {
        let mut taken = self.budget.taken();
        taken.bytes -= self.bytes.load(Relaxed);
        taken.jobs -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_share_what_there_is_and_a_larger_one_is_alone() {
        let budget = Budget::new(100);
        let large = budget.admit(1000).expect("nobody else is here");
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
        assert_eq!(budget.taken().bytes, 0);
    }
}
