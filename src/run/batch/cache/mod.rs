//! What has been done before: inputs whose outputs are still what they would become.
//!
//! A [`Journal`] below the output root, with a line for each input: what it was made of and how, and what came out, all
//! of it by its [`Trace`] or [`Stamp`]. Nothing is believed that cannot be checked, and a line that cannot be read is
//! as good as none; so the file may be deleted or cut short. Lines are added while a run goes on, so one that is killed
//! has not worked for nothing. In memory there is only where each line is.

pub mod key;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::base::diag::Diagnostic;
use crate::base::loader::{FileRead, Stamp, Trace};
use crate::io::{IoError, Journal, Sink, exists, is_link, locate, private_directory};
use crate::run::batch::outcome::{MadeOf, Outcome, OutputRecord, Status};
use crate::run::batch::work::names::OutputFormat;
use key::Key;

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
    made_of: Vec<FileRead>,
    products: Vec<Product>,
    names: Vec<String>,
    warnings: Vec<Diagnostic>,
}

/// What is known of the inputs of one output root.
pub(crate) struct Cache {
    journal: Journal,
    /// Files whose stamps have changed since they were noted, by route, and what they are now: one that many inputs
    /// are made of is read once.
    changed: Mutex<HashMap<PathBuf, Trace>>,
}

/// Name of the file in the private directory.
const NAME: &str = "cache";

impl Cache {
    /// The cache of an output root; whatever cannot be read is not known.
    pub fn open(root: &Path) -> Self {
        Self {
            journal: Journal::open(&private_directory(root).join(NAME)),
            changed: Mutex::default(),
        }
    }

    fn entry(&self, key: &Key) -> Option<Entry> {
        let text = self.journal.get(key.number())?;
        let entry = serde_json::from_str::<Entry>(&text).ok()?;
        (entry.key == *key).then_some(entry)
    }

    /// Whether the file at `path` is as an earlier run has left it there as an output of this input.
    pub fn has_made(&self, key: &Key, path: &Path) -> bool {
        let product = |product: &Product| {
            product.path == path && Stamp::of(path).is_ok_and(|stamp| stamp == product.stamp)
        };
        self.entry(key)
            .is_some_and(|entry| entry.products.iter().any(product))
    }

    /// The paths of the files that an input was made of, if none of them has changed since.
    pub fn references(&self, key: &Key) -> Option<Vec<PathBuf>> {
        let made_of = self.entry(key)?.made_of;
        let is_same =
            |file: &FileRead| Stamp::of(&file.route).ok() == file.trace.map(|trace| trace.stamp);
        let same = made_of.iter().all(is_same);
        same.then(|| made_of.into_iter().map(|file| file.route).collect())
    }

    /// The outcome of an input if nothing about it has changed, and its references still lead to the same places, below
    /// `root`, a resolved directory; `hash` asks for hashes of outputs. What it is made of is given only if it is to be
    /// noted again: its bytes are the same, but not its stamps.
    pub fn outcome(&self, key: &Key, input: &Path, root: &Path, hash: bool) -> Option<Outcome> {
        let entry = self.entry(key)?;
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
                stamp: Some(product.stamp),
                ..OutputRecord::new(pose, product.format, path)
            })
        };
        let records = entry.products.iter().map(record);
        let records: Vec<OutputRecord> = records.collect::<Option<_>>()?;
        let now = |file: &FileRead| {
            let is_there =
                || locate(&file.route, root).is_ok_and(|at| at.as_ref() == Some(&file.location));
            let trace = self
                .unchanged(file)
                .filter(|_| file.route == input || is_there());
            Some(FileRead {
                trace: Some(trace?),
                ..file.clone()
            })
        };
        let made_of: Vec<FileRead> = entry.made_of.iter().map(now).collect::<Option<_>>()?;
        let made_of = match made_of == entry.made_of {
            true => MadeOf::AsNoted,
            false => MadeOf::Files(made_of),
        };
        Some(Outcome {
            made_of,
            warnings: entry.warnings,
            known: true,
            ..Outcome::of(input, records, entry.names)
        })
    }

    /// The present trace of a file whose bytes are still what they were.
    fn unchanged(&self, file: &FileRead) -> Option<Trace> {
        let (before, stamp) = (file.trace?, Stamp::of(&file.route).ok()?);
        if stamp == before.stamp {
            return Some(before);
        }
        // A link that leads to another file may lead in a circle.
        if before.hash.is_none() || stamp.len != before.stamp.len || is_link(&file.route) {
            return None;
        }
        let changed = || self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = changed().get(&file.route).copied();
        let now = match known.filter(|known| known.stamp == stamp) {
            Some(known) => known,
            None => Trace::of(&file.route).ok()?,
        };
        changed().insert(file.route.clone(), now);
        (now.hash == before.hash).then_some(now)
    }

    /// Notes an input that has been done. One of which not all is known, or where by now another file stands in the place
    /// of an output, is done again the next time.
    pub fn note(&self, key: Key, outcome: &Outcome) {
        let MadeOf::Files(made_of) = &outcome.made_of else {
            return;
        };
        let product = |record: &OutputRecord| {
            let path = record.path.as_ref()?;
            let stamp = Stamp::of(path).ok()?;
            if !stamp.has_bytes_of(&record.stamp?) {
                return None;
            }
            Some(Product {
                stamp,
                path: path.clone(),
                pose: record.pose.clone(),
                format: record.format,
                sha256: record.sha256.clone(),
            })
        };
        let products: Option<Vec<_>> = outcome.records.iter().map(product).collect();
        let Some(products) = products else {
            return;
        };
        let number = key.number();
        let entry = Entry {
            key,
            made_of: made_of.clone(),
            products,
            names: outcome.names.clone(),
            warnings: outcome.warnings.clone(),
        };
        // Paths that are no text are not noted.
        if let Ok(text) = serde_json::to_string(&entry) {
            self.journal.add(number, &text);
        }
    }

    /// Writes down what has been noted. When the file has grown too long, inputs that are gone and what other programs
    /// have noted are forgotten.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, sink: &Sink, program: &str) -> Result<(), IoError> {
        self.journal.finish(sink, |text| {
            let entry = serde_json::from_str::<Entry>(text);
            entry.is_ok_and(|entry| entry.key.program == program && exists(&entry.key.input))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Durability;
    use std::fs;

    #[test]
    fn what_another_run_has_put_in_its_place_is_not_believed() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a.glb");
        let key = Key {
            input: path.clone(),
            program: String::new(),
            job: String::new(),
        };
        let known = |another: bool| {
            let sink = Sink::new(root.path(), Durability::None).unwrap();
            let cache = Cache::open(root.path());
            fs::write(&path, "ours").unwrap();
            let mut record = OutputRecord::new(None, OutputFormat::Glb, Some(path.clone()));
            record.stamp = Stamp::of(&path).ok();
            if another {
                fs::write(root.path().join("theirs"), "ours").unwrap();
                fs::rename(root.path().join("theirs"), &path).unwrap();
            }
            let mut outcome = Outcome::of(&path, vec![record], Vec::new());
            outcome.made_of = MadeOf::Files(Vec::new());
            cache.note(key.clone(), &outcome);
            cache.keep(&sink, "").unwrap();
            let outcome = Cache::open(root.path()).outcome(&key, &path, root.path(), false);
            fs::remove_dir_all(private_directory(root.path())).unwrap();
            outcome.is_some()
        };
        assert!(known(false));
        assert!(!known(true));
    }
}
