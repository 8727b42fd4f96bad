//! Arguments of the commands that write outputs.

use std::path::PathBuf;

use super::batch_values::{dependency_file, size_or_none, warnings};
use super::common_args::{Common, LimitArgs};
use super::configuration::ConfigurationArgs;
use super::places::place;
use crate::io::{Skips, check_glob};
use crate::run::batch::Shard;
use rigy_base::diag::Code;
use rigy_base::limits::size;

/// Options of all commands that write outputs.
#[derive(clap::Args)]
#[command(next_help_heading = "Messages and reports")]
pub struct Batch {
    /// Directory, file or - (standard output) [default: beside the inputs]
    ///
    /// Outputs have the place that their inputs have below their PATH. A directory exists, or its name has `/` at the end or no ending. With one input file, a name
    /// that ends in `.glb`, or for `bake` as one of the formats of `--to`, is the output itself: several outputs of the input have names that begin as it does, and
    /// later runs know nothing of them. Other endings are errors. `-` is standard output,
    /// for one input file that has one output; the summary goes to standard error. Of a document it is the rest pose, or with
    /// `--poses ID` that pose alone.
    #[arg(short, long, value_name = "DIR|FILE|-", value_parser = place(), help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Process all inputs and write all outputs, also unchanged ones
    ///
    /// Without it, the cache in `.rigy-batch` says which inputs have changed since the last run.
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Write nothing; say what would change
    ///
    /// Outputs are named as new, replaced, failed or skipped. Unchanged ones are counted; with --verbose they are named, too.
    #[arg(short = 'n', long, help_heading = "Output")]
    pub dry_run: bool,

    /// As -n, and exit with 1 if a file would change
    ///
    /// For pipelines that keep outputs under version control.
    #[arg(long, help_heading = "Output")]
    pub check: bool,

    /// Remove outputs of earlier runs that this run has not made
    ///
    /// That is: of inputs that are gone from a PATH, and poses, animations, frames and formats that an input has no more or that the options
    /// leave out. A file is removed only if the cache knows that a run has written it and it has not changed since; with `-o FILE` none is. A failed input keeps
    /// all it has, and so does a PATH without any input. With -n and --check the files are listed and stay.
    #[arg(long, help_heading = "Output")]
    pub prune: bool,

    /// Wait at the end of the run until everything it wrote is on the disk
    ///
    /// So that outputs survive a power failure. Without it, the system writes to the disk when it sees fit.
    #[arg(long, help_heading = "Output")]
    pub sync: bool,

    /// Keep references to other files inside this directory
    ///
    /// A reference that leads out of it is an error. By default it is each PATH, or the directory of a PATH that is a
    /// file.
    #[arg(long, value_name = "DIR", value_parser = place(), help_heading = "Running")]
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
    /// The part of an input is chosen by a hash of its path, so it stays the same when other inputs come or go.
    #[arg(long, value_name = "I/N", help_heading = "Running")]
    pub shard: Option<Shard>,

    /// Take the inputs from a list, a path a line, and search no directory; `-` is standard input
    ///
    /// The paths are relative to PATH, by default the current directory, and lie below it; outputs are named as if a search of it had
    /// found them. A shard keeps only what is its own.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "prune", "exclude", "no_ignore"], help_heading = "Running")]
    pub inputs_from: Option<PathBuf>,

    /// In the list of --inputs-from, NUL ends each path, as in the output of `find -print0`
    #[arg(short = '0', long, requires = "inputs_from", help_heading = "Running")]
    pub null: bool,

    /// Write a report to this file, `-` for standard output
    ///
    /// The report is one JSON object with all JSON lines and the summary. A file that is there must be a report or empty; links are followed, and pipes and
    /// devices are written to. With `-` the summary for people goes to standard error.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Write a page about the run to this file, for a browser
    ///
    /// The page lists all outputs with their errors and warnings, to search, filter and sort; it needs no network. It is one
    /// file; data beyond 1 MiB goes to the directory FILE.data, which the page loads it from. A file that is there must be
    /// such a page or empty.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write what each output was made of to this file, as rules of Make; `-` for standard output
    ///
    /// As compilers write it with -MD and -MP: Make includes the file, and Ninja reads it with `deps = gcc`. Its name ends in `.d`. It is written at the end
    /// of a run without failures, also if no output has changed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "check", "watch"], value_parser = dependency_file)]
    pub depfile: Option<PathBuf>,

    /// Size of the pictures on that page in pixels, 0 for none
    ///
    /// By default it is 160 if there are at most 1000 inputs, else 0.
    #[arg(long, value_name = "PIXELS", requires = "html", value_parser = clap::value_parser!(u16).range(0..=512))]
    pub thumbnails: Option<u16>,

    /// Largest model that page opens in the viewer, such as 16M; 0 for none
    ///
    /// With a model, the page shows an input in all its poses or animations, skinned on the GPU as `rigy-batch view` does.
    /// The models of all inputs that have not failed are made during the run and lie in FILE.data, a file for each, with
    /// a page of 0.6 MB for the viewer. By default it is 32M if there are at most 50 inputs, else 0.
    #[arg(long, value_name = "SIZE", requires = "html", value_parser = size_or_none)]
    pub models: Option<u64>,

    /// Report how long inputs took
    ///
    /// JSON lines get a field `seconds`, and the summary gets figures for each stage and the slowest inputs.
    #[arg(long)]
    pub timings: bool,

    /// Show each warning, also those that differ in their files only, and with -n each output
    ///
    /// Otherwise warnings with the same code and message are shown once, at the end of the run, with their number and the first files. Reports
    /// and formats for programs always have each.
    #[arg(long)]
    pub verbose: bool,

    /// Warnings that fail their input: codes such as W07, or all
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = warnings)]
    pub warn_as_error: Vec<Vec<Code>>,

    /// Warnings that are neither shown nor counted: codes or all
    ///
    /// A code in both lists is allowed.
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = warnings)]
    pub allow_warnings: Vec<Vec<Code>>,

    /// Memory for all inputs in progress, such as 512M or 2G
    ///
    /// The memory of an input is estimated, and this is no hard limit: an input that needs more is processed alone. Units are K,
    /// M, G and T, powers of 1024. The default is half of the
    /// memory of the machine, or of the smallest limit of the process and its control groups, and at least 16M.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Resources")]
    pub memory: Option<u64>,

    #[command(flatten)]
    pub limit: LimitArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub source: ConfigurationArgs,

    #[command(flatten)]
    pub common: Common,
}

/// Options of commands that search directories for inputs.
#[derive(clap::Args)]
pub struct SearchArgs {
    /// Leave out inputs that match a glob; may be repeated
    ///
    /// Globs have the syntax of `.gitignore` and are relative to each PATH: `old/` is every directory of this name, `/old/` the one
    /// in the PATH itself, `drafts/**` everything below a directory. A glob that begins with `!` takes back what an earlier one
    /// leaves out. A file that is named as a PATH is always an input.
    #[arg(long, value_name = "GLOB", value_parser = glob, help_heading = "Running")]
    pub exclude: Vec<String>,

    /// Also take inputs that ignore files name, and those in node_modules
    ///
    /// Without it, inputs are left out that `.gitignore` (in a git repository), `.ignore` or `.rigyignore` names, and directories called
    /// node_modules are not searched.
    #[arg(long, help_heading = "Running")]
    pub no_ignore: bool,
}

impl SearchArgs {
    /// Returns what a search leaves out; `outputs` are directories that outputs go to.
    pub fn skips(&self, outputs: Vec<PathBuf>) -> Skips {
        Skips {
            outputs,
            excludes: self.exclude.clone(),
            ignored: !self.no_ignore,
        }
    }
}

/// Reads a glob.
pub fn glob(text: &str) -> Result<String, String> {
    check_glob(text).map(|()| text.to_owned())
}
