//! Planted faults, for tests: some operation on a file fails, and what happens then can be looked at.
//!
//! The operations of this room pass [`pass`], but for those of others' making: `walkdir` lists the entries of directories
//! (before each directory, `discover` passes in its name), `notify` watches them. As long as nothing is planted, that
//! costs one relaxed load.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The k-th operation, counted from 1, and no other.
    Once(u64),
    /// All that needs room on the disk, from the k-th operation of that kind on.
    FullFrom(u64),
}

/// An operation that was made to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What was to be done.
    pub operation: &'static str,
    /// With which file.
    pub path: PathBuf,
}

/// Operations that need room on the disk.
const NEED_ROOM: [&str; 4] = ["create", "create directory", "set length of", "write"];

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

fn plan() -> MutexGuard<'static, Plan> {
    PLAN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plants a fault, in place of what is planted.
pub fn plant(fault: Fault) {
    *plan() = Plan {
        fault: Some(fault),
        passed: 0,
        hits: Vec::new(),
    };
    ON.store(true, Ordering::SeqCst);
}

/// From here on nothing fails; gives what has.
pub fn clear() -> Vec<Hit> {
    ON.store(false, Ordering::SeqCst);
    let mut plan = plan();
    plan.fault = None;
    std::mem::take(&mut plan.hits)
}

/// The point that every operation passes before it is done.
pub(super) fn pass(operation: &'static str, path: &Path) -> io::Result<()> {
    if !ON.load(Ordering::Relaxed) {
        return Ok(());
    }
    pass_with_plan(operation, path)
}

#[cold]
fn pass_with_plan(operation: &'static str, path: &Path) -> io::Result<()> {
    let mut plan = plan();
    let (counts, error) = match plan.fault {
        None => return Ok(()),
        Some(Fault::Once(_)) => (true, io::Error::other("a planted fault")),
        Some(Fault::FullFrom(_)) => (
            NEED_ROOM.contains(&operation),
            io::ErrorKind::StorageFull.into(),
        ),
    };
    plan.passed += u64::from(counts);
    let fails = match plan.fault {
        Some(Fault::Once(k)) => plan.passed == k,
        Some(Fault::FullFrom(k)) => counts && plan.passed >= k,
        None => false,
    };
    if !fails {
        return Ok(());
    }
    let path = path.to_owned();
    plan.hits.push(Hit { operation, path });
    Err(error)
}
