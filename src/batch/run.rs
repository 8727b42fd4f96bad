//! Fanning inputs out over threads.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::names::{Clash, clashes, folded};
use super::options::Options;
use super::order::InOrder;
use super::outcome::{Outcome, export_error};
use super::work::{Buffers, Place, Work};
use crate::io::{Found, IoError, Reading, Sink, identity};

/// A batch that is ready to run: every output has a name of its own, and a place to be written to.
pub struct Batch<W> {
    found: Vec<Found>,
    directories: Vec<PathBuf>,
    sinks: HashMap<PathBuf, Sink>,
    options: Options,
    work: W,
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
    /// Works out where every output goes and makes sure that it can go there.
    ///
    /// # Errors
    /// If two outputs would be one file, or an output root cannot be written to. Nothing has been written.
    pub fn new(found: Vec<Found>, options: Options, work: W) -> Result<Self, StartError> {
        let directories = found.iter().map(|input| options.directory_of(input));
        let mut batch = Self {
            directories: directories.collect(),
            found,
            sinks: HashMap::new(),
            options,
            work,
        };
        let clashes = batch.clashes();
        if !clashes.is_empty() {
            return Err(StartError::Clashes(clashes));
        }
        if !batch.options.dry_run {
            for input in &batch.found {
                let root = batch.options.output_root_of(input).to_owned();
                if let Entry::Vacant(place) = batch.sinks.entry(root) {
                    let sink = Sink::new(place.key(), batch.options.durability)?;
                    place.insert(sink);
                }
            }
            let directories: BTreeSet<&PathBuf> = batch.directories.iter().collect();
            directories.into_iter().for_each(|place| Sink::sweep(place));
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

    /// The inputs.
    pub fn inputs(&self) -> &[Found] {
        &self.found
    }

    /// Outputs that would be one file. Only inputs in one directory whose stems are equal, or one of which
    /// continues the other after a dot, can clash; only those are looked into.
    fn clashes(&self) -> Vec<Clash> {
        // Each directory as it is, and as the least discerning file system sees it.
        let mut places: HashMap<&Path, (PathBuf, String)> = HashMap::new();
        for directory in &self.directories {
            places.entry(directory).or_insert_with(|| {
                let place = identity(directory);
                let folded = folded(place.as_os_str());
                (place, folded)
            });
        }
        let place = |index: usize| &places[&*self.directories[index]];
        let mut by_name: HashMap<(&str, String), Vec<usize>> = HashMap::new();
        for (index, input) in self.found.iter().enumerate() {
            let stem = input.path.file_name().map(|name| self.work.stem(name));
            let stem = stem.map_or_else(String::new, |stem| folded(&stem));
            let key = (&*place(index).1, stem);
            by_name.entry(key).or_default().push(index);
        }
        let mut suspects: BTreeSet<usize> = BTreeSet::new();
        for ((directory, stem), indices) in &by_name {
            if indices.len() > 1 {
                suspects.extend(indices);
            }
            for (dot, _) in stem.match_indices('.') {
                let shorter = (*directory, stem[..dot].to_owned());
                if let Some(others) = by_name.get(&shorter) {
                    suspects.extend(indices.iter().chain(others));
                }
            }
        }
        // An input that is named like an output can be anybody's output.
        let named_like_output = |path: &Path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|e| ["glb", "json"].contains(&e.to_lowercase().as_str()))
        };
        let exposed = self.found.iter().filter(|f| named_like_output(&f.path));
        let exposed: Vec<(&Path, PathBuf)> =
            exposed.map(|f| (&*f.path, identity(&f.path))).collect();
        if !exposed.is_empty() {
            suspects.extend(0..self.found.len());
        }
        let outputs = suspects.into_iter().flat_map(|index: usize| {
            let input = &self.found[index];
            let outputs = self.work.outputs(input, &place(index).0, &self.options);
            outputs.into_iter().map(|path| (&*input.path, path))
        });
        // What the outputs of one input have to do with each other is its own affair.
        let mut found = clashes(exposed.iter().cloned().chain(outputs));
        found.retain(|clash| clash.first != clash.second);
        found
    }

    /// Does every input, and hands the outcomes on in order while the work goes on.
    pub fn run(&self, pool: &rayon::ThreadPool, hand_on: impl FnMut(Outcome) + Send) {
        let order = Mutex::new(InOrder::new(hand_on));
        let stop = AtomicBool::new(false);
        pool.install(|| {
            // A bridge hands inputs out one by one, so that results come nearly in order.
            let inputs = (0..self.found.len()).par_bridge();
            inputs.for_each_init(Buffers::default, |buffers, index| {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let outcome = self.one(index, buffers);
                if self.options.fail_fast && outcome.has_failed() {
                    stop.store(true, Ordering::Relaxed);
                }
                // A poisoned lock means that printing has panicked; there is nobody left to tell.
                if let Ok(mut order) = order.lock() {
                    order.put(index, outcome);
                }
            });
        });
        if let Ok(mut order) = order.into_inner() {
            for (number, outcome) in self.not_on_disk().into_iter().enumerate() {
                order.put(self.found.len() + number, outcome);
            }
            order.finish();
        }
    }

    /// Output roots whose files could not all be forced onto the disk, although that was asked for.
    fn not_on_disk(&self) -> Vec<Outcome> {
        let sinks: BTreeMap<&PathBuf, &Sink> = self.sinks.iter().collect();
        let outcome = |(root, sink): (&PathBuf, &Sink)| {
            let error = sink.finish().err()?.to_string();
            let error = export_error(&root.display().to_string(), error);
            Some(Outcome::failed(root, vec![error]))
        };
        sinks.into_iter().filter_map(outcome).collect()
    }

    /// One input; a panic in it is reported as the bug it is.
    fn one(&self, index: usize, buffers: &mut Buffers) -> Outcome {
        let input = &self.found[index];
        let name = input.path.display().to_string();
        let reading = Reading::default();
        let place = Place {
            found: input,
            reading: &reading,
            name: &name,
            directory: &self.directories[index],
            options: &self.options,
            sink: self.sinks.get(self.options.output_root_of(input)),
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.work.run(&place, buffers)));
        // Whatever went wrong with a file that has changed meanwhile, that it has comes first.
        if done.as_ref().map_or(true, Outcome::has_failed)
            && let Err(error) = reading.check()
        {
            let error = export_error(&name, error.to_string());
            return Outcome::failed(&input.path, vec![error]);
        }
        done.unwrap_or_else(|_| {
            let message = "rigy-batch panicked on this input; that is a bug in rigy-batch";
            let error = export_error(&name, message.into()).help("please report it with the input");
            Outcome::failed(&input.path, vec![error])
        })
    }
}

/// A pool of `jobs` threads, or of one per processor.
///
/// # Errors
/// If the system does not give that many threads.
pub fn thread_pool(jobs: Option<usize>) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .build()
}
