//! What takes the outputs of an input: the disk, memory, or nothing in a dry run.

use std::io;
use std::path::Path;

use super::content::Content;
use super::estimate::check_can_allocate;
use super::staging::{Made, Staging};
use crate::base::diag::Diagnostic;
use crate::base::output::{MemoryFile, WriteAt};
use crate::io::{Sink, Target};
use crate::run::batch::outcome::{Status, export_error};
use crate::run::batch::output_place::HeldOutput;

/// Writes an output in any order.
pub(crate) type WriteAll<'w> = dyn FnMut(&dyn WriteAt) -> Result<(), Vec<Diagnostic>> + 'w;

/// Takes outputs, none of which is in its place before all of its input are made.
pub(crate) trait Outlet: Sync {
    /// Returns the file that an output may equal, or would replace.
    fn target(&self, path: &Path) -> Target {
        Target::new(path)
    }

    /// Takes an output that differs from its target.
    ///
    /// # Errors
    /// If there is no space for it.
    fn take(
        &self,
        target: Target,
        content: &Content<'_>,
        staging: &Staging<'_>,
    ) -> Result<Made, Vec<Diagnostic>>;

    /// Takes an output of `len` bytes that `write` makes.
    ///
    /// # Errors
    /// If there is no space for it; the error of `write`.
    fn take_at(
        &self,
        target: Target,
        len: u64,
        write: &mut WriteAll<'_>,
        staging: &Staging<'_>,
    ) -> Result<Made, Vec<Diagnostic>>;

    /// As [`Sink::has_coarse_times`].
    fn has_coarse_times(&self) -> bool {
        false
    }
}

impl Outlet for Sink {
    fn take(
        &self,
        target: Target,
        content: &Content<'_>,
        staging: &Staging<'_>,
    ) -> Result<Made, Vec<Diagnostic>> {
        let staged = self.stage(target, |out| content.write(out));
        staged.map(Made::New).map_err(|error| staging.failed(error))
    }

    fn take_at(
        &self,
        target: Target,
        len: u64,
        write: &mut WriteAll<'_>,
        staging: &Staging<'_>,
    ) -> Result<Made, Vec<Diagnostic>> {
        let staged = self.stage_at(target, len, write);
        let (staged, ()) = staged.map_err(|error| staging.failed(error))??;
        Ok(Made::New(staged))
    }

    fn has_coarse_times(&self) -> bool {
        Self::has_coarse_times(self)
    }
}

impl Outlet for HeldOutput {
    fn target(&self, path: &Path) -> Target {
        Target::absent(path)
    }

    fn take(
        &self,
        _: Target,
        content: &Content<'_>,
        staging: &Staging<'_>,
    ) -> Result<Made, Vec<Diagnostic>> {
        let mut bytes = Vec::new();
        let len = usize::try_from(content.len()).unwrap_or(usize::MAX);
        bytes.try_reserve_exact(len).map_err(|_| {
            let message = format!("its output has {len} bytes, which do not fit into memory");
            let help = "name a file after `-o`, which is written piece by piece";
            let error = export_error(staging.job.name, message).help(help);
            vec![error.caused_by(&io::ErrorKind::OutOfMemory.into())]
        })?;
        content
            .write(&mut bytes)
            .expect("a vector takes every write");
        Ok(Made::Held(self.clone(), bytes))
    }

    fn take_at(
        &self,
        _: Target,
        len: u64,
        write: &mut WriteAll<'_>,
        staging: &Staging<'_>,
    ) -> Result<Made, Vec<Diagnostic>> {
        check_can_allocate(len, staging.job.name)?;
        let memory = MemoryFile::new(len as usize, Vec::new());
        write(&memory)?;
        Ok(Made::Held(self.clone(), memory.into_bytes()))
    }
}

/// Takes the files of a dry run, which are compared and not written.
pub(crate) struct Nowhere;

impl Outlet for Nowhere {
    fn take(&self, _: Target, _: &Content<'_>, _: &Staging<'_>) -> Result<Made, Vec<Diagnostic>> {
        Ok(Made::Nowhere(Status::Written))
    }

    fn take_at(
        &self,
        _: Target,
        _: u64,
        write: &mut WriteAll<'_>,
        _: &Staging<'_>,
    ) -> Result<Made, Vec<Diagnostic>> {
        write(self)?;
        Ok(Made::Nowhere(Status::Written))
    }
}

impl WriteAt for Nowhere {
    fn write_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Ok(())
    }
}
