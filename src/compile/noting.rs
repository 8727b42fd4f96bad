//! Which files a document is made of, noted as they are read.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::loader::{Bytes, FileRead, Loader, Location, OutsideRoot};

/// The loader of one document while it is built.
pub(super) struct Noting<'a> {
    loader: &'a dyn Loader,
    noted: Mutex<Noted>,
}

struct Noted {
    /// By which path a location was reached last.
    routes: HashMap<Location, PathBuf>,
    read: Vec<FileRead>,
}

impl<'a> Noting<'a> {
    /// After `read` has been read.
    pub fn new(loader: &'a dyn Loader, read: Vec<FileRead>) -> Self {
        let routes = HashMap::new();
        let noted = Mutex::new(Noted { routes, read });
        Self { loader, noted }
    }

    /// What has been read.
    pub fn into_read(self) -> Vec<FileRead> {
        let noted = self.noted.into_inner();
        noted.unwrap_or_else(PoisonError::into_inner).read
    }

    fn noted(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loader for Noting<'_> {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let location = self.loader.resolve(from, reference)?;
        let route = from.route(reference);
        self.noted().routes.insert(location.clone(), route);
        Ok(location)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let bytes = self.loader.read(location, limit)?;
        let mut noted = self.noted();
        let route = noted.routes.get(location).unwrap_or(&location.0).clone();
        noted.read.push(FileRead {
            location: location.clone(),
            route,
            trace: bytes.trace,
        });
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
