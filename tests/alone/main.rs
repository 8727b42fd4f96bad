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

    /// Memory, where it has room: these tests wait for `fsync` of thousands of files, which takes minutes on a disk.
    #[cfg(target_os = "linux")]
    fn place_of_directories() -> std::path::PathBuf {
        const ROOM: u64 = 512 << 20;
        let memory = "/dev/shm";
        let free = rustix::fs::statvfs(memory).map(|of| of.f_bavail * of.f_frsize);
        if free.is_ok_and(|free| free >= ROOM) {
            return memory.into();
        }
        std::env::temp_dir()
    }

    #[cfg(not(target_os = "linux"))]
    fn place_of_directories() -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until the other tests of this binary that run have ended. The next one starts when the guard is dropped.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
