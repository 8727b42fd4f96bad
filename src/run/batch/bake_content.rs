//! A baked file on its way to the disk: small ones by way of memory, large ones straight from the kernel.

use std::io;

use super::content::{Content, IN_MEMORY};
use super::outcome::{OutputRecord, Status};
use super::staging::{Made, Staging};
use crate::bake::{Baked, WriteError};
use crate::base::diag::Diagnostic;
use crate::base::hash::sha256_of;
use crate::base::output::{MemoryFile, WriteAt};
use crate::io::{Handle, IoError, Target};
use crate::run::Parallel;

/// Makes one output, and gives the warnings about its vertices.
pub(super) fn stage(
    staging: &Staging<'_>,
    baked: &Baked<'_>,
    record: &mut OutputRecord,
    buffer: &mut Vec<u8>,
) -> Result<(Made, Vec<Diagnostic>), Vec<Diagnostic>> {
    let path = record.path.clone().unwrap_or_default();
    let failed = |error: WriteError| match error {
        WriteError::Vertices(found) => found,
        WriteError::Io(error) => staging.failed(IoError::new("write", path, error)),
    };
    if baked.len() > IN_MEMORY {
        return stream(staging, baked, record, failed);
    }
    let memory = MemoryFile::new(baked.len() as usize, std::mem::take(buffer));
    let written = baked.write_at(&memory, &Parallel);
    *buffer = memory.into_bytes();
    let warnings = written.map_err(failed)?;
    Ok((staging.stage(&Content::Memory(buffer), record)?, warnings))
}

/// The same for a file that is not held in memory: compared where it stands, or written in any order. In a dry run
/// its hash is not known.
fn stream(
    staging: &Staging<'_>,
    baked: &Baked<'_>,
    record: &mut OutputRecord,
    failed: impl FnOnce(WriteError) -> Vec<Diagnostic>,
) -> Result<(Made, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (path, len) = (record.path.clone().unwrap_or_default(), baked.len());
    let options = staging.place.options;
    let hash = |file: Result<Handle, IoError>| {
        let hash = file
            .and_then(|file| sha256_of(file).map_err(|error| IoError::new("read", &path, error)));
        hash.map_err(|error| staging.failed(error))
    };
    record.bytes = Some(len);
    let target = Target::new(&path);
    let mut warnings = None;
    let is_same = |there: &dyn WriteAt| {
        warnings = baked.write_at(there, &Parallel).ok();
        warnings.is_some()
    };
    if !options.force
        && let Some(there) = target.with_content_at(len, is_same)
    {
        if options.hash {
            record.sha256 = Some(hash(target.open())?);
        }
        return Ok((Made::There(there), warnings.unwrap_or_default()));
    }
    staging.check_replaced(&path)?;
    let Some(sink) = staging.place.sink else {
        let warnings = baked.write_at(&Nowhere, &Parallel).map_err(failed)?;
        return Ok((Made::Nowhere(Status::Written), warnings));
    };
    let staged = sink.stage_at(target, len, |out| baked.write_at(out, &Parallel));
    let staged = staged.map_err(|error| staging.failed(error))?;
    let (staged, warnings) = staged.map_err(failed)?;
    if options.hash {
        record.sha256 = Some(hash(staged.reopen())?);
    }
    Ok((Made::New(staged), warnings))
}

/// Takes everything and keeps nothing.
struct Nowhere;

impl WriteAt for Nowhere {
    fn write_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Ok(())
    }
}
