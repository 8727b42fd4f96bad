//! Sweeping: removing what dead runs have left.

use std::ffi::OsStr;
use std::path::Path;

use super::Private;
use super::own::{self, OWN};
use crate::io::system;

/// The beginning and the end of the names of temporary files in the root itself.
pub(super) const LOOSE: &str = ".rigy-batch-";
pub(super) const LOOSE_END: &str = ".tmp";

impl Private {
    /// Removes what dead runs have left in the private directory, and loose temporary files in the root. Anything that
    /// cannot be removed stays for the next run.
    pub(super) fn sweep(&self) {
        let own = self.own_path();
        for entry in system::list(&self.private).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if path == own || !starts_with(&entry.file_name(), OWN) {
                sweep_loose(&path);
            } else if is_directory {
                self.sweep_directory(&path, &own);
            } else {
                let _ = system::remove(&path);
            }
        }
        for entry in system::list(&self.root).into_iter().flatten().flatten() {
            sweep_loose(&entry.path());
        }
    }

    /// Removes another run's directory if that run is dead.
    fn sweep_directory(&self, path: &Path, own: &Path) {
        if let Ok(Some(lock)) = own::lock(path) {
            let place = own.join(self.next_name());
            if system::rename(path, &place).is_ok() {
                drop(lock);
                let _ = system::remove_tree(&place);
            }
        }
    }
}

/// Removes a loose temporary file, as older versions and checks of the root leave them when they are killed, unless a run
/// has it locked.
fn sweep_loose(path: &Path) {
    let name = path.file_name().unwrap_or(OsStr::new(""));
    let is_ours =
        starts_with(name, LOOSE) && name.as_encoded_bytes().ends_with(LOOSE_END.as_bytes());
    if is_ours && system::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        let lock = system::open(path);
        if lock.is_ok_and(|lock| lock.try_lock().unwrap_or(false)) {
            let _ = system::remove(path);
        }
    }
}

fn starts_with(name: &OsStr, start: &str) -> bool {
    name.as_encoded_bytes().starts_with(start.as_bytes())
}
