//! Putting the outputs of inputs into packs, in the order of the inputs.
//!
//! An outcome is settled, and is reported, only when its pack is in its place: nothing is said to be written that is in no whole
//! pack. If a pack cannot be written, all inputs that have entries in it have failed, and no list of packs appears.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::options::Options;
use super::outcome::{Outcome, OutputRecord, export_error};
use crate::base::diag::Diagnostic;
use crate::io::IoError;
use crate::io::pack::{EntryData, PackError, PackFormat, PackSetWriter, check_entry_path};

/// The packs that the outputs of a batch go into.
///
/// ```
/// use rigy_batch::io::pack::PackFormat;
/// use rigy_batch::run::batch::{Options, Packing};
///
/// let packing = Packing {
///     format: PackFormat::Tar,
///     name: "documents".into(),
///     most: 256 << 20,
/// };
/// let options = Options::default().output("out").pack(packing);
/// assert!(options.pack.is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The format of the archives.
    pub format: PackFormat,
    /// The beginning of their names, as [`PackName`](crate::io::pack::PackName) takes it.
    pub name: String,
    /// The length in bytes that a pack has at most, unless the outputs of one input are longer.
    pub most: u64,
}

/// Puts outputs into packs.
pub(super) struct Packer<'o> {
    /// The directory that paths of entries are relative to.
    root: &'o Path,
    writer: PackSetWriter,
    /// Outcomes since the first that has entries in the open pack, in order.
    waiting: Vec<Outcome>,
    /// Files beside outputs that are in packs: hash and pack of each.
    beside: HashMap<String, (String, PathBuf)>,
    /// Number of inputs, and of those that have failed.
    inputs: u64,
    failed: u64,
    /// True if the outputs of an input could not be entries.
    has_refused: bool,
    /// The first failure to write a pack, after which nothing is written.
    failure: Option<Failure>,
}

/// No more inputs than this are in one pack, since the outcome of each waits in memory until the pack is in its place.
const MOST_WAITING: usize = 1 << 17;

/// A failure to write a pack.
struct Failure {
    message: String,
    transient: bool,
}

/// An output of an input with its path in the pack.
struct NewEntry {
    record: usize,
    path: String,
    data: EntryData,
}

impl<'o> Packer<'o> {
    pub fn new(options: &'o Options, writer: PackSetWriter) -> Self {
        Self {
            root: options.output.as_deref().unwrap_or(Path::new("")),
            writer,
            waiting: Vec::new(),
            beside: HashMap::new(),
            inputs: 0,
            failed: 0,
            has_refused: false,
            failure: None,
        }
    }

    /// Adds the outputs of the next input. Returns the outcomes that are settled by that.
    pub fn add(&mut self, mut outcome: Outcome, entries: Vec<(usize, EntryData)>) -> Vec<Outcome> {
        let mut settled = Vec::new();
        self.inputs += 1;
        match self.entries(&mut outcome, entries) {
            Ok(entries) => {
                let lens = entries.iter().map(|entry| {
                    let bytes = outcome.records[entry.record].bytes;
                    (entry.path.len(), bytes.unwrap_or_default())
                });
                if !self.writer.has_room(lens) {
                    settled = self.close();
                }
                self.put(&mut outcome, entries);
            }
            Err(error) => {
                self.has_refused = true;
                outcome.fail(error);
            }
        }
        if self.has_failed() {
            settled.append(&mut self.waiting);
            settled.push(outcome);
            settled.iter_mut().for_each(|outcome| self.fail(outcome));
        } else if self.waiting.is_empty() && !self.is_packed(&outcome) {
            settled.push(outcome);
        } else {
            self.waiting.push(outcome);
            if self.waiting.len() == MOST_WAITING {
                settled.append(&mut self.close());
            }
        }
        settled
            .iter()
            .for_each(|outcome| self.failed += u64::from(outcome.has_failed()));
        settled
    }

    /// Returns true if a pack could not be written.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns true if the outputs of an input could not be entries, so that it has failed.
    pub fn has_refused(&self) -> bool {
        self.has_refused
    }

    /// Ends the open pack, and the set of packs if all of `count` inputs have been added. Returns the outcomes that are settled by that, and the failure to end
    /// the set.
    pub fn end(mut self, count: usize) -> (Vec<Outcome>, Option<IoError>) {
        let mut settled = self.close();
        settled.append(&mut self.waiting);
        settled
            .iter()
            .for_each(|outcome| self.failed += u64::from(outcome.has_failed()));
        if self.has_failed() || self.inputs < count as u64 {
            return (settled, None);
        }
        let ended = self.writer.finish(self.inputs, self.failed);
        (settled, ended.err().map(into_io_error))
    }

    /// Ends the open pack. Returns the outcomes that have waited for it.
    fn close(&mut self) -> Vec<Outcome> {
        if !self.has_failed()
            && let Err(error) = self.writer.close()
        {
            self.fail_with(&error);
        }
        let mut settled = std::mem::take(&mut self.waiting);
        if self.has_failed() {
            settled.iter_mut().for_each(|outcome| self.fail(outcome));
        }
        settled
    }

    /// Finds the path of each output in the pack. Files beside outputs that are in a pack already are left out.
    ///
    /// # Errors
    /// If an output can have no path there, or another input has other bytes at the path.
    fn entries(
        &self,
        outcome: &mut Outcome,
        packed: Vec<(usize, EntryData)>,
    ) -> Result<Vec<NewEntry>, Diagnostic> {
        let name = outcome.input.display().to_string();
        let mut entries = Vec::with_capacity(packed.len());
        let mut there = Vec::new();
        for (record, data) in packed {
            let output = &outcome.records[record];
            let path = self.entry_path(output).map_err(|message| {
                let help = "rename its input, or write files of their own, without `--pack`";
                export_error(&name, message).help(help)
            })?;
            match self.beside.get(&path).filter(|_| output.is_beside) {
                None => entries.push(NewEntry { record, path, data }),
                Some((hash, pack)) if output.sha256.as_ref() == Some(hash) => {
                    there.push((record, pack.join(&path)));
                }
                Some(_) => {
                    let message = format!(
                        "`{path}` is in a pack already, and another input of this run has made it with other bytes"
                    );
                    return Err(export_error(&name, message));
                }
            }
        }
        for (record, path) in there {
            outcome.records[record].path = Some(path);
        }
        Ok(entries)
    }

    /// Returns the path of an output below the output root, as entries have it.
    fn entry_path(&self, output: &OutputRecord) -> Result<String, String> {
        let path = output.path.as_deref().unwrap_or(Path::new(""));
        let below = path.strip_prefix(self.root).unwrap_or(path);
        let refused =
            |fault: &str| format!("`{}` cannot be an entry of a pack: {fault}", path.display());
        let mut parts = Vec::new();
        for part in below.components() {
            match part {
                Component::Normal(part) => parts.push(
                    part.to_str()
                        .ok_or_else(|| refused("its path is not UTF-8"))?,
                ),
                Component::CurDir => {}
                _ => return Err(refused("it does not lie below the directory for outputs")),
            }
        }
        let path = parts.join("/");
        check_entry_path(&path).map_err(refused)?;
        Ok(path)
    }

    /// Writes the entries of an input to the open pack, and tells their paths in the records.
    fn put(&mut self, outcome: &mut Outcome, entries: Vec<NewEntry>) {
        if self.has_failed() {
            return;
        }
        let pack = self.root.join(self.writer.open_name());
        for NewEntry { record, path, data } in entries {
            let output = &mut outcome.records[record];
            let (len, hash) = (
                output.bytes.unwrap_or_default(),
                output.sha256.clone().unwrap_or_default(),
            );
            if output.is_beside {
                self.beside
                    .insert(path.clone(), (hash.clone(), pack.clone()));
            }
            output.path = Some(pack.join(&path));
            if let Err(error) = self.writer.put(&path, len, hash, &data) {
                self.fail_with(&error.into());
                return;
            }
        }
    }

    /// Returns true if an outcome depends on the pack that is open.
    fn is_packed(&self, outcome: &Outcome) -> bool {
        let pack = self.root.join(self.writer.open_name());
        let in_pack = |path: &PathBuf| path.starts_with(&pack);
        outcome
            .records
            .iter()
            .filter_map(|record| record.path.as_ref())
            .any(in_pack)
    }

    fn fail_with(&mut self, error: &PackError) {
        let transient = match error {
            PackError::Io(error) => crate::base::transient::is_transient(&error.source),
            _ => false,
        };
        let message = error.to_string();
        self.failure = Some(Failure { message, transient });
    }

    /// Makes an outcome one that has failed because a pack could not be written, if it has entries.
    fn fail(&self, outcome: &mut Outcome) {
        let has_entries = outcome.records.iter().any(|record| record.bytes.is_some());
        let Some(failure) = self
            .failure
            .as_ref()
            .filter(|_| has_entries && !outcome.has_failed())
        else {
            return;
        };
        let name = outcome.input.display().to_string();
        let message = format!(
            "its outputs are in no pack, because one could not be written: {}",
            failure.message
        );
        let mut error = export_error(&name, message);
        error.transient = failure.transient;
        outcome.fail(error);
    }
}

/// Returns a failure to end a set of packs as one of a file.
fn into_io_error(error: PackError) -> IoError {
    match error {
        PackError::Io(error) => error,
        PackError::Faulty { path, fault } | PackError::Incomplete { path, fault } => {
            IoError::new("replace", path, std::io::Error::other(fault))
        }
    }
}
