//! The arguments of `unpack`.

use std::path::PathBuf;

use crate::cli::batch_values::DurabilityName;
use crate::cli::common_args::{Format, Threads};

/// Write the entries of packs as files, or list them
///
/// Packs are those that `--pack` has written. Every entry is compared with the hash in the index, and each file appears whole or not at all.
/// A file that has the right content already is left alone. A pack is refused as a whole if an entry leads out of the directory,
/// is a link or compressed, or if its archive and its index differ.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all good, 1 some pack or entry failed, 2 could not start, 75 failed for a reason that may pass.",
    after_long_help = "Examples:\n  rigy-batch unpack out/ -o files/                          all packs of a directory\n  \
rigy-batch unpack out/documents.packs.json -o files/      those of one list\n  \
rigy-batch unpack out/documents-00000.tar --list          the entries of one pack\n  \
rigy-batch unpack out/ -o files/ 'robots/**/*.glb'        some entries\n\n\
Exit status: 0 all good, 1 some pack or entry failed, 2 could not start, 75 failed for a reason that may pass."
)]
pub struct Unpack {
    /// A directory with packs, a list of packs (`*.packs.json`), or one pack (`*.tar`, `*.zip`)
    ///
    /// A directory must have all packs of a run, and of all its shards.
    #[arg(value_name = "PACKS")]
    pub packs: PathBuf,

    /// Only entries whose paths match one of these, in the syntax of `.gitignore`
    #[arg(value_name = "GLOB")]
    pub globs: Vec<String>,

    /// Write files below this directory
    #[arg(short, long, value_name = "DIR", required_unless_present = "list")]
    pub output: Option<PathBuf>,

    /// Write nothing, and print the entries
    #[arg(long, conflicts_with = "output")]
    pub list: bool,

    /// Flush files: none, batch (at the end) or file (each)
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = DurabilityName::None, hide_possible_values = true)]
    pub durability: DurabilityName,

    #[command(flatten)]
    pub threads: Threads,

    /// Standard output: a summary (human) or an object for each entry (json)
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    pub format: Format,

    /// Print no progress bar and no summary; errors remain
    #[arg(short, long)]
    pub quiet: bool,
}
