//! The report of a run on its way to its file.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Fatal;
use crate::batch::{LastLine, ReportWriter, is_report};
use crate::io::{Draft, Durability, IoError, Target};

/// A report that grows line by line and replaces an older one when it is whole.
pub struct Report {
    path: PathBuf,
    writer: ReportWriter<Draft>,
    /// The first failure to write it.
    error: Option<IoError>,
}

/// A report replaces nothing but a report, nor an input or an output that somebody has named by mistake.
///
/// # Errors
/// If something else is there, or if what is there cannot be read.
pub fn check_place(path: &Path) -> Result<(), Fatal> {
    // What is no file at all is refused where a file is to be made there.
    if !path.is_file() {
        return Ok(());
    }
    let there = Target::new(path).open()?;
    if is_report(there).map_err(|error| IoError::new("read", path, error))? {
        return Ok(());
    }
    let path = path.display();
    Err(format!(
        "`{path}` is there and is no report; a report replaces nothing but a report: name another file, or remove that one first"
    )
    .into())
}

/// An empty file that will replace `path`.
///
/// # Errors
/// If none can be made beside it.
pub fn draft(path: &Path, durability: Durability) -> Result<Draft, Fatal> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let shown = path.display();
    if !directory.as_os_str().is_empty() && !directory.is_dir() {
        let directory = directory.display();
        return Err(format!(
            "cannot write the report `{shown}`: there is no directory `{directory}`; make it first"
        )
        .into());
    }
    let draft = Draft::beside(path, durability);
    draft.map_err(|error| format!("cannot write the report `{shown}`: {error}").into())
}

impl Report {
    /// Begins the report that will be in `path`.
    ///
    /// # Errors
    /// If nothing can be written beside it.
    pub fn begin(path: &Path, durability: Durability) -> Result<Self, Fatal> {
        let writer = ReportWriter::begin(draft(path, durability)?);
        Ok(Self {
            writer: writer.map_err(|error| IoError::new("write", path, error))?,
            path: path.to_owned(),
            error: None,
        })
    }

    /// One output. That it cannot be written is told of in the end.
    pub fn line(&mut self, line: &str) {
        if let Err(error) = self.writer.line(line) {
            let path = &self.path;
            self.error
                .get_or_insert_with(|| IoError::new("write", path, error));
        }
    }

    /// Puts the report in its place, where an output may have come meanwhile.
    ///
    /// # Errors
    /// If any of it could not be written, or something is in its place that is no report.
    pub fn end(self, last: &LastLine) -> Result<(), Fatal> {
        if let Some(error) = self.error {
            return Err(error.into());
        }
        let failed = |error| IoError::new("write", &self.path, error);
        let mut draft = self.writer.end(last).map_err(failed)?;
        draft.flush().map_err(failed)?;
        check_place(&self.path)?;
        Ok(draft.commit()?)
    }
}
