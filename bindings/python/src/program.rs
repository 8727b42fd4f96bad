//! The program `rigy-batch`, which the wheel's script calls.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use rigy_batch::run::batch::loaded_from;

/// Runs the program with these arguments, the name of the program first, and ends the process with its exit status.
///
/// It handles the signals of the process, so nothing of Python runs afterwards.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<()> {
    tell_file(py)?;
    let status = py.detach(|| rigy_batch::cli::run_with(arguments));
    std::process::exit(status.into())
}

/// Tells the cache that this code is in the extension, and not in the interpreter's executable file.
pub fn tell_file(py: Python<'_>) -> PyResult<()> {
    let module = py.import("rigy_batch._rigy_batch")?;
    let file: PathBuf = module.getattr("__file__")?.extract()?;
    loaded_from(file);
    Ok(())
}
