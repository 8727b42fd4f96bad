//! What can be typed after more than one command.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::base::diag::{Code, WarningPolicy};
use crate::base::limits::Limits;
use crate::io::Durability;
use crate::kernel::simd::Isa;
use crate::run::batch::{Options, Shard, ShardError, thread_count, thread_pool_of_at_most};

use super::memory::half_of_memory;
use super::report::ReportPlace;

/// How many to work with.
#[derive(Debug, clap::Args)]
pub struct Threads {
    /// Number of threads, 1 to 1024 [default: one per processor; RAYON_NUM_THREADS also sets it, within the same bounds, 0
    /// for one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

impl Threads {
    /// A pool of the threads asked for. If the system gives fewer, says so and works with these.
    ///
    /// # Errors
    /// `RAYON_NUM_THREADS` holds no number in its bounds, or the system gives not a single thread.
    pub fn pool(&self) -> Result<rayon::ThreadPool, super::Fatal> {
        let wanted = thread_count(self.jobs.map(usize::from))?;
        let pool = thread_pool_of_at_most(wanted)?;
        let count = pool.current_num_threads();
        if count < wanted {
            let threads = if count == 1 { "thread" } else { "threads" };
            super::complain_of(&format!(
                "works with {count} {threads} instead of {wanted}: the system starts no more; ask for fewer with `-j`, or \
                 raise the limit on processes (`ulimit -u`) or on memory (`ulimit -v`)"
            ));
        }
        Ok(pool)
    }
}

/// How to talk, and what with.
#[derive(Debug, clap::Args)]
pub struct Common {
    #[command(flatten)]
    pub threads: Threads,

    /// What stdout carries: a summary for people, or JSON lines for machines
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// No progress bar and no summary; diagnostics remain
    #[arg(short, long)]
    pub quiet: bool,

    /// Instruction set of the kernel: scalar, baseline, avx2 or avx512 (all give the same bytes)
    /// [default: the widest there is; RIGY_BATCH_ISA also sets it]
    #[arg(long, value_name = "ISA")]
    pub isa: Option<String>,

    /// Read large files into memory instead of mapping them
    #[arg(long)]
    pub no_mmap: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
}

/// How a batch of inputs is done.
#[derive(Debug, clap::Args)]
pub struct Batch {
    /// Write below this directory, mirroring the input tree [default: beside the inputs]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Directory that references to other files may not leave [default: each PATH, or its parent]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Also write the JSON lines and the summary, as one JSON object, to this file, or with `-` to standard output instead of
    /// the summary for people. A file that is there must be a report; links are followed, and pipes and devices written to
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Say how long inputs took: `seconds` in JSON lines, and figures by stage with the slowest inputs in the summary
    #[arg(long)]
    pub timings: bool,

    /// Rewrite outputs that already have the right content
    #[arg(long)]
    pub force: bool,

    /// Do everything but write
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Write nothing; exit with 1 if anything would change
    #[arg(long)]
    pub check: bool,

    /// Stay, and do again what a change of a file touches, those that import it included, until Ctrl-C
    #[arg(long, conflicts_with_all = ["dry_run", "check"])]
    pub watch: bool,

    /// When outputs are forced onto the disk, so that not even a power cut takes them back: when the system sees fit,
    /// all together in the end, or each file before it replaces another (20 to 50 times slower)
    #[arg(long, value_enum, default_value_t = DurabilityName::None)]
    pub durability: DurabilityName,

    /// Start no further inputs after the first failure
    #[arg(long)]
    pub fail_fast: bool,

    /// Warnings that fail their input, by code (W01 to W12), or all
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = warnings)]
    pub warn_as_error: Vec<Warnings>,

    /// Warnings that are neither shown nor counted, by code, or all; this goes before --warn-as-error
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = warnings)]
    pub allow_warnings: Vec<Warnings>,

    /// Do only a part of the inputs, number I of N, counted from 0: by hash of the path, so it stays the same when others
    /// come or go. `auto`: ask Slurm, Kubernetes (with JOB_COMPLETIONS set) or AWS Batch which one this is
    #[arg(long, value_name = "I/N|auto")]
    pub shard: Option<String>,

    /// Memory that inputs may take together, by estimate, such as 512M or 2G; a larger one is done alone
    /// [default: half of the memory of the machine, or of the smallest limit of the process and its control groups]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,

    /// Limits on each input, such as bytes=4M,depth=32. There are: bytes (of YAML) [16M], depth (of its nesting) [128],
    /// aliases (bytes with aliases written out; ten times its own are always allowed) [8M], joints (of a skin) [65535],
    /// vertices (of an output) [4294967295]
    #[arg(long, value_name = "NAME=N,...", value_delimiter = ',', value_parser = limit)]
    pub limit: Vec<String>,

    #[command(flatten)]
    pub common: Common,
}

/// Which part of the inputs to do.
fn shard(text: &str) -> Result<Shard, ShardError> {
    Shard::parse(text, |name| std::env::var(name).ok())
}

/// Reads a number of bytes: digits, and K, M, G or T for powers of 1024.
fn size(text: &str) -> Result<u64, String> {
    let end = text.trim_end_matches(|c: char| !c.is_ascii_digit()).len();
    let (digits, unit) = text.split_at(end);
    let unit = unit.to_ascii_uppercase();
    let shift = match unit.strip_suffix("IB").unwrap_or(&unit) {
        "" | "B" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        "T" => Some(40),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number
        .zip(shift)
        .and_then(|(number, shift)| number.checked_mul(1 << shift));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "not a size; write a number of bytes, or 512M, or 2G".into())
}

/// A limit that can be set.
fn limit(text: &str) -> Result<String, String> {
    let mut limits = Limits::DEFAULT;
    limits.set(text, size).map(|()| text.to_owned())
}

/// When outputs are forced onto the disk, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DurabilityName {
    None,
    Batch,
    File,
}

impl From<DurabilityName> for Durability {
    fn from(name: DurabilityName) -> Self {
        match name {
            DurabilityName::None => Self::None,
            DurabilityName::Batch => Self::Batch,
            DurabilityName::File => Self::File,
        }
    }
}

/// One warning, or every one.
#[derive(Clone, Copy, Debug)]
pub enum Warnings {
    All,
    One(Code),
}

/// Reads the code of a warning.
fn warnings(name: &str) -> Result<Warnings, String> {
    if name == "all" {
        return Ok(Warnings::All);
    }
    let code = Code::named(name).filter(|code| code.is_warning());
    code.map(Warnings::One).ok_or_else(|| {
        let names: Vec<&str> = Code::warnings().map(Code::name).collect();
        format!("there is no such warning; there are {}", names.join(", "))
    })
}

impl Warnings {
    /// The codes of a list.
    fn codes(list: &[Self]) -> Vec<Code> {
        let codes = list.iter().flat_map(|one| -> Vec<Code> {
            match one {
                Self::All => Code::warnings().collect(),
                Self::One(code) => vec![*code],
            }
        });
        codes.collect()
    }
}

/// The instruction set asked for by option or environment.
pub fn named_isa(option: Option<&str>) -> Result<Option<Isa>, super::Fatal> {
    let environment = std::env::var("RIGY_BATCH_ISA").ok();
    let environment = environment.filter(|name| !name.is_empty());
    let name = option.map(str::to_owned).or(environment);
    Ok(name.map(|name| Isa::named(&name)).transpose()?)
}

impl Common {
    /// The instruction set asked for, else the widest there is.
    pub fn isa(&self) -> Result<Isa, super::Fatal> {
        Ok(named_isa(self.isa.as_deref())?.unwrap_or_else(Isa::best))
    }
}

impl Batch {
    /// What is asked for about warnings.
    fn warning_policy(&self) -> WarningPolicy {
        WarningPolicy {
            allowed: Warnings::codes(&self.allow_warnings),
            errors: Warnings::codes(&self.warn_as_error),
        }
    }

    /// Refuses JSON lines and a report that would both go to standard output.
    ///
    /// # Errors
    /// If both would.
    pub fn refuse_two_on_standard_output(
        &self,
        report: Option<&ReportPlace>,
    ) -> Result<(), super::Fatal> {
        let is_report = report.is_some_and(ReportPlace::is_standard_output);
        if is_report && self.common.format == Format::Json {
            return Err("`--format json` and the report would both go to standard output; leave one of them out, or name a file after `--report`".into());
        }
        Ok(())
    }

    /// Whether everything is done but writing.
    pub fn writes_nothing(&self) -> bool {
        self.dry_run || self.check
    }

    /// The limits on each input.
    fn limits(&self) -> Result<Limits, String> {
        let mut limits = Limits::DEFAULT;
        for text in &self.limit {
            limits.set(text, size)?;
        }
        Ok(limits)
    }

    /// The options that all inputs share.
    pub fn options(&self) -> Result<Options, super::Fatal> {
        let common = &self.common;
        Ok(Options {
            output: self.output.clone(),
            root: self.root.clone(),
            force: self.force,
            dry_run: self.writes_nothing(),
            fail_fast: self.fail_fast,
            warnings: self.warning_policy(),
            hash: common.format == Format::Json || self.report.is_some(),
            map: !common.no_mmap,
            durability: self.durability.into(),
            isa: common.isa()?,
            memory: self.memory.unwrap_or_else(half_of_memory),
            limits: self.limits()?,
            shard: self.shard.as_deref().map(shard).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_powers_of_1024() {
        for (text, bytes) in [
            ("1", 1),
            ("512M", 512 << 20),
            ("2g", 2 << 30),
            ("3KiB", 3072),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "G", "-1", "1.5G", "2X", "99999999T", "2 G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
