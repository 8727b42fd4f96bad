//! Files spread over threads within a limit on memory.

use rayon::prelude::*;

use crate::base::diag::Diagnostic;
use crate::run::batch::{Budget, Grant, Postponed};

/// The reasons why a file is not done.
pub enum Unfinished {
    /// It has these errors.
    Failed(Vec<Diagnostic>),
    /// It needs more memory than the others leave, and is done when they have ended.
    Postponed,
}

impl From<Vec<Diagnostic>> for Unfinished {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Self::Failed(errors)
    }
}

impl From<Postponed> for Unfinished {
    fn from(_: Postponed) -> Self {
        Self::Postponed
    }
}

/// Does a task for each item on the threads of the present pool, and returns the results in the order of the items. A task
/// raises its grant before it takes memory; those that are postponed by it are done one after the other in the end.
///
/// No task waits for memory, because its thread may have begun another task that holds it.
pub fn each<I: Sync, T: Send>(
    items: &[I],
    budget: &Budget,
    task: impl Fn(&I, &Grant<'_>) -> Result<T, Unfinished> + Sync,
) -> Vec<Result<T, Vec<Diagnostic>>> {
    let once = |item: &I| {
        let grant = budget.admit(0).ok_or(Unfinished::Postponed)?;
        task(item, &grant)
    };
    let results: Vec<Result<T, Unfinished>> = items.par_iter().map(once).collect();
    let finished = results.into_iter().zip(items);
    finished
        .map(|(result, item)| {
            let result = match result {
                Err(Unfinished::Postponed) => once(item),
                result => result,
            };
            result.map_err(|unfinished| match unfinished {
                Unfinished::Failed(errors) => errors,
                Unfinished::Postponed => unreachable!("a task that is alone gets its memory"),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn what_does_not_fit_beside_others_is_done_alone_and_keeps_its_place() {
        let budget = Budget::new(100);
        let (inside, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let sizes: Vec<u64> = (0..64)
            .map(|number| if number % 7 == 3 { 500 } else { number })
            .collect();
        let task = |size: &u64, grant: &Grant<'_>| {
            grant.grow_to(*size)?;
            let now = inside.fetch_add(*size, Ordering::SeqCst) + size;
            if now > 500 || (now > 100 && now != 500) {
                most.fetch_max(now, Ordering::SeqCst);
            }
            // Nested work lets threads begin other tasks inside of this one.
            (0..8)
                .into_par_iter()
                .for_each(|_| std::thread::yield_now());
            inside.fetch_sub(*size, Ordering::SeqCst);
            match size {
                13 => Err(Unfinished::Failed(Vec::new())),
                size => Ok(*size),
            }
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(4)
            .build()
            .unwrap();
        let results = pool.install(|| each(&sizes, &budget, task));
        let expected: Vec<Option<u64>> = sizes
            .iter()
            .map(|size| (*size != 13).then_some(*size))
            .collect();
        assert_eq!(
            results.into_iter().map(Result::ok).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(most.into_inner(), 0, "more than the budget was in use");
    }
}
