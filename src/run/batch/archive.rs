//! Putting the outputs of a batch into one tar file, in the order of the inputs.
//!
//! Outputs wait, in memory or in temporary files, until those of all inputs before them are in the tar file. It appears at the end of
//! the run, if all inputs have been processed.

use std::io::{self, BufWriter};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::outcome::{MadeOf, Outcome, OutputRecord, export_error};
use super::work::content::IN_MEMORY;
use crate::base::diag::Diagnostic;
use crate::base::loader::FileRead;
use crate::base::maps::HashMap;
use crate::base::paths::Slashed;
use crate::base::transient::is_transient;
use crate::io::{
    Destination, Draft, Durability, FileId, IoError, Staged, TarWriter, Target, is_tar_or_empty,
};

/// The bytes of an output that waits.
#[derive(Debug)]
pub(crate) enum Waiting {
    Memory(Vec<u8>),
    /// A temporary file, which is removed when this is dropped.
    File(Box<Staged>),
}

/// The outputs of one input that go into the tar file. All of them together hold no more than [`IN_MEMORY`] bytes in memory.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    in_memory: AtomicU64,
    /// Numbers of records, with the bytes of each.
    list: Mutex<Vec<(usize, Waiting)>>,
}

impl Entries {
    /// Adds the output that the record of this number is about.
    pub fn put(&self, record: usize, data: Waiting) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        list.push((record, data));
    }

    /// Takes memory for an output of `len` bytes, if there is enough left.
    pub fn take(&self, len: u64) -> bool {
        let fits = |taken: u64| taken.checked_add(len).filter(|sum| *sum <= IN_MEMORY);
        self.in_memory.fetch_update(Relaxed, Relaxed, fits).is_ok()
    }

    /// Returns the outputs, in the order in which they go into the tar file.
    pub fn into_list(self) -> Vec<(usize, Waiting)> {
        let list = self.list.into_inner();
        list.unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tar file that is being written.
pub(super) struct Archive {
    path: PathBuf,
    /// The file that the new one is to replace.
    replaced: Option<FileId>,
    tar: TarWriter<BufWriter<Draft>>,
    /// The hash of each file beside outputs that is in the tar file.
    beside: HashMap<String, String>,
    /// The number of inputs whose outputs have been added.
    inputs: usize,
    /// The first failure to write the tar file, after which nothing is written.
    failure: Option<IoError>,
}

impl Archive {
    /// Prepares to write a tar file, whose directory exists. One that is at `path` stays until the new one is whole.
    ///
    /// # Errors
    /// If something else is there, or if no file can be made beside it.
    pub fn begin(path: &Path, durability: Durability) -> Result<Self, IoError> {
        let failed = |error| IoError::new("replace", path, error);
        let place = match Destination::of(path)? {
            Destination::File(place) => place,
            _ => return Err(failed(io::Error::other("it is no regular file"))),
        };
        let target = Target::new(&place);
        let there = (!target.was_missing()).then(|| target.open()).transpose()?;
        let may_be_replaced = there.map_or(Ok(true), |mut file| is_tar_or_empty(&mut file));
        if !may_be_replaced.map_err(|error| IoError::new("read", path, error))? {
            let fault = "it is no tar file, which alone may be replaced here; name another file, or remove that one first";
            return Err(failed(io::Error::other(fault)));
        }
        let replaced = FileId::existing(&place).map_err(failed)?;
        let draft = Draft::beside(&place, durability)?;
        Ok(Self {
            path: path.to_owned(),
            replaced,
            tar: TarWriter::new(BufWriter::with_capacity(1 << 20, draft)),
            beside: HashMap::default(),
            inputs: 0,
            failure: None,
        })
    }

    /// Returns true if the tar file could not be written.
    pub fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Adds the outputs of the next input.
    ///
    /// # Errors
    /// If an output can have no path in the tar file, if another input has other bytes at the path, or if it cannot be written.
    pub fn add(
        &mut self,
        outcome: &Outcome,
        entries: &[(usize, Waiting)],
    ) -> Result<(), Diagnostic> {
        self.inputs += 1;
        let name = outcome.input.slashed().to_string();
        if self.failure.is_none() && self.would_replace_source_of(outcome) {
            let fault = format!("it is a file that `{name}` is made from");
            self.failure = Some(IoError::new("replace", &self.path, io::Error::other(fault)));
        }
        let mut new = Vec::with_capacity(entries.len());
        for (record, data) in entries {
            let output = &outcome.records[*record];
            let path = self.entry_path(output).map_err(|message| {
                let help = "rename its input, or write below a directory, without `.tar` at the end of `-o`";
                export_error(&name, message).help(help)
            })?;
            match self.beside.get(&path).filter(|_| output.is_beside) {
                None => new.push((output, path, data)),
                Some(hash) if output.sha256.as_ref() == Some(hash) => {} // another input has added it
                Some(_) => {
                    let message =
                        format!("another input of this run has added `{path}` with other bytes");
                    return Err(export_error(&name, message));
                }
            }
        }
        for (output, path, data) in new {
            if self.failure.is_none()
                && let Err(error) = self.append(output, &path, data)
            {
                self.failure = Some(error);
            }
            if let Some(failure) = &self.failure {
                let message = format!("its outputs are in no archive: {failure}");
                let mut error = export_error(&name, message);
                error.transient = is_transient(&failure.source);
                return Err(error);
            }
            if let Some(hash) = output.sha256.as_ref().filter(|_| output.is_beside) {
                self.beside.insert(path, hash.clone());
            }
        }
        Ok(())
    }

    /// Returns true if an input is made from the file that the tar file is to replace.
    fn would_replace_source_of(&self, outcome: &Outcome) -> bool {
        let MadeOf::Files(files) = &outcome.made_of else {
            return false;
        };
        let is_replaced = |file: &FileRead| FileId::of(&file.location.0).ok() == self.replaced;
        self.replaced.is_some() && files.iter().any(is_replaced)
    }

    fn append(&mut self, output: &OutputRecord, path: &str, data: &Waiting) -> Result<(), IoError> {
        let len = output.bytes.unwrap_or_default();
        let added = match data {
            Waiting::Memory(bytes) => self.tar.append(path, len, &mut bytes.as_slice()),
            Waiting::File(staged) => self.tar.append(path, len, &mut staged.reopen()?),
        };
        added.map_err(|error| IoError::new("write", &self.path, error))
    }

    /// Returns the path of an output below the tar file, as its entry has it.
    fn entry_path(&self, output: &OutputRecord) -> Result<String, String> {
        let path = output.path.as_deref().unwrap_or(Path::new(""));
        let below = path.strip_prefix(&self.path).unwrap_or(path);
        let parts = below.components().map(|part| match part {
            Component::Normal(part) => part.to_str().ok_or("its path is not UTF-8"),
            _ => Err("its path leads out of it"),
        });
        let parts = parts.collect::<Result<Vec<_>, _>>();
        let refused = |fault| format!("`{}` cannot be in an archive: {fault}", path.slashed());
        Ok(parts.map_err(refused)?.join("/"))
    }

    /// Ends the tar file and puts it in its place, if the outputs of all of `count` inputs have been added.
    ///
    /// # Errors
    /// If it is not in its place.
    pub fn end(self, count: usize) -> Result<(), IoError> {
        let Self { path, tar, .. } = self;
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let failed = |error| IoError::new("write", &path, error);
        if self.inputs < count {
            let fault =
                "the run has ended before its last input, and an archive has the outputs of all";
            return Err(failed(io::Error::other(fault)));
        }
        let out = tar.finish().map_err(failed)?;
        let draft = out
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        draft.commit()
    }
}
