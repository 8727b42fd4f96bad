//! Files that a mapping or a callable of Python gives.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyFileNotFoundError, PyLookupError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use rigy_batch::base::loader::{Bytes, Motion, OutsideRoot, join, too_large};
use rigy_batch::{DirectoryLoader, Loader, Location};

/// A loader that asks Python for files, by their paths relative to the directory of the document, with `/` between names. Paths that
/// lead above that directory are refused.
#[derive(Clone)]
pub struct PythonLoader {
    /// A mapping or a callable; `None` if there are no files.
    source: Option<Arc<Py<PyAny>>>,
    /// The first exception that the source has raised, other than that a file is not there.
    raised: Arc<Mutex<Option<PyErr>>>,
    /// The loader of a motion on the disk.
    motion: Option<DirectoryLoader>,
}

impl PythonLoader {
    pub fn new(source: Option<Py<PyAny>>) -> Self {
        Self {
            source: source.map(Arc::new),
            raised: Arc::default(),
            motion: None,
        }
    }

    /// Returns a loader for a file that plays the motion of another loader.
    pub fn playing(&self, motion: DirectoryLoader) -> Self {
        let motion = Some(motion);
        Self {
            motion,
            ..self.clone()
        }
    }

    /// Returns the loader of the motion if a location is the motion, or what it refers to; names that Python is asked for are relative.
    fn of_motion(&self, location: &Location) -> Option<&DirectoryLoader> {
        let loader = self.motion.as_ref()?;
        let is_motion = loader
            .motion()
            .is_some_and(|motion| motion.location == *location);
        (is_motion || location.0.is_absolute()).then_some(loader)
    }

    /// Returns the exception that the source has raised in the place of a result.
    ///
    /// # Errors
    /// The exception, or else the one of the result.
    pub fn checked<T>(&self, result: PyResult<T>) -> PyResult<T> {
        let raised = self.lock().take();
        raised.map_or(result, Err)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        // A panic while the lock was held cannot have left the option half changed.
        self.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the source for a file.
    fn ask(&self, py: Python<'_>, name: &str) -> PyResult<Option<Bytes>> {
        let Some(source) = &self.source else {
            return Ok(None);
        };
        let source = source.bind(py);
        let answer = if source.is_callable() {
            source.call1((name,))
        } else {
            source.get_item(name)
        };
        let is_absence = |error: &PyErr| {
            error.is_instance_of::<PyLookupError>(py)
                || error.is_instance_of::<PyFileNotFoundError>(py)
        };
        match answer {
            Ok(answer) if answer.is_none() => Ok(None),
            Ok(answer) => bytes(&answer).map(Some),
            Err(error) if is_absence(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Returns the bytes of an answer, which is `bytes`, `bytearray` or `str`.
fn bytes(answer: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    if let Ok(bytes) = answer.extract::<PyBackedBytes>() {
        return Ok(Bytes::new(bytes));
    }
    if let Ok(text) = answer.extract::<PyBackedStr>() {
        return Ok(Bytes::new(TextBytes(text)));
    }
    let kind = answer.get_type().name()?;
    let message = format!("the loader must give bytes, str or None, and gave {kind}");
    Err(PyTypeError::new_err(message))
}

/// The UTF-8 bytes of a text.
struct TextBytes(PyBackedStr);

impl AsRef<[u8]> for TextBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Loader for PythonLoader {
    fn motion(&self) -> Option<Motion> {
        self.motion.as_ref()?.motion()
    }

    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        if let Some(loader) = self.of_motion(from) {
            return loader.resolve(from, reference);
        }
        join(&from.0, reference).map(Location).ok_or(OutsideRoot)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        if let Some(loader) = self.of_motion(location) {
            return loader.read(location, limit);
        }
        let names: Vec<_> = location
            .0
            .iter()
            .map(|name| name.to_string_lossy())
            .collect();
        match Python::attach(|py| self.ask(py, &names.join("/"))) {
            Ok(Some(bytes)) => match bytes.as_ref().len() as u64 {
                len if len > limit => Err(too_large(len, limit)),
                _ => Ok(bytes),
            },
            Ok(None) => Err(ErrorKind::NotFound.into()),
            Err(error) => {
                self.lock().get_or_insert(error);
                Err(io::Error::other("the loader has raised an exception"))
            }
        }
    }
}
