//! Outlets take the outputs of an input: the disk writes them, memory keeps them, and a dry run drops them.

use std::io::{self, Write};

use super::content::Content;
use super::estimate::check_can_allocate;
use super::job::JobContext;
use super::staging::Made;
use crate::io::{IoError, Sink, Target};
use crate::run::batch::outcome::{OutputRecord, export_error};
use crate::run::batch::output_place::HeldOutput;
use rigy_base::diag::Diagnosed;
use rigy_base::output::{MemoryFile, WriteAt};

/// The bytes of an output.
pub enum OutputBytes<'b> {
    Known(&'b Content<'b>),
    /// This many bytes, which are made while they are written, in any order.
    Made(u64, Make<'b>),
    /// Bytes that are made while they are written, one after the other. Their number is known in the end.
    Written(&'b mut dyn FnMut(&mut dyn Write) -> io::Result<()>),
}

/// Makes bytes and writes them.
type Make<'b> = &'b mut dyn FnMut(&dyn WriteAt) -> Diagnosed<()>;

/// The result of taking an output.
type Taken = Diagnosed<Made>;

/// Takes outputs, none of which is in its place before all of its input are made.
pub trait Outlet: Sync {
    /// Returns the file that an output may equal, or would replace.
    fn target(&self, record: &OutputRecord) -> Target {
        Target::new(record.path.as_deref().unwrap_or("".as_ref()))
    }

    /// Takes an output that differs from its target.
    ///
    /// # Errors
    /// If there is no space for it; the error of making its bytes.
    fn take(&self, target: Target, bytes: OutputBytes, job: &JobContext) -> Taken;

    /// As [`Sink::has_coarse_times`].
    fn has_coarse_times(&self) -> bool {
        false
    }
}

impl Outlet for Sink {
    fn take(&self, target: Target, bytes: OutputBytes, job: &JobContext) -> Taken {
        let staged = match bytes {
            OutputBytes::Known(content) => self.stage(target, |out| content.write(out)),
            OutputBytes::Made(len, write) => match self.stage_at(target, len, write) {
                Ok(made) => Ok(made?.0),
                Err(error) => Err(error),
            },
            OutputBytes::Written(write) => self.stage(target, write),
        };
        staged.map(Made::New).map_err(|error| job.failed(error))
    }

    fn has_coarse_times(&self) -> bool {
        self.has_coarse_times()
    }
}

impl Outlet for HeldOutput {
    fn target(&self, _: &OutputRecord) -> Target {
        Target::absent()
    }

    fn take(&self, target: Target, bytes: OutputBytes, job: &JobContext) -> Taken {
        let held = match bytes {
            OutputBytes::Known(content) => {
                let mut held = Vec::new();
                let len = usize::try_from(content.len()).unwrap_or(usize::MAX);
                held.try_reserve_exact(len).map_err(|_| {
                    let message =
                        format!("its output has {len} bytes, which do not fit into memory");
                    let help = "name a file after `-o`, which is written piece by piece";
                    let error = export_error(job.name, message).help(help);
                    vec![error.caused_by(&io::ErrorKind::OutOfMemory.into())]
                })?;
                content
                    .write(&mut held)
                    .expect("a vector takes every write");
                held
            }
            OutputBytes::Made(len, write) => {
                check_can_allocate(len, job.name)?;
                let memory = MemoryFile::new(len as usize, Vec::new());
                write(&memory)?;
                memory.into_bytes()
            }
            OutputBytes::Written(write) => {
                let mut held = Vec::new();
                write(&mut held)
                    .map_err(|error| job.failed(IoError::new("write", &target.path, error)))?;
                held
            }
        };
        Ok(Made::Held(self.clone(), held))
    }
}

/// Takes the files of a dry run, which are compared and not written.
pub struct Nowhere;

impl Outlet for Nowhere {
    fn take(&self, target: Target, bytes: OutputBytes, job: &JobContext) -> Taken {
        // A dry run makes the bytes, too: the caller takes findings and the length from that.
        match bytes {
            OutputBytes::Known(_) => {}
            OutputBytes::Made(_, write) => write(self)?,
            OutputBytes::Written(write) => {
                write(&mut io::sink())
                    .map_err(|error| job.failed(IoError::new("write", &target.path, error)))?;
            }
        }
        Ok(Made::Nowhere)
    }
}

impl WriteAt for Nowhere {
    fn write_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Ok(())
    }
}
