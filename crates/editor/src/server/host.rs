//! What the server needs of the program around it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rigy_base::diag::Diagnostic;
use rigy_base::loader::{Loader, Location};
use rigy_kernel::executor::Executor;

/// The disk and the threads of the machine, and the names of outputs.
pub trait Host: Sync {
    /// Returns a loader for the files below a directory; `None` if it is none that can be resolved.
    fn directory(&self, root: &Path) -> Option<Arc<dyn Loader + Send>>;

    /// Returns an absolute path without links, which is the same for all spellings of a path. The file need not exist.
    fn identity(&self, path: &Path) -> PathBuf;

    /// Returns the length of a file in bytes; 0 if the system does not tell.
    fn len(&self, path: &Path) -> u64;

    /// Returns the files below a directory whose names fit, without those that a search for inputs leaves out.
    ///
    /// # Errors
    /// A sentence that says why the directory cannot be searched.
    fn files_below(
        &self,
        root: &Path,
        fits: &dyn Fn(&OsStr) -> bool,
    ) -> Result<Vec<Location>, String>;

    /// Returns the threads that build documents.
    fn executor(&self) -> &dyn Executor;

    /// Returns the findings about poses of a document that would be written to one file; `name` is the name of the document in
    /// findings.
    fn clashes(&self, document: &Path, pose_ids: &[String], name: &str) -> Vec<Diagnostic>;
}
