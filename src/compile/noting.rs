//! Which files a document is made of, noted as they are read.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::base::loader::{Bytes, FileRead, Loader, Location, OutsideRoot, Trace};

/// The loader of one document while it is built.
pub(super) struct Noting<'a> {
    loader: &'a dyn Loader,
    noted: Mutex<Noted>,
}

struct Noted {
    /// By which paths a location was reached.
    routes: HashMap<Location, BTreeSet<PathBuf>>,
    /// Files that were read before.
    before: Vec<FileRead>,
    /// Files that have been read since.
    read: Vec<(Location, Option<Trace>)>,
}

impl<'a> Noting<'a> {
    /// After the files of `before` have been read.
    pub fn new(loader: &'a dyn Loader, before: Vec<FileRead>) -> Self {
        let noted = Mutex::new(Noted {
            routes: HashMap::new(),
            before,
            read: Vec::new(),
        });
        Self { loader, noted }
    }

    /// The files that have been read, once for each path that led to one.
    pub fn into_read(self) -> Vec<FileRead> {
        let noted = self.noted.into_inner();
        let Noted {
            mut routes,
            mut before,
            read,
        } = noted.unwrap_or_else(PoisonError::into_inner);
        for (location, trace) in read {
            let direct = || BTreeSet::from([location.0.clone()]);
            let routes = routes.remove(&location).unwrap_or_else(direct);
            before.extend(routes.into_iter().map(|route| FileRead {
                location: location.clone(),
                route,
                trace,
            }));
        }
        before
    }

    fn noted(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loader for Noting<'_> {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let location = self.loader.resolve(from, reference)?;
        let route = from.route(reference);
        let mut noted = self.noted();
        let routes = noted.routes.entry(location.clone());
        routes.or_default().insert(route);
        Ok(location)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let bytes = self.loader.read(location, limit)?;
        self.noted().read.push((location.clone(), bytes.trace));
        Ok(bytes)
    }

    fn len(&self, location: &Location) -> u64 {
        self.loader.len(location)
    }

    fn identity(&self, location: &Location) -> PathBuf {
        self.loader.identity(location)
    }

    fn name(&self, location: &Location) -> String {
        self.loader.name(location)
    }
}
