//! Batches: preparing many inputs, and processing them on the threads of a pool.

mod pruning;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cache::Cache;
use super::cache::key::{Key, KeyMaker};
use super::conflicts::sources::Sources;
use super::conflicts::{Clash, clashes_between, described};
use super::options::{Options, one_for_each};
use super::outcome::{Outcome, export_error};
use super::prune::Made;
use super::schedule::budget::{Budget, Grant, Postponed};
use super::schedule::clock::{Clock, Stage};
use super::schedule::dispatch::{Jobs, dispatch};
use super::schedule::progress::{InputProgress, Progress};
use super::work::beside::Placed;
use super::work::job::{Buffers, JobContext, Unfinished, Work};
use super::work::outlet::{Nowhere, Outlet};
use crate::io::{Found, IoError, MappedFiles, Root, Sink, identity, len_for_estimate};
pub use pruning::Pruned;
use rigy_base::diag::Diagnostic;
use rigy_base::maps::HashMap;
use rigy_base::paths::Slashed;
use rigy_base::sync::Mutex;

/// A batch that is ready to run: no two outputs have the same path, and every output directory can be written to.
pub struct Batch<W> {
    found: Vec<Found>,
    /// Inputs of other shards.
    of_other_shards: Vec<Found>,
    /// The sink of each output root, if files are written.
    sinks: HashMap<PathBuf, Sink>,
    /// Each root of inputs, resolved.
    roots: HashMap<PathBuf, Root>,
    /// The cache of each output root.
    caches: HashMap<PathBuf, Cache>,
    keys: KeyMaker,
    options: Options,
    work: W,
    progress: Arc<Progress>,
    placed: Placed,
    /// True if earlier runs have left notes, so that there may be outputs of theirs that this run does not make.
    may_have_leftovers: bool,
    /// The outputs that have been made, if there may be others of earlier runs.
    made: Mutex<Made>,
    /// Set by the caller to end the run.
    stop: Arc<AtomicBool>,
    /// Set by the first failure with `fail_fast`.
    failed: AtomicBool,
}

/// The reason why a batch cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A directory cannot be resolved or written to.
    #[error(transparent)]
    Io(#[from] IoError),
    /// Outputs would overwrite each other.
    #[error("{}", described(.0))]
    Clashes(Vec<Clash>),
}

impl<W: Work> Batch<W> {
    /// Determines the path of every output and checks that it can be written. Inputs are processed in the order of their
    /// paths.
    ///
    /// When any thread sets `stop`, a run starts no further input. Those that it has started are given up between two of
    /// their outputs or frames, and have no outcome then, or finished if they are as good as done. If `stop` is set before
    /// all names have been compared, the batch that is returned never starts an input.
    ///
    /// # Errors
    /// If two outputs would be one file, or an output root cannot be written to. Nothing has been written.
    pub fn new(
        mut found: Vec<Found>,
        options: Options,
        work: W,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, StartError> {
        // The order does not depend on how the inputs were named, so reports can be compared and merged.
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let roots = found.iter().map(|input| options.root_of(input));
        let roots = one_for_each(roots, |root| Ok(Root::at(identity(root))))?;
        let output_roots = found.iter().map(|input| options.output.root_of(input));
        let caches = one_for_each(output_roots, |root| Ok(Cache::open(root)))?;
        let keys = KeyMaker::new(&options, &work.describe());
        let mut batch = Self {
            found,
            of_other_shards: Vec::new(),
            sinks: HashMap::default(),
            roots,
            caches,
            keys,
            options,
            work,
            progress: Arc::default(),
            placed: Placed::default(),
            may_have_leftovers: false,
            made: Mutex::default(),
            stop,
            failed: AtomicBool::new(false),
        };
        batch.may_have_leftovers = batch.looks_for_leftovers();
        let clashes = batch.clashes();
        let stopped = batch.is_stopped();
        if stopped {
            // The comparison may have ended early. This batch does not start even if `stop` is reset.
            batch.stop = Arc::new(true.into());
        } else if !clashes.is_empty() {
            return Err(StartError::Clashes(clashes));
        }
        // Names are compared before inputs are assigned to shards, so that all shards report the same clashes.
        if let Some(shard) = batch.options.shard {
            let found = std::mem::take(&mut batch.found);
            (batch.found, batch.of_other_shards) =
                found.into_iter().partition(|input| shard.takes(input));
        }
        let writes_files = !batch.options.dry_run && batch.options.output.held().is_none();
        if !stopped && writes_files {
            batch.open_sinks()?
        }
        Ok(batch)
    }

    /// Returns the clashes between outputs of different inputs; none if the run is stopped meanwhile.
    fn clashes(&self) -> Vec<Clash> {
        let options = &self.options;
        if !options.uses_cache() {
            return Vec::new(); // there is one input
        }
        clashes_between(&self.found, &self.work, options, |input, directory| {
            if self.is_stopped() {
                return Vec::new();
            }
            let known = || self.cached_outcome(input, &self.keys.key(input), false);
            // If this panics, so does the work on the input later, and that is reported.
            catch_unwind(AssertUnwindSafe(|| {
                self.work.outputs(input, directory, options, &known)
            }))
            .unwrap_or_default()
        })
    }

    /// Prepares every output root for writing, and removes what dead runs have left in the directories of outputs.
    fn open_sinks(&mut self) -> Result<(), IoError> {
        let options = &self.options;
        let roots = self.found.iter().map(|input| options.output.root_of(input));
        self.sinks = one_for_each(roots, |root| Sink::new(root, options.sync))?;
        self.found
            .iter()
            .map(|input| options.output.directory_of(input))
            .collect::<BTreeSet<PathBuf>>()
            .iter()
            .filter(|place| !self.sinks.contains_key(*place))
            .for_each(|place| Sink::sweep(place));
        Ok(())
    }

    /// Returns the number of inputs.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns true if the batch has no inputs.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns how much is done, which changes while the batch runs.
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// Returns the options of the batch.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the inputs of the batch, sorted by path.
    pub fn inputs(&self) -> &[Found] {
        &self.found
    }

    /// Processes every input. The thread that has processed an input calls `prepare` with its outcome, which returns a
    /// result and the number of bytes that the result takes. The results are passed to `hand_on` in the order of the
    /// inputs, on the calling thread, while the work goes on.
    ///
    /// Returns the failures that concern no single input.
    #[must_use = "these failures are in no outcome"]
    pub fn run<T: Send>(
        &self,
        pool: &rayon::ThreadPool,
        prepare: impl Fn(Outcome) -> (T, usize) + Sync,
        hand_on: impl FnMut(T),
    ) -> Vec<IoError> {
        let references_of = |input: &Found| self.references_of(input);
        let sources = Sources::new(&self.found, &self.of_other_shards, &references_of);
        let spare: Mutex<Vec<Buffers>> = Mutex::default();
        let jobs = Jobs {
            count: self.found.len(),
            estimate: &|index| self.work.estimate(&self.found[index]),
            run: &|index, grant| {
                let mut buffers = spare.lock().pop().unwrap_or_default();
                let input = &self.found[index];
                let progress = self.progress.begin(len_for_estimate(&input.path));
                let outcome = self.process(input, &sources, grant, &progress, &mut buffers);
                spare.lock().push(buffers);
                let prepared = prepare(outcome?);
                progress.end();
                Ok(prepared)
            },
            is_stopped: &|| self.is_stopped(),
        };
        dispatch(&jobs, pool, &Budget::new(self.options.memory), hand_on);
        self.finish()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// Writes the caches, and waits for the disk where that is asked for. Returns the failures.
    fn finish(&self) -> Vec<IoError> {
        self.sinks
            .iter()
            .collect::<BTreeMap<&PathBuf, &Sink>>()
            .into_iter()
            .flat_map(|(root, sink)| {
                let kept = if self.options.uses_cache() {
                    self.caches[root].keep(sink, &self.keys.program)
                } else {
                    Ok(())
                };
                [kept, sink.finish()]
            })
            .filter_map(Result::err)
            .collect()
    }

    /// Returns the cache that has the notes about an input.
    fn cache_of(&self, input: &Found) -> &Cache {
        &self.caches[self.options.output.root_of(input)]
    }

    /// Returns the files that an input refers to: those that an earlier run has noted, else those that the input names.
    fn references_of(&self, input: &Found) -> Vec<PathBuf> {
        let known = if self.options.uses_cache() {
            self.cache_of(input).references(&self.keys.key(input))
        } else {
            None
        };
        // If this panics, so does the work on the input, and that is reported.
        let read = || self.work.references(input, &self.options);
        known.unwrap_or_else(|| catch_unwind(AssertUnwindSafe(read)).unwrap_or_default())
    }

    /// Returns the outcome of an input whose outputs are up to date; with `hash`, only if their hashes are known.
    fn cached_outcome(&self, input: &Found, key: &Key, hash: bool) -> Option<Outcome> {
        let root = &self.roots[self.options.root_of(input)];
        self.cache_of(input).outcome(key, &input.path, root, hash)
    }

    /// Returns the outcome of an input, from the cache or by doing the work, with the time that it took.
    fn process(
        &self,
        input: &Found,
        sources: &Sources,
        memory: &Grant,
        progress: &InputProgress,
        buffers: &mut Buffers,
    ) -> Result<Outcome, Postponed> {
        buffers.clock = Clock::start();
        let key = self.keys.key(input);
        let cached = if self.options.force || !self.options.uses_cache() {
            None
        } else {
            self.cached_outcome(input, &key, self.options.hash)
        };
        let outcome = match cached {
            Some(outcome) => {
                progress.leave_out();
                Ok(outcome)
            }
            None => self.do_work((input, &key), sources, memory, progress, buffers),
        };
        if let Ok(outcome) = &outcome {
            self.add_made(outcome, &key.input);
        }
        if let Ok(outcome) = &outcome
            && !outcome.has_failed()
            && !self.options.dry_run
            && self.options.uses_cache()
        {
            self.cache_of(input).note(key, outcome);
        }
        let times = buffers.clock.stop(Stage::Place);
        let mut outcome = outcome?;
        if !self.options.hash {
            outcome.forget_hashes(); // the cache alone has needed them
        }
        outcome.times = times;
        if self.options.output.held().is_some() {
            outcome.show_on_standard_output();
        }
        if self.options.fail_fast && outcome.has_failed() {
            self.failed.store(true, Ordering::Relaxed);
        }
        Ok(outcome)
    }

    /// Does the work on one input. A panic in it becomes an error that asks the user to report it.
    fn do_work(
        &self,
        (input, key): (&Found, &Key),
        sources: &Sources,
        memory: &Grant,
        progress: &InputProgress,
        buffers: &mut Buffers,
    ) -> Result<Outcome, Postponed> {
        let name = input.path.shown();
        let mapped = Arc::<MappedFiles>::default();
        let place = &self.options.output;
        let outlet: &dyn Outlet = match (place.held(), self.sinks.get(place.root_of(input))) {
            (Some(held), _) => held,
            (None, Some(sink)) => sink,
            (None, None) => &Nowhere,
        };
        let job = JobContext {
            found: input,
            mapped: &mapped,
            name: &name,
            directory: &self.options.output.directory_of(input),
            options: &self.options,
            outlet,
            memory,
            sources,
            cache: self.cache_of(input),
            progress,
            stop: &self.stop,
            placed: &self.placed,
            key,
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.work.run(&job, buffers)));
        let outcome = match done.unwrap_or_else(|_| Err(vec![Diagnostic::panicked(&name)].into())) {
            Ok(outcome) => outcome,
            Err(Unfinished::Failed(errors)) => Outcome::failed(&input.path, errors),
            Err(Unfinished::Postponed(postponed)) => return Err(postponed),
        };
        // If a file has changed while it was read, that explains every other failure.
        if outcome.has_failed()
            && let Err(error) = mapped.check()
        {
            let error = export_error(&name, error.to_string()).caused_by(&error.source);
            return Ok(Outcome::failed(&input.path, vec![error]));
        }
        Ok(outcome)
    }
}
