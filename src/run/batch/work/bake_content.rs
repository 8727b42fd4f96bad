//! Reading and staging of glTF files: small ones are made in memory, large ones are written from the kernel to the disk.

use std::io;
use std::path::Path;

use super::content::{Content, IN_MEMORY};
use super::job::JobContext;
use super::outlet::OutputBytes;
use super::staging::Made;
use crate::bake::{Baked, Source, WriteError};
use crate::io::{Handle, IoError, MappedFiles, TextLen};
use crate::run::batch::options::Options;
use crate::run::batch::outcome::OutputRecord;
use crate::run::parallel::Parallel;
use rigy_base::diag::{Code, Diagnosed, Diagnostic};
use rigy_base::hash::sha256_of;
use rigy_base::limits::Limits;
use rigy_base::loader::{Bytes, too_large};
use rigy_base::output::{MemoryFile, WriteAt};
use rigy_gltf::MAX_RESOURCE_LEN;

/// Stages one output. Returns it with the warnings about its vertices.
pub fn stage(
    job: &JobContext,
    baked: &Baked,
    record: &mut OutputRecord,
    buffer: &mut Vec<u8>,
) -> Diagnosed<(Made, Vec<Diagnostic>)> {
    if baked.len() > IN_MEMORY {
        return stream(job, baked, record);
    }
    let memory = MemoryFile::new(baked.len() as usize, std::mem::take(buffer));
    let written = baked.write_at(&memory, &Parallel);
    *buffer = memory.into_bytes();
    let warnings = written.map_err(|error| failed(job, record, error))?;
    Ok((job.stage(&Content::Memory(buffer), record)?, warnings))
}

fn failed(job: &JobContext, record: &OutputRecord, error: WriteError) -> Vec<Diagnostic> {
    match error {
        WriteError::Vertices(found) => found,
        WriteError::Io(error) => {
            let path = record.path.clone().unwrap_or_default();
            job.failed(IoError::new("write", path, error))
        }
    }
}

/// Stages an output that is too large to be made before it is compared: it is compared with the existing file and written piece by
/// piece, in any order. In a dry run its hash is not known.
fn stream(
    job: &JobContext,
    baked: &Baked,
    record: &mut OutputRecord,
) -> Diagnosed<(Made, Vec<Diagnostic>)> {
    let (path, len) = (record.path.clone().unwrap_or_default(), baked.len());
    let hash = |file: Result<Handle, IoError>| {
        let hash = file.and_then(|file| sha256_of(file).map_err(IoError::at("read", &path)));
        hash.map_err(|error| job.failed(error))
    };
    record.bytes = Some(len);
    let target = job.outlet.target(record);
    let mut warnings = Vec::new();
    let is_same = |there: &dyn WriteAt| {
        let written = baked.write_at(there, &Parallel);
        written.is_ok_and(|found| {
            warnings = found;
            true
        })
    };
    if !job.options.force
        && let Some(there) = target.with_content_at(len, is_same)
    {
        if job.needs_hashes() {
            record.sha256 = Some(hash(target.open())?);
        }
        return Ok((Made::There(there), warnings));
    }
    job.check_replaced(&target)?;
    let mut write = |out: &dyn WriteAt| {
        let written = baked.write_at(out, &Parallel);
        warnings = written.map_err(|error| failed(job, record, error))?;
        Ok(())
    };
    let bytes = OutputBytes::Made(len, &mut write);
    let made = job.outlet.take(target, bytes, job)?;
    if job.needs_hashes() {
        record.sha256 = match &made {
            Made::New(staged) => Some(hash(staged.reopen())?),
            Made::Held(_, bytes) => Some(Content::Memory(bytes).sha256()),
            _ => None,
        };
    }
    Ok((made, warnings))
}

/// Returns the bytes of an input: those that are held, or those of the file at its path.
pub fn read(
    path: &Path,
    options: &Options,
    mapped: &MappedFiles,
    map: Option<TextLen>,
) -> io::Result<Bytes> {
    match &options.held_input {
        None => mapped.read_or_map(path, MAX_RESOURCE_LEN, map, None),
        Some(held) if held.as_ref().len() as u64 > MAX_RESOURCE_LEN => {
            Err(too_large(held.as_ref().len() as u64, MAX_RESOURCE_LEN))
        }
        Some(held) => Ok(Bytes::new(held.clone())),
    }
}

/// Checks the limits on joints (U16) and vertices (U17).
pub fn check_limits(limits: &Limits, source: &Source) -> Result<(), Diagnostic> {
    let fault = |code, message| Err(Diagnostic::whole(code, message));
    let joints = source
        .file
        .skins
        .iter()
        .map(|skin| skin.joints.len() as u64);
    if let Some((skin, joints)) = joints.enumerate().find(|(_, count)| *count > limits.joints) {
        let limit = limits.joints;
        let message = format!("skin {skin} has {joints} joints; the limit is {limit}");
        return fault(Code::U16, message);
    }
    let primitives = source.file.primitives();
    let vertices: u64 = primitives
        .map(|primitive| primitive.vertex_count as u64)
        .sum();
    if vertices > limits.vertices {
        let limit = limits.vertices;
        let message = format!("the meshes have {vertices} vertices; the limit is {limit}");
        return fault(Code::U17, message);
    }
    Ok(())
}
