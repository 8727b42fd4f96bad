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
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::IoError;
use super::system::{self, Handle};

/// Name of the private directory, below the output root. In a sticky directory, such as `/tmp`, each user has one whose name
/// ends with `-` and the user's number.
pub const PRIVATE: &str = ".rigy-batch";
/// How the names of the runs' own directories begin.
const OWN: &str = "tmp-";
/// The file in each of them that is kept locked.
const LOCK: &str = "lock";
/// How the names of temporary files begin and end that lie in the root itself.
const LOOSE: &str = ".rigy-batch-";
const LOOSE_END: &str = ".tmp";
/// How often a name is tried that others are in the way of.
const ATTEMPTS: u32 = 1000;

/// Numbers for the directories of this process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The private directory below an output root.
pub(crate) fn private_directory(root: &Path) -> PathBuf {
    match system::user_apart(root) {
        Some(user) => root.join(format!("{PRIVATE}-{user}")),
        None => root.join(PRIVATE),
    }
}

/// A run's own directory for temporary files. It is removed when dropped.
#[derive(Debug)]
pub(super) struct Private {
    root: PathBuf,
    /// [`PRIVATE`] below the root.
    private: PathBuf,
    own: Mutex<Own>,
    next: AtomicU64,
}

/// The directory of one run.
#[derive(Debug)]
struct Own {
    path: PathBuf,
    /// Locked as long as the run lives. Without it, as on file systems that know no locks, no other run sweeps the
    /// directory.
    lock: Option<Handle>,
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
        let root = match root.as_os_str().is_empty() {
            true => Path::new("."),
            false => root,
        };
        let private = private_directory(root);
        let own = make_own(root, &private);
        let own = own.inspect_err(|_| drop(system::remove_dir(&private)))?;
        let made = Self {
            root: root.to_owned(),
            private,
            own: Mutex::new(own),
            next: AtomicU64::new(1),
        };
        made.sweep();
        Ok(made)
    }

    /// Sweeps without staying, if there is anything to sweep.
    pub fn sweep_below(directory: &Path) {
        let is_there = |there: std::fs::Metadata| there.is_dir();
        if system::symlink_metadata(&private_directory(directory)).is_ok_and(is_there) {
            drop(Self::below(directory));
        }
    }

    /// Makes sure that temporary files can be renamed into the root: it may be read-only although the private
    /// directory is not, or lie on another file system.
    ///
    /// # Errors
    /// The failure to do so with an empty file.
    pub fn check_root(&self) -> Result<(), IoError> {
        let failed = |error| IoError::new("write to", &self.root, error);
        let created = self.file();
        let (_, file) =
            created.map_err(|error| IoError::new("write below", &self.private, error))?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{LOOSE}{}-{number}{LOOSE_END}", std::process::id());
        let place = self.root.join(name);
        file.persist(&place).map_err(|(error, _)| failed(error))?;
        match system::remove(&place) {
            // Another run that sweeps the root may have removed it.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }

    /// Creates a temporary file with the permissions any new file would have. If the directory has been removed, it is
    /// made again.
    ///
    /// # Errors
    /// Creating the file, or the directory.
    pub fn file(&self) -> io::Result<(Handle, Temporary)> {
        let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let own = self.own_path();
        let path = own.join(&name);
        match system::create(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let path = self.own_path_after(&own)?.join(name);
                Ok((system::create(&path)?, Temporary(path)))
            }
            created => Ok((created?, Temporary(path))),
        }
    }

    fn lock_own(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn own_path(&self) -> PathBuf {
        self.lock_own().path.clone()
    }

    /// The directory that replaces the one at `lost`, made by the first thread that misses it.
    fn own_path_after(&self, lost: &Path) -> io::Result<PathBuf> {
        let mut own = self.lock_own();
        if own.path == lost {
            let made = make_own(&self.root, &self.private);
            *own = made.map_err(|error| error.source)?;
        }
        Ok(own.path.clone())
    }

    /// Removes what dead runs have left, here and, from older versions, in the root. What cannot be removed stays
    /// for the next run.
    fn sweep(&self) {
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

    fn sweep_directory(&self, path: &Path, own: &Path) {
        if let Ok(Some(lock)) = hold(path) {
            let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
            let place = own.join(name);
            if system::rename(path, &place).is_ok() {
                drop(lock);
                let _ = system::remove_tree(&place);
            }
        }
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        let own = self.own.get_mut().unwrap_or_else(PoisonError::into_inner);
        // Closed first: some file systems (FUSE, NFS) keep a removed file under another name until it is closed, and
        // its directory would not be empty.
        own.lock = None;
        remove_own_patiently(&own.path);
        // Stays if another run, or a cache, has something in it.
        let _ = system::remove_dir(&self.private);
    }
}

/// Removes a directory. If that fails, tries again a few times: another run may look into it at this moment, and a
/// file that was closed just now may still be on its way out.
fn remove_own_patiently(path: &Path) {
    for wait_ms in [0, 1, 4, 16, 64] {
        std::thread::sleep(Duration::from_millis(wait_ms));
        match remove_own(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {}
            _ => return,
        }
    }
}

/// Makes the directory of a run below the private directory, which is made if need be.
fn make_own(root: &Path, private: &Path) -> Result<Own, IoError> {
    let failed = |error| IoError::new("write below", private, error);
    for _ in 0..ATTEMPTS {
        ensure(private, root)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = private.join(format!("{OWN}{}-{number}", std::process::id()));
        match system::create_dir(&path) {
            Ok(()) => {}
            // A dead run's, or another run has just left and removed the private directory.
            Err(error) if is_in_the_way(&error) => continue,
            Err(error) => return Err(failed(error)),
        }
        let locked = share_and_hold(&path, root);
        let lock = match locked {
            Ok(Some(lock)) => Some(lock),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
            // Another run has taken it for a dead run's.
            Ok(None) => continue,
            Err(error) if is_in_the_way(&error) => continue,
            Err(error) => {
                let _ = remove_own(&path);
                let _ = system::remove_dir(private);
                return Err(failed(error));
            }
        };
        return Ok(Own { path, lock });
    }
    Err(failed(io::ErrorKind::ResourceBusy.into()))
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
fn ensure(private: &Path, root: &Path) -> Result<(), IoError> {
    match system::create_dir(private) {
        Ok(()) => match system::share_like(private, root) {
            Err(error) if !is_in_the_way(&error) => {
                return Err(IoError::new("create", private, error));
            }
            _ => return Ok(()),
        },
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

/// Lets those write in a run's own directory who may write in the root, and locks it.
fn share_and_hold(own: &Path, root: &Path) -> io::Result<Option<Handle>> {
    system::share_like(own, root)?;
    let lock = hold(own)?;
    if let Some(lock) = &lock {
        lock.share_like(root)?;
    }
    Ok(lock)
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

/// Removes a temporary file that lies in the root itself, as older versions and checks of the root leave them when they
/// are killed, unless a run has it locked.
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
            let own = private.own_path();
            own.file_name().unwrap().to_str().unwrap().to_owned()
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
