//! Loaders that record references, the files that are read and those that are absent, and that read each file once.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Bytes, FileRead, Loader, Location, Motion, OutsideRoot, Trace, is_absence};
use crate::maps::HashMap;
use crate::sync::Mutex;

/// The files that something refers to: the paths that led to each, its traces if it was read, and whether it was absent.
#[derive(Clone, Debug, Default)]
pub struct FileRecord {
    entries: HashMap<Location, Entry>,
    /// The keys of `entries`, in the order in which they were added.
    order: Vec<Location>,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    routes: BTreeSet<PathBuf>,
    /// One for each time that the file was read and was not as before; `None` as in [`Bytes::trace`].
    traces: Vec<Option<Trace>>,
    /// True if the file was absent when it was to be read.
    is_absent: bool,
}

impl FileRecord {
    /// Adds a path, links and all, that leads to a location.
    pub fn add_route(&mut self, location: &Location, route: PathBuf) {
        self.entry(location).routes.insert(route);
    }

    /// Adds a file that has been read.
    pub fn add_read(&mut self, location: &Location, trace: Option<Trace>) {
        let traces = &mut self.entry(location).traces;
        if !traces.contains(&trace) {
            traces.push(trace);
        }
    }

    /// Adds a file that was to be read and is not there.
    pub fn add_absent(&mut self, location: &Location) {
        self.entry(location).is_absent = true;
    }

    fn entry(&mut self, location: &Location) -> &mut Entry {
        if !self.entries.contains_key(location) {
            self.order.push(location.clone());
        }
        self.entries.entry(location.clone()).or_default()
    }

    /// Returns all locations, whether or not the files there were read, in the order in which they were added.
    pub fn locations(&self) -> &[Location] {
        &self.order
    }

    /// Returns the locations of the files that were absent, in the order in which they were added.
    pub fn absent(&self) -> impl Iterator<Item = &Location> {
        self.order
            .iter()
            .filter(|location| self.entries[*location].is_absent)
    }

    /// Returns the files that were read or absent, once for each path that led to one; a file without such a path was reached
    /// by its location.
    pub fn files_read(&self) -> Vec<FileRead> {
        let mut files = Vec::new();
        for location in &self.order {
            let entry = &self.entries[location];
            let direct = entry.routes.is_empty().then_some(&location.0);
            let read = entry.traces.iter().map(|trace| (*trace, false));
            let absent = entry.is_absent.then_some((None, true));
            for (trace, is_absent) in read.chain(absent) {
                files.extend(entry.routes.iter().chain(direct).map(|route| FileRead {
                    location: location.clone(),
                    route: route.clone(),
                    trace,
                    is_absent,
                }));
            }
        }
        files
    }
}

/// Passes everything on to another loader, and records the references that it resolves, and the files that it reads or does
/// not find.
/// Clones share one record.
#[derive(Clone, Debug)]
pub struct RecordingLoader<L> {
    inner: L,
    record: Arc<Mutex<FileRecord>>,
}

impl<L> RecordingLoader<L> {
    /// Returns a loader that passes on to `inner` and adds to `record`.
    pub fn new(inner: L, record: FileRecord) -> Self {
        let record = Arc::new(Mutex::new(record));
        Self { inner, record }
    }

    /// Returns the record so far.
    pub fn record(&self) -> FileRecord {
        self.record.lock().clone()
    }
}

impl<L: Loader> Loader for RecordingLoader<L> {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let location = self.inner.resolve(from, reference)?;
        self.record
            .lock()
            .add_route(&location, from.route(reference));
        Ok(location)
    }

    fn resolve_with_len(
        &self,
        from: &Location,
        reference: &str,
    ) -> Result<(Location, u64), OutsideRoot> {
        let (location, len) = self.inner.resolve_with_len(from, reference)?;
        self.record
            .lock()
            .add_route(&location, from.route(reference));
        Ok((location, len))
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let read = self.inner.read(location, limit);
        match &read {
            Ok(bytes) => self.record.lock().add_read(location, bytes.trace),
            Err(error) if is_absence(error) => self.record.lock().add_absent(location),
            Err(_) => {}
        }
        read
    }

    fn len(&self, location: &Location) -> u64 {
        self.inner.len(location)
    }

    fn motion(&self) -> Option<Motion> {
        self.inner.motion()
    }

    fn identity(&self, location: &Location) -> PathBuf {
        self.inner.identity(location)
    }

    fn name(&self, location: &Location) -> String {
        self.inner.name(location)
    }
}

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
}

impl Loader for ResolvingOnce<'_> {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let mut known = self.known.lock();
        let of_document = known.locations.get(from);
        if let Some(found) = of_document.and_then(|of_document| of_document.get(reference)) {
            return found.clone();
        }
        let found = self
            .inner
            .resolve_with_len(from, reference)
            .map(|(location, len)| {
                known.lens.insert(location.clone(), len);
                location
            });
        known
            .locations
            .entry(from.clone())
            .or_default()
            .insert(reference.to_owned(), found.clone());
        found
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        self.inner.read(location, limit)
    }

    fn len(&self, location: &Location) -> u64 {
        let known = self.known.lock().lens.get(location).copied();
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::loader::MemoryLoader;

    #[test]
    fn a_file_is_recorded_once_for_each_path_that_led_to_it() {
        let mut inner = MemoryLoader::default();
        inner.files.insert("a/x.json".into(), Vec::new());
        let loader = RecordingLoader::new(inner, FileRecord::default());
        let from = Location("a/doc".into());
        for reference in ["x.json", "./x.json", "../a/x.json", "../absent"] {
            let location = loader.resolve(&from, reference).unwrap();
            let _ = loader.read(&location, 100);
        }
        let at = |path: &str| Location(path.into());
        let record = loader.record();
        assert_eq!(record.locations(), [at("a/x.json"), at("absent")]);
        assert_eq!(record.absent().collect::<Vec<_>>(), [&at("absent")]);
        let (absent, files): (Vec<_>, Vec<_>) =
            (record.files_read().into_iter()).partition(|file| file.is_absent);
        let routes: Vec<_> = files.iter().map(|file| &*file.route).collect();
        // A path with `.` in it equals the path without it.
        assert_eq!(routes, [from.route("../a/x.json"), from.route("x.json")]);
        assert!(files.iter().all(|file| file.location == at("a/x.json")));
        assert_eq!(absent.len(), 1);
        assert_eq!(absent[0].route, from.route("../absent"));
    }

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
