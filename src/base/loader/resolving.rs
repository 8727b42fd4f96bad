//! A loader that notes where references lead.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Bytes, Loader, Location, OutsideRoot};

/// Passes everything on to another loader, and notes the location of each reference that it resolves, whether or not
/// the file there is read. Clones share their notes.
#[derive(Clone, Debug)]
pub struct ResolvingLoader<L> {
    inner: L,
    noted: Arc<Mutex<Vec<Location>>>,
}

impl<L> ResolvingLoader<L> {
    /// A loader that passes on to `inner`.
    pub fn new(inner: L) -> Self {
        let noted = Arc::default();
        Self { inner, noted }
    }

    /// The locations that references have led to so far, in the order in which they were resolved.
    pub fn locations(&self) -> Vec<Location> {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.clone()
    }
}

impl<L: Loader> Loader for ResolvingLoader<L> {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let location = self.inner.resolve(from, reference)?;
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.push(location.clone());
        Ok(location)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        self.inner.read(location, limit)
    }

    fn len(&self, location: &Location) -> u64 {
        self.inner.len(location)
    }

    fn identity(&self, location: &Location) -> PathBuf {
        self.inner.identity(location)
    }

    fn name(&self, location: &Location) -> String {
        self.inner.name(location)
    }
}
