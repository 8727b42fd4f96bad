//! What has been done before: inputs whose outputs are still what they would become.
//!
//! One file below the output root, a line for each input: what it was made of and how, and what came out, all of it by
//! its [`Trace`] or [`Stamp`]. Nothing is believed that cannot be checked, and a line that cannot be read is as good
//! as none; so the file may be deleted or cut short. It is replaced as a whole at the end of a run, which takes over
//! what another run has put there meanwhile; what is lost when both do so at once is done again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::names::OutputFormat;
use super::outcome::{Outcome, OutputRecord, Status};
use crate::diag::Diagnostic;
use crate::io::{IoError, PRIVATE, Sink, Stamp, Target, Trace, read_file};

/// An output that was put in its place, or was there.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Product {
    path: PathBuf,
    pose: Option<String>,
    format: OutputFormat,
    stamp: Stamp,
    sha256: Option<String>,
}

/// What is known of one input.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    key: Key,
    /// The input itself, then what it refers to.
    made_of: Vec<(PathBuf, Trace)>,
    products: Vec<Product>,
    names: Vec<String>,
    warnings: Vec<Diagnostic>,
}

/// An input, and all that decides what is made of it but bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Key {
    /// By a path that does not depend on the working directory.
    pub input: PathBuf,
    /// What it is called, what is done with it, and by which program.
    pub job: String,
}

/// What is known of all inputs of one output root.
pub(super) struct Cache {
    path: PathBuf,
    known: HashMap<Key, Entry>,
    fresh: Mutex<HashMap<Key, Entry>>,
}

/// Name of the file in the private directory.
const NAME: &str = "cache";

/// Largest cache that is read, in bytes.
const MOST: u64 = 1 << 30;

impl Cache {
    /// Reads the cache of an output root; whatever cannot be read is not known.
    pub fn read(root: &Path) -> Self {
        let path = root.join(PRIVATE).join(NAME);
        Self {
            known: entries(&path),
            path,
            fresh: Mutex::default(),
        }
    }

    /// The outcome of an input if nothing about it has changed; `hash` asks for hashes of outputs.
    pub fn outcome(&self, key: &Key, input: &Path, hash: bool) -> Option<Outcome> {
        let entry = self.known.get(key)?;
        let record = |product: &Product| {
            let is_there = Stamp::of(&product.path).ok()? == product.stamp;
            if !is_there || (hash && product.sha256.is_none()) {
                return None;
            }
            let (pose, path) = (product.pose.clone(), Some(product.path.clone()));
            Some(OutputRecord {
                status: Status::Unchanged,
                sha256: product.sha256.clone().filter(|_| hash),
                bytes: Some(product.stamp.len()),
                ..OutputRecord::new(pose, product.format, path)
            })
        };
        let records: Vec<OutputRecord> =
            entry.products.iter().map(record).collect::<Option<_>>()?;
        let is_same = |(path, trace): &(PathBuf, Trace)| trace.is_of(path);
        entry.made_of.iter().all(is_same).then(|| Outcome {
            input: input.to_owned(),
            records,
            warnings: entry.warnings.clone(),
            names: entry.names.clone(),
            ..Outcome::failed(input, Vec::new())
        })
    }

    /// Notes an input that has been done. One of which not all is known is done again the next time.
    pub fn note(&self, key: Key, outcome: &Outcome) {
        let product = |record: &OutputRecord| {
            let path = record.path.as_ref()?;
            Some(Product {
                stamp: Stamp::of(path).ok()?,
                path: path.clone(),
                pose: record.pose.clone(),
                format: record.format,
                sha256: record.sha256.clone(),
            })
        };
        let products: Option<Vec<_>> = outcome.records.iter().map(product).collect();
        let (Some(products), Some(made_of)) = (products, outcome.made_of.clone()) else {
            return;
        };
        let entry = Entry {
            key: key.clone(),
            made_of,
            products,
            names: outcome.names.clone(),
            warnings: outcome.warnings.clone(),
        };
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        fresh.insert(key, entry);
    }

    /// Writes down what is new, with what others know. Inputs that are gone are forgotten.
    ///
    /// # Errors
    /// If the file cannot be replaced.
    pub fn keep(&self, sink: &Sink) -> Result<(), IoError> {
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        if fresh.is_empty() {
            return Ok(());
        }
        let mut all = entries(&self.path);
        all.retain(|key, _| !fresh.contains_key(key) && key.input.exists());
        // Paths that are no text are not noted.
        let lines = all.values().chain(fresh.values());
        let lines = lines.filter_map(|entry| serde_json::to_string(entry).ok());
        let mut lines: Vec<String> = lines.collect();
        lines.sort();
        let text = lines.join("\n");
        let staged = sink.stage(Target::new(&self.path), |out| {
            out.write_all(text.as_bytes())
        })?;
        staged.commit()
    }
}

/// The entries of a cache that can be read.
fn entries(path: &Path) -> HashMap<Key, Entry> {
    let mut bytes = Vec::new();
    if read_file(path, MOST, &mut bytes).is_err() {
        return HashMap::new();
    }
    let lines = bytes.split(|byte| *byte == b'\n');
    let entries = lines.filter_map(|line| serde_json::from_slice::<Entry>(line).ok());
    entries.map(|entry| (entry.key.clone(), entry)).collect()
}

/// This program, so that another one's outputs are not taken for its own: its version, and what tells one build from
/// the next.
pub(super) fn program() -> String {
    let build = std::env::current_exe().ok();
    let build = build.and_then(|path| Stamp::of(&path).ok());
    format!("{} {build:?}", env!("CARGO_PKG_VERSION"))
}
