//! Outcomes of inputs and of their outputs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::options::Options;
use super::schedule::clock::Times;
use super::work::content::OutputFormat;
use crate::bake::SkinReport;
use rigy_base::diag::{Category, Concern, Diagnosed, Diagnostic, check_none};
use rigy_base::loader::{FileRead, Stamp};
use rigy_base::maps::HashMap;

/// The status of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The file is new or has new content (or would have, in a dry run).
    Written,
    /// The file already had this content.
    Unchanged,
    /// The output could not be made; an existing file stays as it was.
    Failed,
    /// The input was left out, as its options ask; there is no output.
    Skipped,
    /// The file of an earlier run was removed, because nothing makes it any more (or would be, in a dry run).
    Removed,
}

/// The moment at which a glTF file is baked, as reports have it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RecordMoment {
    /// The name of the animation, or its number if it has no name; null for nodes as they are stored.
    pub animation: Option<String>,
    /// The time in seconds; null for nodes as they are stored.
    pub time: Option<f64>,
    /// The number of the frame; null unless frames were asked for, and for an animated file.
    pub frame: Option<u32>,
    /// For an animated file of morph targets, the number of frames that are keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<usize>,
    /// For an animated file of morph targets, the largest distance of a vertex from its place in its frame, over all frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// For a file with helper joints, what became of each skin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<SkinReport>,
}

impl RecordMoment {
    /// Returns the moment in words, such as `frame 7, 0.292 s of Run`, or for an animated file `all of Run`; `None` for nodes as
    /// they are stored.
    pub fn in_words(&self) -> Option<String> {
        let animation = self.animation.as_deref()?;
        let frame = self.frame.map(|frame| format!("frame {frame}, "));
        let word = match animation.parse::<usize>() {
            Ok(_) => "animation ",
            Err(_) => "",
        };
        let frame = frame.unwrap_or_default();
        Some(match self.time {
            Some(time) => format!("{frame}{time:.3} s of {word}{animation}"),
            None => format!("all of {word}{animation}"),
        })
    }
}

/// One output of an input.
#[derive(Clone, Debug)]
pub struct OutputRecord {
    /// The id of its pose; `None` for the export of a document, and for glTF files.
    pub pose: Option<String>,
    /// The moment of a glTF file; `None` for documents.
    pub moment: Option<RecordMoment>,
    /// The format of the file, or of the outputs that it lies beside.
    pub format: OutputFormat,
    /// True for a file beside other outputs, which refer to it, such as a texture. Several inputs may share it.
    pub is_beside: bool,
    /// The path of the file; `None` if the input failed before it was known.
    pub path: Option<PathBuf>,
    /// Tells whether the file was written.
    pub status: Status,
    /// The SHA-256 of the file in hexadecimal, if it was requested and the output has not failed.
    pub sha256: Option<String>,
    /// The length of the file in bytes, unless the output has failed.
    pub bytes: Option<u64>,
    /// The stamp of the file from just before its rename, or from before it was compared; `None` in a dry run.
    pub(super) stamp: Option<Stamp>,
    /// A text about the output, such as its size for printing, which the summary of a single file shows; `None` if another run has made it.
    pub size: Option<String>,
    /// The time spent on this output alone.
    pub time: Duration,
}

/// The findings that stand at one output.
#[derive(Clone, Debug, Default)]
pub struct Placed<'a> {
    /// The warnings of which it is the first output that they concern. Those about the whole input stand at its first output.
    pub warnings: Vec<&'a Diagnostic>,
    /// The same of errors. Those about the whole input stand at the first output that has failed.
    pub errors: Vec<&'a Diagnostic>,
    /// True if the output has failed without an error of its own: `errors` has the first one of the input.
    pub is_repeated: bool,
}

/// The outcome of one input.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The files that the input was made of, itself included, and those that it refers to and that were absent.
    pub(super) made_of: Vec<FileRead>,
    /// True if the cache is to note the outcome: these files are known for certain, and it has no note of them.
    pub(super) is_news: bool,
    /// The path of the input.
    pub input: PathBuf,
    /// The outputs: the export, then the poses in the order of the document; or the frames, then the files beside them. A single failed record if the
    /// input failed before its outputs were known.
    pub records: Vec<OutputRecord>,
    /// The warnings that are shown, in the order of the checks.
    pub warnings: Vec<Diagnostic>,
    /// The errors. If there are any, every record has failed, unless a file could not be renamed to its final path.
    pub errors: Vec<Diagnostic>,
    /// Names in the input that a command line may refer to: the ids of all poses of a document, or the names of joints
    /// that keep their scale in a glTF file.
    pub names: Vec<String>,
    /// The time spent on the input.
    pub times: Times,
    /// True if the outcome comes from the cache and no work was done.
    pub known: bool,
}

impl Outcome {
    /// Replaces the paths of outputs by `-`, because they were not written to the disk.
    pub(super) fn show_on_standard_output(&mut self) {
        self.records
            .iter_mut()
            .filter_map(|record| record.path.as_mut())
            .for_each(|path| *path = PathBuf::from("-"));
    }

    /// Removes the hashes of outputs from an outcome for which none are asked.
    pub(super) fn forget_hashes(&mut self) {
        self.records
            .iter_mut()
            .for_each(|record| record.sha256 = None);
    }

    /// Returns the outcome of an input whose outputs are known and not done.
    pub(super) fn of(input: &Path, records: Vec<OutputRecord>, names: Vec<String>) -> Self {
        Self {
            input: input.to_owned(),
            records,
            warnings: Vec::new(),
            errors: Vec::new(),
            names,
            made_of: Vec::new(),
            is_news: false,
            times: Times::default(),
            known: false,
        }
    }

    /// Returns the outcome of an input that has failed before its outputs were known.
    pub fn failed(input: &Path, errors: Vec<Diagnostic>) -> Self {
        let record = OutputRecord::new(None, OutputFormat::Glb, None);
        Self {
            errors,
            ..Self::of(input, vec![record], Vec::new())
        }
    }

    /// Returns the outcome of an input that was left out.
    pub(super) fn skipped(input: &Path) -> Self {
        let mut record = OutputRecord::new(None, OutputFormat::Glb, None);
        record.status = Status::Skipped;
        Self::of(input, vec![record], Vec::new())
    }

    /// Adds those warnings that are to be shown.
    pub(super) fn warn(&mut self, warnings: Vec<Diagnostic>, options: &Options) -> Diagnosed<()> {
        let (shown, errors) = options.warnings.apply(warnings);
        self.warnings.extend(shown);
        check_none(errors)
    }

    /// Returns the outcome with the errors of the work. Failed records lose hash and length.
    pub(super) fn with_result(mut self, written: Diagnosed<()>) -> Self {
        self.errors = written.err().unwrap_or_default();
        if self.records.is_empty() && !self.errors.is_empty() {
            // Its outputs would have been known only when they are made.
            self.records = vec![OutputRecord::new(None, OutputFormat::Glb, None)];
        }
        for record in self
            .records
            .iter_mut()
            .filter(|record| record.status == Status::Failed)
        {
            (record.sha256, record.bytes) = (None, None);
        }
        self
    }

    /// Returns the paths of the files that the input was made of: its own, then those by which it has reached others.
    pub fn made_of(&self) -> impl Iterator<Item = &Path> {
        let others = self
            .made_of
            .iter()
            .filter(|file| !file.is_absent)
            .map(|file| &*file.route);
        std::iter::once(&*self.input).chain(others.filter(|path| *path != self.input))
    }

    /// Returns the findings of each output, in the order of the outputs. Each finding stands at one output.
    pub fn placed(&self) -> Vec<Placed<'_>> {
        let mut of_poses: HashMap<&str, usize> = HashMap::default();
        for (index, record) in self.records.iter().enumerate() {
            if let Some(pose) = &record.pose {
                of_poses.entry(pose).or_insert(index);
            }
        }
        let is_failed = |index: &usize| {
            let record = self.records.get(*index);
            record.is_some_and(|record| record.status == Status::Failed)
        };
        let concerned = |finding: &Diagnostic| match finding.concern.as_deref()? {
            Concern::Pose(id) => of_poses.get(&**id).copied(),
            Concern::Output(index) => Some(*index),
        };
        let mut placed = vec![Placed::default(); self.records.len()];
        for warning in &self.warnings {
            let index = concerned(warning).filter(|index| *index < placed.len());
            if let Some(output) = placed.get_mut(index.unwrap_or(0)) {
                output.warnings.push(warning);
            }
        }
        let Some(first) = (0..placed.len()).find(is_failed) else {
            return placed;
        };
        for error in &self.errors {
            let index = concerned(error).filter(is_failed);
            placed[index.unwrap_or(first)].errors.push(error);
        }
        for (_, output) in (placed.iter_mut().enumerate()).filter(|(index, _)| is_failed(index)) {
            if output.errors.is_empty() {
                output.errors.extend(self.errors.first());
                output.is_repeated = true;
            }
        }
        placed
    }

    /// Returns the names of the output files, and of those beside them if `with_beside` says so.
    pub(super) fn file_names(&self, with_beside: bool) -> impl Iterator<Item = &OsStr> {
        self.records
            .iter()
            .filter(move |record| with_beside || !record.is_beside)
            .filter_map(|record| record.path.as_ref())
            .filter_map(|path| path.file_name())
    }

    /// Returns true if this is about outputs of earlier runs that were removed, and about nothing else.
    pub fn is_removal(&self) -> bool {
        !self.records.is_empty()
            && self
                .records
                .iter()
                .all(|record| record.status == Status::Removed)
    }

    /// Returns true if an output has failed for a reason that may pass ([`is_transient`](rigy_base::transient::is_transient)).
    pub fn has_transient_failure(&self) -> bool {
        self.has_failed() && self.errors.iter().any(|error| error.transient)
    }

    /// Returns true if any output has failed.
    pub fn has_failed(&self) -> bool {
        self.records
            .iter()
            .any(|record| record.status == Status::Failed)
    }
}

impl OutputRecord {
    /// Returns the record of an output that is not done; its status is `Failed` until it is.
    pub(super) fn new(pose: Option<String>, format: OutputFormat, path: Option<PathBuf>) -> Self {
        Self {
            pose,
            moment: None,
            format,
            is_beside: false,
            path,
            status: Status::Failed,
            sha256: None,
            bytes: None,
            stamp: None,
            size: None,
            time: Duration::ZERO,
        }
    }
}

/// Returns an ExportError about a whole input.
pub fn export_error(name: &str, message: String) -> Diagnostic {
    Diagnostic::without_code(Category::ExportError, message).about_file(name)
}
