//! The report of a run on its way to where it was asked for.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Fatal, Output};
use crate::base::loader::Stamp;
use crate::io::{Destination, Draft, Durability, IoError, Target};
use crate::run::batch::{LastLine, ReportWriter, is_report};

/// Where a report is to go, once it is certain that it may.
#[derive(Clone, Debug)]
pub struct ReportPlace {
    /// As the user wrote it.
    path: PathBuf,
    destination: Destination,
    /// The report, or empty file, that is there.
    there: Option<Stamp>,
}

impl ReportPlace {
    /// Finds out where `path` leads. A report replaces nothing but a report or an empty file, so that an input or an
    /// output that was named by mistake is not lost.
    ///
    /// # Errors
    /// If another file is there, or if the file there cannot be read.
    pub fn check(path: &Path) -> Result<Self, Fatal> {
        let destination = Destination::of(path)?;
        let there = match &destination {
            Destination::File(file) => check_file(path, file)?,
            _ => None,
        };
        let path = path.to_owned();
        Ok(Self {
            path,
            destination,
            there,
        })
    }

    /// Whether the report goes to standard output.
    pub fn is_standard_output(&self) -> bool {
        self.destination == Destination::StandardOutput
    }

    /// A writer whose bytes go to the destination; a file is replaced when it is committed.
    ///
    /// # Errors
    /// If no file can be made beside the destination, or if it cannot be opened.
    pub fn open(&self, durability: Durability) -> Result<ReportOut, Fatal> {
        let draft = match &self.destination {
            Destination::StandardOutput => return Ok(ReportOut::StandardOutput(Output::new())),
            Destination::Stream(path) => Draft::to_stream(path, super::interrupt::has_come),
            Destination::File(path) => {
                let directory = path.parent().unwrap_or(Path::new(""));
                if !directory.as_os_str().is_empty() && !directory.is_dir() {
                    let (shown, directory) = (self.path.display(), directory.display());
                    return Err(format!(
                        "cannot write the report `{shown}`: there is no directory `{directory}`; make it first"
                    )
                    .into());
                }
                Draft::beside(path, durability)
            }
        };
        let shown = self.path.display();
        let draft = draft.map_err(|error| format!("cannot write the report `{shown}`: {error}"))?;
        Ok(ReportOut::Draft(draft))
    }

    /// Makes sure that the file there is still the one that has been checked, or another that may be replaced: an output
    /// may have been written there meanwhile.
    fn check_again(&self) -> Result<(), Fatal> {
        match &self.destination {
            Destination::File(file) if Stamp::of(file).ok() != self.there => {
                check_file(&self.path, file).map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// The stamp of the file that a report would replace, if there is one and it may be replaced. `path` is how the user
/// calls it.
fn check_file(path: &Path, file: &Path) -> Result<Option<Stamp>, Fatal> {
    let stamp = match Stamp::of(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        stamp => stamp.map_err(|error| IoError::new("look at", path, error))?,
    };
    let there = Target::new(file).open()?;
    if is_report(there).map_err(|error| IoError::new("read", path, error))? {
        return Ok(Some(stamp));
    }
    let path = path.display();
    Err(format!(
        "`{path}` is there and is no report; a report replaces nothing but a report: name another file, or remove that one first"
    )
    .into())
}

/// Takes the bytes of a report.
pub enum ReportOut {
    /// For a file, or a stream.
    Draft(Draft),
    /// For standard output, whether or not it is read to the end.
    StandardOutput(Output),
}

impl ReportOut {
    /// Ends the report: a file is put in its place.
    ///
    /// # Errors
    /// If any of it could not be written.
    pub fn commit(self) -> Result<(), Fatal> {
        match self {
            Self::Draft(draft) => Ok(draft.commit()?),
            Self::StandardOutput(out) if out.failed => Err("standard output took no more".into()),
            Self::StandardOutput(_) => Ok(()),
        }
    }
}

impl Write for ReportOut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Self::Draft(draft) if draft.stream().is_some() => {
                let written = draft
                    .stream()
                    .map(|stream| super::stream::write_all(stream, bytes));
                written.unwrap_or(Ok(())).map(|()| bytes.len())
            }
            Self::Draft(draft) => draft.write(bytes),
            Self::StandardOutput(out) => {
                out.bytes(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // nothing is kept back
    }
}

/// A report that grows line by line and replaces an older one when it is whole.
pub struct Report {
    place: ReportPlace,
    writer: ReportWriter<ReportOut>,
    /// The first failure to write it.
    error: Option<IoError>,
}

impl Report {
    /// Begins a report.
    ///
    /// # Errors
    /// If nothing can be written to its place.
    pub fn begin(place: ReportPlace, durability: Durability) -> Result<Self, Fatal> {
        let writer = ReportWriter::begin(place.open(durability)?);
        Ok(Self {
            writer: writer.map_err(|error| IoError::new("write", &place.path, error))?,
            place,
            error: None,
        })
    }

    /// Adds one output. A failure is kept for [`Report::end`], and nothing is written after it.
    pub fn line(&mut self, line: &str) {
        if self.error.is_some() {
            return;
        }
        if let Err(error) = self.writer.line(line) {
            self.error = Some(IoError::new("write", &self.place.path, error));
        }
    }

    /// Puts the report in its place, where an output may have been written meanwhile.
    ///
    /// # Errors
    /// If any of it could not be written, or if a file that is no report is in its place.
    pub fn end(self, last: &LastLine) -> Result<(), Fatal> {
        if let Some(error) = self.error {
            return Err(error.into());
        }
        let failed = |error| IoError::new("write", &self.place.path, error);
        let out = self.writer.end(last).map_err(failed)?;
        self.place.check_again()?;
        out.commit()
    }
}
