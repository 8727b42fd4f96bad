//! Files whose stamps do not tell whether their bytes are the same, because their whole file system may have been replaced: an image of
//! one that is made with fixed times, such as squashfs, is mounted where an older one was.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use crate::base::loader::Stamp;
use crate::base::maps::HashMap;

/// File systems, of which each is looked at once.
#[derive(Debug, Default)]
pub(crate) struct FileSystems {
    /// Whether they are read-only, by device.
    read_only: RwLock<HashMap<u64, bool>>,
}

impl FileSystems {
    /// Returns true if another file may have this stamp of the file that a path leads to: its times are one whole second, or it lies on a
    /// mount that is read-only.
    pub fn may_repeat(&self, stamp: &Stamp, path: &Path) -> bool {
        if stamp.has_fixed_times() {
            return true;
        }
        let known = self.read_only.read();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&stamp.device) {
            return *known;
        }
        drop(known);
        let found = is_read_only(path);
        let known = self.read_only.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        *known.entry(stamp.device).or_insert(found)
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
