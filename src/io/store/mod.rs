//! Object stores in the place of directories: `s3://bucket/prefix`, and the same with `gs` and `az`.
//!
//! A path on a store is a path whose text is a URL, so that messages and reports show URLs. [`open`] makes the bucket of a URL
//! known; from then on the functions of `io::system` pass paths in it on to [`object_at`]. Objects that are read are files of a
//! [mirror](mirror::Mirror), and outputs are temporary files of it until they are sent.
//!
//! A store has no directories and no links: a path leads to the object with its key, `.` and `..` resolved. What a run knows
//! about a bucket comes from one listing of each prefix that it was given, and from the requests that it has made.

mod ahead;
mod index;
mod mirror;
mod object;
mod objects;
mod opening;
mod place;
mod requests;
mod writing;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use object_store::ObjectStore;
use tokio::runtime::Runtime;

use super::IoError;
pub(crate) use ahead::ReadAhead;
use mirror::Mirror;
use object::Object;
use objects::Store;
use place::Place;
use requests::Requests;

/// Everything that this process has open.
#[derive(Debug)]
struct Session {
    runtime: Runtime,
    requests: Arc<Requests>,
    mirror: Arc<Mirror>,
    /// Buckets by scheme and name.
    buckets: RwLock<BTreeMap<String, Bucket>>,
}

/// A bucket, and the prefixes in it that the user has named.
#[derive(Clone, Debug)]
struct Bucket {
    store: Arc<Store>,
    prefixes: Vec<Arc<Prefix>>,
}

/// A prefix that the user has named.
#[derive(Debug, Default)]
struct Prefix {
    key: String,
    /// Tells, once it has been listed or is not to be, whether there is anything below it.
    listed: Mutex<Option<bool>>,
}

static SESSION: RwLock<Option<Arc<Session>>> = RwLock::new(None);

/// Threads that send and receive.
const THREADS: usize = 2;

/// Makes the store of a URL known, and the URL as the place of a directory or an object. Credentials come from the environment.
///
/// # Errors
/// If the URL is malformed, settings in the environment are, or there is no place for temporary files.
pub fn open(url: &Path) -> Result<(), IoError> {
    open_with(url, None, |place| opening::client(&place.base))
}

/// Does the same as [`open`] for a prefix that is not listed, because its objects are known by name. The prefix counts as a
/// directory, even if nothing is below it.
///
/// # Errors
/// As [`open`].
pub fn open_unlisted(url: &Path) -> Result<(), IoError> {
    open_with(url, Some(true), |place| opening::client(&place.base))
}

/// Asks the store of a URL for its first keys, so that a bucket that is not there, or that this user may not list, is noticed before
/// any work. [`open`] must have opened it.
///
/// # Errors
/// If the store cannot be asked, or refuses.
pub fn check(url: &Path) -> Result<(), IoError> {
    let Some(object) = object_at(url) else {
        return Ok(());
    };
    let checked = object
        .key()
        .and_then(|key| object.wait(object.bucket.store.list(key, &mut |_| false)));
    checked.map_err(|error| IoError::new("list", url, error))
}

/// Does the same as [`open`] with a store of the caller's, for tests.
///
/// # Errors
/// As [`open`].
#[doc(hidden)]
pub fn open_client(url: &Path, client: Arc<dyn ObjectStore>) -> Result<(), IoError> {
    open_with(url, None, |_| Ok(client))
}

fn open_with(
    url: &Path,
    listed: Option<bool>,
    client: impl FnOnce(&Place) -> io::Result<Arc<dyn ObjectStore>>,
) -> Result<(), IoError> {
    let failed = |error| IoError::new("open", url, error);
    let place = Place::of(url).ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
    let key = place.key.clone();
    let key = key.ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
    let mut session = SESSION.write().unwrap_or_else(PoisonError::into_inner);
    let session = match &*session {
        Some(session) => session.clone(),
        None => session.insert(Arc::new(Session::new()?)).clone(),
    };
    let mut buckets = session.buckets.write();
    let buckets = buckets
        .as_mut()
        .unwrap_or_else(|poisoned| poisoned.get_mut());
    if !buckets.contains_key(&place.base) {
        let client = client(&place).map_err(failed)?;
        let shared = (session.requests.clone(), session.mirror.clone());
        let store = Arc::new(Store::new(place.base.clone(), client, shared));
        let prefixes = Vec::new();
        buckets.insert(place.base.clone(), Bucket { store, prefixes });
    }
    if let Some(bucket) = buckets.get_mut(&place.base) {
        let listed = Mutex::new(listed);
        bucket.prefixes.push(Arc::new(Prefix { key, listed }));
    }
    Ok(())
}

/// Closes all stores and removes the mirror. Returns how many requests were repeated; `None` if no store was open.
pub fn close() -> Option<u64> {
    let session = SESSION
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .take()?;
    Some(session.requests.repeated())
}

/// Returns how many requests to stores were repeated so far; `None` if no store is open.
pub fn repeated_requests() -> Option<u64> {
    Some(session()?.requests.repeated())
}

fn session() -> Option<Arc<Session>> {
    SESSION
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

impl Session {
    fn new() -> Result<Self, IoError> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime
            .worker_threads(THREADS)
            .thread_name("store")
            .enable_all();
        let runtime = runtime.build();
        let requests = Requests::new();
        Ok(Self {
            runtime: runtime.map_err(|error| IoError::new("start threads for", "stores", error))?,
            requests: Arc::new(requests.map_err(|error| IoError::new("use", "stores", error))?),
            mirror: Arc::new(Mirror::new()?),
            buckets: RwLock::default(),
        })
    }
}

/// Returns the object that a path leads to, if the path is on a store that is open, whether or not there is such an object.
pub(super) fn object_at(path: &Path) -> Option<Object> {
    let Place { base, key } = Place::of(path)?;
    let session = session()?;
    let buckets = session
        .buckets
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    let bucket = buckets.get(&base)?.clone();
    drop(buckets);
    Some(Object {
        session,
        bucket,
        key,
    })
}

/// Returns the directory for outputs on their way to a store; `None` if the root is on none.
pub(super) fn staging_directory(root: &Path) -> Option<PathBuf> {
    let object = object_at(root)?;
    Some(object.session.mirror.directory().to_owned())
}

/// Passes the keys below a root on a store, relative to it, to `visit`; returns `None` if the root is on none.
pub(super) fn list_below(root: &Path, visit: &mut dyn FnMut(&str)) -> Option<io::Result<()>> {
    let object = object_at(root)?;
    let known = |key| object.bucket.store.index().keys_below(key);
    if let Ok(Some(keys)) = object.key().map(known) {
        keys.iter().for_each(|key| visit(key));
        return Some(Ok(()));
    }
    let mut visit = |key: &str| {
        visit(key);
        true
    };
    let list = |key| object.wait(object.bucket.store.list(key, &mut visit));
    Some(object.key().and_then(list))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
