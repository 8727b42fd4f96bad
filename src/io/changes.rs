//! Waiting for files to change.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, Event, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::{IoError, PRIVATE, identity};

/// Directories that are watched, with all below them.
pub struct Changes {
    events: Receiver<notify::Result<Event>>,
    /// A file whose changes do not count.
    ignored: Option<PathBuf>,
    /// Watches as long as it lives.
    _watcher: RecommendedWatcher,
}

/// So long nothing must change before a change is over: who saves a file may write it in several pieces.
const QUIET: Duration = Duration::from_millis(50);
/// So long a change goes on at most.
const MOST: Duration = Duration::from_secs(2);
/// How often it is asked whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

impl Changes {
    /// Watches directories from now on. What changes in private directories, or is `ignored`, does not count.
    ///
    /// # Errors
    /// If the system does not let one be watched: it is not there, or too many are watched already.
    pub fn below(directories: &[PathBuf], ignored: Option<&Path>) -> Result<Self, IoError> {
        let failed = |path: &Path, error| IoError::new("watch", path, io::Error::other(error));
        let mut roots: Vec<PathBuf> = directories.iter().map(|path| identity(path)).collect();
        roots.sort();
        // What lies below another is watched with it.
        roots.dedup_by(|below, above| below.starts_with(above));
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(sender);
        let first = roots.first().map_or(Path::new("."), |root| root);
        let mut watcher = watcher.map_err(|error| failed(first, error))?;
        for root in &roots {
            let watched = watcher.watch(root, RecursiveMode::Recursive);
            watched.map_err(|error| failed(root, error))?;
        }
        Ok(Self {
            events,
            ignored: ignored.map(identity),
            _watcher: watcher,
        })
    }

    /// Waits until something has changed, and then a moment until no more does. Whether that is so: it gives up as soon
    /// as `stop` says so.
    pub fn wait(&self, stop: impl Fn() -> bool) -> bool {
        let mut since: Option<Instant> = None;
        let mut last = Instant::now();
        while !stop() {
            let patience = if since.is_some() { QUIET } else { PATIENCE };
            if let Ok(event) = self.events.recv_timeout(patience)
                && self.counts(&event)
            {
                last = Instant::now();
                since.get_or_insert(last);
            }
            if since.is_some_and(|since| last.elapsed() >= QUIET || since.elapsed() >= MOST) {
                return true;
            }
        }
        false
    }

    fn counts(&self, event: &notify::Result<Event>) -> bool {
        // Whoever has lost count has to look at everything.
        let Ok(event) = event else {
            return true;
        };
        let is_change = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
            EventKind::Access(_) => false,
            _ => true,
        };
        let is_private = |path: &Path| path.iter().any(|part| part == PRIVATE);
        let is_ours = |path: &PathBuf| is_private(path) || Some(path) == self.ignored.as_ref();
        is_change && (event.paths.is_empty() || !event.paths.iter().all(is_ours))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Whether a change is seen within a second.
    fn is_seen(changes: &Changes) -> bool {
        let start = Instant::now();
        changes.wait(|| start.elapsed() > Duration::from_secs(1))
    }

    #[test]
    fn changes_of_files_are_seen_wherever_they_are_and_readers_are_not() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::create_dir(path(PRIVATE)).unwrap();
        fs::write(path("sub/a"), "a").unwrap();
        let watched = [root.path().to_owned(), path("sub")];
        let changes = Changes::below(&watched, Some(&path("report"))).unwrap();
        assert!(!is_seen(&changes), "nothing has changed");
        fs::write(path("sub/a"), "b").unwrap();
        assert!(is_seen(&changes));
        fs::read(path("sub/a")).unwrap();
        fs::write(path("report"), "b").unwrap();
        fs::write(path(PRIVATE).join("cache"), "b").unwrap();
        assert!(!is_seen(&changes), "nobody has changed anything");
        fs::rename(path("sub/a"), path("sub/b")).unwrap();
        assert!(is_seen(&changes));
        fs::create_dir_all(path("new/deep")).unwrap();
        assert!(is_seen(&changes));
        fs::write(path("new/deep/c"), "c").unwrap();
        assert!(is_seen(&changes));
    }

    #[test]
    fn one_save_in_pieces_is_one_change_and_an_endless_one_is_seen_as_well() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a");
        let changes = Changes::below(&[root.path().to_owned()], None).unwrap();
        for piece in 0..5 {
            fs::write(&path, [piece]).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(is_seen(&changes));
        assert!(!is_seen(&changes));
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
    fn what_is_not_there_cannot_be_watched() {
        let root = tempfile::tempdir().unwrap();
        let error = Changes::below(&[root.path().join("gone")], None).err();
        let error = error.unwrap().to_string();
        assert!(
            error.contains("cannot watch") && error.contains("gone"),
            "{error}"
        );
    }
}
