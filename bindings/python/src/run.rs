//! Runs over many inputs.

mod arguments;
mod watch;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rigy_batch::base::diag::{Category, nearest};
use rigy_batch::base::paths::Slashed;
use rigy_batch::io::{Discovery, IoError};
use rigy_batch::run::batch::{
    BakeJob, PoseFilter, StartError, Work, is_document, is_gltf_input, thread_pool_of_at_most,
};
use rigy_batch::{Bakes, Batch, Diagnostic, Documents, Options, Outcome, discover};

use crate::errors::refused;
use crate::program;
use arguments::Settings;
pub use arguments::run;
use watch::Watch;

/// The kind of inputs of a run.
enum Kind {
    Documents,
    Gltf(Box<BakeJob>),
}

/// Everything that a run needs to know.
struct Run {
    paths: Vec<PathBuf>,
    options: Options,
    settings: Settings,
    kind: Kind,
}

/// The reason why a run did not start.
enum Stopped {
    Findings(Vec<Diagnostic>),
    Value(String),
}

/// The end of a run.
struct Ended {
    /// Failures that belong to no input.
    errors: Vec<Diagnostic>,
    /// True if inputs are missing.
    is_partial: bool,
}

impl From<IoError> for Stopped {
    fn from(error: IoError) -> Self {
        Self::Findings(vec![error.finding()])
    }
}

impl From<StartError> for Stopped {
    fn from(error: StartError) -> Self {
        Self::Findings(match error {
            StartError::Io(error) => vec![error.finding()],
            StartError::Clashes(clashes) => {
                let finding = |clash: &_| {
                    let message = format!("{clash}");
                    Diagnostic::without_code(Category::ExportError, message)
                };
                clashes.iter().map(finding).collect()
            }
        })
    }
}

/// Does a run in a thread of its own, while the calling thread passes outcomes on and handles signals.
fn execute<'py>(
    py: Python<'py>,
    run: &Run,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    program::tell_file(py)?;
    let (stop, total) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
    let mut watch = Watch::new(on_progress, &stop, &total);
    let ended = py.detach(|| {
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let (stop, total) = (&stop, &total);
            let worker = scope.spawn(move || run.work(&sender, stop, total));
            watch.receive(&receiver);
            worker.join()
        })
    });
    watch.raised()?;
    match ended {
        Ok(Ok(ended)) => watch.result(py, ended),
        Ok(Err(Stopped::Findings(findings))) => Err(refused(py, &findings)),
        Ok(Err(Stopped::Value(message))) => Err(PyValueError::new_err(message)),
        Err(_) => Err(refused(py, &[Diagnostic::panicked("the run")])),
    }
}

impl Run {
    /// Finds the inputs and processes them. Their outcomes go to `outcomes`.
    fn work(
        &self,
        outcomes: &Sender<Outcome>,
        stop: &Arc<AtomicBool>,
        total: &AtomicUsize,
    ) -> Result<Ended, Stopped> {
        let is_input: fn(&OsStr) -> bool = match self.kind {
            Kind::Documents => is_document,
            Kind::Gltf(_) => is_gltf_input,
        };
        let found = discover(&self.paths, &is_input, &self.settings.skips)?;
        if found.found.is_empty() && found.unreadable.is_empty() && !self.settings.allow_empty {
            return Err(Stopped::Value(self.none_found()));
        }
        let Discovery {
            found,
            unreadable,
            left_out: _,
        } = found;
        for error in &unreadable {
            let _ = outcomes.send(Outcome::failed(&error.path, vec![error.finding()]));
        }
        let options = self.options.clone();
        match &self.kind {
            Kind::Documents => {
                let Settings {
                    poses,
                    formats,
                    style,
                    turns_triangles,
                    ..
                } = &self.settings;
                let work = Documents::new(&found, &options, poses.clone(), formats)?
                    .styled(*style)
                    .with_triangles_outward(*turns_triangles);
                let batch = Batch::new(found, options, work, stop.clone())?;
                self.process(&batch, outcomes, total)
            }
            Kind::Gltf(job) => {
                let work = Bakes::new(&found, &options, (**job).clone())?;
                let batch = Batch::new(found, options, work, stop.clone())?;
                self.process(&batch, outcomes, total)
            }
        }
    }

    fn process<W: Work>(
        &self,
        batch: &Batch<W>,
        outcomes: &Sender<Outcome>,
        total: &AtomicUsize,
    ) -> Result<Ended, Stopped> {
        total.store(batch.len(), Ordering::Relaxed);
        let pool = thread_pool_of_at_most(self.settings.threads);
        let pool = pool.map_err(|error| Stopped::Value(error.to_string()))?;
        let mut processed = 0;
        let mut poses = RequestedPoses::new(&self.settings.poses);
        let mut errors = batch.run(
            &pool,
            |outcome| (outcome, size_of::<Outcome>()),
            |outcome| {
                processed += 1;
                poses.see(&outcome);
                let _ = outcomes.send(outcome); // nobody listens any more after an exception
            },
        );
        let pruned = batch.prune();
        let removed = pruned.outcomes.into_iter();
        removed.for_each(|outcome| drop(outcomes.send(outcome)));
        errors.extend(pruned.failures);
        let is_partial = processed < batch.len();
        let mut errors: Vec<Diagnostic> = errors.iter().map(IoError::finding).collect();
        if !is_partial && self.options.shard.is_none() && matches!(self.kind, Kind::Documents) {
            errors.extend(poses.missing());
        }
        Ok(Ended { errors, is_partial })
    }

    fn none_found(&self) -> String {
        let names = match self.kind {
            Kind::Documents => "*.rigy.yaml or *.rigs.yaml",
            Kind::Gltf(_) => "*.glb, *.gltf or *.vrm",
        };
        let paths: Vec<String> = self
            .paths
            .iter()
            .map(|path| format!("`{}`", path.slashed()))
            .collect();
        let paths = paths.join(", ");
        format!("no {names} found below {paths}; allow_empty=True makes this no error")
    }
}

/// The poses that were asked for by their ids and have not been found yet, and the last ids that were found instead.
struct RequestedPoses {
    missing: Vec<String>,
    others: Vec<String>,
}

impl RequestedPoses {
    fn new(poses: &PoseFilter) -> Self {
        Self {
            missing: match poses {
                PoseFilter::Ids(ids) => ids.clone(),
                _ => Vec::new(),
            },
            others: Vec::new(),
        }
    }

    fn see(&mut self, outcome: &Outcome) {
        if !self.missing.is_empty() && !outcome.names.is_empty() {
            self.missing.retain(|id| !outcome.names.contains(id));
            self.others.clone_from(&outcome.names);
        }
    }

    /// Returns a finding for each pose that no document has.
    fn missing(&self) -> impl Iterator<Item = Diagnostic> {
        self.missing.iter().map(|id| {
            let message = format!("no document has a pose `{id}`");
            let finding = Diagnostic::without_code(Category::ValidationError, message);
            match nearest(id, self.others.iter().map(String::as_str)) {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding,
            }
        })
    }
}
