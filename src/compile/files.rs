//! Where other files come from, and a memory of those that documents import.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::decode;
use super::unit::{File, Unit, about_file};
use crate::compose;
use crate::diag::Diagnostic;
use crate::loader::{Loader, Location};
use crate::model::Contract;
use crate::{parse, yaml};

/// The files that documents refer to. However many documents import a file, it is read and parsed once, as
/// long as the texts that are kept stay below a limit; then the memory starts anew.
///
/// Share one between all documents below one root, on as many threads as you like.
pub struct Files {
    loader: Box<dyn Loader + Send>,
    units: Memory<Unit>,
    contracts: Memory<Contract>,
}

/// Why a file cannot be used.
#[derive(Clone, Debug)]
pub(super) enum Unusable {
    /// Nothing is there.
    Missing,
    /// A directory, or something else that is no file; which.
    NoFile(String),
    /// A file that the system does not hand out; why.
    Unreadable(String),
    /// It has faults, which are located.
    Faulty(Arc<[Diagnostic]>),
}

/// A file, or why there is none.
pub(super) type Fetched<T> = Result<Arc<T>, Unusable>;

/// Text kept in memory at most, in bytes; what is made of it takes several times as much.
const MOST_TEXT: u64 = 64 << 20;

/// What has been fetched, by location. Who comes second waits for the first.
struct Memory<T> {
    fetched: Mutex<Known<T>>,
}

struct Known<T> {
    entries: HashMap<Location, Arc<OnceLock<Fetched<T>>>>,
    bytes: u64,
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        let (entries, bytes) = (HashMap::new(), 0);
        let fetched = Mutex::new(Known { entries, bytes });
        Self { fetched }
    }
}

impl<T> Memory<T> {
    /// What is at a location; `fetch` yields it with the length of its text.
    fn get(&self, location: &Location, fetch: impl FnOnce() -> (Fetched<T>, u64)) -> Fetched<T> {
        // A panic while the lock was held cannot have left the map half changed.
        let lock = || self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        let place = lock().entries.entry(location.clone()).or_default().clone();
        let mut length = 0;
        let fetched = place.get_or_init(|| {
            let (fetched, bytes) = fetch();
            length = bytes;
            fetched
        });
        if length > 0 {
            let mut known = lock();
            known.bytes += length;
            if known.bytes > MOST_TEXT {
                known.entries.clear();
                known.bytes = 0;
            }
        }
        fetched.clone()
    }
}

impl Files {
    /// Files that come from `loader`.
    pub fn new(loader: impl Loader + Send + 'static) -> Self {
        Self {
            loader: Box::new(loader),
            units: Memory::default(),
            contracts: Memory::default(),
        }
    }

    /// Where files come from.
    pub fn loader(&self) -> &dyn Loader {
        &*self.loader
    }

    /// The place of a file whatever path leads there.
    pub(super) fn identity(&self, location: &Location) -> PathBuf {
        self.loader.identity(location)
    }

    /// An imported document.
    pub(super) fn unit(&self, location: &Location) -> Fetched<Unit> {
        self.units.get(location, || {
            let name = self.loader.name(location);
            self.fetch(location, &name, |file| Unit::new(file, &*self.loader))
        })
    }

    /// A contract; its faults are ContractErrors.
    pub(super) fn contract(&self, location: &Location) -> Fetched<Contract> {
        self.contracts.get(location, || {
            let name = self.loader.name(location);
            let (fetched, bytes) = self.fetch(location, &name, |file| {
                let tree = file.compose()?;
                parse::contract(&tree).map_err(|errors| file.locate_in(&tree, errors))
            });
            let fetched = fetched.map_err(|unusable| match unusable {
                Unusable::Faulty(faults) => {
                    let faults = faults.iter().cloned().map(compose::malformed);
                    Unusable::Faulty(faults.collect())
                }
                none => none,
            });
            (fetched, bytes)
        })
    }

    /// Reads a text and makes something of it.
    fn fetch<T>(
        &self,
        location: &Location,
        name: &str,
        make: impl FnOnce(File) -> Result<T, Vec<Diagnostic>>,
    ) -> (Fetched<T>, u64) {
        let bytes = match self.loader.read(location, yaml::MAX_BYTES as u64) {
            Ok(bytes) => bytes,
            Err(error) => return (Err(unreadable(name, &error)), 0),
        };
        let bytes = (*bytes).as_ref();
        let made = decode(name, bytes)
            .and_then(|text| File::new(name.to_owned(), location.clone(), text))
            .and_then(make);
        let fetched = match made {
            Ok(value) => Ok(Arc::new(value)),
            Err(faults) => Err(Unusable::Faulty(faults.into())),
        };
        (fetched, bytes.len() as u64)
    }
}

fn unreadable(name: &str, error: &io::Error) -> Unusable {
    use io::ErrorKind::{FileTooLarge, InvalidInput, IsADirectory, NotADirectory, NotFound};
    match error.kind() {
        NotFound | NotADirectory => Unusable::Missing,
        IsADirectory => Unusable::NoFile("it is a directory".into()),
        InvalidInput => Unusable::NoFile(format!("it is {error}")),
        FileTooLarge => {
            let message = format!("the file is too large: {error}");
            Unusable::Faulty([about_file(name, message)].into())
        }
        _ => Unusable::Unreadable(error.to_string()),
    }
}
