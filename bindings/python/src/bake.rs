//! Baking glTF files: one of them, and the options for many.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rigy_batch::bake::ClipName;
use rigy_batch::run::batch::{BakeOptions, Clips, MissingAnimation};
use rigy_batch::{BakeJob, Warned};

use crate::errors::{warn, working};
use crate::files::PathOrBytes;
use crate::loader::PythonLoader;
use crate::options::{named, optional, seconds};

/// The name of a file that is given as bytes.
const UNNAMED: &str = "file.glb";

/// Bakes a glTF file and returns the bytes that the program writes: those of a GLB with plain meshes, or a dictionary of several
/// files.
///
/// `source` is a path or the bytes of a file. References of a file stay inside `root`, by default its directory; those of bytes are
/// asked of `loader`, as for `compile`. The other arguments are fields of `Bake`, with at most one animation.
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
    let job = class.call((), options)?.extract::<Bake>()?.job_of_one()?;
    let name = source.name(UNNAMED);
    let loader = PythonLoader::new(loader);
    let baked = working(py, &name, || {
        let opened = source.open(&name, root.as_deref(), &loader)?;
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

impl From<Clip> for ClipName {
    fn from(clip: Clip) -> Self {
        match clip {
            Clip::Number(number) => Self::Number(number),
            Clip::Name(name) => Self::Name(name),
        }
    }
}

/// One animation or several.
#[derive(FromPyObject)]
enum ClipArgument {
    One(Clip),
    Many(Vec<Clip>),
}

/// The attributes of the dataclass `Bake`.
#[derive(FromPyObject)]
pub struct Bake {
    animation: Option<ClipArgument>,
    time: Option<f64>,
    frames: Option<String>,
    as_: String,
    tolerance: Option<f64>,
    to: String,
    join: String,
    up: String,
    factor: Option<f64>,
    packing: Option<String>,
    max_width: Option<u32>,
    textures: Option<String>,
    solver: String,
    scale: Option<String>,
    scale_local: Vec<String>,
    two_stage: bool,
    pivot: String,
    keep_skeleton: bool,
    keep_extensions: bool,
    allow_extensions: Vec<String>,
    missing_animation: Option<String>,
}

impl Bake {
    /// Returns the way in which one file is baked.
    fn job_of_one(mut self) -> PyResult<BakeJob> {
        let refused = |message: &str| Err(PyValueError::new_err(message.to_owned()));
        if self.missing_animation.is_some() {
            return refused("missing_animation is for `run`");
        }
        let clips = match self.animation.take() {
            None => Clips::First,
            Some(ClipArgument::One(clip)) => Clips::One(ClipName::from(clip).into()),
            Some(ClipArgument::Many(_)) => {
                return refused("several animations of a file are for `run`");
            }
        };
        Ok(BakeJob {
            clips,
            ..self.job()?
        })
    }

    /// Returns the way in which the files of a run are baked. `has_directory` tells whether a directory is searched for inputs.
    pub fn job_of_run(mut self, has_directory: bool) -> PyResult<BakeJob> {
        let missing = optional("missing_animation", self.missing_animation.as_deref())?;
        let default = if has_directory {
            MissingAnimation::Rest
        } else {
            MissingAnimation::Error
        };
        let clips = match self.animation.take() {
            None => Clips::First,
            Some(ClipArgument::One(clip)) => Clips::named([ClipName::from(clip)]),
            Some(ClipArgument::Many(clips)) => Clips::named(clips.into_iter().map(ClipName::from)),
        };
        Ok(BakeJob {
            clips,
            missing: missing.unwrap_or(default),
            ..self.job()?
        })
    }

    /// Returns the way in which files are baked, apart from animations.
    fn job(self) -> PyResult<BakeJob> {
        let options = BakeOptions {
            animation: None,
            time: seconds(self.time)?,
            frames: optional("frames", self.frames.as_deref())?,
            form: named("as_", &self.as_)?,
            tolerance: self.tolerance,
            to: named("to", &self.to)?,
            join: named("join", &self.join)?,
            up: named("up", &self.up)?,
            factor: self.factor,
            packing: optional("packing", self.packing.as_deref())?,
            max_width: self.max_width,
            textures: optional("textures", self.textures.as_deref())?,
            solver: named("solver", &self.solver)?,
            scale: optional("scale", self.scale.as_deref())?,
            scale_local: self.scale_local,
            two_stage: self.two_stage,
            pivot: named("pivot", &self.pivot)?,
            keep_skeleton: self.keep_skeleton,
            keep_extensions: self.keep_extensions,
            allow_extensions: self.allow_extensions,
        };
        options.job().map_err(PyValueError::new_err)
    }
}
