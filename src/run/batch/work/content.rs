//! The formats of outputs, and the bytes of one output. A small output is encoded once; a large one is encoded again for each use.

use std::io::{self, BufWriter, Write};

use serde::{Deserialize, Serialize};

use super::job::JobContext;
use super::staging::Made;
use crate::compile::{Compiled, PosedScene};
use crate::run::batch::outcome::OutputRecord;
use crate::run::batch::schedule::clock::{Clock, Stage};
use crate::run::parallel::Parallel;
use rigy_base::diag::{Diagnosed, check_none};
use rigy_base::hash::Sha256Writer;
use rigy_base::output::OutputFile;

/// Files of at most this many bytes are encoded in memory once, and then compared, hashed and written from there.
pub const IN_MEMORY: u64 = 8 << 20;

/// The size of the buffer, in bytes, through which larger files are written.
const AT_A_TIME: usize = 256 << 10;

/// The bytes of one output.
pub enum Content<'f> {
    Memory(&'f [u8]),
    Stream(&'f dyn OutputFile),
}

impl<'f> Content<'f> {
    /// Encodes a file into `buffer` if it is small enough.
    fn of(file: &'f dyn OutputFile, buffer: &'f mut Vec<u8>) -> Self {
        if file.len() <= IN_MEMORY {
            buffer.clear();
            file.write(buffer).expect("a vector takes every write");
            Self::Memory(buffer)
        } else {
            Self::Stream(file)
        }
    }

    pub fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Stream(file) => file.len(),
        }
    }

    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Memory(bytes) => out.write_all(bytes),
            Self::Stream(file) => {
                let mut out = BufWriter::with_capacity(AT_A_TIME, out);
                file.write(&mut out)?;
                out.flush()
            }
        }
    }

    /// SHA-256 in lower-case hexadecimal.
    pub fn sha256(&self) -> String {
        let mut hasher = Sha256Writer::default();
        self.write(&mut hasher).expect("hashing takes every write");
        hasher.finish()
    }
}

/// Passes bytes on, counts them, and hashes them if that is wanted.
pub struct Measured<'o> {
    pub out: &'o mut dyn Write,
    pub len: u64,
    pub hasher: Option<Sha256Writer>,
}

impl Write for Measured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.len += written as u64;
        if let Some(hasher) = &mut self.hasher {
            hasher.write_all(&bytes[..written])?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The format of an output file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum OutputFormat {
    /// A binary glTF.
    Glb,
    /// The vertices of a baked pose as JSON.
    Positions,
}

impl OutputFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Glb, Self::Positions];

    /// Returns the suffix of file names, with its dot.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Glb => ".glb",
            Self::Positions => ".positions.json",
        }
    }

    /// Returns the last part of the suffix, with its dot: `.glb` or `.json`.
    pub(crate) fn extension(self) -> &'static str {
        let suffix = self.suffix();
        suffix.rfind('.').map_or(suffix, |start| &suffix[start..])
    }
}

/// Stages every output of a document; `records` are those of one pose after another. Records the time of each.
///
/// # Errors
/// The errors of all outputs that have failed; of each pose, only those of the first output. None if the run has been
/// stopped.
pub fn make_all(
    compiled: &Compiled,
    job: &JobContext,
    records: &mut [OutputRecord],
    buffer: &mut Vec<u8>,
    clock: &mut Clock,
) -> Diagnosed<Vec<Made>> {
    let mut made = Vec::with_capacity(records.len());
    let mut errors = Vec::new();
    // The records of one pose are consecutive, so the pose is evaluated once for all of them.
    let mut posed: Option<PosedScene> = None;
    let mut posed_id = None;
    let mut failed_id = None;
    for (index, record) in records.iter_mut().enumerate() {
        job.check_stop()?;
        if record.pose.is_some() && record.pose == failed_id {
            continue; // the other files of the pose would fail for the same reason
        }
        if record.pose != posed_id {
            posed_id = record.pose.clone();
            let id = posed_id.as_deref();
            let isa = job.options.isa;
            posed = id.and_then(|id| compiled.pose(id, isa, &Parallel));
        }
        record.time = clock.lap(Stage::Pose);
        let result = make(compiled, posed.as_ref(), job, record, buffer);
        record.time += clock.lap(Stage::Write);
        match result {
            Ok(one) => made.push(one),
            Err(found) => {
                failed_id = record.pose.clone();
                errors.extend(found.into_iter().map(|error| error.of_output(index)));
            }
        }
    }
    check_none(errors)?;
    Ok(made)
}

/// Stages one output: the export, or a file of a pose.
fn make(
    compiled: &Compiled,
    posed: Option<&PosedScene>,
    job: &JobContext,
    record: &mut OutputRecord,
    buffer: &mut Vec<u8>,
) -> Diagnosed<Made> {
    let format = record.format;
    let mut stage = |file: &dyn OutputFile| job.stage(&Content::of(file, buffer), record);
    match (posed, format) {
        (None, _) => stage(&compiled.export()?),
        (Some(posed), OutputFormat::Glb) => stage(&posed.bake()?),
        (Some(posed), OutputFormat::Positions) => stage(&posed.positions()?),
    }
}
