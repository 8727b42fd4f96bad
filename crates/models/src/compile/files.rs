//! The files that documents refer to, and a cache of those that they import.

use std::io;
use std::sync::{Arc, OnceLock};

use super::input::decode;
use super::unit::{File, Role, Unit, about_file};
use rigy_base::diag::{Diagnosed, Diagnostic};
use rigy_base::limits::{LONGER_TEXTS, Limits};
use rigy_base::loader::{Loader, Location, Trace, absence};
use rigy_base::maps::HashMap;
use rigy_base::sync::Mutex;
use rigy_language::compose;
use rigy_language::model::Contract;
use rigy_language::parse;

/// The files that documents refer to, with a cache: a file is read and parsed once, however many documents import it. When
/// the cached files exceed a limit, the cache is emptied.
///
/// Share one value between all documents below one root, on any number of threads.
///
/// ```
/// use rigy_models::compile::{Files, Input, check};
/// use rigy_base::output::OutputFile;
/// use rigy_base::loader::MemoryLoader;
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
    units: Cache<Unit>,
    contracts: Cache<Contract>,
}

/// The reasons why a file cannot be used.
#[derive(Clone)]
pub enum Unusable {
    /// There is no such file, as this text says.
    Missing(String),
    /// It is a directory or another object that is no file, as this text says.
    NoFile(String),
    /// The system fails to read it, or does not allow it.
    Unreadable(Arc<io::Error>),
    /// It has these faults, which have their places.
    Faulty(Arc<[Diagnostic]>),
}

/// The result of reading and parsing a file.
pub struct Fetched<T> {
    pub made: Result<Arc<T>, Unusable>,
    /// The length of its text in bytes with all aliases written out; an estimate of the memory for its faults if it has any.
    pub expanded_len: u64,
    /// The state of the file when it was read.
    pub trace: Option<Trace>,
}

impl<T> Clone for Fetched<T> {
    fn clone(&self) -> Self {
        Self {
            made: self.made.clone(),
            ..*self
        }
    }
}

/// Greatest expanded length of all cached files, in bytes; they take several times as much memory.
const MAX_CACHED: u64 = 4 << 20;
/// Bytes that each file counts in addition, however short it is.
const ENTRY: u64 = 2 << 10;
/// Bytes that each fault counts, and a file that cannot be read.
const FAULT: u64 = 1 << 10;

/// Files by location. A second thread that asks for the same file waits for the first.
struct Cache<T> {
    known: Mutex<Known<T>>,
}

type Entries<T> = HashMap<Location, Arc<OnceLock<Fetched<T>>>>;

struct Known<T> {
    entries: Entries<T>,
    /// The sum of what the entries count.
    len: u64,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self {
            known: Mutex::new(Known {
                entries: HashMap::default(),
                len: 0,
            }),
        }
    }
}

impl<T> Cache<T> {
    /// The file at a location; fetches it if it is not cached.
    fn get(&self, location: &Location, fetch: impl FnOnce() -> Fetched<T>) -> Fetched<T> {
        let key = location.clone();
        let place = self.known.lock().entries.entry(key).or_default().clone();
        let mut fresh = false;
        let fetched = place.get_or_init(|| {
            fresh = true;
            fetch()
        });
        if fresh {
            drop(self.forgotten(ENTRY + fetched.expanded_len));
        }
        fetched.clone()
    }

    /// Counts `len` more bytes. Returns all files if they have become too many, so that they are dropped, which takes a while,
    /// when no other thread waits for the lock.
    fn forgotten(&self, len: u64) -> Option<Entries<T>> {
        let mut known = self.known.lock();
        known.len += len;
        (known.len > MAX_CACHED).then(|| {
            known.len = 0;
            std::mem::take(&mut known.entries)
        })
    }
}

impl Files {
    /// Returns files that come from `loader`.
    pub fn new(loader: impl Loader + Send + 'static) -> Self {
        Self {
            loader: Box::new(loader),
            limits: Limits::DEFAULT,
            units: Cache::default(),
            contracts: Cache::default(),
        }
    }

    /// Returns the same files with other limits, which also hold for the documents that refer to them.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Returns the limits of a document.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the loader.
    pub fn loader(&self) -> &dyn Loader {
        &*self.loader
    }

    /// The length of a file in bytes, or 0 if the file is too long to be read.
    pub(super) fn admitted(&self, len: u64) -> u64 {
        let is_read = len <= self.limits.bytes; // else it will be refused
        if is_read { len } else { 0 }
    }

    /// An imported document.
    pub(super) fn unit(&self, location: &Location) -> Fetched<Unit> {
        self.units.get(location, || {
            self.fetch(location, |file| {
                let file = Arc::new(file);
                let tree = file.compose()?;
                let unit = Unit::new(file.clone(), &tree, self.loader(), Role::Imported)?;
                Ok((unit, tree.expanded))
            })
        })
    }

    /// A contract; its faults are ContractErrors.
    pub(super) fn contract(&self, location: &Location) -> Fetched<Contract> {
        self.contracts.get(location, || {
            let fetched = self.fetch(location, |file| {
                let tree = file.compose()?;
                let contract =
                    parse::contract(&tree).map_err(|errors| file.locate_in(&tree, errors))?;
                Ok((contract, tree.expanded))
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

    /// Reads a file and parses its text with `make`, which returns a value and the expanded length of the text.
    fn fetch<T>(
        &self,
        location: &Location,
        make: impl FnOnce(File) -> Diagnosed<(T, usize)>,
    ) -> Fetched<T> {
        let name = self.loader.name(location);
        let bytes = match self.loader.read(location, self.limits.bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                return Fetched {
                    made: Err(unreadable(&name, error)),
                    expanded_len: FAULT,
                    trace: None,
                };
            }
        };
        let made = decode(&name, bytes.as_ref())
            .and_then(|text| {
                let name = name.clone();
                let location = location.clone();
                File::new(name, location, text, self.limits)
            })
            .and_then(make);
        let (made, expanded_len) = match made {
            Ok((value, expanded_len)) => (Ok(Arc::new(value)), expanded_len as u64),
            Err(faults) => {
                let expanded_len = FAULT * (1 + faults.len() as u64);
                (Err(Unusable::Faulty(faults.into())), expanded_len)
            }
        };
        Fetched {
            made,
            expanded_len,
            trace: bytes.trace,
        }
    }
}

/// The reason for an error of reading a file.
fn unreadable(name: &str, error: io::Error) -> Unusable {
    use io::ErrorKind::{
        FileTooLarge, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
    };
    match error.kind() {
        NotFound | NotADirectory | InvalidFilename => Unusable::Missing(absence(&error)),
        IsADirectory => Unusable::NoFile("it is a directory".into()),
        InvalidInput => Unusable::NoFile(error.to_string()),
        FileTooLarge => Unusable::Faulty(
            [about_file(name, format!("the file is too large: {error}")).help(LONGER_TEXTS)].into(),
        ),
        _ => Unusable::Unreadable(error.into()),
    }
}
