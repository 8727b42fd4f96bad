//! Arguments of the commands that write outputs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::base::diag::WarningPolicy;
use crate::base::limits::Limits;
use crate::run::batch::Options;

#[cfg(feature = "viewer")]
use super::batch_values::size_or_none;
use super::batch_values::{DurabilityName, NamesName, Warnings, limit, shard, size, warnings};
use super::common_args::Common;
use super::configuration::ConfigurationArgs;
use super::formats::OutcomeFormat;
use super::inputs::WhenEmpty;
use super::memory::half_of_memory;
use super::print_message;
use super::report::ReportTarget;
use super::search_args::SearchArgs;
use super::streams::is_standard_output;

/// Options of all commands that write outputs.
#[derive(Debug, clap::Args)]
pub struct Batch {
    /// Write below this directory, or to this file, - for standard output [default: beside the inputs]
    ///
    /// Outputs have the place that their inputs have below their PATH. With one input file, a name that ends in `.glb`, or for `bake` as one of the
    /// formats of `--to`, is the output itself: several outputs of the input have names that begin as it does. `-` is standard output,
    /// for one input file that has one output; the summary goes to standard error. Of a document it is the rest pose, or with
    /// `--poses ID` that pose alone.
    #[arg(short, long, value_name = "DIR|FILE|-", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Process all inputs and write all outputs, also unchanged ones
    ///
    /// Without it, inputs that have not changed since the last run are skipped, as the cache in `.rigy-batch` notes, and outputs
    /// that already have the right content are left alone.
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Write nothing; say what would become of each file
    ///
    /// Each output is named as new, replaced, unchanged, failed or skipped.
    #[arg(short = 'n', long, help_heading = "Output")]
    pub dry_run: bool,

    /// As -n, and exit with 1 if a file would change
    ///
    /// For pipelines that keep outputs under version control: the run fails if they are not up to date.
    #[arg(long, help_heading = "Output")]
    pub check: bool,

    /// Remove outputs of earlier runs that are no longer made
    ///
    /// That is: of inputs that are gone from a PATH, and of poses, animations and frames that an input has no more. A file is removed only if the
    /// cache knows that a run has written it and it has not changed since. A failed input keeps all it has, and so do up-to-date outputs
    /// of runs with other options. With -n and --check the files are listed and stay.
    #[arg(long, help_heading = "Output")]
    pub prune: bool,

    /// Other characters than A-Z a-z 0-9 . _ - in file names: percent or portable
    ///
    /// percent: in ids of poses and names of animations they are percent-encoded; the names of inputs are kept. portable: each becomes _, and
    /// eight digits of a hash tell such names apart, as in lamp.bow_deep-1a2b3c4d.glb. Links to such files need no escaping. Directories
    /// keep their names, and so does a file that -o names.
    #[arg(long, value_name = "CHARACTERS", value_enum, default_value_t = NamesName::Percent, hide_possible_values = true, help_heading = "Output")]
    pub names: NamesName,

    /// Flush outputs: none, batch (at the end) or file (each)
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = DurabilityName::None, hide_possible_values = true, help_heading = "Output",
        long_help = "Flush outputs to the disk, so that they survive a power failure\n\n\
none leaves it to the system, batch flushes all outputs together at the end of the run, file flushes each output before it \
replaces an older file (20 to 50 times slower)")]
    pub durability: DurabilityName,

    /// Keep references to other files inside this directory
    ///
    /// A reference that leads out of it is an error. By default it is each PATH, or the directory of a PATH that is a
    /// file.
    #[arg(long, value_name = "DIR", help_heading = "Running")]
    pub root: Option<PathBuf>,

    /// Run again whenever a file changes, until Ctrl-C
    ///
    /// Only inputs that the change affects are processed, those that import the file included.
    #[arg(long, conflicts_with_all = ["dry_run", "check"], help_heading = "Running")]
    pub watch: bool,

    /// Exit with 0 if there are no inputs
    ///
    /// Without it, a run that finds nothing to do does not start, with status 2, since it was probably given the wrong directory.
    #[arg(long, help_heading = "Running")]
    pub allow_empty: bool,

    /// Begin no further input after the first failure
    #[arg(long, help_heading = "Running")]
    pub fail_fast: bool,

    /// Process only part I of N of the inputs, counted from 0
    ///
    /// The part of an input is chosen by a hash of its path, so it stays the same when other inputs come or go. `auto`
    /// takes I and N from Slurm, Kubernetes (with JOB_COMPLETIONS set) or AWS Batch.
    #[arg(long, value_name = "I/N|auto", help_heading = "Running")]
    pub shard: Option<String>,

    /// Write a report to this file, `-` for standard output
    ///
    /// The report is one JSON object with all JSON lines and the summary. A file that is there must be a report or empty; links are followed, and pipes and
    /// devices are written to. With `-` the summary for people goes to standard error.
    #[arg(long, value_name = "FILE", help_heading = "Messages and reports")]
    pub report: Option<PathBuf>,

    /// Write a page about the run to this file, for a browser
    ///
    /// The page lists all outputs with their errors and warnings, to search, filter and sort; it needs no network. It is one
    /// file; data beyond 1 MiB goes to the directory FILE.data, which the page loads it from. A file that is there must be
    /// such a page or empty.
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "FILE", help_heading = "Messages and reports")]
    pub html: Option<PathBuf>,

    /// Size of the pictures on that page in pixels, 0 for none
    ///
    /// By default it is 160 if there are at most 1000 inputs, else 0.
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "PIXELS", requires = "html", value_parser = clap::value_parser!(u16).range(0..=512), help_heading = "Messages and reports")]
    pub thumbnails: Option<u16>,

    /// Largest model that page opens in the viewer, such as 16M; 0 for none
    ///
    /// With a model, the page shows an input in all its poses or animations, skinned on the GPU as `rigy-batch view` does.
    /// The models of all inputs that have not failed are made during the run and lie in FILE.data, a file for each, with
    /// a page of 0.6 MB for the viewer. By default it is 32M if there are at most 50 inputs, else 0.
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "SIZE", requires = "html", value_parser = size_or_none, help_heading = "Messages and reports")]
    pub models: Option<u64>,

    /// Report how long inputs took
    ///
    /// JSON lines get a field `seconds`, and the summary gets figures for each stage and the slowest inputs.
    #[arg(long, help_heading = "Messages and reports")]
    pub timings: bool,

    /// Warnings that fail their input: codes (W01 to W16) or all
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = warnings, help_heading = "Messages and reports")]
    pub warn_as_error: Vec<Warnings>,

    /// Warnings that are neither shown nor counted: codes or all
    ///
    /// A code in both lists is allowed.
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = warnings, help_heading = "Messages and reports")]
    pub allow_warnings: Vec<Warnings>,

    /// Memory for all inputs in progress, such as 512M or 2G
    ///
    /// The memory of an input is estimated, and this is no hard limit: an input that needs more is processed alone. Units are K,
    /// M, G and T, powers of 1024. The default is half of the
    /// memory of the machine, or of the smallest limit of the process and its control groups.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Resources")]
    pub memory: Option<u64>,

    /// Limits on each input, such as bytes=4M,depth=32
    ///
    /// bytes: YAML text [16M]; depth: its nesting [128]; aliases: bytes with all aliases written out, of which ten times the
    /// text's own are always allowed [8M]; joints: of a skin [65535]; vertices: of an output [4294967295]
    #[arg(long, value_name = "NAME=N,...", value_delimiter = ',', value_parser = limit, help_heading = "Resources")]
    pub limit: Vec<String>,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub source: ConfigurationArgs,

    #[command(flatten)]
    pub common: Common,
}

impl Batch {
    /// Returns the treatment of warnings.
    fn warning_policy(&self) -> WarningPolicy {
        WarningPolicy {
            allowed: Warnings::codes(&self.allow_warnings),
            errors: Warnings::codes(&self.warn_as_error),
        }
    }

    /// Returns what a run does that finds no inputs. A session of `--watch` waits for them.
    pub fn when_empty(&self, is_first: bool) -> WhenEmpty {
        match self.allow_empty || self.watch {
            false => WhenEmpty::Fail,
            true if is_first && !self.common.quiet => WhenEmpty::Note,
            true => WhenEmpty::Silent,
        }
    }

    /// Refuses a document on standard output that `--watch` would have to write again.
    ///
    /// # Errors
    /// If the format is such a document and `--watch` is given.
    pub fn refuse_documents_of_a_session(&self) -> Result<(), super::Fatal> {
        let format = self.common.format;
        if self.watch && format.is_document() {
            let name = format.name();
            return Err(format!("`--format {name}` is one document, so it does not go with `--watch`; use concise or json there").into());
        }
        Ok(())
    }

    /// Refuses a format for programs and a report that would both go to standard output.
    ///
    /// # Errors
    /// If both would.
    pub fn refuse_two_on_standard_output(
        &self,
        report: Option<&ReportTarget>,
    ) -> Result<(), super::Fatal> {
        let is_report = report.is_some_and(ReportTarget::is_standard_output);
        if is_report && self.common.format != OutcomeFormat::Human {
            let name = self.common.format.name();
            return Err(format!("`--format {name}` and the report would both go to standard output; leave one of them out, or name a file after `--report`").into());
        }
        Ok(())
    }

    /// Refuses a format for programs or a report that would go to standard output beside expanded documents.
    ///
    /// # Errors
    /// If they would.
    pub fn refuse_beside_text(&self, report: Option<&ReportTarget>) -> Result<(), super::Fatal> {
        let other = match report.is_some_and(ReportTarget::is_standard_output) {
            true => "the report".to_owned(),
            false if self.common.format != OutcomeFormat::Human => {
                format!("`--format {}`", self.common.format.name())
            }
            false => return Ok(()),
        };
        Err(format!("`--emit-expanded -` and {other} would both go to standard output; name a directory after `--emit-expanded`").into())
    }

    /// Prints a note, in the first run of a session, if `--output` names a directory like a file.
    pub fn note_output_name(&self, paths: &[PathBuf], ending: Option<&str>, is_first: bool) {
        let Some(output) = self.output.as_deref().filter(|_| is_first) else {
            return;
        };
        let is_directory = self.output_file(paths, ending).is_none();
        let is_named_as_file = FILE_ENDINGS.iter().any(|ending| has_ending(output, ending));
        if is_directory && is_named_as_file && !output.is_dir() && !self.common.quiet {
            let output = output.display();
            let (ending, example) = match ending {
                Some(ending) => (format!(" and a name that ends in `.{ending}`"), ""),
                None => (
                    String::new(),
                    ", and not for outputs that are several files",
                ),
            };
            print_message(&format!(
                "`-o` names a file only for one input file{ending}{example}: outputs go below the directory `{output}/`"
            ));
        }
    }

    /// Returns the file that `--output` names: it is no directory, its name ends with `ending`, and `paths` is one file.
    pub fn output_file(&self, paths: &[PathBuf], ending: Option<&str>) -> Option<&Path> {
        let output = self.output.as_deref()?;
        let is_one_file = matches!(paths, [path] if !path.is_dir());
        (is_one_file && has_ending(output, ending?) && !output.is_dir()).then_some(output)
    }

    /// Returns the file that the report page goes to, if there is to be one.
    pub fn html(&self) -> Option<&Path> {
        #[cfg(feature = "viewer")]
        return self.html.as_deref();
        #[cfg(not(feature = "viewer"))]
        return None;
    }

    /// Returns the size of pictures on the report page of a run over `inputs` inputs, in pixels; 0 for none.
    pub fn thumbnail_size(&self, inputs: usize) -> u16 {
        #[cfg(feature = "viewer")]
        return self
            .thumbnails
            .unwrap_or(if inputs <= 1000 { 160 } else { 0 });
        #[cfg(not(feature = "viewer"))]
        return {
            let _ = inputs;
            0
        };
    }

    /// Returns the greatest length of a model on the report page of a run over `inputs` inputs, in bytes; 0 for none.
    pub fn model_len(&self, inputs: usize) -> u64 {
        #[cfg(feature = "viewer")]
        return self
            .models
            .unwrap_or(if inputs <= 50 { 32 << 20 } else { 0 });
        #[cfg(not(feature = "viewer"))]
        return {
            let _ = inputs;
            0
        };
    }

    /// Returns the name of the option by which outputs are not written, if there is one.
    pub fn mode(&self) -> Option<&'static str> {
        match (self.check, self.dry_run) {
            (true, _) => Some("check"),
            (false, true) => Some("dry-run"),
            (false, false) => None,
        }
    }

    /// Returns true if outputs are not to be written.
    pub fn writes_nothing(&self) -> bool {
        self.dry_run || self.check
    }

    /// Returns the limits on each input.
    pub fn limits(&self) -> Result<Limits, String> {
        let mut limits = Limits::DEFAULT;
        for text in &self.limit {
            limits.set(text, size)?;
        }
        Ok(limits)
    }

    /// Returns the options that all inputs share. `ending` is that of the file that `--output` may name; `None` if it never does.
    pub fn options(
        &self,
        paths: &[PathBuf],
        ending: Option<&str>,
    ) -> Result<Options, super::Fatal> {
        let common = &self.common;
        let file = self.output_file(paths, ending);
        let parent = |file: &Path| match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let directory = || self.output.clone().filter(|path| !is_standard_output(path));
        Ok(Options {
            output: file.map(parent).or_else(directory),
            stem: file.and_then(|file| file.file_stem().map(OsStr::to_owned)),
            naming: self.names.into(),
            root: self.root.clone(),
            force: self.force,
            dry_run: self.writes_nothing(),
            fail_fast: self.fail_fast,
            warnings: self.warning_policy(),
            hash: common.format == OutcomeFormat::Json
                || self.report.is_some()
                || self.html().is_some(),
            map: !common.no_mmap,
            durability: self.durability.into(),
            isa: common.isa.or_best()?,
            memory: self.memory.unwrap_or_else(half_of_memory),
            limits: self.limits()?,
            shard: self.shard.as_deref().map(shard).transpose()?,
            prune: self.prune.then(|| directories_of(paths)),
            held_input: None,
            held_output: None,
        })
    }
}

/// Returns those paths that lead to directories.
fn directories_of(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().filter(|path| path.is_dir()).cloned().collect()
}

/// Extensions by which the name of a directory looks like that of a file.
const FILE_ENDINGS: [&str; 15] = [
    "glb", "GLB", "gltf", "vrm", "obj", "stl", "ply", "usda", "usd", "usdc", "usdz", "fbx", "exr",
    "png", "json",
];

/// Returns true if the name of a path has this extension.
fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension == ending)
}
