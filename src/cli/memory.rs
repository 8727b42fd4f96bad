//! How much memory the inputs of a run take together by default.

use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::io::memory_limit;

/// Half of the memory of this machine, in bytes, or of the smallest limit on memory of this process or of the control
/// groups that it is in, if that is less.
pub fn half_of_memory() -> u64 {
    let ram = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(ram));
    let machine = match system.total_memory() {
        0 => 4 << 30, // a system that does not say
        total => total,
    };
    let limit = memory_limit(Path::new("/")).unwrap_or(u64::MAX);
    (machine.min(limit) / 2).max(1)
}
