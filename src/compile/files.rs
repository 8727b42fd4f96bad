//! Where other files come from, and a memory of those that documents import.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::decode;
use super::forecast;
use super::unit::{File, Unit, about_file};
use crate::base::diag::Diagnostic;
use crate::base::limits::Limits;
use crate::base::loader::{Loader, Location, Trace};
use crate::language::compose;
use crate::language::model::Contract;
use crate::language::parse;

/// The files that documents refer to. However many documents import a file, it is read and parsed once, as
/// long as what is kept stays below a limit; then the memory starts anew.
///
/// Share one between all documents below one root, on as many threads as you like.
///
/// ```
/// use rigy_batch::compile::{Files, Input, check};
/// use rigy_batch::base::output::OutputFile;
/// use rigy_batch::base::loader::MemoryLoader;
///
/// let part = r#"
/// version: "0.5"
/// meshes: [{id: cube, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]
/// anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]
/// "#;
/// let whole = r#"
/// version: "0.5"
/// imports: {part: {source: parts/cube.yaml}}
/// anchors: [{id: o, translation: [5, 0, 0]}, {id: p, translation: [7, 0, 0]}, {id: q, translation: [5, 2, 0]}]
/// instances:
///   - {id: twice_as_big, import: part, attach3: {from: [a, b, c], to: [o, p, q], mode: uniform}}
/// "#;
/// let mut loader = MemoryLoader::default();
/// loader.files.insert("parts/cube.yaml".into(), part.into());
/// let files = Files::new(loader);
///
/// let checked = check(Input::new("whole.rigy.yaml", whole), &files).expect("nothing is wrong").value;
/// let compiled = checked.build().expect("nothing is wrong").value;
/// let instance = &compiled.assembly().instances[0];
/// assert_eq!(instance.matrix, [[2.0, 0.0, 0.0, 5.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]]);
/// let glb = compiled.export().expect("its numbers fit").to_bytes();
///
/// // Findings say where they stand; those in a part also say where it is imported.
/// let broken = whole.replace("[a, b, c]", "[a, b, d]");
/// let errors = check(Input::new("whole.rigy.yaml", &broken), &files).err().unwrap();
/// assert_eq!(errors[0].message, "import `part` has no anchor `d`");
/// assert_eq!(errors[0].place.as_ref().unwrap().path, "instances[0].attach3.from[2]");
/// # assert!(glb.starts_with(b"glTF"));
/// ```
pub struct Files {
    loader: Box<dyn Loader + Send>,
    limits: Limits,
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
#[derive(Debug)]
pub(super) struct Fetched<T> {
    pub made: Result<Arc<T>, Unusable>,
    /// About how many bytes of text it is with all aliases written out.
    pub weight: u64,
    /// What the file was.
    pub trace: Option<Trace>,
}

impl<T> Clone for Fetched<T> {
    fn clone(&self) -> Self {
        let made = self.made.clone();
        Self { made, ..*self }
    }
}

/// Weight of what is kept at most; in memory it is several times as much.
const MOST_KEPT: u64 = 4 << 20;
/// What each file weighs besides, however short it is.
const ENTRY: u64 = 2 << 10;
/// Weight of a file that has faults, or is not there.
const FAULT: u64 = 1 << 10;

/// What has been fetched, by location. Who comes second waits for the first.
struct Memory<T> {
    known: Mutex<Known<T>>,
}

struct Known<T> {
    entries: HashMap<Location, Arc<OnceLock<Fetched<T>>>>,
    weight: u64,
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        let (entries, weight) = (HashMap::new(), 0);
        let known = Mutex::new(Known { entries, weight });
        Self { known }
    }
}

impl<T> Memory<T> {
    fn get(&self, location: &Location, fetch: impl FnOnce() -> Fetched<T>) -> Fetched<T> {
        // A panic while the lock was held cannot have left the map half changed.
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = lock().entries.entry(location.clone()).or_default().clone();
        let mut fresh = false;
        let fetched = place.get_or_init(|| {
            fresh = true;
            fetch()
        });
        if fresh {
            let mut known = lock();
            known.weight += ENTRY + fetched.weight;
            if known.weight > MOST_KEPT {
                known.entries.clear();
                known.weight = 0;
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
            limits: Limits::DEFAULT,
            units: Memory::default(),
            contracts: Memory::default(),
        }
    }

    /// The same files within other limits, which hold for the documents that refer to them, too.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// What a document may be at most.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Where files come from.
    pub fn loader(&self) -> &dyn Loader {
        &*self.loader
    }

    /// The place of a file whatever path leads there.
    pub(super) fn identity(&self, location: &Location) -> PathBuf {
        self.loader.identity(location)
    }

    /// The length of a file that will be read; zero of others.
    pub(super) fn len(&self, location: &Location) -> u64 {
        match self.loader.len(location) {
            len if len <= self.limits.bytes => len,
            _ => 0, // refused for that alone
        }
    }

    /// An imported document, with its weight.
    pub(super) fn unit(&self, location: &Location) -> Fetched<Unit> {
        self.units.get(location, || {
            self.fetch(location, |file| {
                let file = Arc::new(file);
                let tree = file.compose()?;
                let unit = Unit::new(file.clone(), &tree, self.loader())?;
                Ok((unit, tree.expanded()))
            })
        })
    }

    /// A contract, with its weight; its faults are ContractErrors.
    pub(super) fn contract(&self, location: &Location) -> Fetched<Contract> {
        self.contracts.get(location, || {
            let fetched = self.fetch(location, |file| {
                let tree = file.compose()?;
                let contract = parse::contract(&tree);
                let contract = contract.map_err(|errors| file.locate_in(&tree, errors))?;
                Ok((contract, tree.expanded()))
            });
            let made = fetched.made.map_err(|unusable| match unusable {
                Unusable::Faulty(faults) => {
                    let faults = faults.iter().cloned().map(compose::malformed);
                    Unusable::Faulty(faults.collect())
                }
                none => none,
            });
            Fetched { made, ..fetched }
        })
    }

    /// Reads a text and makes something of it.
    fn fetch<T>(
        &self,
        location: &Location,
        make: impl FnOnce(File) -> Result<(T, usize), Vec<Diagnostic>>,
    ) -> Fetched<T> {
        let name = self.loader.name(location);
        let bytes = match self.loader.read(location, self.limits.bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                return Fetched {
                    made: Err(unreadable(&name, &error)),
                    weight: FAULT,
                    trace: None,
                };
            }
        };
        let made = decode(&name, bytes.as_ref())
            .and_then(|text| {
                let (name, location) = (name.clone(), location.clone());
                File::new(name, location, text, self.limits, forecast::of_part)
            })
            .and_then(make);
        let (made, weight) = match made {
            Ok((value, weight)) => (Ok(Arc::new(value)), weight as u64),
            Err(faults) => {
                let weight = FAULT * (1 + faults.len() as u64);
                (Err(Unusable::Faulty(faults.into())), weight)
            }
        };
        Fetched {
            made,
            weight,
            trace: bytes.trace,
        }
    }
}

fn unreadable(name: &str, error: &io::Error) -> Unusable {
    use io::ErrorKind::{
        FileTooLarge, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
    };
    match error.kind() {
        NotFound | NotADirectory | InvalidFilename => Unusable::Missing,
        IsADirectory => Unusable::NoFile("it is a directory".into()),
        InvalidInput => Unusable::NoFile(error.to_string()),
        FileTooLarge => {
            let message = format!("the file is too large: {error}");
            Unusable::Faulty([about_file(name, message)].into())
        }
        _ => Unusable::Unreadable(error.to_string()),
    }
}
