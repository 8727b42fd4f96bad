//! Rigy documents: one document from file to files.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::budget::Postponed;
use super::clock::{Clock, Stage};
use super::content::Content;
use super::memory;
use super::names::{OutputFormat, document_stem};
use super::options::{Options, one_for_each};
use super::outcome::{Outcome, OutputRecord};
use super::outputs::{overwritten, pose_clashes, wanted_outputs};
use super::staging::{Made, Staging};
use super::work::{Buffers, Place, Standing, Work};
use crate::base::diag::{Category, Code, Diagnostic, Warned};
use crate::base::loader::{FileRead, Location, ResolvingLoader, Trace};
use crate::base::output::OutputFile;
use crate::compile::{self, Checked, Compiled, Files, Input, PosedScene};
use crate::io::{DirectoryLoader, Found, IoError, Target, read_traced};
use crate::run::Parallel;

/// Which poses are baked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoseFilter {
    /// All of every document.
    All,
    /// None: only ordinary exports.
    None,
    /// Those with these ids.
    Ids(Vec<String>),
}

impl PoseFilter {
    /// Whether a pose is to be baked.
    pub fn wants(&self, pose_id: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Ids(ids) => ids.iter().any(|id| id == pose_id),
        }
    }
}

/// Compiling and baking Rigy documents.
pub struct Documents {
    /// The files below each root, shared by all documents there.
    files: HashMap<PathBuf, Files>,
    poses: PoseFilter,
    positions: bool,
}

impl Documents {
    /// Prepares for some inputs: `poses` of each are baked; with `positions`, their vertices are also written as
    /// JSON beside each baked GLB.
    ///
    /// # Errors
    /// If a root cannot be resolved.
    pub fn new(
        found: &[Found],
        options: &Options,
        poses: PoseFilter,
        positions: bool,
    ) -> Result<Self, IoError> {
        let roots = found.iter().map(|input| options.root_of(input));
        let files =
            |root: &Path| Ok(Files::new(DirectoryLoader::new(root)?).within(options.limits));
        Ok(Self {
            files: one_for_each(roots, files)?,
            poses,
            positions,
        })
    }

    /// A document's outputs, none of them done.
    fn records(&self, found: &Found, directory: &Path, pose_ids: &[String]) -> Vec<OutputRecord> {
        let wanted = pose_ids.iter().filter(|id| self.poses.wants(id));
        wanted_outputs(found, directory, wanted, self.positions)
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
            let names = known.file_names();
            return names.map(|name| directory.join(name)).collect();
        }
        let files = &self.files[options.root_of(found)];
        let pose_ids = peek_pose_ids(&found.path, files).unwrap_or_default();
        let records = self.records(found, directory, &pose_ids);
        records
            .into_iter()
            .filter_map(|record| record.path)
            .collect()
    }

    fn estimate(&self, found: &Found) -> u64 {
        memory::of_text(&found.path)
    }

    fn run(&self, place: &Place<'_>, buffers: &mut Buffers) -> Result<Outcome, Postponed> {
        let Buffers {
            input,
            output,
            clock,
        } = buffers;
        let path = &place.found.path;
        let files = &self.files[place.options.root_of(place.found)];
        let own = self.estimate(place.found);
        if let Err(errors) = memory::check_room(own, place.name) {
            return Ok(Outcome::failed(path, errors));
        }
        let (text, postponed) = (Cell::new(own), Cell::new(None));
        let room = |len| {
            text.set(own.saturating_add(memory::of_imports(len)));
            postponed.set(place.room_for(text.get()).err());
            postponed.get().is_none()
        };
        let read = read_and_check(path, place.name, input, files, &room);
        if let Some(postponed) = postponed.get() {
            return Err(postponed);
        }
        let (trace, checked) = match read {
            Ok(read) => read,
            Err(errors) => return Ok(Outcome::failed(path, errors)),
        };
        let Warned { value, warnings } = checked;
        let built = memory::of_checked(&value);
        place.room_for(built.saturating_add(text.get()))?;
        if let Err(errors) = memory::check_room(built, place.name) {
            return Ok(Outcome::failed(path, errors));
        }
        clock.lap(Stage::Read);
        let pose_ids: Vec<String> = value.pose_ids().map(str::to_owned).collect();
        let records = self.records(place.found, place.directory, &pose_ids);
        let mut outcome = Outcome::of(path, records, pose_ids);
        let files_below = value.files();
        let paths = files_below.iter().map(|location| &*location.0);
        let paths = paths.chain([path.as_path()]);
        let written = pose_clashes(&outcome.records, place.name)
            .and_then(|()| overwritten(&outcome.records, paths, place.sources, place.name))
            .and_then(|()| {
                warn(warnings, place.options, &mut outcome)?;
                let Warned { value, warnings } = value.build()?;
                warn(warnings, place.options, &mut outcome)?;
                outcome.made_of = made_of(path, trace, value.files_read());
                clock.lap(Stage::Build);
                let staging = Staging { place, work: self };
                let made = make_all(&value, &staging, &mut outcome.records, output, clock)?;
                staging.put_in_place(made, &mut outcome.records)
            });
        Ok(outcome.ended(written))
    }

    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf> {
        let Ok(loader) = DirectoryLoader::new(options.root_of(found)) else {
            return Vec::new();
        };
        let loader = ResolvingLoader::new(loader);
        let files = Files::new(loader.clone()).within(options.limits);
        let name = found.path.display().to_string();
        // A document with errors refers to what it refers to all the same.
        let _ = read_and_check(&found.path, &name, &mut Vec::new(), &files, &|_| true);
        loader.locations().into_iter().map(|at| at.0).collect()
    }

    fn standing_of(&self, path: &Path) -> Standing {
        let mut start = [0; 4];
        let file = Target::new(path).open();
        let read = file.is_ok_and(|mut file| file.read_exact(&mut start).is_ok());
        match read && start == *b"glTF" {
            true => Standing::Output, // a document refers to text alone
            false => Standing::Other,
        }
    }

    fn describe(&self) -> String {
        format!("{:?} {}", self.poses, self.positions)
    }
}

/// What a document was made of, unless that is not known of a file, or one has been read twice and was not the same.
fn made_of(path: &Path, trace: Trace, read: &[FileRead]) -> Option<Vec<FileRead>> {
    let document = FileRead {
        location: Location(path.to_owned()),
        route: path.to_owned(),
        trace: Some(trace),
    };
    let mut files = BTreeMap::from([(path, &document)]);
    for file in read {
        let is_same = *files.entry(&file.route).or_insert(file) == file;
        if file.trace.is_none() || !is_same {
            return None;
        }
    }
    Some(files.into_values().cloned().collect())
}

/// Keeps those warnings that are to be shown.
///
/// # Errors
/// Those that count as errors.
fn warn(
    warnings: Vec<Diagnostic>,
    options: &Options,
    outcome: &mut Outcome,
) -> Result<(), Vec<Diagnostic>> {
    let bakes = outcome.records.iter().any(|record| record.pose.is_some());
    // What baked output lacks matters only where there is some.
    let matters = |warning: &Diagnostic| bakes || warning.code != Some(Code::W06);
    let warnings = warnings.into_iter().filter(matters).collect();
    outcome.warn(warnings, options)
}

/// Stages every output.
fn make_all(
    compiled: &Compiled,
    staging: &Staging<'_>,
    records: &mut [OutputRecord],
    buffer: &mut Vec<u8>,
    clock: &mut Clock,
) -> Result<Vec<Made>, Vec<Diagnostic>> {
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
            let isa = staging.place.options.isa;
            posed = id.and_then(|id| compiled.pose(id, isa, &Parallel));
        }
        record.time = clock.lap(Stage::Pose);
        let result = make(compiled, posed.as_ref(), staging, record, buffer);
        record.time += clock.lap(Stage::Write);
        match result {
            Ok(one) => made.push(one),
            Err(found) => {
                failed_id = record.pose.clone();
                errors.extend(found);
            }
        }
    }
    if errors.is_empty() {
        Ok(made)
    } else {
        Err(errors)
    }
}

/// Makes one output: the export, or a file of a pose.
fn make(
    compiled: &Compiled,
    posed: Option<&PosedScene<'_>>,
    staging: &Staging<'_>,
    record: &mut OutputRecord,
    buffer: &mut Vec<u8>,
) -> Result<Made, Vec<Diagnostic>> {
    let format = record.format;
    let mut stage = |file: &dyn OutputFile| staging.stage(&Content::of(file, buffer), record);
    match (posed, format) {
        (None, _) => stage(&compiled.export()?),
        (Some(posed), OutputFormat::Glb) => stage(&posed.bake()?),
        (Some(posed), OutputFormat::Positions) => stage(&posed.positions()?),
    }
}

/// The pose ids of a document, or nothing if it has errors.
fn peek_pose_ids(path: &Path, files: &Files) -> Option<Vec<String>> {
    let mut buffer = Vec::new();
    let name = path.display().to_string();
    let (_, checked) = read_and_check(path, &name, &mut buffer, files, &|_| true).ok()?;
    Some(checked.value.pose_ids().map(str::to_owned).collect())
}

/// Reads a document and applies every rule that needs no geometry, if there is room for what it imports.
fn read_and_check<'b>(
    path: &Path,
    name: &'b str,
    buffer: &'b mut Vec<u8>,
    files: &'b Files,
    room: &dyn Fn(u64) -> bool,
) -> Result<(Trace, Warned<Checked<'b>>), Vec<Diagnostic>> {
    let trace = read_traced(path, files.limits().bytes, buffer).map_err(|error| {
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
    Ok((trace, compile::check_if_room(input, files, room)?))
}
