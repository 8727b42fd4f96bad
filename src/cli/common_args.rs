//! Arguments of all commands that process inputs.

use super::formats::OutcomeFormat;
use super::printer::plural;
use super::status::Fatal;
use crate::run::batch::{PoseFilter, thread_count, thread_pool_of_at_most};
use clap::ValueEnum;
use rigy_base::limits::Limits;
use rigy_kernel::simd::Isa;

/// The number of threads.
#[derive(clap::Args)]
pub struct Threads {
    /// Number of threads, 1 to 1024 [default: one for each processor]
    ///
    /// The environment variable RAYON_NUM_THREADS also sets it, within the same bounds; 0 there means one for each
    /// processor.
    #[arg(short, long, value_name = "N", value_parser = thread_count_value, help_heading = "Running")]
    pub jobs: Option<u16>,
}

/// Reads `--jobs`.
fn thread_count_value(text: &str) -> Result<u16, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=1024).contains(count))
        .ok_or_else(|| {
            "there can be 1 to 1024 threads; leave the option out for one for each processor".into()
        })
}

impl Threads {
    /// Returns a pool with the requested number of threads. If the system gives fewer, prints a message and uses these.
    ///
    /// # Errors
    /// `RAYON_NUM_THREADS` holds no number in its bounds, or the system gives not a single thread.
    pub fn pool(&self) -> Result<rayon::ThreadPool, Fatal> {
        let requested = thread_count(self.jobs.map(usize::from))?;
        let pool = thread_pool_of_at_most(requested)?;
        let count = pool.current_num_threads();
        if count < requested {
            super::messages::print_message(&format!(
                "works with {} instead of {requested}: the system starts no more; ask for fewer with `-j`, or \
                 raise the limit on processes (`ulimit -u`) or on memory (`ulimit -v`)",
                plural(count, "thread"),
            ));
        }
        Ok(pool)
    }
}

/// The limits on inputs.
#[derive(Debug, clap::Args)]
pub struct LimitArgs {
    /// Limits on each input, such as bytes=4M,depth=32
    ///
    /// bytes: YAML text [1M]; depth: its nesting [128]; aliases: bytes with all aliases written out, of which ten times the
    /// text's own are always allowed [8M]; joints: of a skin [65535]; vertices: of an output [4294967295]; work: steps for an
    /// output or an answer, of about 2.5 ns each [4G]
    #[arg(long, value_name = "NAME=N,...", value_delimiter = ',', value_parser = limit, help_heading = "Resources")]
    limit: Vec<String>,
}

/// Checks one item of `--limit`.
fn limit(text: &str) -> Result<String, String> {
    Limits::of([text]).map(|_| text.to_owned())
}

impl LimitArgs {
    pub fn limits(&self) -> Result<Limits, String> {
        Limits::of(self.limit.iter().map(String::as_str))
    }
}

/// The instruction set.
#[derive(clap::Args)]
pub struct IsaName {
    #[arg(
        long,
        value_name = "ISA",
        help_heading = "Resources",
        help = isa_help("Instruction set of the kernel"),
        long_help = format!(
            "{}\n\nAll give the same bytes. The default is the widest that the machine has. The environment variable \
             RIGY_BATCH_ISA also sets it.",
            isa_help("Instruction set of the kernel"),
        )
    )]
    isa: Option<String>,
}

impl IsaName {
    /// Returns the named instruction set, else the widest of the machine.
    pub fn or_best(&self) -> Result<Isa, Fatal> {
        isa_or_best(self.isa.as_deref())
    }
}

/// Options of all commands that process inputs.
#[derive(clap::Args)]
pub struct Common {
    #[command(flatten)]
    pub threads: Threads,

    /// Standard output: human, json, github, sarif or junit
    ///
    /// human: a summary, or a table; json: an object for each output; github: workflow
    /// commands, which GitHub Actions shows at the lines of files; sarif and junit: one document in SARIF 2.1.0 or JUnit XML.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutcomeFormat::Human, hide_possible_values = true, help_heading = "Messages and reports")]
    pub format: OutcomeFormat,

    /// Print no progress bar and no summary; diagnostics remain
    #[arg(short, long, help_heading = "Messages and reports")]
    pub quiet: bool,

    #[command(flatten)]
    pub isa: IsaName,

    /// Read large files into memory instead of mapping them
    #[arg(long, help_heading = "Resources")]
    pub no_mmap: bool,
}

/// Returns a line of help that ends in the names of all instruction sets.
pub fn isa_help(text: &str) -> String {
    format!("{text}: {}", Isa::NAMES.join(", "))
}

/// The text on standard output of commands that have results of their own.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A summary or tables
    Human,
    /// One JSON object on each line
    Json,
}

/// Returns the instruction set that the option names, else the one that the environment names, if any.
pub fn named_isa(option: Option<&str>) -> Result<Option<Isa>, Fatal> {
    let environment = std::env::var("RIGY_BATCH_ISA")
        .ok()
        .filter(|name| !name.is_empty());
    let name = option.map(str::to_owned).or(environment);
    Ok(name.map(|name| Isa::named(&name)).transpose()?)
}

/// Returns the named instruction set, as [`named_isa`] does, else the widest of the machine.
pub fn isa_or_best(option: Option<&str>) -> Result<Isa, Fatal> {
    Ok(named_isa(option)?.unwrap_or_else(Isa::best))
}

/// The values of `--poses` and `--pose` that are no ids and stand alone.
pub const POSE_WORDS: [&str; 2] = ["all", "none"];

/// Returns the filter that `--poses` or `--pose` names: `all`, `none`, or ids separated by commas.
pub fn pose_filter(text: &str) -> PoseFilter {
    match text {
        "all" => PoseFilter::All,
        "none" => PoseFilter::None,
        ids => PoseFilter::Ids(ids.split(',').map(str::to_owned).collect()),
    }
}
