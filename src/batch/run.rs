//! Fanning documents out over threads.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::job::{Buffers, Job, peek_pose_ids};
use super::names::{Clash, clashes, document_stem, folded};
use super::options::Options;
use super::order::InOrder;
use super::outcome::{Outcome, export_error};
use super::outputs::wanted_outputs;
use crate::compile::Files;
use crate::io::{DirectoryLoader, Found, IoError, Sink, identity};

/// Suffixes by which documents are found in a directory.
pub fn document_suffixes() -> &'static [&'static str] {
    &[".rigy.yaml", ".rigy.yml"]
}

/// A batch that is ready to run: every output has a name of its own, and a place to be written to.
pub struct Batch {
    found: Vec<Found>,
    directories: Vec<PathBuf>,
    /// The files below each root, shared by all documents there.
    files: HashMap<PathBuf, Files>,
    sinks: HashMap<PathBuf, Sink>,
    options: Options,
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

impl Batch {
    /// Works out where every output goes and makes sure that it can go there.
    ///
    /// # Errors
    /// If two outputs would be one file, or an output root cannot be written to. Nothing has been written.
    pub fn new(found: Vec<Found>, options: Options) -> Result<Self, StartError> {
        let directories: Vec<PathBuf> = found
            .iter()
            .map(|f| output_directory(f, &options))
            .collect();
        let mut files = HashMap::new();
        for input in &found {
            let root = options.root.as_ref().unwrap_or(&input.root);
            if !files.contains_key(root) {
                let loader = DirectoryLoader::new(root, options.map)?;
                files.insert(root.clone(), Files::new(loader));
            }
        }
        let mut batch = Self {
            found,
            directories,
            files,
            sinks: HashMap::new(),
            options,
        };
        let clashes = batch.clashes();
        if !clashes.is_empty() {
            return Err(StartError::Clashes(clashes));
        }
        if !batch.options.dry_run {
            for input in &batch.found {
                let root = batch.output_root(input).to_owned();
                if let Entry::Vacant(place) = batch.sinks.entry(root) {
                    let sink = Sink::new(place.key())?;
                    place.insert(sink);
                }
            }
        }
        Ok(batch)
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The documents.
    pub fn inputs(&self) -> &[Found] {
        &self.found
    }

    fn output_root<'a>(&'a self, input: &'a Found) -> &'a Path {
        self.options.output.as_deref().unwrap_or(&input.root)
    }

    fn files(&self, input: &Found) -> &Files {
        &self.files[self.options.root.as_ref().unwrap_or(&input.root)]
    }

    /// Outputs that would be one file. Only documents in one directory whose stems are equal, or one of which
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
            let stem = input.path.file_name().map(document_stem);
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
            let pose_ids = peek_pose_ids(&input.path, self.files(input)).unwrap_or_default();
            let wanted = wanted_outputs(input, &place(index).0, &pose_ids, &self.options);
            let paths = wanted.into_iter().filter_map(|record| record.path);
            paths.map(|path| (&*input.path, path))
        });
        // Two poses of one document are that document's own affair.
        let mut found = clashes(exposed.iter().cloned().chain(outputs));
        found.retain(|clash| clash.first != clash.second);
        found
    }

    /// Does every document, and hands the outcomes on in order while the work goes on.
    pub fn run(&self, pool: &rayon::ThreadPool, hand_on: impl FnMut(Outcome) + Send) {
        let order = Mutex::new(InOrder::new(hand_on));
        let stop = AtomicBool::new(false);
        pool.install(|| {
            // A bridge hands documents out one by one, so that results come nearly in order.
            let documents = (0..self.found.len()).par_bridge();
            documents.for_each_init(Buffers::default, |buffers, index| {
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
        if let Ok(order) = order.into_inner() {
            order.finish();
        }
    }

    /// One document; a panic in it is reported as the bug it is.
    fn one(&self, index: usize, buffers: &mut Buffers) -> Outcome {
        let input = &self.found[index];
        let job = Job {
            found: input,
            output_directory: &self.directories[index],
            options: &self.options,
            files: self.files(input),
            sink: self.sinks.get(self.output_root(input)),
        };
        catch_unwind(AssertUnwindSafe(|| job.run(buffers))).unwrap_or_else(|_| {
            let message = "rigy-batch panicked on this document; that is a bug in rigy-batch";
            let name = input.path.display().to_string();
            let error =
                export_error(&name, message.into()).help("please report it with the document");
            Outcome::failed(&input.path, vec![error])
        })
    }
}

/// Where a document's outputs go: beside it, or at its place in the mirrored tree.
fn output_directory(found: &Found, options: &Options) -> PathBuf {
    let parent = |path: &Path| path.parent().unwrap_or(Path::new("")).to_owned();
    match &options.output {
        Some(output) => output.join(parent(found.relative())),
        None => parent(&found.path),
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
