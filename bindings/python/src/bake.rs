//! Baking one glTF file.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rigy_batch::Warned;
use rigy_batch::bake::{BakeOptions, ClipName};

use crate::errors::{warn, working};
use crate::files::PathOrBytes;
use crate::loader::PythonLoader;
use crate::options;

/// The name of a file that is given as bytes.
const UNNAMED: &str = "file.glb";

/// Bakes a skinned glTF file into plain meshes and returns the GLB, with the bytes that the program writes.
///
/// `source` is a path or the bytes of a file. References of a file stay inside `root`, by default its directory; those of bytes are
/// asked of `loader`, as for `compile`.
///
/// `animation` is a name or a number, and `time` is in seconds; without both, nodes are as they are stored. `solver` is "lbs" or
/// "dqs"; under "dqs", `scale` is "global", "local" or "reject", and `scale_local` names joints whose scale alone is local. `pivot`
/// is "origin", "node" or "bounds". The other arguments do what the options of `rigy-batch bake` do.
///
/// Warnings are emitted as RigyWarning. Raises RigyError with all findings if the file cannot be baked.
#[pyfunction]
#[pyo3(signature = (source, *, animation=None, time=None, solver="lbs", scale="global", scale_local=None, two_stage=false, pivot="origin", keep_skeleton=false, keep_extensions=false, allow_extensions=None, loader=None, root=None))]
#[allow(clippy::too_many_arguments)] // these are the keyword arguments of Python
pub fn bake<'py>(
    py: Python<'py>,
    source: PathOrBytes,
    animation: Option<Clip>,
    time: Option<f64>,
    solver: &str,
    scale: &str,
    scale_local: Option<Vec<String>>,
    two_stage: bool,
    pivot: &str,
    keep_skeleton: bool,
    keep_extensions: bool,
    allow_extensions: Option<Vec<String>>,
    loader: Option<Py<PyAny>>,
    root: Option<PathBuf>,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = BakeOptions {
        animation: animation.map(Clip::into),
        time: options::seconds(time)?,
        two_stage,
        pivot: options::named("pivot", pivot)?,
        keep_skeleton,
        keep_extensions,
        allow_extensions: allow_extensions.unwrap_or_default(),
        ..options::skinned(solver, scale, scale_local.unwrap_or_default())?
    };
    let skinning = options.skinning().map_err(PyValueError::new_err)?;
    let name = source.name(UNNAMED);
    let loader = PythonLoader::new(loader);
    let baked = working(py, &name, || {
        let opened = source.open(&name, root.as_deref(), &loader)?;
        let (location, files) = (&opened.location, &*opened.loader);
        options.bake(opened.bytes(), location, files, &skinning)
    });
    let Warned { value, warnings } = loader.checked(baked)?;
    warn(py, &warnings)?;
    Ok(PyBytes::new(py, &value))
}

/// An animation, by its number or its name.
#[derive(FromPyObject)]
pub enum Clip {
    Number(u32),
    Name(String),
}

impl From<Clip> for ClipName {
    fn from(clip: Clip) -> Self {
        match clip {
            Clip::Number(number) => Self::Number(number),
            Clip::Name(name) => Self::Name(name),
        }
    }
}
