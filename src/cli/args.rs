//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::bake_args::Bake;
use super::batch_args::{Batch, Common, Format, Threads, named_isa};
use crate::kernel::simd::Isa;
use crate::run::batch::PoseFilter;

/// Turn directories of Rigy documents into GLBs: the rest pose with its skin, and every pose baked into plain
/// meshes, in parallel and with the same bytes on every machine.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "For each document stem.rigy.yaml, writes stem.glb (rest pose, skin kept) and stem.<pose>.glb for \
each of its poses (posed vertices, skin removed). A document with an error writes nothing; the others go on.\n\n\
Examples:\n  rigy-batch models/                 outputs beside their inputs\n  \
rigy-batch models/ -o out/         outputs below out/, in the same tree\n  \
rigy-batch models/ --poses none    only the rest pose\n  \
rigy-batch models/ --format json   one JSON object per output, then a summary\n  \
rigy-batch bake models/ -o out/    skinned glTF files instead (see `rigy-batch bake --help`)\n  \
rigy-batch models/ -o out/ --shard 0/4 --report 0.json      a quarter of it, here\n  \
rigy-batch merge-reports *.json -o all.json\n  \
rigy-batch verify conformance/manifest.json\n  \
rigy-batch bench                   how fast is this machine at it\n\n\
Exit status: 0 all good, 1 some input failed, 2 could not start, 130 interrupted."
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub documents: Documents,

    /// Print a completion script for a shell and exit
    #[arg(long, value_name = "SHELL")]
    pub completions: Option<clap_complete::Shell>,

    /// Print the manual page of the program, or of one of its commands, and exit
    #[arg(long, value_name = "COMMAND", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub man: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run conformance manifests and compare every output byte for byte
    Verify(Verify),

    /// Bake skinned glTF files into plain meshes
    Bake(Box<Bake>),

    /// Put the reports of shards together to that of the whole
    MergeReports(MergeReports),

    /// Measure how fast this machine poses vertices, beside a copy of as many bytes
    Bench(Bench),
}

#[derive(Debug, clap::Args)]
pub struct Documents {
    /// Directories to search for *.rigy.yaml and *.rigy.yml (hidden directories are skipped, links not
    /// followed), or documents of any name
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Poses to bake: all, none, or ids separated by commas
    #[arg(long, value_name = "all|none|ID,...", default_value = "all")]
    pub poses: String,

    /// Beside each baked GLB, also write its vertices as canonical JSON, `stem.<pose>.positions.json`
    #[arg(long)]
    pub positions: bool,

    #[command(flatten)]
    pub batch: Batch,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The result is byte for byte what `--report` of one run over everything would have been, whatever the order of the \
arguments. A report that is missing, cut short, interrupted or given twice is an error, and nothing is written. Times that \
`--timings` has added stay with their lines; those of the summaries are left out.\n\n\
Exit status: 0 merged, 2 the reports do not go together."
)]
pub struct MergeReports {
    /// Reports written by --report, or JSON lines
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,

    /// Write here [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct Verify {
    /// Manifests in the format of the published conformance suite
    #[arg(required = true, value_name = "MANIFEST")]
    pub manifests: Vec<PathBuf>,

    /// Run only the tests with these ids
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    pub only: Vec<String>,

    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Workloads, 64 joints each: random (four random joints for each vertex), ring (runs of 32 vertices \
with equal influences), mix (runs of 256 with one or two joints, closest to Rigy documents).\n\n\
Every case is checked bit for bit against scalar on one thread before it is timed, with one thread and with all. Cases take turns; times are \
medians. The ratio is the time over that of copying 88 bytes a vertex with as many threads: as many as a vertex with \
f32 positions and normals and four influences has in and out, though a copy both reads and writes each. Other work on \
the machine, and whether vertices fit its caches, change it. Up to 20000 vertices are not cut for threads, and only \
one is measured.\n\n\
Exit status: 0 measured, 1 a case gave other bits, 2 could not start."
)]
pub struct Bench {
    /// Vertices of each workload, 1 to 10000000; each takes about 0.4 kB
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub vertices: u32,

    /// About how long to measure, 1 to 3600, after preparing and checking; at least three rounds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub seconds: u16,

    #[command(flatten)]
    pub threads: Threads,

    /// What stdout carries: tables for people, or JSON lines for machines
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// No progress bar
    #[arg(short, long)]
    pub quiet: bool,

    /// Only this instruction set: scalar, baseline, avx2 or avx512 [default: every one the machine has;
    /// RIGY_BATCH_ISA also sets it]
    #[arg(long, value_name = "ISA")]
    pub isa: Option<String>,
}

impl Bench {
    /// The instruction sets to measure.
    pub fn instruction_sets(&self) -> Result<Vec<Isa>, super::Fatal> {
        let named = named_isa(self.isa.as_deref())?;
        Ok(named.map_or_else(Isa::available, |isa| vec![isa]))
    }
}

impl Documents {
    /// The poses asked for.
    pub fn pose_filter(&self) -> PoseFilter {
        match self.poses.as_str() {
            "all" => PoseFilter::All,
            "none" => PoseFilter::None,
            ids => PoseFilter::Ids(ids.split(',').map(str::to_owned).collect()),
        }
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
}
