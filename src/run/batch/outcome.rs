//! What has become of documents and their outputs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::options::Options;
use super::schedule::clock::Times;
use super::work::names::OutputFormat;
use crate::base::diag::{Category, Diagnostic};
use crate::base::loader::{FileRead, Stamp};

/// What became of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The file is new or has new content (or would have, in a dry run).
    Written,
    /// The file already had this content.
    Unchanged,
    /// There is no output, and the file is as it was.
    Failed,
}

/// One output of a document.
#[derive(Clone, Debug)]
pub struct OutputRecord {
    /// Its pose; `None` for the ordinary export.
    pub pose: Option<String>,
    /// What kind of file it is.
    pub format: OutputFormat,
    /// Where it goes; `None` if the document failed before that was known.
    pub path: Option<PathBuf>,
    /// What became of it.
    pub status: Status,
    /// Its hash, if asked for.
    pub sha256: Option<String>,
    /// Its length.
    pub bytes: Option<u64>,
    /// What the file was when it was put in its place, or compared with what belongs there.
    pub(super) stamp: Option<Stamp>,
    /// Time spent on it alone.
    pub time: Duration,
}

/// The files that an input was made of, as far as the cache is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MadeOf {
    /// The files are not known for certain, so the outcome is not noted in the cache.
    Unknown,
    /// The outcome is to be noted as made of these files.
    Files(Vec<FileRead>),
    /// The outcome comes from the cache, which has noted the same files.
    AsNoted,
}

/// What became of one document.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub(super) made_of: MadeOf,
    /// The document.
    pub input: PathBuf,
    /// The export, then the poses in document order; a single failed record if nothing is known of them.
    pub records: Vec<OutputRecord>,
    /// Warnings, in the order of the checks.
    pub warnings: Vec<Diagnostic>,
    /// Errors; if there are any, every record has failed, unless a file could not be put in its place.
    pub errors: Vec<Diagnostic>,
    /// Names in the input that a command line may ask for: ids of all poses of a document, names of joints that
    /// keep their scale in a glTF file.
    pub names: Vec<String>,
    /// Time spent on it.
    pub times: Times,
    /// Whether all of it is known from an earlier run, and nothing was done.
    pub known: bool,
}

impl Outcome {
    /// An input whose outputs are known, and nothing else so far.
    pub(super) fn of(input: &Path, records: Vec<OutputRecord>, names: Vec<String>) -> Self {
        Self {
            input: input.to_owned(),
            records,
            warnings: Vec::new(),
            errors: Vec::new(),
            names,
            made_of: MadeOf::Unknown,
            times: Times::default(),
            known: false,
        }
    }

    /// A document of which nothing is known but what went wrong.
    pub fn failed(input: &Path, errors: Vec<Diagnostic>) -> Self {
        let record = OutputRecord::new(None, OutputFormat::Glb, None);
        Self {
            errors,
            ..Self::of(input, vec![record], Vec::new())
        }
    }

    /// Keeps those warnings that are to be shown.
    ///
    /// # Errors
    /// Those that count as errors.
    pub(super) fn warn(
        &mut self,
        warnings: Vec<Diagnostic>,
        options: &Options,
    ) -> Result<(), Vec<Diagnostic>> {
        let (shown, errors) = options.warnings.apply(warnings);
        self.warnings.extend(shown);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// The outcome once all is done or something has failed.
    pub(super) fn ended(mut self, written: Result<(), Vec<Diagnostic>>) -> Self {
        self.errors = written.err().unwrap_or_default();
        let failed = |record: &&mut OutputRecord| record.status == Status::Failed;
        for record in self.records.iter_mut().filter(failed) {
            (record.sha256, record.bytes) = (None, None);
        }
        self
    }

    /// Names of the files that it writes.
    pub(super) fn file_names(&self) -> impl Iterator<Item = &OsStr> {
        let paths = self
            .records
            .iter()
            .filter_map(|record| record.path.as_ref());
        paths.filter_map(|path| path.file_name())
    }

    /// Whether any output failed.
    pub fn has_failed(&self) -> bool {
        self.records
            .iter()
            .any(|record| record.status == Status::Failed)
    }
}

impl OutputRecord {
    /// An output that is wanted and not yet done.
    pub(super) fn new(pose: Option<String>, format: OutputFormat, path: Option<PathBuf>) -> Self {
        Self {
            pose,
            format,
            path,
            status: Status::Failed,
            sha256: None,
            bytes: None,
            stamp: None,
            time: Duration::ZERO,
        }
    }
}

/// A failure to export that is about the whole document.
pub(super) fn export_error(name: &str, message: String) -> Diagnostic {
    Diagnostic::without_code(Category::ExportError, message).about_file(name)
}
