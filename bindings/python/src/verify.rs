//! Running a conformance manifest.

use std::path::PathBuf;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use rigy_batch::base::diag::Category;
use rigy_batch::base::paths::Slashed;
use rigy_batch::run::batch::{thread_count, thread_pool_of_at_most};
use rigy_batch::run::conformance::{self, Manifest, ManifestError, Suite, Test, Verdict};
use rigy_batch::{Diagnostic, Isa};

use crate::errors::working;
use crate::options::{OneOrMany, limits, names};
use crate::results;

/// Runs the tests of a conformance manifest and returns a verdict for each, in their order.
///
/// `only` names the tests to run, `jobs` is the number of threads, by default one for each processor, and `limit` does what the option of
/// the program does. Raises RigyError if the
/// manifest cannot be used, and KeyError if it has no test that `only` names.
#[pyfunction]
#[pyo3(signature = (manifest, *, only=None, jobs=None, limit=None))]
pub fn verify<'py>(
    py: Python<'py>,
    manifest: PathBuf,
    only: Option<OneOrMany>,
    jobs: Option<usize>,
    limit: Option<&str>,
) -> PyResult<Bound<'py, PyTuple>> {
    let limits = limits(limit)?;
    let shown = manifest.shown();
    let tests = working(py, &shown, || {
        let read = Manifest::read(&manifest);
        read.map(|manifest| manifest.tests)
            .map_err(|error| vec![finding(error)])
    })?;
    let only = only.map(names);
    let is_requested = |test: &&Test| only.as_ref().is_none_or(|only| only.contains(&test.id));
    let has = |id: &&String| tests.iter().any(|test| test.id == **id);
    if let Some(id) = only.iter().flatten().find(|id| !has(id)) {
        return Err(PyKeyError::new_err(format!(
            "the manifest has no test {id:?}"
        )));
    }
    let chosen: Vec<&Test> = tests.iter().filter(is_requested).collect();
    let threads = thread_count(jobs).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let pool = thread_pool_of_at_most(threads);
    let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let verdicts: Vec<Verdict> = working(py, &shown, || {
        let suite =
            Suite::of(&manifest, limits, Isa::best()).map_err(|error| vec![error.finding()])?;
        let judge = |test: &&Test| conformance::verify(test, &suite);
        Ok(pool.install(|| chosen.par_iter().map(judge).collect()))
    })?;
    let verdicts: PyResult<Vec<_>> = verdicts
        .iter()
        .map(|one| results::verdict(py, one))
        .collect();
    PyTuple::new(py, verdicts?)
}

/// Returns the finding about a manifest that cannot be used.
fn finding(error: ManifestError) -> Diagnostic {
    match &error {
        ManifestError::Io(error) => error.finding(),
        ManifestError::Malformed { path, .. } | ManifestError::Empty(path) => {
            let finding = Diagnostic::without_code(Category::FileError, error.to_string());
            finding.about_file(&path.shown())
        }
    }
}
