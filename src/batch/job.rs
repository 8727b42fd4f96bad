//! One document from file to files.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::content::Content;
use super::names::{OutputFormat, clashes, document_stem, export_file_name, pose_file_name};
use super::options::Options;
use super::split::SplitByRayon;
use crate::compile::{self, Checked, Compiled, Files, Input, PosedScene};
use crate::diag::{Category, Code, Diagnostic, Warned};
use crate::glb::OutputFile;
use crate::io::{Found, IoError, Sink, Staged, identity, read_file, same_content};
use crate::loader::Location;
use crate::yaml;

/// What became of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
}

/// What became of one document.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The document.
    pub input: PathBuf,
    /// The export, then the poses in document order; a single failed record if nothing is known of them.
    pub records: Vec<OutputRecord>,
    /// Warnings, in the order of the checks.
    pub warnings: Vec<Diagnostic>,
    /// Errors; if there are any, every record has failed, unless a file could not be put in its place.
    pub errors: Vec<Diagnostic>,
    /// Ids of all poses of the document, if it could be checked.
    pub pose_ids: Vec<String>,
}

impl Outcome {
    /// A document of which nothing is known but what went wrong.
    pub fn failed(input: &Path, errors: Vec<Diagnostic>) -> Self {
        Self {
            input: input.to_owned(),
            records: vec![OutputRecord::new(None, OutputFormat::Glb, None)],
            warnings: Vec::new(),
            errors,
            pose_ids: Vec::new(),
        }
    }

    /// Whether any output failed.
    pub fn has_failed(&self) -> bool {
        self.records
            .iter()
            .any(|record| record.status == Status::Failed)
    }
}

impl OutputRecord {
    fn new(pose: Option<String>, format: OutputFormat, path: Option<PathBuf>) -> Self {
        Self {
            pose,
            format,
            path,
            status: Status::Failed,
            sha256: None,
            bytes: None,
        }
    }
}

/// One document's way through.
pub(super) struct Job<'a> {
    pub found: &'a Found,
    /// The directory its outputs go to.
    pub output_directory: &'a Path,
    pub options: &'a Options,
    pub files: &'a Files,
    /// `None` in a dry run.
    pub sink: Option<&'a Sink>,
}

impl Job<'_> {
    /// Reads, compiles and writes the document. `buffer` is scratch space for its text.
    pub fn run(&self, buffer: &mut Vec<u8>) -> Outcome {
        let path = &self.found.path;
        let name = path.display().to_string();
        let checked = read_and_check(path, &name, buffer, self.files);
        match checked {
            Ok(Warned { value, warnings }) => {
                let pose_ids: Vec<String> = value.pose_ids().map(str::to_owned).collect();
                let directory = self.output_directory;
                let mut outcome = Outcome {
                    input: path.clone(),
                    records: wanted_outputs(self.found, directory, &pose_ids, self.options),
                    warnings: Vec::new(),
                    errors: Vec::new(),
                    pose_ids,
                };
                let clear = self.pose_clashes(&outcome.records, &name);
                let read = value.files_read();
                let clear = clear.and_then(|()| overwritten(&outcome.records, &read, &name));
                let written = clear.and_then(|()| {
                    self.warn(warnings, &mut outcome)?;
                    let Warned { value, warnings } = value.build()?;
                    self.warn(warnings, &mut outcome)?;
                    self.write(&value, &name, &mut outcome.records)
                });
                outcome.errors = written.err().unwrap_or_default();
                let failed = |record: &&mut OutputRecord| record.status == Status::Failed;
                for record in outcome.records.iter_mut().filter(failed) {
                    (record.sha256, record.bytes) = (None, None);
                }
                outcome
            }
            Err(errors) => Outcome::failed(path, errors),
        }
    }

    /// Keeps those warnings that are to be shown.
    ///
    /// # Errors
    /// Those that count as errors.
    fn warn(
        &self,
        warnings: Vec<Diagnostic>,
        outcome: &mut Outcome,
    ) -> Result<(), Vec<Diagnostic>> {
        let bakes = outcome.records.iter().any(|record| record.pose.is_some());
        // What baked output lacks matters only where there is some.
        let matters = |warning: &Diagnostic| bakes || warning.code != Some(Code::W06);
        let warnings = warnings.into_iter().filter(matters).collect();
        let (shown, errors) = self.options.warnings.apply(warnings);
        outcome.warnings.extend(shown);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Poses whose files would be one where case does not count.
    fn pose_clashes(&self, records: &[OutputRecord], name: &str) -> Result<(), Vec<Diagnostic>> {
        let paths = records.iter().filter_map(|record| record.path.clone());
        let found = clashes(paths.map(|path| (&*self.found.path, path)));
        let errors: Vec<Diagnostic> = found
            .into_iter()
            .map(|clash| export_error(name, clash.to_string()).help("rename one of the poses"))
            .collect();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Stages every output, then puts them all in place.
    fn write(
        &self,
        compiled: &Compiled,
        name: &str,
        records: &mut [OutputRecord],
    ) -> Result<(), Vec<Diagnostic>> {
        let mut made = Vec::with_capacity(records.len());
        let mut errors = Vec::new();
        // The records of one pose stand together, so it is evaluated once for all of them.
        let mut posed: Option<PosedScene<'_>> = None;
        let mut posed_id = None;
        let mut failed_id = None;
        for record in records {
            if record.pose.is_some() && record.pose == failed_id {
                continue; // its other files would fail for the same reason
            }
            if record.pose != posed_id {
                posed_id = record.pose.clone();
                let id = posed_id.as_deref();
                posed = id.and_then(|id| compiled.pose(id, self.options.isa, &SplitByRayon));
            }
            match self.make(compiled, posed.as_ref(), name, record) {
                Ok((status, staged)) => made.push((record, status, staged)),
                Err(found) => {
                    failed_id = record.pose.clone();
                    errors.extend(found);
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        // Whatever can be known to fail fails before the first file is in its place.
        let failed = |error: IoError| vec![export_error(name, error.to_string())];
        for staged in made.iter().filter_map(|(_, _, staged)| staged.as_ref()) {
            staged.prepare().map_err(failed)?;
        }
        for (record, status, staged) in made {
            if let Some(staged) = staged {
                staged.commit().map_err(failed)?;
            }
            record.status = status;
        }
        Ok(())
    }

    /// Makes one output: the export, or a file of a pose.
    fn make(
        &self,
        compiled: &Compiled,
        posed: Option<&PosedScene<'_>>,
        name: &str,
        record: &mut OutputRecord,
    ) -> Result<(Status, Option<Staged>), Vec<Diagnostic>> {
        match (posed, record.format) {
            (None, _) => self.stage(&compiled.export()?, record, name),
            (Some(posed), OutputFormat::Glb) => self.stage(&posed.bake()?, record, name),
            (Some(posed), OutputFormat::Positions) => self.stage(&posed.positions()?, record, name),
        }
    }

    /// Compares one output with what is there, and writes it to a temporary file if it is new.
    fn stage(
        &self,
        file: &dyn OutputFile,
        record: &mut OutputRecord,
        name: &str,
    ) -> Result<(Status, Option<Staged>), Vec<Diagnostic>> {
        let Some(target) = &record.path else {
            return Ok((Status::Failed, None));
        };
        let content = Content::of(file);
        record.bytes = Some(content.len());
        if self.options.hash {
            record.sha256 = Some(content.sha256());
        }
        if !self.options.force && same_content(target, content.len(), |out| content.write(out)) {
            return Ok((Status::Unchanged, None));
        }
        let Some(sink) = self.sink else {
            return Ok((Status::Written, None));
        };
        let staged = sink.stage(target, |out| content.write(out));
        let staged = staged.map_err(|error| vec![export_error(name, error.to_string())])?;
        Ok((Status::Written, Some(staged)))
    }
}

/// Outputs that would replace a file that the document is made of.
fn overwritten(
    records: &[OutputRecord],
    read: &[Location],
    name: &str,
) -> Result<(), Vec<Diagnostic>> {
    if read.is_empty() {
        return Ok(());
    }
    let read: HashSet<PathBuf> = read.iter().map(|location| identity(&location.0)).collect();
    let paths = records.iter().filter_map(|record| record.path.as_ref());
    let errors: Vec<Diagnostic> = paths
        .filter(|path| read.contains(&identity(path)))
        .map(|path| {
            let message = format!(
                "`{}` would replace a file that it is made from",
                path.display()
            );
            export_error(name, message).help("rename that file, or write elsewhere with `-o`")
        })
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// A document's outputs, none of them done: the export, then the files of each pose that is wanted.
pub(super) fn wanted_outputs(
    found: &Found,
    output_directory: &Path,
    pose_ids: &[String],
    options: &Options,
) -> Vec<OutputRecord> {
    let stem = document_stem(found.path.file_name().unwrap_or(OsStr::new("")));
    let place = |name| Some(output_directory.join(name));
    let export = OutputRecord::new(None, OutputFormat::Glb, place(export_file_name(&stem)));
    let formats: &[OutputFormat] = match options.positions {
        true => &[OutputFormat::Glb, OutputFormat::Positions],
        false => &[OutputFormat::Glb],
    };
    let wanted = pose_ids.iter().filter(|id| options.poses.wants(id));
    let of_poses = wanted.flat_map(|id| {
        let record = |format: &OutputFormat| {
            let path = place(pose_file_name(&stem, id, *format));
            OutputRecord::new(Some(id.clone()), *format, path)
        };
        formats.iter().map(record)
    });
    std::iter::once(export).chain(of_poses).collect()
}

/// The pose ids of a document, or nothing if it has errors.
pub(super) fn peek_pose_ids(path: &Path, files: &Files) -> Option<Vec<String>> {
    let mut buffer = Vec::new();
    let name = path.display().to_string();
    let checked = read_and_check(path, &name, &mut buffer, files).ok()?;
    Some(checked.value.pose_ids().map(str::to_owned).collect())
}

/// Reads a document and applies every rule that needs no geometry.
fn read_and_check<'b>(
    path: &Path,
    name: &'b str,
    buffer: &'b mut Vec<u8>,
    files: &'b Files,
) -> Result<Warned<Checked<'b>>, Vec<Diagnostic>> {
    read_file(path, yaml::MAX_BYTES as u64, buffer).map_err(|error| {
        let too_large = error.kind() == io::ErrorKind::FileTooLarge;
        let message = IoError::new("read", path, error).to_string();
        let mut error = Diagnostic::without_code(Category::ParseError, message);
        error.code = too_large.then_some(Code::U10);
        vec![error.about_file(name)]
    })?;
    let input = Input {
        name,
        location: Location(path.to_owned()),
        text: compile::decode(name, buffer)?,
    };
    compile::check(input, files)
}

/// A failure to export that is about the whole document.
pub(super) fn export_error(name: &str, message: String) -> Diagnostic {
    Diagnostic::without_code(Category::ExportError, message).about_file(name)
}
