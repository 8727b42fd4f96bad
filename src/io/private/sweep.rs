//! Temporary files, the files that keep other programs away from them, and sweeping: removing what dead runs have left.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::Private;
use super::own::{self, NUMBER, OWN};
use crate::io::system;

/// The beginning and the end of the names of temporary files in the root itself.
pub const LOOSE: &str = ".rigy-batch-";
pub const LOOSE_END: &str = ".tmp";

impl Private {
    /// Removes what dead runs have left in the private directory, and loose temporary files in the root. Anything that
    /// cannot be removed stays for the next run.
    pub fn sweep(&self) {
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
            // Windows does not rename a directory with an open file. There a run that locks the directory from now on keeps
            // it, because that lock is an open file, too.
            let lock = (!cfg!(windows)).then_some(lock);
            let place = own.join(self.next_name());
            if system::rename(path, &place).is_ok() {
                drop(lock);
                let _ = system::remove_tree(&place);
            }
        }
    }
}

/// Removes a loose temporary file, as a check of the root leaves it when it is killed, unless a run has it locked.
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

/// The files with their contents. Git ignores the directory; backups that honour `CACHEDIR.TAG`
/// (<https://bford.info/cachedir/>) leave it out.
const TAGS: [(&str, &str); 2] = [
    (".gitignore", "*\n"),
    (
        "CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n\
         # This directory is a cache of rigy-batch. For information see https://bford.info/cachedir/\n",
    ),
];

/// Writes the files that are missing into a private directory that will stay because it holds a cache. A failure has no
/// consequence: the next run tries again.
pub fn tag(private: &Path) {
    for (name, text) in TAGS {
        let place = private.join(name);
        let is_there = system::symlink_metadata(&place).map(drop);
        if is_there.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let _ = write(private, &place, text);
        }
    }
}

/// Writes one file under a temporary name, which later runs remove if this one is killed, and renames it.
fn write(private: &Path, place: &Path, text: &str) -> io::Result<()> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("{LOOSE}{}-{number}{LOOSE_END}", std::process::id());
    let path = private.join(name);
    let mut handle = system::create(&path)?;
    let file = Temporary::new(path);
    handle.write_all(text.as_bytes())?;
    drop(handle);
    file.persist(place).map_err(|(error, _)| error)
}

/// The path of a temporary file, which may be open or closed. The file is removed when this is dropped.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// Takes charge of the file at `path`.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Renames the file to `place`, where it stays.
    ///
    /// # Errors
    /// If it cannot be renamed; the file is removed when the value that is returned with the error is dropped.
    pub fn persist(mut self, place: &Path) -> Result<(), (io::Error, Self)> {
        match system::rename(&self.0, place) {
            Ok(()) => {
                self.0 = PathBuf::new();
                Ok(())
            }
            Err(error) => Err((error, self)),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = system::remove(&self.0);
        }
    }
}
