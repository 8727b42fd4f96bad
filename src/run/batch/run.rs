//! Fanning inputs out over threads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::budget::{Budget, Grant, Postponed};
use super::cache::Cache;
use super::clock::{Clock, Stage};
use super::dispatch::{Jobs, dispatch};
use super::key::Job;
use super::names::Clash;
use super::options::{Options, one_for_each};
use super::outcome::{Outcome, export_error};
use super::sources::Sources;
use super::suspects::clashes_between;
use super::work::{Buffers, Place, Work};
use crate::io::{Found, IoError, MappedFiles, Sink, identity};

/// A batch that is ready to run: every output has a name of its own, and a place to be written to.
pub struct Batch<W> {
    found: Vec<Found>,
    /// Inputs that fall to other shards.
    of_other_shards: Vec<Found>,
    sinks: HashMap<PathBuf, Sink>,
    /// Where the roots really are.
    roots: HashMap<PathBuf, PathBuf>,
    /// What is known of earlier runs, by output root.
    caches: HashMap<PathBuf, Cache>,
    job: Job,
    options: Options,
    work: W,
    stop: Arc<AtomicBool>,
}

/// Why a batch cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A directory cannot be resolved or written to.
    #[error(transparent)]
    Io(#[from] IoError),
    /// Outputs would overwrite each other.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Clashes(Vec<Clash>),
}

impl<W: Work> Batch<W> {
    /// Works out where every output goes and makes sure that it can go there. Inputs are done in the order of their
    /// paths.
    ///
    /// Set from anywhere, `stop` makes a run begin nothing more; what has begun is finished. Set so early that not all
    /// names are compared yet, it makes a batch that never begins.
    ///
    /// # Errors
    /// If two outputs would be one file, or an output root cannot be written to. Nothing has been written.
    pub fn new(
        mut found: Vec<Found>,
        options: Options,
        work: W,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, StartError> {
        // One order however the inputs were named: reports can be compared, and put together again.
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let roots = found.iter().map(|input| options.root_of(input));
        let roots = one_for_each(roots, |root| Ok(identity(root)))?;
        let output_roots = found.iter().map(|input| options.output_root_of(input));
        let caches = one_for_each(output_roots, |root| Ok(Cache::open(root)))?;
        let job = Job::new(&options, &work.describe());
        let clashes = clashes_between(&found, &work, &options, |input, directory| {
            if stop.load(Ordering::Relaxed) {
                return Vec::new();
            }
            let cache = &caches[options.output_root_of(input)];
            let known = || {
                cache.outcome(
                    &job.key(input),
                    &input.path,
                    &roots[options.root_of(input)],
                    false,
                )
            };
            // A panic comes again when the input's turn comes, and is reported then.
            let look = || work.outputs(input, directory, &options, &known);
            catch_unwind(AssertUnwindSafe(look)).unwrap_or_default()
        });
        let stopped = stop.load(Ordering::Relaxed);
        if !clashes.is_empty() && !stopped {
            return Err(StartError::Clashes(clashes));
        }
        // Only now, so that all shards refuse alike.
        let mut of_other_shards = Vec::new();
        if let Some(shard) = options.shard {
            (found, of_other_shards) = found.into_iter().partition(|input| shard.takes(input));
        }
        let mut batch = Self {
            found,
            of_other_shards,
            sinks: HashMap::new(),
            roots,
            caches,
            job,
            options,
            work,
            stop,
        };
        if stopped {
            batch.stop = Arc::new(true.into()); // whatever becomes of the other
        } else if !batch.options.dry_run {
            let options = &batch.options;
            let roots = batch
                .found
                .iter()
                .map(|input| options.output_root_of(input));
            batch.sinks = one_for_each(roots, |root| Sink::new(root, options.durability))?;
            let directories = batch.found.iter().map(|i| batch.options.directory_of(i));
            let directories: BTreeSet<PathBuf> = directories.collect();
            directories.iter().for_each(|place| Sink::sweep(place));
        }
        Ok(batch)
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How it is done.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The inputs.
    pub fn inputs(&self) -> &[Found] {
        &self.found
    }

    /// Does every input. Each outcome goes through `prepare` on the thread that has done it, which also says how many
    /// bytes the result takes; results are handed on in the order of the inputs, on this thread, while the work goes
    /// on. Failures that are about no input come back.
    #[must_use = "what is about no input is told of nowhere else"]
    pub fn run<T: Send>(
        &self,
        pool: &rayon::ThreadPool,
        prepare: impl Fn(Outcome) -> (T, usize) + Sync,
        mut hand_on: impl FnMut(T),
    ) -> Vec<IoError> {
        let references_of = |input: &Found| self.references_of(input);
        let running = Running {
            batch: self,
            sources: Sources::new(&self.found, &self.of_other_shards, &references_of),
            prepare,
            buffers: Mutex::default(),
        };
        let budget = Budget::new(self.options.memory);
        dispatch(&running, pool, &budget, &mut hand_on);
        self.ended()
    }

    /// Writes down what has been done, and ends the writing: why that could not be somewhere, or why files could not
    /// all be forced onto the disk, although that was asked for.
    fn ended(&self) -> Vec<IoError> {
        let sinks: BTreeMap<&PathBuf, &Sink> = self.sinks.iter().collect();
        let ends = |(root, sink): (&PathBuf, &Sink)| {
            let noted = self.caches[root].keep(sink, &self.job.program);
            [noted, sink.finish()]
        };
        let ends = sinks.into_iter().flat_map(ends);
        ends.filter_map(Result::err).collect()
    }

    /// The files that an input refers to: as an earlier run has noted them, else as the input names them.
    fn references_of(&self, input: &Found) -> Vec<PathBuf> {
        let cache = &self.caches[self.options.output_root_of(input)];
        let known = cache.references(&self.job.key(input));
        // A panic comes again when the input's turn comes, and is reported then.
        let look = || self.work.references(input, &self.options);
        known.unwrap_or_else(|| catch_unwind(AssertUnwindSafe(look)).unwrap_or_default())
    }

    /// One input; a panic in it is reported as the bug it is.
    fn one(
        &self,
        index: usize,
        sources: &Sources<'_>,
        memory: &Grant<'_>,
        buffers: &mut Buffers,
    ) -> Result<Outcome, Postponed> {
        let input = &self.found[index];
        let name = input.path.display().to_string();
        let cache = &self.caches[self.options.output_root_of(input)];
        let key = self.job.key(input);
        let root = &self.roots[self.options.root_of(input)];
        if !self.options.force
            && let Some(outcome) = cache.outcome(&key, &input.path, root, self.options.hash)
        {
            if outcome.made_of.is_some() && !self.options.dry_run {
                cache.note(key, &outcome);
            }
            return Ok(outcome);
        }
        let mapped = MappedFiles::default();
        let place = Place {
            found: input,
            mapped: &mapped,
            name: &name,
            directory: &self.options.directory_of(input),
            options: &self.options,
            sink: self.sinks.get(self.options.output_root_of(input)),
            memory,
            sources,
            cache,
            key: &key,
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.work.run(&place, buffers)));
        // Whatever went wrong with a file that has changed meanwhile, that it has comes first.
        let failed = match &done {
            Ok(Ok(outcome)) => outcome.has_failed(),
            Ok(Err(Postponed { .. })) => false,
            Err(_) => true,
        };
        if let Ok(Ok(outcome)) = &done
            && !failed
            && !self.options.dry_run
        {
            cache.note(key, outcome);
        }
        if failed && let Err(error) = mapped.check() {
            let error = export_error(&name, error.to_string());
            return Ok(Outcome::failed(&input.path, vec![error]));
        }
        done.unwrap_or_else(|_| {
            let message = "rigy-batch panicked on this input; that is a bug in rigy-batch";
            let error = export_error(&name, message.into()).help("please report it with the input");
            Ok(Outcome::failed(&input.path, vec![error]))
        })
    }
}

/// A batch while it runs.
struct Running<'b, W, P> {
    batch: &'b Batch<W>,
    sources: Sources<'b>,
    prepare: P,
    /// Those that nobody uses at the moment.
    buffers: Mutex<Vec<Buffers>>,
}

impl<W: Work, T: Send, P: Fn(Outcome) -> (T, usize) + Sync> Jobs for Running<'_, W, P> {
    type Result = T;

    fn count(&self) -> usize {
        self.batch.found.len()
    }

    fn estimate(&self, index: usize) -> u64 {
        self.batch.work.estimate(&self.batch.found[index])
    }

    fn run(&self, index: usize, grant: &Grant<'_>) -> Result<(T, usize), Postponed> {
        let spare = || self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffers = spare().pop().unwrap_or_default();
        buffers.clock = Clock::start();
        let outcome = self.batch.one(index, &self.sources, grant, &mut buffers);
        let times = buffers.clock.stop(Stage::Place);
        spare().push(buffers);
        let outcome = Outcome { times, ..outcome? };
        if self.batch.options.fail_fast && outcome.has_failed() {
            self.batch.stop.store(true, Ordering::Relaxed);
        }
        Ok((self.prepare)(outcome))
    }

    fn is_stopped(&self) -> bool {
        self.batch.stop.load(Ordering::Relaxed)
    }
}
