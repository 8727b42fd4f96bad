//! The arguments of `plan`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::cli::common_args::Format;
use crate::run::plan::{Prices, TaskShape, Wanted};

/// Say how much work a run is, into how many shards it is best divided, and what that costs
///
/// A sample of the inputs is compiled or baked on one thread of this machine, without writing anything, and scaled to all inputs. The
/// ranges are two standard errors of the sample to both sides: they say how much inputs differ, not how much machines do. The
/// time to write outputs is not measured.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch plan models/ --minutes 5 --inputs-to inputs.list\n  \
rigy-batch --inputs-from inputs.list --shard 0/40 -o out/ --report 0.json\n  \
rigy-batch plan models/ --bake --shards 100 --prices core-hour=0.04,put-1000=0.005 -- -o out/ --animation all\n\n\
Exit status: 0 planned, 1 a directory cannot be searched or standard output failed, 2 could not start, 75 failed for a reason that may pass."
)]
pub struct Plan {
    /// Directories to search for the inputs of the run, or files
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Plan a run of `bake`, over glTF files
    #[arg(long)]
    pub bake: bool,

    /// Divide the run into this many shards
    #[arg(long, value_name = "N", conflicts_with = "minutes", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub shards: Option<u64>,

    /// Divide the run into shards of about this many minutes [default: 5]
    #[arg(long, value_name = "M", value_parser = positive)]
    pub minutes: Option<f64>,

    /// Processors of each task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub cores: u32,

    /// Seconds that a task takes before its first input
    ///
    /// That is what the engine takes to start the program once the task has its processors, and what the program takes to read the list of
    /// inputs: about four seconds for ten million.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = not_negative)]
    pub task_start: f64,

    /// Inputs that are measured, about
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub sample: u32,

    /// Prices, such as spot:core-hour=0.02,put-1000=0.005,get-1000=0.0004,gb-month=0.02; may be repeated
    ///
    /// An hour of a processor, a thousand requests that write or read an object, a month of 10⁹ bytes. A name before them tells engines
    /// apart. There are no prices by default.
    #[arg(long, value_name = "[ENGINE:]NAME=PRICE,...")]
    pub prices: Vec<Prices>,

    /// Write the list of inputs to this file, for --inputs-from
    ///
    /// It takes directories as PATHs. Outputs that would clash are found now, by the options after `--`; a shard that reads the list
    /// compares only its own.
    #[arg(long, value_name = "FILE")]
    pub inputs_to: Option<PathBuf>,

    /// Standard output: text (human) or one JSON object (json)
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    pub format: Format,

    /// Print no progress bar
    #[arg(short, long)]
    pub quiet: bool,

    /// Options of the run
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<OsString>,
}

impl Plan {
    /// Returns the shards that are wanted.
    pub fn wanted(&self) -> Wanted {
        match self.shards {
            Some(count) => Wanted::Shards(count),
            None => Wanted::Minutes(self.minutes.unwrap_or(5.0)),
        }
    }

    /// Returns what each task has.
    pub fn task(&self) -> TaskShape {
        TaskShape {
            cores: self.cores,
            start: self.task_start,
        }
    }

    /// Returns the command line of the run that is planned.
    pub fn run(&self) -> Vec<OsString> {
        let words = ["rigy-batch"]
            .into_iter()
            .chain(self.bake.then_some("bake"));
        let words = words
            .map(OsString::from)
            .chain(self.options.iter().cloned());
        let paths = self.paths.iter().map(|path| path.as_os_str().to_owned());
        words.chain(["--".into()]).chain(paths).collect()
    }
}

/// Reads a positive number.
fn positive(text: &str) -> Result<f64, String> {
    let number = not_negative(text)?;
    match number > 0.0 {
        true => Ok(number),
        false => Err("it must be greater than 0".into()),
    }
}

/// Reads a number that is 0 or more.
fn not_negative(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x >= 0.0);
    number.ok_or_else(|| "not a number that is 0 or more".into())
}
