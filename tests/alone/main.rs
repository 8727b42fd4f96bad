//! Tests that change something of their whole process: faults and panics that are planted in the library, and the current
//! directory. They run one at a time.

#[cfg(unix)]
mod directory;
mod faults;
mod memory;
mod panics;
mod planted;
mod times;

#[path = "../support"]
mod support {
    mod dir;
    mod glb;
    pub mod skinned;
    mod texts;

    pub use dir::{Dir, is_cache};
    pub use texts::{PART, USER, document};
}

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until the other tests of this binary that run have ended. The next one starts when the guard is dropped.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
