//! Comparing two glTF files.

use pyo3::prelude::*;
use rigy_batch::view::difference::{Side, compare};

use crate::errors::working;
use crate::files::PathOrBytes;
use crate::loader::PythonLoader;
use crate::results;

/// Compares two glTF files, each a path or bytes: `a` has what is expected, and `b` what was found.
///
/// The result passes if the files are equal, or if `tolerance` is given and they are within it, in model units. Files that cannot be
/// read as glTF are different unless they are equal. Raises RigyError if a file cannot be read at all.
#[pyfunction]
#[pyo3(signature = (a, b, *, tolerance=None))]
pub fn diff(
    py: Python<'_>,
    a: PathOrBytes,
    b: PathOrBytes,
    tolerance: Option<f64>,
) -> PyResult<Bound<'_, PyAny>> {
    let (name_a, name_b) = (a.name("a.glb"), b.name("b.glb"));
    let none = PythonLoader::new(None);
    let difference = working(py, &name_b, || {
        let (a, b) = (a.open(&name_a, None, &none)?, b.open(&name_b, None, &none)?);
        let [a, b] = [&a, &b].map(|opened| Side {
            bytes: opened.bytes(),
            location: &opened.location,
            loader: &*opened.loader,
        });
        Ok(compare(&a, &b))
    })?;
    results::difference(py, &difference, difference.passes(tolerance))
}
