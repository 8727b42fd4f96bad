//! Findings as exceptions, and work without the interpreter's lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use pyo3::prelude::*;
use rigy_batch::Diagnostic;
use rigy_batch::base::diag::Category;

use crate::results;

/// Does work while other Python threads run. A panic in it becomes the error that asks the user to report it; `name` is the name
/// of the file that is worked on.
///
/// # Errors
/// The exception `RigyError` with the findings of the work.
pub fn working<T: Send>(
    py: Python<'_>,
    name: &str,
    work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send,
) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    let done = done.unwrap_or_else(|_| Err(vec![Diagnostic::panicked(name)]));
    done.map_err(|findings| refused(py, &findings))
}

/// Returns the exception `RigyError` with these findings; if a file is not there, one that is a `FileNotFoundError` as well.
pub fn refused(py: Python<'_>, findings: &[Diagnostic]) -> PyErr {
    let name = match findings {
        [first, ..] if is_absent(first) => "RigyFileNotFoundError",
        _ => "RigyError",
    };
    let exception = || {
        let findings = results::findings(py, findings)?;
        let class = py.import("rigy_batch._errors")?.getattr(name)?;
        class.call1((findings,))
    };
    exception().map_or_else(|error| error, PyErr::from_value)
}

/// True for the failure to read a file that is not there.
fn is_absent(finding: &Diagnostic) -> bool {
    let file = finding.place.as_ref().map(|place| Path::new(&*place.file));
    let is_there = |file: &Path| file.symlink_metadata().is_ok();
    finding.category == Category::FileError && file.is_some_and(|file| !is_there(file))
}

/// Emits warnings of the category `RigyWarning`.
///
/// # Errors
/// If a filter of the module `warnings` makes one of them an exception.
pub fn warn(py: Python<'_>, warnings: &[Diagnostic]) -> PyResult<()> {
    if warnings.is_empty() {
        return Ok(());
    }
    let category = py.import("rigy_batch._errors")?.getattr("RigyWarning")?;
    let emit = py.import("warnings")?.getattr("warn")?;
    for warning in warnings {
        let finding = results::finding(py, warning)?;
        emit.call1((finding.str()?, &category))?;
    }
    Ok(())
}
