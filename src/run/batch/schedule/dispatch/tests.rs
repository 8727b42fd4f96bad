use super::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};

/// Jobs of given sizes, some of which turn out larger than estimated; each spreads work over the pool.
struct Planned {
    /// For each job the bytes that are estimated and the bytes that are needed.
    sizes: Vec<(u64, u64)>,
    limit: u64,
    taken: AtomicU64,
    running: AtomicUsize,
    broken: AtomicBool,
    /// Length of each result.
    len: usize,
    /// A job, and the number of jobs that must have begun before it ends.
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
        let mut seen = Vec::new();
        self.dispatch(threads, |n| seen.push(n));
        assert!(!self.broken.load(SeqCst), "more was taken than there is");
        seen
    }

    fn dispatch(&self, threads: usize, hand_on: impl FnMut(usize)) {
        let jobs = Jobs {
            count: self.sizes.len(),
            estimate: &|index| self.sizes[index].0,
            run: &|index, grant| self.run(index, grant),
            is_stopped: &|| self.begun.load(SeqCst) >= self.stop_after,
        };
        dispatch(&jobs, &pool(threads), &Budget::new(self.limit), hand_on);
    }

    fn run(&self, index: usize, grant: &Grant) -> Result<(usize, usize), Postponed> {
        let needed = self.sizes[index].1;
        grant.grow_to(needed)?;
        let begun = self.begun.fetch_add(1, SeqCst);
        let taken = self.taken.fetch_add(needed, SeqCst) + needed;
        let running = self.running.fetch_add(1, SeqCst) + 1;
        if taken > self.limit && running > 1 {
            self.broken.store(true, SeqCst);
        }
        // While a thread waits here, it executes other jobs.
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
}

fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap()
}

#[test]
fn jobs_never_exceed_the_budget_and_every_job_gets_its_turn() {
    // Small jobs, large jobs, jobs that turn out large, and jobs that are larger than the budget.
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
    jobs.len = MAX_HELD / 10;
    jobs.slow = Some((0, 500));
    let (mut seen, mut begun) = (Vec::new(), 0);
    jobs.dispatch(4, |n| {
        if n == 0 {
            begun = jobs.begun.load(SeqCst);
        }
        seen.push(n);
    });
    // Ten results are the most that is held back. Jobs that were in flight then, and those that are now, come on top.
    assert!((10..=10 + 1 + 20 + 20).contains(&begun), "{begun}");
    assert_eq!(seen, (0..500).collect::<Vec<_>>());
}

#[test]
fn jobs_are_started_between_two_results() {
    let jobs = Planned::new(vec![(1, 1); 100], 1000);
    let mut seen = 0;
    jobs.dispatch(1, |n| {
        // All jobs that were started at first may have ended before the first result is passed on.
        let (start, at_first) = (std::time::Instant::now(), 8);
        while n == 1 && jobs.begun.load(SeqCst) <= at_first {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "no job is started"
            );
            std::thread::yield_now();
        }
        seen += 1;
    });
    assert_eq!(seen, 100);
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
    let planned = Planned::new(vec![(1, 1); 50], 1000);
    let jobs = Jobs {
        count: 100, // twice as many as are planned: the second half panics
        estimate: &|_| 1,
        run: &|index, grant| planned.run(index, grant),
        is_stopped: &|| false,
    };
    let pool = pool(2);
    let all = || dispatch(&jobs, &pool, &Budget::new(9), |_| ());
    assert!(catch_unwind(AssertUnwindSafe(all)).is_err());
}

#[test]
fn threads_that_have_done_a_job_estimate_a_later_one() {
    let caller = std::thread::current().id();
    let by_caller = AtomicUsize::new(0);
    let jobs = Jobs {
        count: 500,
        estimate: &|_| {
            let is_caller = std::thread::current().id() == caller;
            by_caller.fetch_add(usize::from(is_caller), SeqCst);
            1
        },
        run: &|index, _| Ok((index, 1)),
        is_stopped: &|| false,
    };
    let mut seen = Vec::new();
    dispatch(&jobs, &pool(2), &Budget::new(1 << 20), |n| seen.push(n));
    assert!(seen.into_iter().eq(0..500));
    // The first jobs have no job before them; a few more may be started before a slow thread is ready.
    assert!(by_caller.into_inner() < 250);
}
