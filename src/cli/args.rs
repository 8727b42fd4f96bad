//! The arguments of the program and of its smaller commands.

use std::path::PathBuf;

use clap::{Args as _, Parser, Subcommand};

use super::bake_args::Bake;
use super::batch_args::Batch;
use super::color::ColorName;
use super::common_args::{Common, Format, LimitArgs, Threads, isa_help, named_isa};
use super::diff::{Diff, tolerance};
use super::explain::Explain;
use super::init::Init;
use super::inspect::Inspect;
use super::palette::Palette;
use super::places::place;
use crate::run::batch::OutputFormat;
use rigy_kernel::simd::Isa;

/// Bake skeletons away: skinned glTF files (with `bake`) and Rigy documents become plain meshes
///
/// For each document `stem.rigy.yaml` and each scene `stem.rigs.yaml`, writes `stem.glb` (rest pose, skin kept) and `stem.<pose>.glb` for each of its poses
/// (posed vertices, skin removed), in parallel and with the same bytes on every machine. Inputs that have not changed since
/// the last run are skipped. A document with an error writes nothing; the others are processed. Skinned glTF files have a command of their own: see `rigy-batch bake --help`.
#[derive(Parser)]
#[command(
    version,
    long_version = super::manual::long(),
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    hide_possible_values = true,
    after_help = "`rigy-batch --help` has all options and commands, `rigy-batch COMMAND -h` those of a command.",
    after_long_help = "Examples:\n  rigy-batch models/                 write outputs beside their inputs\n  \
rigy-batch models/ -o out/         write outputs below out/, in the tree of the inputs\n  \
rigy-batch models/ --poses none    write only the rest pose\n  \
rigy-batch models/ --format json   print one JSON object for each output, then a summary\n  \
rigy-batch bake models/ -o out/    bake skinned glTF files\n  \
rigy-batch models/ -o out/ --shard 0/4 --report 0.json      process a quarter of the inputs\n  \
rigy-batch merge-reports *.json -o all.json                 combine the reports of all shards\n  \
rigy-batch verify conformance/manifest.json                 compare outputs with goldens\n  \
rigy-batch bench                   measure the kernel on this machine\n\n\
Exit status: 0 all good, 1 some input failed (with --check: or an output would change), 2 could not start, 75 failed for a reason that may pass (disk full, no memory, a network file system), 130 interrupted."
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub documents: Documents,

    #[command(flatten)]
    pub program: Program,
}

/// Options of the program, whatever it does.
#[derive(clap::Args)]
pub struct Program {
    /// Colours of messages: auto, always or never
    ///
    /// auto: where standard error is a terminal, unless NO_COLOR is set, CLICOLOR is 0 or TERM is dumb; CLICOLOR_FORCE colours
    /// what goes to files and pipes, too. Help and errors in the command line follow the same choice.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        help_heading = "Messages and reports"
    )]
    pub color: Option<ColorName>,

    /// Print a completion script for a shell and exit
    #[arg(long, value_name = "SHELL", help_heading = "Program")]
    pub completions: Option<clap_complete::Shell>,

    /// Print the manual page of the program, or of a command, and exit
    #[arg(long, value_name = "COMMAND", num_args = 0..=1, require_equals = true, default_missing_value = "", help_heading = "Program")]
    pub man: Option<String>,
}

/// The commands. Their help is that of the structs: a comment on a variant would replace it.
#[derive(Subcommand)]
pub enum Command {
    Bake(Box<Bake>),
    Verify(Verify),
    Diff(Diff),
    Inspect(Inspect),
    Palette(Palette),
    Explain(Explain),
    Init(Init),
    MergeReports(MergeReports),
    Bench(Bench),
    Fmt(super::fmt::Fmt),
    Schema(super::schema::Schema),
    Lsp(super::lsp::Lsp),
    Preview(Box<super::preview::Preview>),
    View(super::view::View),
}

#[derive(clap::Args)]
pub struct Documents {
    /// Directories to search for *.rigy.yaml and *.rigs.yaml, or documents and scenes
    ///
    /// Names that end in `.yml` are found, too. Hidden directories are skipped and links are not followed. A document that is named here may have any name.
    /// `-` is one document on standard input, which stands alone and takes `-o FILE.glb` or `-o -`; what it refers to is relative to
    /// `--root`, or else to the current directory. A pipe is read likewise. `file://` URLs are paths.
    #[arg(required_unless_present_any = ["completions", "man", "inputs_from"], value_name = "PATH", value_parser = place())]
    pub paths: Vec<PathBuf>,

    /// Poses to bake: all, none, or ids separated by commas
    #[arg(
        long,
        value_name = "all|none|ID,...",
        default_value = "all",
        help_heading = "Output"
    )]
    pub poses: String,

    /// Also write posed vertices as canonical JSON
    ///
    /// The file is `stem.<pose>.positions.json`, beside the baked GLB.
    #[arg(long, help_heading = "Output")]
    pub positions: bool,

    /// Put instances into the files of poses, too
    ///
    /// Imported parts stand at rest in their places, meshes of the document as they are posed. Without it they are left out, with a
    /// warning (W06); the rest pose always has them.
    #[arg(long, help_heading = "Output")]
    pub with_instances: bool,

    /// Make all materials double-sided
    #[arg(long, help_heading = "Output")]
    pub double_sided: bool,

    /// Turn triangles so that all are counter-clockwise seen from outside
    ///
    /// The language winds the triangles of most curved shapes clockwise, so that viewers which hide back faces show their insides. With
    /// this option outputs are no longer those of the language, byte for byte.
    #[arg(long, help_heading = "Output")]
    pub outward: bool,

    /// Write the document after preprocessing as YAML, - for standard output
    ///
    /// Repeats, params, expressions and macros, aliases and merge keys are written out; comments say which repeat or macro
    /// made a block. The file `stem.expanded.yaml` goes below DIR (named as after -o), at the place of the document below its PATH. In the place
    /// of the document it compiles to the same bytes. Scenes are left out. With `-` the summary goes to standard error.
    #[arg(long, value_name = "DIR|-", help_heading = "Output")]
    pub emit_expanded: Option<PathBuf>,

    /// With --emit-expanded: also for documents with errors
    ///
    /// A document is expanded if preprocessing has found no error in it, whatever later checks have found.
    #[arg(long, requires = "emit_expanded", help_heading = "Output")]
    pub emit_on_error: bool,

    #[command(flatten)]
    pub batch: Batch,
}

/// Combine the reports of shards into the report of the whole run
///
/// The result is byte for byte what `--report` of one run over all inputs would have been, whatever the order of the
/// arguments. A report that is missing, incomplete, interrupted or given twice is an error, and nothing is written. Times
/// that `--timings` has added stay with their lines; those of the summaries are left out.
#[derive(clap::Args)]
#[command(after_long_help = "Exit status: 0 merged, 2 the reports do not belong together.")]
pub struct MergeReports {
    /// Reports written by --report, or JSON lines
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,

    /// Write to this file, as in all.json [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Run conformance manifests and compare every output byte for byte
///
/// Documents are compiled, and what comes out is compared with the goldens that a manifest names. With `--against` nothing is
/// compiled that has a golden: the files of another implementation are compared instead.
#[derive(clap::Args)]
#[command(
    after_long_help = "Exit status: 0 all passed, 1 some test failed, 2 could not start, 75 failed for a reason that may pass."
)]
pub struct Verify {
    /// Manifests in the format of the published conformance suite
    #[arg(required = true, value_name = "MANIFEST")]
    pub manifests: Vec<PathBuf>,

    /// Run only the tests with these ids
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Compare the outputs of another implementation in this directory
    ///
    /// They are named as the manifest names its goldens, with or without their directories, or as rigy-batch names its
    /// outputs. For a document that must be refused there must be no output.
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,

    /// Largest distance of vertices that passes, in model units
    ///
    /// Without it, files must have the same bytes. All other numbers of a file may differ by as much; names, counts and the
    /// like must be the same.
    #[arg(long, value_name = "X", value_parser = tolerance, requires = "against", allow_negative_numbers = true)]
    pub tolerance: Option<f64>,

    #[command(flatten)]
    pub limit: LimitArgs,

    #[command(flatten)]
    pub common: Common,
}

/// Measure how fast this machine poses vertices, compared with memcpy
///
/// There are three workloads with 64 joints each: random (four random joints for each vertex), ring (runs of 32 vertices
/// with equal influences) and mix (runs of 256 with one or two joints, closest to Rigy documents).
///
/// Every case is first checked bit for bit against the scalar kernel on one thread, then timed on one thread and on all.
/// The cases are timed in turn and the times are medians. The ratio is the time over that of copying 88 bytes for each
/// vertex with as many threads: a vertex with f32 positions and normals and four influences has as many bytes in and out.
/// The speed of such a copy differs between machines by a factor of four, so there are cycles, too: the time by the clock of
/// a core, which is measured by a chain of operations of known latency. Other work on the machine changes all of this, and
/// so does the size: 10000 vertices fit in a cache, 1000000 in none. Meshes of up to 20000 vertices are not divided among
/// threads, so only one thread is measured.
#[derive(clap::Args)]
#[command(
    after_long_help = "Exit status: 0 measured, 1 a case gave other bits, 2 could not start."
)]
pub struct Bench {
    /// Vertices of each workload, 1 to 10000000, or several such numbers: 10000 fit in a cache, 1000000 in none; each
    /// vertex takes about 0.4 kB
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [10_000, 1_000_000], value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub vertices: Vec<u32>,

    /// Time to measure in seconds, 1 to 3600, of which each number of vertices has a part; there are at least three rounds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub seconds: u16,

    #[command(flatten)]
    pub threads: Threads,

    /// Standard output: tables (human) or JSON lines (json)
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Print no progress bar
    #[arg(short, long)]
    pub quiet: bool,

    #[arg(long, help = isa_help("Measure only this instruction set"), long_help = format!(
            "{}\n\nBy default every instruction set of the machine is measured. The environment variable RIGY_BATCH_ISA \
             also sets it.",
            isa_help("Measure only this instruction set"),
        ))]
    pub isa: Option<String>,
}

impl Args {
    /// Returns the definition of the options without the commands, which are most of the work of defining all.
    pub fn of_documents() -> clap::Command {
        Program::augment_args(Documents::augment_args(clap::Command::new("rigy-batch")))
    }

    /// Returns the options of the command that it shares with others that write outputs, and its paths. A command that does not have them
    /// gets those of the main command, as if none were given.
    pub fn batch(&mut self) -> (&mut Batch, &mut Vec<PathBuf>) {
        match &mut self.command {
            Some(Command::Bake(bake)) => (&mut bake.batch, &mut bake.paths),
            _ => (&mut self.documents.batch, &mut self.documents.paths),
        }
    }
}

impl Bench {
    /// Returns the instruction sets to measure.
    pub fn instruction_sets(&self) -> Result<Vec<Isa>, super::status::Fatal> {
        let named = named_isa(self.isa.as_deref())?;
        Ok(named.map_or_else(Isa::available, |isa| vec![isa]))
    }
}

impl Documents {
    /// Returns the formats in which poses are written.
    pub fn formats(&self) -> Vec<OutputFormat> {
        let positions = self.positions.then_some(OutputFormat::Positions);
        std::iter::once(OutputFormat::Glb)
            .chain(positions)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_definition_without_commands_has_the_same_options() {
        // Commands are counted in the order of the help.
        let text = |argument: &clap::Arg| format!("{:?}", argument.clone().display_order(0));
        let all =
            |command: clap::Command| -> Vec<String> { command.get_arguments().map(text).collect() };
        assert_eq!(all(Args::of_documents()), all(Args::command()));
    }
}
