//! Waiting for files to change.

use crate::io::stamp::stamp_of;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, Event, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::error::IoError;
use super::{PRIVATE, identity};
use rigy_base::loader::Stamp;

/// A watch over directories and everything below them.
pub struct Changes {
    events: Receiver<notify::Result<Event>>,
    /// Files and directories whose changes are ignored, with everything below them.
    ignored: Vec<PathBuf>,
    roots: Vec<Root>,
    watcher: RecommendedWatcher,
}

/// One of the directories.
struct Root {
    /// The path that was given.
    path: PathBuf,
    /// The resolved path and the stamp of the directory that is watched; `None` if it does not exist.
    watched: Option<(PathBuf, Stamp)>,
}

/// A change is over when nothing has changed for this long: a program may save a file in several writes.
const QUIET: Duration = Duration::from_millis(50);
/// A change is reported after this long even if it goes on.
const MAX_CHANGE: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 2000 });
/// The interval at which `stop` is called, and at which directories are compared with those that are watched.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

impl Changes {
    /// Starts to watch directories. Changes in private directories, and of the files and directories `ignored` with
    /// everything below them, are ignored.
    ///
    /// # Errors
    /// If a directory cannot be watched: it does not exist, too many are watched already, or no thread can be started.
    pub fn below(directories: &[PathBuf], ignored: &[PathBuf]) -> Result<Self, IoError> {
        let first = directories.first().map_or(Path::new("."), |path| path);
        ensure_thread().map_err(IoError::at("watch", first))?;
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(sender).map_err(|error| failed(first, error))?;
        let root = |path: &PathBuf| Root {
            path: path.clone(),
            watched: None,
        };
        let mut changes = Self {
            events,
            ignored: ignored.iter().map(|path| identity(path)).collect(),
            roots: directories.iter().map(root).collect(),
            watcher,
        };
        for root in &mut changes.roots {
            root.watch(&mut changes.watcher)?;
        }
        Ok(changes)
    }

    /// Waits until something has changed and the change is over, and returns true; returns false as soon as `stop` returns
    /// true.
    pub fn wait(&mut self, stop: impl Fn() -> bool) -> bool {
        let mut since: Option<Instant> = None;
        let mut last = Instant::now();
        while !stop() {
            let timeout = since.map_or(CHECK_INTERVAL, |_| QUIET);
            let changed = match self.events.recv_timeout(timeout) {
                Ok(event) => {
                    self.forget(&event);
                    self.counts(&event)
                }
                Err(_) => self.follow(),
            };
            if changed {
                last = Instant::now();
                since.get_or_insert(last);
            }
            if since.is_some_and(|since| last.elapsed() >= QUIET || since.elapsed() >= MAX_CHANGE) {
                return true;
            }
        }
        false
    }

    /// Forgets the stamp of a directory that has been removed: a new directory in its place may get the same number.
    fn forget(&mut self, event: &notify::Result<Event>) {
        let Ok(event) = event else {
            return;
        };
        let is_gone = |place: &PathBuf| event.kind.is_remove() && event.paths.contains(place);
        for root in &mut self.roots {
            root.watched.take_if(|(place, _)| is_gone(place));
        }
    }

    /// Watches the directories that have taken the place of others. Returns true if there is one.
    fn follow(&mut self) -> bool {
        let followed = self
            .roots
            .iter_mut()
            .filter(|root| root.has_moved())
            .map(|root| root.watch(&mut self.watcher).is_ok());
        followed.fold(false, |any, one| any | one)
    }

    /// Returns true if an event is a change that is not ignored.
    fn counts(&self, event: &notify::Result<Event>) -> bool {
        // The watcher has lost events, so anything may have changed.
        let Ok(event) = event else {
            return true;
        };
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        let is_change = !event.kind.is_access() || event.kind == written;
        // These are private directories, and the files that runs create to test whether they may write.
        let is_private = |path: &Path| {
            path.iter()
                .map(OsStr::as_encoded_bytes)
                .any(|part| part.starts_with(PRIVATE.as_bytes()))
        };
        let is_ignored = |path: &Path| self.ignored.iter().any(|ours| path.starts_with(ours));
        let is_ours = |path: &PathBuf| is_private(path) || is_ignored(path);
        is_change && (event.paths.is_empty() || !event.paths.iter().all(is_ours))
    }
}

impl Root {
    /// Returns true if the path now leads to another directory than the watched one, or has begun or ceased to lead to one.
    fn has_moved(&self) -> bool {
        let is = stamp_of(&self.path).ok();
        let was = self.watched.as_ref().map(|(_, stamp)| stamp);
        match (was, is) {
            (Some(was), Some(is)) => !was.is_same_file(&is),
            (None, None) => false,
            _ => true,
        }
    }

    /// Watches the directory that the path leads to now, in place of the one before.
    fn watch(&mut self, watcher: &mut RecommendedWatcher) -> Result<(), IoError> {
        if let Some((place, _)) = self.watched.take() {
            let _ = watcher.unwatch(&place); // it may be gone
        }
        let place = identity(&self.path);
        let stamp = stamp_of(&place).map_err(IoError::at("watch", &self.path))?;
        let watched = watcher.watch(&place, RecursiveMode::Recursive);
        watched.map_err(|error| failed(&self.path, error))?;
        self.watched = Some((place, stamp));
        Ok(())
    }
}

/// Checks that a thread can be started, because `notify` panics if it cannot start its own.
fn ensure_thread() -> io::Result<()> {
    let thread = std::thread::Builder::new()
        .spawn(|| ())
        .map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))?;
    let _ = thread.join();
    // The system still counts a thread for a moment after it has ended.
    std::thread::sleep(Duration::from_millis(10));
    Ok(())
}

fn failed(path: &Path, error: notify::Error) -> IoError {
    IoError::new("watch", path, io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Returns true if a change is seen within ten seconds.
    fn is_seen(changes: &mut Changes) -> bool {
        let start = Instant::now();
        changes.wait(|| start.elapsed() > Duration::from_secs(10))
    }

    /// Returns true if no change is seen within several times the longest wait.
    fn is_quiet(changes: &mut Changes) -> bool {
        let start = Instant::now();
        !changes.wait(|| start.elapsed() > 3 * CHECK_INTERVAL)
    }

    /// Does the same after half a second, in which the system, which may be busy, can report all of a change.
    fn is_seen_whole(changes: &mut Changes) -> bool {
        std::thread::sleep(Duration::from_millis(500));
        is_seen(changes)
    }

    #[test]
    fn changes_of_files_are_seen_wherever_they_are_and_readers_are_not() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::create_dir(path(PRIVATE)).unwrap();
        fs::write(path("sub/a"), "a").unwrap();
        let watched = [root.path().to_owned(), path("sub")];
        let mut changes = Changes::below(&watched, &[path("report"), path("data")]).unwrap();
        assert!(is_quiet(&mut changes), "nothing has changed");
        fs::write(path("sub/a"), "b").unwrap();
        assert!(is_seen_whole(&mut changes));
        fs::read(path("sub/a")).unwrap();
        fs::write(path("report"), "b").unwrap();
        fs::create_dir(path("data")).unwrap();
        fs::write(path("data/rows"), "b").unwrap();
        fs::write(path(PRIVATE).join("cache"), "b").unwrap();
        assert!(
            is_quiet(&mut changes),
            "nothing but ignored files has changed"
        );
        fs::rename(path("sub/a"), path("sub/b")).unwrap();
        assert!(is_seen(&mut changes));
        fs::create_dir_all(path("new/deep")).unwrap();
        assert!(is_seen(&mut changes));
        fs::write(path("new/deep/c"), "c").unwrap();
        assert!(is_seen(&mut changes));
    }

    #[test]
    fn one_save_in_pieces_is_one_change_and_an_endless_one_is_seen_as_well() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a");
        let mut changes = Changes::below(&[root.path().to_owned()], &[]).unwrap();
        for piece in 0..5 {
            fs::write(&path, [piece]).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(is_seen_whole(&mut changes));
        assert!(is_quiet(&mut changes));
        let seen = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while seen.load(Ordering::Relaxed) == 0 {
                    fs::write(&path, "more").unwrap();
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
            seen.fetch_add(usize::from(changes.wait(|| false)), Ordering::Relaxed);
        });
        assert_eq!(seen.into_inner(), 1);
    }

    #[test]
    #[cfg(unix)] // Windows does not rename a directory that is watched
    fn a_directory_that_is_replaced_is_followed() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir(path("p")).unwrap();
        fs::create_dir(path("q")).unwrap();
        let mut changes = Changes::below(&[path("p")], &[]).unwrap();
        fs::rename(path("p"), path("r")).unwrap();
        fs::rename(path("q"), path("p")).unwrap();
        assert!(is_seen(&mut changes), "it is another one");
        fs::write(path("p/a"), "a").unwrap();
        assert!(is_seen(&mut changes));
        fs::remove_dir_all(path("p")).unwrap();
        assert!(is_seen_whole(&mut changes));
        assert!(is_quiet(&mut changes), "nothing is there");
        fs::create_dir(path("p")).unwrap();
        assert!(is_seen(&mut changes), "it is there again");
        fs::write(path("p/a"), "b").unwrap();
        assert!(is_seen(&mut changes));
    }

    #[test]
    fn a_missing_directory_cannot_be_watched() {
        let root = tempfile::tempdir().unwrap();
        let error = Changes::below(&[root.path().join("gone")], &[]).err();
        let error = error.unwrap().to_string();
        assert!(
            error.contains("cannot watch") && error.contains("gone"),
            "{error}"
        );
    }
}
