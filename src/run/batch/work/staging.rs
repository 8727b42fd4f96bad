//! Staging: all outputs of an input are made before the first is renamed to its final path.

use std::io::{self, ErrorKind, Write};

use super::beside::MadeBeside;
use super::content::{Content, Measured};
use super::job::JobContext;
use super::outlet::OutputBytes;
use crate::io::{IoError, Staged, Target, is_missing};
use crate::run::batch::outcome::{OutputRecord, Status, export_error};
use crate::run::batch::output_place::HeldOutput;
use rigy_base::diag::{Code, Diagnosed, Diagnostic};
use rigy_base::hash::Sha256Writer;
use rigy_base::loader::Stamp;
use rigy_base::paths::Slashed;

/// An output that has been made.
pub enum Made {
    /// A temporary file that is to be renamed to its final path.
    New(Staged),
    /// The existing file has the right bytes; the stamp is from before it was compared.
    There(Stamp),
    /// The bytes of an output that is not written to the disk, and what takes them.
    Held(HeldOutput, Vec<u8>),
    /// A file beside other outputs, which other inputs may share.
    Beside(MadeBeside),
    /// No file is written, in a dry run.
    Nowhere,
}

/// The error that the format of an output has no numbers for lengths in it.
pub fn too_large(input: &str) -> Diagnostic {
    Diagnostic::whole(Code::U17, "the file would exceed 4 GiB").about_file(input)
}

impl JobContext<'_> {
    /// Compares one output with the existing file, and writes it to a temporary file if it differs. Records its length, and
    /// its hash if that is requested.
    ///
    /// # Errors
    /// If it cannot be written, or must not replace the existing file.
    pub(crate) fn stage(&self, content: &Content, record: &mut OutputRecord) -> Diagnosed<Made> {
        record.bytes = Some(content.len());
        if self.needs_hashes() {
            record.sha256 = Some(content.sha256());
        }
        let target = self.outlet.target(record);
        if !self.options.force
            && let Some(there) = target.with_content(Some(content.len()), |out| content.write(out))
        {
            return Ok(Made::There(there));
        }
        self.check_replaced(&target)?;
        self.outlet.take(target, OutputBytes::Known(content), self)
    }

    /// Does the same for an output that `write` produces, whose length is known in the end. It is produced again if it differs from
    /// the existing file.
    ///
    /// # Errors
    /// As [`stage`](Self::stage); if the format has no number for a length in it (U17).
    pub(crate) fn stage_written(
        &self,
        write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
        record: &mut OutputRecord,
    ) -> Diagnosed<Made> {
        let target = self.outlet.target(record);
        let mut is_too_large = false;
        let mut write = |out: &mut dyn Write| {
            let mut out = Measured {
                out,
                len: 0,
                hasher: self.needs_hashes().then(Sha256Writer::default),
            };
            write(&mut out).inspect_err(|error| {
                is_too_large |=
                    error.kind() == ErrorKind::FileTooLarge && error.raw_os_error().is_none();
            })?;
            (record.bytes, record.sha256) = (Some(out.len), out.hasher.map(Sha256Writer::finish));
            Ok(())
        };
        if !self.options.force
            && let Some(there) = target.with_content(None, &mut write)
        {
            return Ok(Made::There(there));
        }
        self.check_replaced(&target)?;
        let taken = (self.outlet).take(target, OutputBytes::Written(&mut write), self);
        if is_too_large {
            return Err(vec![too_large(self.name)]);
        }
        taken
    }

    /// Checks that an input has one output if it is not written to the disk; `choice` says how to choose one.
    ///
    /// # Errors
    /// An ExportError if it has several.
    pub(crate) fn check_single(&self, outputs: usize, choice: &str) -> Diagnosed<()> {
        if self.options.output.held().is_none() || outputs < 2 {
            return Ok(());
        }
        let message = format!("it has {outputs} outputs, and standard output takes one");
        let help = format!("{choice}, or name a directory after `-o`");
        Err(vec![export_error(self.name, message).help(help)])
    }

    /// Checks that the file at the path of a target, if there is one, may be replaced. The caller has checked that it is no
    /// input.
    ///
    /// # Errors
    /// An ExportError if an input of the run refers to the file, or if it lies where only files of earlier runs are replaced.
    pub(crate) fn check_replaced(&self, target: &Target) -> Diagnosed<()> {
        let path = &target.path;
        if target.was_missing() || is_missing(path) || self.cache.has_made(self.key, path) {
            return Ok(());
        }
        let shown = path.slashed();
        let error = |message| {
            export_error(self.name, message)
                .help("move that file away, or write elsewhere with `-o`")
        };
        if self.options.keeps(path) && !self.cache.has_noted(path) {
            return Err(vec![error(format!(
                "`{shown}` is there, below a PATH, and no run that `.rigy-batch` knows has written it: it may be somebody's own"
            ))]);
        }
        match self.sources.reference_at(path) {
            Ok(None) => Ok(()),
            Ok(Some(file)) => Err(vec![error(format!(
                "`{shown}` would replace `{}`, which an input of this run refers to",
                file.slashed()
            ))]),
            Err(failure) => {
                let message = format!(
                    "`{shown}` is there, and an input may refer to it by another path: {failure}"
                );
                Err(vec![error(message).caused_by(&failure)])
            }
        }
    }

    /// Renames all outputs to their final paths; `made` has one output for each record.
    ///
    /// # Errors
    /// If a file that was read has changed, or an output cannot be renamed.
    pub(crate) fn put_in_place(
        &self,
        made: Vec<Made>,
        records: &mut [OutputRecord],
    ) -> Diagnosed<()> {
        // Maps have been read for the last time. Outputs made from one that has changed are discarded.
        let unchanged = self.mapped.check();
        unchanged.map_err(|error| self.failed(error))?;
        // Failures that can be foreseen happen before the first file is renamed.
        let staged = made.iter().filter_map(|made| match made {
            Made::New(staged) => Some(staged),
            Made::Beside(made) => made.place.as_ref().ok(),
            _ => None,
        });
        Staged::prepare(staged).map_err(|error| {
            let is_there = |record: &OutputRecord| record.path.as_ref() == Some(&error.path);
            let index = records.iter().position(is_there).unwrap_or(0);
            vec![self.failure(&error).of_output(index)]
        })?;
        // Files come before those that refer to them.
        let mut pairs: Vec<_> = records.iter_mut().zip(made).enumerate().collect();
        pairs.sort_by_key(|(_, (record, _))| !record.is_beside);
        for (index, (record, made)) in pairs {
            (record.status, record.stamp) = self
                .put(made)
                .map_err(|error| vec![self.failure(&error).of_output(index)])?;
        }
        Ok(())
    }

    /// Renames an output to its final path. Returns its status and stamp.
    fn put(&self, made: Made) -> Result<(Status, Option<Stamp>), IoError> {
        Ok(match made {
            Made::New(staged) => (Status::Written, Some(staged.commit()?)),
            Made::There(stamp) => (Status::Unchanged, Some(stamp)),
            Made::Held(output, bytes) => {
                if !self.options.dry_run {
                    output.put(bytes);
                }
                (Status::Written, None)
            }
            Made::Beside(made) => {
                let (status, stamp) = self.placed.put(made)?;
                (status, Some(stamp))
            }
            Made::Nowhere => (Status::Written, None),
        })
    }

    /// Returns the ExportError for a failed operation on a file.
    pub(crate) fn failed(&self, error: IoError) -> Vec<Diagnostic> {
        vec![self.failure(&error)]
    }

    fn failure(&self, error: &IoError) -> Diagnostic {
        export_error(self.name, error.to_string()).caused_by(&error.source)
    }
}
