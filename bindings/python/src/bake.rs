//! Baking glTF files: one of them, and the options for many.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rigy_batch::run::batch::BakeOptions;
use rigy_batch::{BakeJob, Warned};

use crate::errors::{warn, working};
use crate::fields;
use crate::files::PathOrBytes;
use crate::loader::PythonLoader;
use crate::options::optional;

/// The name of a file that is given as bytes.
pub const UNNAMED: &str = "file.glb";

/// Bakes a glTF file and returns the bytes that the program writes: those of a GLB with plain meshes, or a dictionary of several
/// files.
///
/// `source` is a path or the bytes of a file. References of a file stay inside `root`, by default its directory; those of bytes are
/// asked of `loader`, as for `compile`. The other arguments are fields of `Bake`, with at most one animation.
///
/// The file of `motion` is on the disk.
///
/// The result is a dictionary from names to bytes, the outputs first, if `to` is another format than "glb", if `as_` is "vat", if
/// `textures` is "beside", or if `frames` are files of their own.
///
/// Warnings are emitted as RigyWarning. Raises RigyError with all findings if the file cannot be baked, and ValueError if the options
/// have no such values or cannot be combined.
#[pyfunction]
#[pyo3(signature = (source, *, loader=None, root=None, **options))]
pub fn bake<'py>(
    py: Python<'py>,
    source: PathOrBytes,
    loader: Option<Py<PyAny>>,
    root: Option<PathBuf>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("rigy_batch._results")?.getattr("Bake")?;
    let job = job_of_one(&class.call((), options)?)?;
    let name = source.name(UNNAMED);
    let loader = PythonLoader::new(loader);
    let baked = working(py, &name, || {
        let opened = source.open_playing(&name, root.as_deref(), &loader, &job.motion)?;
        job.bake_file(opened.bytes(), &opened.location, &*opened.loader)
    });
    let Warned { value, warnings } = loader.checked(baked)?;
    warn(py, &warnings)?;
    if let (true, [(_, glb)]) = (job.makes_one_glb(), &*value) {
        return Ok(PyBytes::new(py, glb).into_any());
    }
    let files = PyDict::new(py);
    for (name, bytes) in &value {
        files.set_item(name, PyBytes::new(py, bytes))?;
    }
    Ok(files.into_any())
}

/// An animation, by its number or its name.
#[derive(FromPyObject)]
enum Clip {
    Number(u32),
    Name(String),
}

impl From<Clip> for String {
    fn from(clip: Clip) -> Self {
        match clip {
            Clip::Number(number) => number.to_string(),
            Clip::Name(name) => name,
        }
    }
}

/// One animation or several.
#[derive(FromPyObject)]
enum ClipArgument {
    One(Clip),
    Many(Vec<Clip>),
}

/// The way in which one file is baked, by a dataclass `Bake`.
pub fn job_of_one(bake: &Bound<'_, PyAny>) -> PyResult<BakeJob> {
    let refused = |message: &str| Err(PyValueError::new_err(message.to_owned()));
    let mut options = options(bake)?;
    if !bake.getattr("missing_animation")?.is_none() {
        return refused("missing_animation is for `run`");
    }
    options.animation = match bake.getattr("animation")?.extract()? {
        None => Vec::new(),
        Some(ClipArgument::One(clip)) => vec![clip.into()],
        Some(ClipArgument::Many(_)) => {
            return refused("several animations of a file are for `run`");
        }
    };
    options.job().map_err(PyValueError::new_err)
}

/// The way in which the files of a run are baked, by a dataclass `Bake`.
pub fn job_of_run(bake: &Bound<'_, PyAny>, searches_directory: bool) -> PyResult<BakeJob> {
    let mut options = options(bake)?;
    let missing: Option<String> = bake.getattr("missing_animation")?.extract()?;
    options.missing_animation = optional("missing_animation", missing.as_deref())?;
    options.animation = match bake.getattr("animation")?.extract()? {
        None => Vec::new(),
        Some(ClipArgument::One(clip)) => vec![clip.into()],
        Some(ClipArgument::Many(clips)) => clips.into_iter().map(String::from).collect(),
    };
    let job = options.job_of_run(searches_directory);
    job.map_err(PyValueError::new_err)
}

/// The options that a run and one file share.
fn options(bake: &Bound<'_, PyAny>) -> PyResult<BakeOptions> {
    fields::read(bake, &["animation", "missing_animation"])
}
