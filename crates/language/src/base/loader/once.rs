//! A loader that resolves each reference once.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Bytes, Loader, Location, OutsideRoot};

/// Passes everything on to another loader, and keeps the locations and lengths that this finds, because several stages ask
/// for the files of one document.
pub struct ResolvingOnce<'l> {
    inner: &'l dyn Loader,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Locations by the location of the document and the reference in it.
    locations: HashMap<Location, HashMap<String, Result<Location, OutsideRoot>>>,
    /// Lengths in bytes when the references were resolved.
    lens: HashMap<Location, u64>,
}

impl<'l> ResolvingOnce<'l> {
    /// Returns a loader that passes on to `inner`.
    pub fn new(inner: &'l dyn Loader) -> Self {
        let known = Mutex::default();
        Self { inner, known }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loader for ResolvingOnce<'_> {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let mut known = self.lock();
        let of_document = known.locations.get(from);
        if let Some(found) = of_document.and_then(|of_document| of_document.get(reference)) {
            return found.clone();
        }
        let found = self.inner.resolve_with_len(from, reference);
        let found = found.map(|(location, len)| {
            known.lens.insert(location.clone(), len);
            location
        });
        let of_document = known.locations.entry(from.clone()).or_default();
        of_document.insert(reference.to_owned(), found.clone());
        found
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        self.inner.read(location, limit)
    }

    fn len(&self, location: &Location) -> u64 {
        let known = self.lock().lens.get(location).copied();
        known.unwrap_or_else(|| self.inner.len(location))
    }

    fn identity(&self, location: &Location) -> PathBuf {
        self.inner.identity(location)
    }

    fn name(&self, location: &Location) -> String {
        self.inner.name(location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Finds every file with a length, and counts the references that it has resolved.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Loader for Counting {
        fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let is_inside = !reference.starts_with('/');
            let location = || Location(from.route(reference));
            is_inside.then(location).ok_or(OutsideRoot)
        }

        fn read(&self, _: &Location, _: u64) -> io::Result<Bytes> {
            Err(io::ErrorKind::NotFound.into())
        }

        fn len(&self, _: &Location) -> u64 {
            7
        }
    }

    #[test]
    fn each_reference_of_each_document_is_resolved_once() {
        let inner = Counting::default();
        let loader = ResolvingOnce::new(&inner);
        let at = |path: &str| Location(path.into());
        for _ in 0..3 {
            assert_eq!(loader.resolve(&at("a/x"), "w"), Ok(at("a/w")));
            assert_eq!(loader.resolve(&at("b/x"), "w"), Ok(at("b/w")));
            // Equal paths may be references of different kinds: one with a slash leads only to a directory.
            assert_eq!(loader.resolve(&at("b/x"), "w/"), Ok(at("b/w/")));
            assert_eq!(loader.resolve(&at("a/x"), "/w"), Err(OutsideRoot));
            assert_eq!([loader.len(&at("a/w")), loader.len(&at("c"))], [7, 7]);
        }
        assert_eq!(inner.0.load(Ordering::Relaxed), 4);
    }
}
