//! The arguments of `run`.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rigy_batch::Options;
use rigy_batch::base::diag::WarningPolicy;
use rigy_batch::glb::Style;
use rigy_batch::io::{Skips, check_glob};
use rigy_batch::run::batch::{OutputFormat, OutputPlace, PoseFilter, Shard, thread_count};

use super::{Kind, Run, execute};
use crate::bake::job_of_run;
use crate::options::{OneOrMany, limits, names, warnings};

/// The options that are not those of the batch.
pub struct Settings {
    pub skips: Skips,
    pub allow_empty: bool,
    pub threads: usize,
    pub poses: PoseFilter,
    pub formats: Vec<OutputFormat>,
    pub style: Style,
    pub turns_triangles: bool,
}

/// One path or several.
#[derive(FromPyObject)]
pub enum Paths {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

/// Compiles all documents and scenes below some paths, or with `bake` bakes all glTF files there, and writes the files that the
/// program would write, by the same rules: outputs are whole or absent, and inputs that have not changed since the last run are
/// skipped, as the cache in `.rigy-batch` below the output directory notes, which the program shares.
///
/// `paths` are directories and files. `output` is the directory of outputs, which mirrors the tree of the inputs; without it they go
/// beside their inputs. `poses` is "all", "none" or ids; by default all are baked. `bake` is a `Bake`, whose presence makes this a run
/// over glTF files. `jobs` is the number of threads, by default one for each processor. `warn_as_error` and `allow_warnings` are codes
/// or "all"; `exclude` are globs; `shard` is "I/N". The other arguments do what the options of the program do.
///
/// `on_progress` is called with the number of inputs that are done, the number of all inputs, and the `Outcome` of each, in the order of
/// their paths, in the calling thread. An exception in it ends the run and is raised, and so is KeyboardInterrupt: inputs in
/// progress are given up between two of their outputs, and what has been written is whole.
///
/// A failed input is no exception: `RunResult.ok` is false. Raises RigyError if the run cannot start, as when two outputs would be one
/// file, and ValueError if an argument is malformed or there is no input.
#[pyfunction]
#[pyo3(signature = (paths, *, output=None, poses=None, positions=false, with_instances=false, double_sided=false, outward=false, bake=None, jobs=None, force=false, dry_run=false, prune=false, fail_fast=false, hash=false, root=None, exclude=None, no_ignore=false, warn_as_error=None, allow_warnings=None, memory=None, shard=None, allow_empty=false, limit=None, on_progress=None))]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)] // these are the keyword arguments of Python
pub fn run<'py>(
    py: Python<'py>,
    paths: Paths,
    output: Option<PathBuf>,
    poses: Option<OneOrMany>,
    positions: bool,
    with_instances: bool,
    double_sided: bool,
    outward: bool,
    bake: Option<Bound<'py, PyAny>>,
    jobs: Option<usize>,
    force: bool,
    dry_run: bool,
    prune: bool,
    fail_fast: bool,
    hash: bool,
    root: Option<PathBuf>,
    exclude: Option<Vec<String>>,
    no_ignore: bool,
    warn_as_error: Option<OneOrMany>,
    allow_warnings: Option<OneOrMany>,
    memory: Option<u64>,
    shard: Option<String>,
    allow_empty: bool,
    limit: Option<&str>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let paths = match paths {
        Paths::One(path) => vec![path],
        Paths::Many(paths) => paths,
    };
    let policy = WarningPolicy {
        allowed: warnings("allow_warnings", allow_warnings)?,
        errors: warnings("warn_as_error", warn_as_error)?,
    };
    let directories = paths.iter().filter(|path| path.is_dir());
    let is_kept = bake.is_some() && output.is_some();
    // Files are read and not mapped: another program that shortens a mapped file would raise a signal in the interpreter.
    let options = Options {
        output: output
            .clone()
            .map_or(OutputPlace::Beside, OutputPlace::Below),
        root,
        force,
        dry_run,
        fail_fast,
        warnings: policy,
        hash,
        map: false,
        memory: rigy_batch::cli::memory_or_half(memory),
        shard: shard.as_deref().map(part).transpose()?,
        paths: paths.clone(),
        keeping: directories.filter(|_| is_kept).cloned().collect(),
        prune,
        limits: limits(limit)?,
        ..Options::default()
    };
    let exclude = exclude.unwrap_or_default();
    for glob in &exclude {
        check_glob(glob).map_err(|error| PyValueError::new_err(format!("exclude: {error}")))?;
    }
    let threads = thread_count(jobs).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let has_directory = paths.iter().any(|path| path.is_dir());
    let settings = Settings {
        skips: Skips {
            outputs: output.filter(|_| bake.is_some()).into_iter().collect(),
            excludes: exclude,
            ignored: !no_ignore,
        },
        allow_empty,
        threads,
        poses: pose_filter(poses),
        formats: if positions {
            vec![OutputFormat::Glb, OutputFormat::Positions]
        } else {
            vec![OutputFormat::Glb]
        },
        style: Style {
            with_instances,
            double_sided,
        },
        turns_triangles: outward,
    };
    let kind = match bake {
        Some(bake) => Kind::Gltf(Box::new(job_of_run(&bake, has_directory)?)),
        None => Kind::Documents,
    };
    let run = Run {
        paths,
        options,
        settings,
        kind,
    };
    execute(py, &run, on_progress)
}

/// Returns the poses that are baked: all of them without an argument.
fn pose_filter(poses: Option<OneOrMany>) -> PoseFilter {
    match poses {
        None => PoseFilter::All,
        Some(OneOrMany::One(word)) if word == "all" => PoseFilter::All,
        Some(OneOrMany::One(word)) if word == "none" => PoseFilter::None,
        Some(ids) => PoseFilter::Ids(names(ids)),
    }
}

/// Reads a shard: `I/N`.
fn part(text: &str) -> PyResult<Shard> {
    let shard = text.parse::<Shard>();
    shard.map_err(|error| PyValueError::new_err(format!("shard: {error}")))
}
