//! The default of `--memory`.

use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::io::memory_limit;

/// Returns half of the memory of this machine in bytes, or half of the smallest limit on the memory of this process and of
/// its control groups, if that is less.
pub fn half_of_memory() -> u64 {
    let ram = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(ram));
    let machine = match system.total_memory() {
        0 => 4 << 30, // the system does not tell
        total => total,
    };
    let limit = memory_limit(Path::new("/")).unwrap_or(u64::MAX);
    (machine.min(limit) / 2).max(1)
}
