//! The private directory for temporary files, and who may clean it up.
//!
//! ```text
//! OUTPUT/.rigy-batch/            made by whoever comes first, removed by whoever leaves it empty
//!     tmp-<process>-<number>/    one for each run that writes here
//!         lock                   locked as long as the run lives, by the system: a kill unlocks it
//!         1, 2, …                files on their way
//! ```
//! A directory `tmp-*` whose lock can be had belongs to a dead run. It is first moved into the own directory of who
//! found it, and removed there: a run that has just made its directory, and not yet its lock, then finds neither,
//! and makes another. Process numbers only keep names apart; they say nothing about who lives.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::IoError;
use super::system::{self, Handle};

/// Name of the private directory, below the output root.
pub const PRIVATE: &str = ".rigy-batch";
/// How the names of the runs' own directories begin.
const OWN: &str = "tmp-";
/// The file in each of them that is kept locked.
const LOCK: &str = "lock";
/// How often a name is tried that others are in the way of.
const ATTEMPTS: u32 = 1000;

/// Numbers for the directories of this process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A run's own directory for temporary files. It is removed when dropped.
#[derive(Debug)]
pub(super) struct Private {
    private: PathBuf,
    own: PathBuf,
    /// Held, not used. There is none where the file system knows no locks; nobody sweeps there.
    _lock: Option<Handle>,
    next: AtomicU64,
}

/// A temporary file, closed or open. It is removed when dropped.
#[derive(Debug)]
pub(super) struct Temporary(PathBuf);

impl Private {
    /// Makes a directory below `root`, which must be there, and sweeps those of dead runs.
    ///
    /// # Errors
    /// If nothing can be made there, or if the place of the private directory is taken by something else.
    pub fn below(root: &Path) -> Result<Self, IoError> {
        let private = root.join(PRIVATE);
        let made = Self::make(&private);
        let made = made.inspect_err(|_| drop(system::remove_dir(&private)))?;
        made.sweep(root);
        Ok(made)
    }

    /// Sweeps without staying, if there is anything to sweep.
    pub fn sweep_below(directory: &Path) {
        let is_there = |there: std::fs::Metadata| there.is_dir();
        if system::symlink_metadata(&directory.join(PRIVATE)).is_ok_and(is_there) {
            drop(Self::below(directory));
        }
    }

    fn make(private: &Path) -> Result<Self, IoError> {
        let failed = |error| IoError::new("write below", private, error);
        for _ in 0..ATTEMPTS {
            ensure(private)?;
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let own = private.join(format!("{OWN}{}-{number}", std::process::id()));
            match system::create_dir(&own) {
                Ok(()) => {}
                // A dead run's, or another run has just left and removed the private directory.
                Err(error) if is_in_the_way(&error) => continue,
                Err(error) => return Err(failed(error)),
            }
            let lock = match hold(&own) {
                Ok(Some(lock)) => Some(lock),
                Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
                // Somebody else has taken it for a dead run's.
                Ok(None) => continue,
                Err(error) if is_in_the_way(&error) => continue,
                Err(error) => {
                    let _ = remove_own(&own);
                    let _ = system::remove_dir(private);
                    return Err(failed(error));
                }
            };
            return Ok(Self {
                private: private.to_owned(),
                own,
                _lock: lock,
                next: AtomicU64::new(1),
            });
        }
        Err(failed(io::ErrorKind::ResourceBusy.into()))
    }

    /// Creates a temporary file with the permissions any new file would have.
    pub fn file(&self) -> io::Result<(Handle, Temporary)> {
        let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let path = self.own.join(name);
        let handle = system::create(&path)?;
        Ok((handle, Temporary(path)))
    }

    /// Removes what dead runs have left, here and, from older versions, in the root. What cannot be removed stays
    /// for the next run.
    fn sweep(&self, root: &Path) {
        for entry in system::list(&self.private).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if path == self.own || !starts_with(&entry.file_name(), OWN) {
                sweep_loose(&path);
            } else if is_directory {
                self.sweep_directory(&path);
            } else {
                let _ = system::remove(&path);
            }
        }
        for entry in system::list(root).into_iter().flatten().flatten() {
            sweep_loose(&entry.path());
        }
    }

    fn sweep_directory(&self, path: &Path) {
        if let Ok(Some(lock)) = hold(path) {
            let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
            let place = self.own.join(name);
            if system::rename(path, &place).is_ok() {
                drop(lock);
                let _ = system::remove_tree(&place);
            }
        }
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        // Once more if it fails: a sweeper may look into it at this moment.
        if remove_own(&self.own).is_err() {
            let _ = remove_own(&self.own);
        }
        // Stays if another run, or a cache, has something in it.
        let _ = system::remove_dir(&self.private);
    }
}

impl Temporary {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Moves it to its place.
    ///
    /// # Errors
    /// Renaming; the file is then removed with the value that comes back.
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

/// Makes sure that the private directory is there and is one: what a link leads to is not ours to clean up.
fn ensure(private: &Path) -> Result<(), IoError> {
    match system::create_dir(private) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(IoError::new("create", private, error)),
    }
    match system::symlink_metadata(private) {
        Ok(there) if !there.is_dir() => {
            let what = match there.is_symlink() {
                true => "it is a link, not a directory",
                false => "it is not a directory",
            };
            let error = io::Error::new(io::ErrorKind::NotADirectory, what);
            Err(IoError::new("write below", private, error))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()), // gone again: another attempt
        Err(error) => Err(IoError::new("write below", private, error)),
    }
}

/// Removes a run's own directory. Most often only the lock is left in it; to remove that needs no file handle, of which
/// there may be none.
fn remove_own(own: &Path) -> io::Result<()> {
    let _ = system::remove(&own.join(LOCK));
    system::remove_dir(own).or_else(|_| system::remove_tree(own))
}

/// The lock of a run's own directory, if it can be had and is still the one that is there.
fn hold(own: &Path) -> io::Result<Option<Handle>> {
    let lock = system::open_lock(&own.join(LOCK))?;
    if !lock.try_lock()? {
        return Ok(None);
    }
    let there = system::symlink_metadata(lock.path())?;
    Ok(is_same(&lock.metadata()?, &there).then_some(lock))
}

#[cfg(unix)]
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// An open file cannot be removed here, nor its directory renamed, so it is the one that is there.
#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    true
}

fn is_in_the_way(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotFound};
    matches!(error.kind(), AlreadyExists | NotFound)
}

fn starts_with(name: &OsStr, start: &str) -> bool {
    name.as_encoded_bytes().starts_with(start.as_bytes())
}

/// Removes a temporary file as older versions left them, unless somebody has it locked.
fn sweep_loose(path: &Path) {
    let name = path.file_name().unwrap_or(OsStr::new(""));
    let is_ours = starts_with(name, ".rigy-batch-") && name.as_encoded_bytes().ends_with(b".tmp");
    if is_ours && system::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        let lock = system::open(path);
        if lock.is_ok_and(|lock| lock.try_lock().unwrap_or(false)) {
            let _ = system::remove(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(place: &Path) -> Vec<String> {
        let entries = fs::read_dir(place).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        let text = |name: std::ffi::OsString| name.into_string().unwrap();
        names.into_iter().map(text).collect()
    }

    #[test]
    fn what_dead_runs_have_left_is_swept_and_living_ones_keep_theirs() {
        let root = tempfile::tempdir().unwrap();
        let living = Private::below(root.path()).unwrap();
        let (_, file) = living.file().unwrap();
        let private = root.path().join(PRIVATE);
        for (dead, file) in [
            ("tmp-1-0", "lock"),
            ("tmp-1-1", "half.glb"),
            ("tmp-x", "sub/deep"),
        ] {
            let path = private.join(dead).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "half").unwrap();
        }
        fs::create_dir(private.join("tmp-empty")).unwrap();
        fs::write(private.join("tmp-file"), "").unwrap();
        fs::write(private.join("cache"), "is not ours").unwrap();
        fs::write(root.path().join(".rigy-batch-aBc123.tmp"), "half").unwrap();
        fs::write(root.path().join(".rigy-batch-notes"), "is not ours").unwrap();
        let next = Private::below(root.path()).unwrap();
        let name = |private: &Private| {
            let name = private.own.file_name().unwrap();
            name.to_str().unwrap().to_owned()
        };
        let mut expected = vec!["cache".to_owned(), name(&living), name(&next)];
        expected.sort();
        assert_eq!(names(&private), expected);
        assert_eq!(names(root.path()), [".rigy-batch", ".rigy-batch-notes"]);
        drop(next);
        file.persist(&root.path().join("whole")).unwrap();
        drop(living);
        assert_eq!(names(&private), ["cache"]);
    }

    #[test]
    fn runs_come_and_go_at_once() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for round in 0..100 {
                        let private = Private::below(place).unwrap();
                        let (_, file) = private.file().unwrap();
                        file.persist(&place.join(format!("{thread}-{round}")))
                            .unwrap();
                    }
                });
            }
        });
        let names = names(place);
        assert_eq!(names.len(), 800, "{names:?}");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_place_of_the_private_directory_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::create_dir(elsewhere.path().join("tmp-precious")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), root.path().join(PRIVATE)).unwrap();
        let error = Private::below(root.path()).unwrap_err().to_string();
        assert!(
            error.contains(PRIVATE) && error.contains("it is a link"),
            "{error}"
        );
        assert_eq!(names(elsewhere.path()), ["tmp-precious"]);
        fs::remove_file(root.path().join(PRIVATE)).unwrap();
        fs::write(root.path().join(PRIVATE), "").unwrap();
        assert!(Private::below(root.path()).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn sweeping_follows_no_link() {
        let root = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("precious"), "").unwrap();
        let private = root.path().join(PRIVATE);
        fs::create_dir_all(private.join("tmp-dead")).unwrap();
        let link = |place: PathBuf| std::os::unix::fs::symlink(elsewhere.path(), place).unwrap();
        link(private.join("tmp-link"));
        link(private.join("tmp-dead/link"));
        fs::create_dir(private.join("tmp-odd")).unwrap();
        std::os::unix::fs::symlink(
            elsewhere.path().join("precious"),
            private.join("tmp-odd/lock"),
        )
        .unwrap();
        drop(Private::below(root.path()).unwrap());
        assert_eq!(names(elsewhere.path()), ["precious"]);
        assert!(!private.join("tmp-dead").exists() && !private.join("tmp-link").exists());
    }
}
