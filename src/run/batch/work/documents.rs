//! The work on Rigy documents: compiling a document and baking its poses.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::content::{OutputFormat, make_all};
use super::estimate;
use super::job::{Buffers, JobContext, Unfinished, Work};
use super::names::document_stem;
use super::outputs::{check_overwritten, check_pose_clashes, wanted_outputs};
use crate::compile::{self, Checked, Files, Input};
use crate::glb::Style;
use crate::io::{DirectoryLoader, Found, IoError, read_traced};
use crate::run::batch::options::{HeldInput, Options, one_for_each};
use crate::run::batch::outcome::{Outcome, OutputRecord};
use crate::run::batch::schedule::budget::Postponed;
use crate::run::batch::schedule::clock::Stage;
use crate::run::parallel::Parallel;
use rigy_base::diag::{Category, Code, Diagnosed, Diagnostic, Warned};
use rigy_base::loader::{FileRead, FileRecord, Location, RecordingLoader, Trace, too_large};
use rigy_base::maps::HashMap;
use rigy_base::paths::Slashed;

/// The selection of poses that are baked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoseFilter {
    /// All poses of every document.
    All,
    /// No pose: only exports are written.
    None,
    /// The poses with these ids.
    Ids(Vec<String>),
}

impl PoseFilter {
    /// Returns true if a pose is to be baked.
    pub fn includes(&self, pose_id: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Ids(ids) => ids.iter().any(|id| id == pose_id),
        }
    }
}

/// The work on Rigy documents.
pub struct Documents {
    /// The files below each root, which all documents there share.
    files: HashMap<PathBuf, Files>,
    poses: PoseFilter,
    /// The formats of each pose.
    formats: Vec<OutputFormat>,
    style: Style,
    turns_triangles: bool,
}

impl Documents {
    /// Prepares the work on inputs. The export of each is written, and its `poses` in each of `formats`.
    ///
    /// # Errors
    /// If a root cannot be resolved.
    pub fn new(
        found: &[Found],
        options: &Options,
        poses: PoseFilter,
        formats: &[OutputFormat],
    ) -> Result<Self, IoError> {
        let roots = found.iter().map(|input| options.root_of(input));
        let files =
            |root: &Path| Ok(Files::new(DirectoryLoader::new(root)?).within(options.limits));
        Ok(Self {
            files: one_for_each(roots, files)?,
            poses,
            formats: formats.to_vec(),
            style: Style::default(),
            turns_triangles: false,
        })
    }

    /// Sets deviations of outputs from the contract.
    #[must_use]
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Sets whether all triangles are turned so that they are counter-clockwise seen from outside.
    #[must_use]
    pub fn with_triangles_outward(self, turns_triangles: bool) -> Self {
        Self {
            turns_triangles,
            ..self
        }
    }

    /// Adds those warnings to the outcome that are to be shown. W06 is about files of poses without instances.
    fn warn(
        &self,
        warnings: Vec<Diagnostic>,
        options: &Options,
        outcome: &mut Outcome,
    ) -> Diagnosed<()> {
        let mut records = outcome.records.iter();
        let without_instances = records
            .position(|record| record.pose.is_some())
            .filter(|_| !self.style.with_instances);
        let placed = |warning: Diagnostic| match warning.code {
            Some(Code::W06) => without_instances.map(|first| warning.of_output(first)),
            _ => Some(warning),
        };
        outcome.warn(warnings.into_iter().filter_map(placed).collect(), options)
    }

    /// Returns the records of a document's outputs.
    fn records(
        &self,
        found: &Found,
        options: &Options,
        directory: &Path,
        pose_ids: &[String],
    ) -> Vec<OutputRecord> {
        let wanted = pose_ids.iter().filter(|id| self.poses.includes(id));
        let mut records = wanted_outputs(
            &options.output.stem_of(found, document_stem),
            directory,
            wanted,
            &self.formats,
        );
        if options.output.held().is_some() && matches!(self.poses, PoseFilter::Ids(_)) {
            records.retain(|record| record.pose.is_some()); // the pose alone
        }
        records
    }
}

impl Work for Documents {
    fn stem(&self, file_name: &OsStr) -> OsString {
        document_stem(file_name)
    }

    fn outputs(
        &self,
        found: &Found,
        directory: &Path,
        options: &Options,
        known: &dyn Fn() -> Option<Outcome>,
    ) -> Vec<PathBuf> {
        if let Some(known) = known() {
            let names = known.file_names(false);
            return names.map(|name| directory.join(name)).collect();
        }
        let files = &self.files[options.root_of(found)];
        let held = options.held_input.as_ref();
        let pose_ids = read_pose_ids(&found.path, held, files).unwrap_or_default();
        let records = self.records(found, options, directory, &pose_ids);
        records
            .into_iter()
            .filter_map(|record| record.path)
            .collect()
    }

    fn estimate(&self, found: &Found) -> u64 {
        estimate::of_document(&found.path)
    }

    fn run(&self, job: &JobContext, buffers: &mut Buffers) -> Result<Outcome, Unfinished> {
        let Buffers {
            input,
            output,
            clock,
        } = buffers;
        let path = &job.found.path;
        let files = &self.files[job.options.root_of(job.found)];
        let held = job.options.held_input.as_ref();
        let (trace, document) = read(path, held, job.name, input, files)?;
        let own = estimate::of_text(document.text.len() as u64);
        estimate::check_can_allocate(own, job.name)?;
        let mut text = own;
        let checked = compile::check_reserving(document, files, |len| {
            text = own.saturating_add(estimate::of_imports(len));
            job.reserve(text).map_err(Unfinished::from)
        });
        let Warned { value, warnings } = checked?;
        let files_below = value.files();
        let built = estimate::of_checked(&value, &files_below);
        job.reserve(built.saturating_add(text))?;
        estimate::check_can_allocate(built, job.name)?;
        clock.lap(Stage::Read);
        let posed = value.pose_ids().filter(|id| self.poses.includes(id));
        if let Err(errors) = value.spend_on_poses(posed.count()) {
            return Ok(Outcome::failed(path, errors));
        }
        let pose_ids: Vec<String> = value.pose_ids().map(str::to_owned).collect();
        let records = self.records(job.found, job.options, job.directory, &pose_ids);
        let mut outcome = Outcome::of(path, records, pose_ids);
        let paths = files_below.iter().map(|location| &*location.0);
        let paths = paths.chain([path.as_path()]);
        let single = "choose one with `--poses none` or `--poses ID`";
        let written = check_pose_clashes(&outcome.records, job.name)
            .and_then(|()| job.check_single(outcome.records.len(), single))
            .and_then(|()| {
                check_overwritten(job.on_disk(&outcome.records), paths, job.sources, job.name)
            })
            .and_then(|()| {
                self.warn(warnings, job.options, &mut outcome)?;
                let Warned { value, warnings } = value.build_by(job.options.isa, &Parallel)?;
                self.warn(warnings, job.options, &mut outcome)?;
                let mut value = value.styled(self.style);
                if self.turns_triangles {
                    value = value.with_triangles_outward();
                }
                (outcome.made_of, outcome.is_news) = made_of(path, trace, value.files_read());
                clock.lap(Stage::Build);
                let made = make_all(&value, job, &mut outcome.records, output, clock)?;
                job.put_in_place(made, &mut outcome.records)
            });
        if job.given_up(&written) {
            return Err(Postponed::STOPPED.into());
        }
        Ok(outcome.with_result(written))
    }

    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf> {
        let Ok(loader) = DirectoryLoader::new(options.root_of(found)) else {
            return Vec::new();
        };
        let loader = RecordingLoader::new(loader, FileRecord::default());
        let files = Files::new(loader.clone()).within(options.limits);
        let name = found.path.shown();
        // References count even if the document has errors.
        let held = options.held_input.as_ref();
        let _ = read_and_check(&found.path, held, &name, &mut Vec::new(), &files);
        let record = loader.record();
        record.locations().iter().map(|at| at.0.clone()).collect()
    }

    fn describe(&self) -> String {
        let Self {
            files: _, // the same inputs are read below every root
            poses,
            formats,
            style,
            turns_triangles,
        } = self;
        format!("{poses:?} {formats:?} {style:?} {turns_triangles}")
    }
}

/// The files that a document was made of, and whether they are known for certain: they are not if the trace of one is unknown, or if one
/// was read twice and had changed in between.
fn made_of(path: &Path, trace: Option<Trace>, read: &[FileRead]) -> (Vec<FileRead>, bool) {
    let document = FileRead {
        location: Location(path.to_owned()),
        route: path.to_owned(),
        trace,
        is_absent: false,
    };
    let mut is_certain = trace.is_some();
    let mut files = BTreeMap::from([(path, &document)]);
    for file in read {
        let is_same = *files.entry(&file.route).or_insert(file) == file;
        is_certain &= file.trace.is_some() && is_same;
    }
    (files.into_values().cloned().collect(), is_certain)
}

/// Reads and checks a document and returns its pose ids; `None` if it has errors.
fn read_pose_ids(path: &Path, held: Option<&HeldInput>, files: &Files) -> Option<Vec<String>> {
    let mut buffer = Vec::new();
    let name = path.shown();
    let checked = read_and_check(path, held, &name, &mut buffer, files).ok()?;
    Some(checked.value.pose_ids().map(str::to_owned).collect())
}

/// Reads the text of a document into a buffer, unless it is held. Returns its trace if it is a file.
fn read<'b>(
    path: &Path,
    held: Option<&'b HeldInput>,
    name: &'b str,
    buffer: &'b mut Vec<u8>,
    files: &Files,
) -> Diagnosed<(Option<Trace>, Input<'b>)> {
    let limit = files.limits().bytes;
    let (trace, bytes) = match held.map(HeldInput::as_ref) {
        Some(bytes) if bytes.len() as u64 > limit => {
            (Err(too_large(bytes.len() as u64, limit)), bytes)
        }
        Some(bytes) => (Ok(None), bytes),
        None => {
            let trace = read_traced(path, limit, buffer).map(Some);
            (trace, buffer.as_slice())
        }
    };
    let trace = trace.map_err(|error| {
        let too_large = error.kind() == io::ErrorKind::FileTooLarge;
        let mut finding = IoError::new("read", path, error).finding();
        if too_large {
            (finding.category, finding.code) = (Category::ParseError, Some(Code::U10));
        }
        vec![finding]
    })?;
    let input = Input::decoded(name, Location(path.to_owned()), bytes)?;
    Ok((trace, input))
}

/// Reads a document and applies every rule that needs no geometry.
fn read_and_check<'b>(
    path: &Path,
    held: Option<&'b HeldInput>,
    name: &'b str,
    buffer: &'b mut Vec<u8>,
    files: &'b Files,
) -> Diagnosed<Warned<Checked<'b>>> {
    let (_, input) = read(path, held, name, buffer, files)?;
    compile::check(input, files)
}
