//! A loader that records the requests, so that a file that is read without a request is found.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, PathBuf};
use std::sync::{Arc, Mutex};

use rigy_batch::base::loader::{Bytes, Loader, Location, MemoryLoader, OutsideRoot};

#[derive(Clone, Default)]
pub struct Asked {
    files: Arc<MemoryLoader>,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    /// Locations to which references were resolved.
    resolved: BTreeSet<PathBuf>,
    /// Files that were read and exist.
    read: BTreeSet<PathBuf>,
}

impl Asked {
    pub fn new(files: MemoryLoader) -> Self {
        Self {
            files: Arc::new(files),
            seen: Arc::default(),
        }
    }

    pub fn read(&self) -> BTreeSet<PathBuf> {
        self.seen.lock().unwrap().read.clone()
    }
}

impl Loader for Asked {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let location = self.files.resolve(from, reference)?;
        let mut seen = self.seen.lock().unwrap();
        seen.resolved.insert(location.0.clone());
        Ok(location)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let plain = |part| matches!(part, Component::Normal(_));
        let path = &location.0;
        assert!(path.components().all(plain), "{path:?} is outside");
        let mut seen = self.seen.lock().unwrap();
        assert!(seen.resolved.contains(path), "{path:?} is no reference");
        let bytes = self.files.read(location, limit)?;
        seen.read.insert(path.clone());
        Ok(bytes)
    }
}
