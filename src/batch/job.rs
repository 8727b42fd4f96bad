//! One document from file to files.

use std::io;
use std::path::Path;

use super::content::Content;
use super::names::OutputFormat;
use super::options::Options;
use super::outcome::{Outcome, OutputRecord, Status, export_error};
use super::outputs::{overwritten, pose_clashes, wanted_outputs};
use super::split::SplitByRayon;
use crate::compile::{self, Checked, Compiled, Files, Input, PosedScene};
use crate::diag::{Category, Code, Diagnostic, Warned};
use crate::glb::OutputFile;
use crate::io::{Found, IoError, Sink, Staged, Target, read_file};
use crate::loader::Location;
use crate::yaml;

/// What one thread uses for document after document, so that memory is asked for, and touched for the first
/// time, once.
#[derive(Default)]
pub(super) struct Buffers {
    /// The text of the document.
    text: Vec<u8>,
    /// The bytes of one output.
    output: Vec<u8>,
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
    /// Reads, compiles and writes the document.
    pub fn run(&self, buffers: &mut Buffers) -> Outcome {
        let Buffers { text, output } = buffers;
        let path = &self.found.path;
        let name = path.display().to_string();
        let checked = read_and_check(path, &name, text, self.files);
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
                let clear = pose_clashes(&outcome.records, &name);
                let read = value.files_read();
                let clear = clear.and_then(|()| overwritten(&outcome.records, &read, &name));
                let written = clear.and_then(|()| {
                    self.warn(warnings, &mut outcome)?;
                    let Warned { value, warnings } = value.build()?;
                    self.warn(warnings, &mut outcome)?;
                    self.write(&value, &name, &mut outcome.records, output)
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

    /// Stages every output, then puts them all in place.
    fn write(
        &self,
        compiled: &Compiled,
        name: &str,
        records: &mut [OutputRecord],
        buffer: &mut Vec<u8>,
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
            match self.make(compiled, posed.as_ref(), name, record, buffer) {
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
        buffer: &mut Vec<u8>,
    ) -> Result<(Status, Option<Staged>), Vec<Diagnostic>> {
        let format = record.format;
        let mut stage = |file: &dyn OutputFile| self.stage(file, record, name, buffer);
        match (posed, format) {
            (None, _) => stage(&compiled.export()?),
            (Some(posed), OutputFormat::Glb) => stage(&posed.bake()?),
            (Some(posed), OutputFormat::Positions) => stage(&posed.positions()?),
        }
    }

    /// Compares one output with what is there, and writes it to a temporary file if it is new.
    fn stage(
        &self,
        file: &dyn OutputFile,
        record: &mut OutputRecord,
        name: &str,
        buffer: &mut Vec<u8>,
    ) -> Result<(Status, Option<Staged>), Vec<Diagnostic>> {
        let Some(path) = &record.path else {
            return Ok((Status::Failed, None));
        };
        let content = Content::of(file, buffer);
        record.bytes = Some(content.len());
        if self.options.hash {
            record.sha256 = Some(content.sha256());
        }
        let target = Target::new(path);
        if !self.options.force && target.has_content(content.len(), |out| content.write(out)) {
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
