//! Planted faults, for tests (only where debug assertions are on): a chosen operation on a file fails, and the test checks the consequences.
//!
//! Operations in `io/system` whose failure has an effect call [`pass`] first. `ignore` and `notify` do their own operations on directories, which
//! cannot be made to fail; `discover` calls `pass` for each directory that `ignore` is about to list. While no fault is
//! planted, a call costs one relaxed load.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rigy_base::loader::Stamp;
use rigy_base::sync::Mutex;

/// The operations that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// No operation fails, and [`clear`] returns all of them.
    Record,
    /// Only the k-th operation, counted from 1.
    Once(u64),
    /// Only the k-th operation, counted from 1, as if a network file system had lost the file.
    Stale(u64),
    /// Every creation of a file or a directory, as if another run had made one in that place.
    Taken,
    /// Every operation that needs space on the disk, from the k-th of these on.
    FullFrom(u64),
}

/// An operation that was made to fail, or was recorded.
#[derive(Debug)]
pub struct Hit {
    /// The operation, as a verb.
    pub operation: &'static str,
    /// The file or directory that it was for.
    pub path: PathBuf,
}

impl Hit {
    /// Returns true if the operation needs space on the disk.
    pub fn needs_space(&self) -> bool {
        NEED_SPACE.contains(&self.operation)
    }
}

/// Operations that need space on the disk.
const NEED_SPACE: [&str; 4] = ["create", "create directory", "set length of", "write"];

struct Plan {
    fault: Option<Fault>,
    passed: u64,
    hits: Vec<Hit>,
}

static ON: AtomicBool = AtomicBool::new(false);
static PLAN: Mutex<Plan> = Mutex::new(Plan {
    fault: None,
    passed: 0,
    hits: Vec::new(),
});

/// The times in stamps of files.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    /// Those that the system gives.
    Exact,
    /// Without parts of seconds, as on file systems that record no others.
    WholeSeconds,
    /// This second since 1970, as in an image of a file system.
    Fixed(i64),
}

static TIMES: Mutex<Times> = Mutex::new(Times::Exact);

/// Sets the times of all files in this process.
pub fn plant_times(times: Times) {
    *TIMES.lock() = times;
}

pub(super) fn with_planted_times(stamp: Stamp) -> Stamp {
    let times = *TIMES.lock();
    let [modified_seconds, changed_seconds] = match times {
        Times::Exact => return stamp,
        Times::WholeSeconds => [stamp.modified_seconds, stamp.changed_seconds],
        Times::Fixed(seconds) => [seconds; 2],
    };
    Stamp {
        modified_seconds,
        modified_nanoseconds: 0,
        changed_seconds,
        changed_nanoseconds: 0,
        ..stamp
    }
}

/// Plants a fault for all threads of this process, in place of the one that is planted.
pub fn plant(fault: Fault) {
    *PLAN.lock() = Plan {
        fault: Some(fault),
        passed: 0,
        hits: Vec::new(),
    };
    ON.store(true, Ordering::SeqCst);
}

/// Removes the fault. Returns the operations that it has made to fail, or all of them for [`Fault::Record`].
pub fn clear() -> Vec<Hit> {
    ON.store(false, Ordering::SeqCst);
    let mut plan = PLAN.lock();
    plan.fault = None;
    std::mem::take(&mut plan.hits)
}

/// Counts an operation that is about to be done, and fails if it is one that the planted fault is for.
pub(super) fn pass(operation: &'static str, path: &Path) -> io::Result<()> {
    if !ON.load(Ordering::Relaxed) {
        return Ok(());
    }
    pass_with_plan(operation, path)
}

#[cold]
fn pass_with_plan(operation: &'static str, path: &Path) -> io::Result<()> {
    let mut plan = PLAN.lock();
    let hit = Hit {
        operation,
        path: path.to_owned(),
    };
    let (counts, error) = match plan.fault {
        None => return Ok(()),
        Some(Fault::Record) => {
            plan.hits.push(hit);
            return Ok(());
        }
        Some(Fault::Once(_)) => (true, io::Error::other("a planted fault")),
        Some(Fault::Stale(_)) => (true, io::ErrorKind::StaleNetworkFileHandle.into()),
        Some(Fault::Taken) => (false, io::ErrorKind::AlreadyExists.into()),
        Some(Fault::FullFrom(_)) => (hit.needs_space(), io::ErrorKind::StorageFull.into()),
    };
    plan.passed += u64::from(counts);
    let fails = match plan.fault {
        Some(Fault::Once(k) | Fault::Stale(k)) => plan.passed == k,
        Some(Fault::FullFrom(k)) => counts && plan.passed >= k,
        Some(Fault::Taken) => operation.starts_with("create"),
        Some(Fault::Record) | None => false,
    };
    if !fails {
        return Ok(());
    }
    plan.hits.push(hit);
    Err(error)
}
