//! The report of a run, from its first line to the file or stream that it is written to, and files that are written at once.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::interrupt::is_interrupted;
use super::output::Output;
use super::status::{Result, bail};
use crate::io::{Destination, Draft, IoError, Target, is_one_of, stamp_of};
use crate::run::batch::{LastLine, ReportWriter, is_document, is_gltf_input, is_report};
use rigy_base::loader::Stamp;
use rigy_base::paths::Slashed;

/// The destination of a report, which has been checked.
#[derive(Clone)]
pub struct ReportTarget {
    /// The path as the user wrote it.
    path: PathBuf,
    destination: Destination,
    /// The stamp of the report, or of the empty file, that will be replaced.
    there: Option<Stamp>,
}

impl ReportTarget {
    /// Follows `path` to the destination. A report replaces only a report or an empty file, so that an input or an output
    /// that was named by mistake is not lost.
    ///
    /// # Errors
    /// If another file is there, or if the file there cannot be read.
    pub fn check(path: &Path) -> Result<Self> {
        let destination = Destination::of(path)?;
        let there = match &destination {
            Destination::File(file) => check_replaced(path, file, KIND, |file| is_report(file))?,
            _ => None,
        };
        let path = path.to_owned();
        Ok(Self {
            path,
            destination,
            there,
        })
    }

    /// Returns true if the report goes to standard output.
    pub fn is_standard_output(&self) -> bool {
        self.destination == Destination::StandardOutput
    }

    /// Returns the file that the report goes to, with links followed; `None` if it goes elsewhere.
    pub fn file(&self) -> Option<&Path> {
        match &self.destination {
            Destination::File(file) => Some(file),
            _ => None,
        }
    }

    /// Returns a writer to the destination. A file is replaced when the writer is committed.
    ///
    /// # Errors
    /// If no file can be made beside the destination, or if it cannot be opened.
    pub fn open(&self, sync: bool) -> Result<ReportOut> {
        Ok(
            ReportOut::open(&self.destination, sync).map_err(|source| CannotWrite {
                path: self.path.shown(),
                source,
            })?,
        )
    }

    /// Checks again if the file has changed since the first check, because an output may have been written there.
    fn check_again(&self) -> Result<()> {
        match &self.destination {
            Destination::File(file) if stamp_of(file).ok() != self.there => {
                check_replaced(&self.path, file, KIND, |file| is_report(file)).map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// A report that cannot be begun.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the report `{path}`: {source}")]
struct CannotWrite {
    path: String,
    source: IoError,
}

/// The word for a report in messages.
const KIND: &str = "report";

/// Returns the stamp of the file that a report or a page would replace, if there is a file. `path` is the path as the user
/// wrote it, `kind` the word for what is written, and `is_kind` returns true for the files that may be replaced.
///
/// # Errors
/// If the file has the name of an input or must not be replaced, or cannot be read.
pub fn check_replaced(
    path: &Path,
    file: &Path,
    kind: &str,
    is_kind: impl FnOnce(&mut dyn Read) -> io::Result<bool>,
) -> Result<Option<Stamp>> {
    let name = file.file_name().unwrap_or_default();
    if is_document(name) || is_gltf_input(name) {
        let path = path.slashed();
        bail!(
            "`{path}` has the name of an input, and the {kind} would be taken for one: name another file"
        );
    }
    let stamp = match stamp_of(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        stamp => stamp.map_err(IoError::at("look at", path))?,
    };
    let mut there = Target::new(file).open()?;
    if is_kind(&mut there).map_err(IoError::at("read", path))? {
        return Ok(Some(stamp));
    }
    let path = path.slashed();
    bail!(
        "`{path}` is there and is no {kind}, which alone may be replaced here: name another file, or remove that one first"
    )
}

/// Checks that the file at `path`, if there is one, is none of those that a command reads.
///
/// # Errors
/// If it is, or the system cannot look at it.
pub fn check_not_read<'p>(path: &Path, read: impl IntoIterator<Item = &'p Path>) -> Result<()> {
    let is_read = is_one_of(path, read);
    if is_read.map_err(IoError::at("compare with the inputs", path))? {
        let path = path.slashed();
        bail!("`{path}` is one of the files that are read: name another file");
    }
    Ok(())
}

/// Returns true if a file begins with some bytes, or is empty.
pub fn begins_with(file: &mut dyn Read, beginning: &[u8]) -> io::Result<bool> {
    let mut read = Vec::new();
    file.take(beginning.len() as u64).read_to_end(&mut read)?;
    Ok(read.is_empty() || read == beginning)
}

/// Writes a file as a whole, or to standard output. It replaces any file.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, sync: bool, text: &str) -> Result<()> {
    let mut out = ReportOut::open(&Destination::of(path)?, sync)?;
    out.write_all(text.as_bytes())
        .map_err(IoError::at("write", path))?;
    out.commit()
}

/// A writer of a report.
pub enum ReportOut {
    /// To a file, a pipe or a device.
    Draft(Draft),
    /// To standard output, which may be closed before the end.
    StandardOutput(Output),
}

impl ReportOut {
    fn open(destination: &Destination, sync: bool) -> Result<Self, IoError> {
        let draft = Draft::to(destination, sync, is_interrupted)?;
        Ok(draft.map_or_else(
            || Self::StandardOutput(Output::in_place_of_a_file()),
            Self::Draft,
        ))
    }

    /// Ends the report. A file replaces the older one only now.
    ///
    /// # Errors
    /// If any of it could not be written.
    pub fn commit(self) -> Result<()> {
        match self {
            Self::Draft(draft) => Ok(draft.commit()?),
            Self::StandardOutput(out) => out.fault.map_or(Ok(()), Err),
        }
    }
}

impl Write for ReportOut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Self::Draft(draft) if draft.stream().is_some() => draft
                .stream()
                .map_or(Ok(()), |stream| super::stream::write_all(stream, bytes))
                .map(|()| bytes.len()),
            Self::Draft(draft) => draft.write(bytes),
            Self::StandardOutput(out) => {
                out.bytes(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // nothing is buffered
    }
}

/// A report that is written line by line and replaces an older one when it is complete.
pub struct Report {
    target: ReportTarget,
    writer: ReportWriter<ReportOut>,
    /// The first failure to write it.
    error: Option<IoError>,
}

impl Report {
    /// Begins a report.
    ///
    /// # Errors
    /// If the destination cannot be written to.
    pub fn begin(target: ReportTarget, sync: bool) -> Result<Self> {
        let writer = ReportWriter::begin(target.open(sync)?);
        Ok(Self {
            writer: writer.map_err(IoError::at("write", &target.path))?,
            target,
            error: None,
        })
    }

    /// Adds the line of one output. A failure is kept for [`Report::end`], and nothing is written after it.
    pub fn line(&mut self, line: &str) {
        if self.error.is_some() {
            return;
        }
        if let Err(error) = self.writer.line(line) {
            self.error = Some(IoError::new("write", &self.target.path, error));
        }
    }

    /// Ends the report with its last line, and replaces the older file.
    ///
    /// # Errors
    /// If any of it could not be written, or if an output has been written to the destination meanwhile.
    pub fn end(self, last: &LastLine) -> Result<()> {
        if let Some(error) = self.error {
            return Err(error.into());
        }
        let failed = IoError::at("write", &self.target.path);
        let out = self.writer.end(last).map_err(failed)?;
        self.target.check_again()?;
        out.commit()
    }
}
