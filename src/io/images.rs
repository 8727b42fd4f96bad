//! Files whose stamps do not tell whether their bytes are the same, because their whole file system may have been replaced: an image of
//! one that is made with fixed times, such as squashfs, is mounted where an older one was.

use std::path::Path;

use rigy_base::loader::Stamp;
use rigy_base::maps::HashMap;
use rigy_base::sync::Mutex;

/// File systems, of which each is looked at once.
#[derive(Default)]
pub struct FileSystems {
    /// For each device, true if it is mounted read-only.
    read_only: Mutex<HashMap<u64, bool>>,
}

impl FileSystems {
    /// Returns true if another file may have this stamp of the file that a path leads to: its times are one whole second, or it lies on a
    /// mount that is read-only.
    pub fn may_repeat(&self, stamp: &Stamp, path: &Path) -> bool {
        if stamp.has_fixed_times() {
            return true;
        }
        let mut known = self.read_only.lock();
        *known
            .entry(stamp.device)
            .or_insert_with(|| is_read_only(path))
    }
}

#[cfg(unix)]
fn is_read_only(path: &Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(path).is_ok_and(|found| found.f_flag.contains(StatVfsMountFlags::RDONLY))
}

/// Elsewhere nobody can tell.
#[cfg(not(unix))]
fn is_read_only(_: &Path) -> bool {
    false
}
