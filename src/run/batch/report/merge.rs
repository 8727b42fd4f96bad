//! Reports of shards, put together to what one run over everything would have written.
//!
//! A run does its inputs in the order of their paths ([`Batch::new`](super::Batch::new)), and each line names its
//! input: so the lines of every report are sorted, and merging sorted lists gives the list of the whole run. Only the
//! next line of each report is held, and a hash of every output, to notice two inputs that claim the same one.

use std::collections::{BTreeMap, HashSet, btree_map};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};

use super::merge_error::{MergeError, MergeFault};
use super::reader::{Item, Lines};
use super::summary::{LastLine, Summary};
use super::writer::ReportWriter;
use crate::run::batch::outcome::Status;

/// One report to be merged.
pub struct Report<R> {
    name: String,
    lines: Lines<R>,
    /// The next line.
    next: Option<Entry>,
    /// The input of the line before it.
    previous: Option<PathBuf>,
    counts: Summary,
    last: Option<End>,
}

/// A line and what has to be known of it.
struct Entry {
    input: PathBuf,
    text: String,
    output: Option<String>,
}

#[derive(Deserialize)]
struct Line {
    input: String,
    output: Option<String>,
    status: Status,
    warnings: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct End {
    summary: Summary,
    shard: Option<String>,
    #[serde(default)]
    interrupted: bool,
}

/// Merges reports, in whatever order they are given, and JSON lines with them. `output` is what `out` is called.
///
/// # Errors
/// A report that is not whole, shards that are missing, inputs or outputs that stand in two reports. What has been
/// written by then is worthless.
pub fn merge_reports<R: BufRead>(
    inputs: Vec<(String, R)>,
    output: &str,
    out: impl Write,
) -> Result<Summary, MergeError> {
    let mut reports = Vec::with_capacity(inputs.len());
    for (name, reader) in inputs {
        let mut report = Report::new(name, reader);
        report.advance()?;
        reports.push(report);
    }
    let failed = |error: io::Error| MergeError {
        report: output.into(),
        line: None,
        fault: MergeFault::Write(error),
    };
    let mut out = ReportWriter::begin(out).map_err(failed)?;
    let mut outputs: HashSet<[u8; 16]> = HashSet::new();
    // The input that comes next in each report.
    let mut waiting: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for index in 0..reports.len() {
        wait(&mut waiting, &reports, index)?;
    }
    while let Some((input, index)) = waiting.pop_first() {
        let report = &mut reports[index];
        // All lines of one input stand together.
        while let Some(entry) = report.next.take_if(|next| next.input == input) {
            if let Some(output) = entry.output {
                let mut hash = [0; 16];
                hash.copy_from_slice(&Sha256::digest(&output)[..16]);
                if !outputs.insert(hash) {
                    return Err(report.fault_at_next(MergeFault::OutputTwice(output)));
                }
            }
            out.line(&entry.text).map_err(failed)?;
            report.advance()?;
        }
        wait(&mut waiting, &reports, index)?;
    }
    let mut summary = Summary::default();
    for report in &reports {
        summary.merge(&report.counts);
    }
    all_shards(&reports)?;
    let last = LastLine::of(summary);
    out.end(&last).map_err(failed)?;
    Ok(summary)
}

/// Lets a report wait for the turn of its next input, which no other may have.
fn wait<R>(
    waiting: &mut BTreeMap<PathBuf, usize>,
    reports: &[Report<R>],
    index: usize,
) -> Result<(), MergeError> {
    let report = &reports[index];
    let Some(next) = &report.next else {
        return Ok(());
    };
    match waiting.entry(next.input.clone()) {
        btree_map::Entry::Vacant(place) => {
            place.insert(index);
            Ok(())
        }
        btree_map::Entry::Occupied(other) => {
            let other = &reports[*other.get()];
            let same = other
                .next
                .as_ref()
                .is_some_and(|twin| twin.text == next.text);
            Err(report.fault_at_next(MergeFault::Twice {
                input: next.input.display().to_string(),
                other: other.name.clone(),
                same,
            }))
        }
    }
}

/// Makes sure that reports of shards are those of all shards, each once.
fn all_shards<R>(reports: &[Report<R>]) -> Result<(), MergeError> {
    let shard = |report: &Report<R>| report.last.as_ref().and_then(|last| last.shard.clone());
    let Some(first) = reports.iter().find_map(shard) else {
        return Ok(());
    };
    let count = first.split_once('/').map_or("", |(_, count)| count);
    let mut seen: HashSet<String> = HashSet::new();
    for report in reports {
        let fault = match shard(report) {
            None => "it is of no shard, though others are".to_owned(),
            Some(shard) if !shard.ends_with(&format!("/{count}")) => {
                format!("it is of shard {shard}, but there is one of {count} shards")
            }
            Some(shard) if !seen.insert(shard.clone()) => {
                format!("shard {shard} is there already")
            }
            Some(_) => continue,
        };
        return Err(report.about_all(MergeFault::Shard(fault)));
    }
    let missing =
        (0..count.parse().unwrap_or(0)).find(|n: &u64| !seen.contains(&format!("{n}/{count}")));
    match (missing, reports.first()) {
        (Some(missing), Some(report)) => {
            let fault = format!("the report of shard {missing}/{count} is missing beside it");
            Err(report.about_all(MergeFault::Shard(fault)))
        }
        _ => Ok(()),
    }
}

impl<R> Report<R> {
    fn new(name: String, reader: R) -> Self {
        Self {
            name,
            lines: Lines::new(reader),
            next: None,
            previous: None,
            counts: Summary::default(),
            last: None,
        }
    }

    fn error(&self, line: Option<usize>, fault: MergeFault) -> MergeError {
        let report = self.name.clone();
        MergeError {
            report,
            line,
            fault,
        }
    }

    fn about_all(&self, fault: MergeFault) -> MergeError {
        self.error(None, fault)
    }

    /// A fault of the line that was read last.
    fn fault_at_next(&self, fault: MergeFault) -> MergeError {
        self.error(Some(self.lines.number), fault)
    }
}

impl<R: BufRead> Report<R> {
    /// Reads the next line; behind the last one, makes sure that the report is whole.
    fn advance(&mut self) -> Result<(), MergeError> {
        let read = self.lines.next();
        let text = match read.map_err(|error| self.fault_at_next(error.into()))? {
            Some(Item::Line(text)) => text,
            Some(Item::End(text)) => {
                let end: End = parse(&text).map_err(|fault| self.fault_at_next(fault))?;
                return self.end(end);
            }
            None => return Err(self.about_all(MergeFault::Cut)),
        };
        let line: Line = parse(&text).map_err(|fault| self.fault_at_next(fault))?;
        let input = PathBuf::from(line.input);
        match &self.previous {
            Some(previous) if *previous == input => {}
            Some(previous) if *previous > input => {
                let input = input.display().to_string();
                return Err(self.fault_at_next(MergeFault::Disorder(input)));
            }
            _ => {
                self.counts.inputs += 1;
                self.previous = Some(input.clone());
            }
        }
        self.counts.count(line.status);
        self.counts.warnings += line.warnings.len();
        self.next = Some(Entry {
            input,
            text,
            output: line.output,
        });
        Ok(())
    }

    fn end(&mut self, end: End) -> Result<(), MergeError> {
        let more = self.lines.next();
        let fault = match more.map_err(|error| self.fault_at_next(error.into()))? {
            Some(_) => Some(MergeFault::Longer),
            None if end.interrupted => Some(MergeFault::Interrupted),
            None if end.summary != self.counts => Some(MergeFault::Sum),
            None => None,
        };
        self.last = Some(end);
        match fault {
            Some(fault) => Err(self.about_all(fault)),
            None => Ok(()),
        }
    }
}

fn parse<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, MergeFault> {
    serde_json::from_str(text).map_err(|error| MergeFault::Malformed(error.to_string()))
}
