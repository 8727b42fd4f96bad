//! What has been done before: inputs whose outputs are still what they would become.
//!
//! A [`Journal`] below the output root, with a line for each input: what it was made of and how, and what came out, all
//! of it by its [`Trace`] or [`Stamp`]. Nothing is believed that cannot be checked, and a line that cannot be read is
//! as good as none; so the file may be deleted or cut short. Lines are added while a run goes on, so one that is killed
//! has not worked for nothing. In memory there is only where each line is.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::key::Key;
use super::names::OutputFormat;
use super::outcome::{Outcome, OutputRecord, Status};
use crate::diag::Diagnostic;
use crate::io::{IoError, Journal, PRIVATE, Sink, identity};
use crate::loader::{Stamp, Trace};

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
    /// The input itself, and what it refers to.
    made_of: Vec<(PathBuf, Trace)>,
    products: Vec<Product>,
    names: Vec<String>,
    warnings: Vec<Diagnostic>,
}

/// What is known of the inputs of one output root.
pub(super) struct Cache(Journal);

/// Name of the file in the private directory.
const NAME: &str = "cache";

impl Cache {
    /// The cache of an output root; whatever cannot be read is not known.
    pub fn open(root: &Path) -> Self {
        Self(Journal::open(&root.join(PRIVATE).join(NAME)))
    }

    /// The outcome of an input if nothing about it has changed, and what it refers to is still below `root`, a resolved
    /// directory; `hash` asks for hashes of outputs.
    pub fn outcome(&self, key: &Key, input: &Path, root: &Path, hash: bool) -> Option<Outcome> {
        let text = self.0.get(key.number())?;
        let entry = serde_json::from_str::<Entry>(&text).ok()?;
        if entry.key != *key {
            return None;
        }
        let record = |product: &Product| {
            let is_there = Stamp::of(&product.path).ok()? == product.stamp;
            if !is_there || (hash && product.sha256.is_none()) {
                return None;
            }
            let (pose, path) = (product.pose.clone(), Some(product.path.clone()));
            Some(OutputRecord {
                status: Status::Unchanged,
                sha256: product.sha256.clone().filter(|_| hash),
                bytes: Some(product.stamp.len),
                ..OutputRecord::new(pose, product.format, path)
            })
        };
        let records = entry.products.iter().map(record);
        let records: Vec<OutputRecord> = records.collect::<Option<_>>()?;
        let is_same = |(path, trace): &(PathBuf, Trace)| {
            trace.is_of(path) && (path == input || identity(path).starts_with(root))
        };
        entry.made_of.iter().all(is_same).then(|| Outcome {
            warnings: entry.warnings,
            known: true,
            ..Outcome::of(input, records, entry.names)
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
        let number = key.number();
        let entry = Entry {
            key,
            made_of,
            products,
            names: outcome.names.clone(),
            warnings: outcome.warnings.clone(),
        };
        // Paths that are no text are not noted.
        if let Ok(text) = serde_json::to_string(&entry) {
            self.0.add(number, &text);
        }
    }

    /// Writes down what has been noted. When the file has grown too long, inputs that are gone and what other programs
    /// have noted are forgotten.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, sink: &Sink, program: &str) -> Result<(), IoError> {
        self.0.finish(sink, |text| {
            let entry = serde_json::from_str::<Entry>(text);
            entry.is_ok_and(|entry| entry.key.program == program && entry.key.input.exists())
        })
    }
}
