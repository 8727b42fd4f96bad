//! Merging the reports of shards into the report that one run over all inputs would have written.
//!
//! A run processes its inputs in the order of their paths ([`Batch::new`](crate::run::batch::Batch::new)), and each line
//! names its input. The lines of every report are therefore sorted, and merging the sorted lists gives the list of the
//! whole run. Memory holds only the next line of each report, and a hash of the path of every output, by which two inputs
//! with the same output are noticed.

use std::collections::{BTreeMap, btree_map};
use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::line::{End, OutputLine};
use super::reader::{Item, Lines, MergeError, MergeFault};
use super::summary::{LastLine, Summary};
use super::writer::{JSON_VERSION, ReportWriter};
use crate::run::batch::outcome::Status;
use rigy_base::maps::HashSet;
use rigy_base::paths::Slashed;
use rigy_base::terminal::json_for_terminal;

/// Bytes of the merged report that are written at a time.
const AT_A_TIME: usize = 256 << 10;

/// A report that is being merged.
struct Report<R> {
    name: String,
    lines: Lines<R>,
    /// The line that is written next; `None` after the last one.
    next: Option<NextLine>,
    /// The input of the last line that was read.
    previous: Option<PathBuf>,
    /// The counts of the lines so far.
    counts: Summary,
    /// The lines of files that were removed.
    removed: Vec<NextLine>,
    /// The last line, once it has been read.
    last: Option<End>,
}

/// A line that has been read and not written.
struct NextLine {
    input: PathBuf,
    text: String,
    output: Option<String>,
}

/// Merges reports and JSON lines, given in any order with their names, and returns the counts. `output` is the name of `out`
/// for errors.
///
/// # Errors
/// If a report is incomplete, a shard is missing, or two reports have the same input or output. The bytes that have been
/// written by then are of no use.
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
    let out = BufWriter::with_capacity(AT_A_TIME, out);
    let mut out = ReportWriter::begin(out).map_err(failed)?;
    let mut outputs: HashSet<[u8; 16]> = HashSet::default();
    // The input of the next line of each report, with the index of the report.
    let mut waiting: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for index in 0..reports.len() {
        wait(&mut waiting, &reports, index)?;
    }
    while let Some((input, index)) = waiting.pop_first() {
        let report = &mut reports[index];
        // The lines of one input are consecutive.
        while let Some(entry) = report.next.take_if(|next| next.input == input) {
            if let Some(output) = entry.output
                && !outputs.insert(short_digest(&output))
            {
                return Err(report.fault_of_line(MergeFault::OutputTwice(output)));
            }
            out.line(&json_for_terminal(entry.text)).map_err(failed)?;
            report.advance()?;
        }
        wait(&mut waiting, &reports, index)?;
    }
    for line in removed_lines(&mut reports, &mut outputs)? {
        out.line(&line).map_err(failed)?;
    }
    let mut summary = Summary::default();
    for report in &reports {
        summary.merge(&report.counts);
    }
    check_shards(&reports)?;
    let dry_run = check_dry_runs(&reports)?;
    let last = LastLine {
        dry_run,
        ..LastLine::of(summary)
    };
    let ended = out.end(&last).and_then(|mut out| out.flush());
    ended.map_err(failed)?;
    Ok(summary)
}

/// Returns a part of a hash of the path of an output.
fn short_digest(output: &str) -> [u8; 16] {
    let mut hash = [0; 16];
    hash.copy_from_slice(&Sha256::digest(output)[..16]);
    hash
}

/// Returns the lines of all removed files, in the order in which a run over all inputs reports them: by input and file, after all
/// others.
fn removed_lines<R: BufRead>(
    reports: &mut [Report<R>],
    outputs: &mut HashSet<[u8; 16]>,
) -> Result<Vec<String>, MergeError> {
    let mut lines: Vec<NextLine> = Vec::new();
    for report in reports {
        for line in std::mem::take(&mut report.removed) {
            let output = line.output.clone().unwrap_or_default();
            if !outputs.insert(short_digest(&output)) {
                return Err(report.fault_of_all(MergeFault::OutputTwice(output)));
            }
            lines.push(line);
        }
    }
    lines.sort_by_cached_key(|line| (line.input.clone(), line.output.clone().map(PathBuf::from)));
    Ok(lines.into_iter().map(|line| line.text).collect())
}

/// Checks that either all reports are of dry runs or none. Returns true if they are.
fn check_dry_runs<R: BufRead>(reports: &[Report<R>]) -> Result<bool, MergeError> {
    let is_dry = |report: &Report<R>| report.last.as_ref().is_some_and(|last| last.dry_run);
    let all = reports.first().is_some_and(is_dry);
    match reports.iter().find(|report| is_dry(report) != all) {
        Some(other) => Err(other.fault_of_all(MergeFault::DryRun { is_dry: !all })),
        None => Ok(all),
    }
}

/// Enters the next input of a report into `waiting`.
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
            Err(report.fault_of_line(MergeFault::Twice {
                input: next.input.shown(),
                other: other.name.clone(),
                same,
            }))
        }
    }
}

/// Checks that reports of shards are those of all shards, each once.
fn check_shards<R>(reports: &[Report<R>]) -> Result<(), MergeError> {
    let shard = |report: &Report<R>| report.last.as_ref().and_then(|last| last.shard.clone());
    let Some(first) = reports.iter().find_map(shard) else {
        return Ok(());
    };
    let count = first.split_once('/').map_or("", |(_, count)| count);
    let mut seen: HashSet<String> = HashSet::default();
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
        return Err(report.fault_of_all(MergeFault::Shard(fault)));
    }
    let missing =
        (0..count.parse().unwrap_or(0)).find(|n: &u64| !seen.contains(&format!("{n}/{count}")));
    match (missing, reports.first()) {
        (Some(missing), Some(report)) => {
            let fault = format!("the report of shard {missing}/{count} is missing beside it");
            Err(report.fault_of_all(MergeFault::Shard(fault)))
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
            removed: Vec::new(),
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

    /// Returns an error about the whole report.
    fn fault_of_all(&self, fault: MergeFault) -> MergeError {
        self.error(None, fault)
    }

    /// Returns an error about the line that was read last.
    fn fault_of_line(&self, fault: MergeFault) -> MergeError {
        self.error(Some(self.lines.number), fault)
    }
}

impl<R: BufRead> Report<R> {
    /// Reads the next line into `next`. The lines of removed outputs, which come last, are kept in `removed`. After the last line, it
    /// checks that the report is complete.
    fn advance(&mut self) -> Result<(), MergeError> {
        while let Some((text, line)) = self.line()? {
            let input = PathBuf::from(line.input);
            self.counts.count(line.status);
            if line.status == Status::Removed {
                self.removed.push(NextLine {
                    input,
                    text,
                    output: line.output,
                });
                continue;
            }
            let previous = self.previous.as_ref();
            if !self.removed.is_empty() || previous.is_some_and(|previous| *previous > input) {
                return Err(self.fault_of_line(MergeFault::Disorder(input.shown())));
            }
            if previous != Some(&input) {
                self.counts.inputs += 1;
                self.previous = Some(input.clone());
            }
            self.counts.warnings += line.warnings.len();
            self.next = Some(NextLine {
                input,
                text,
                output: line.output.filter(|_| !line.beside),
            });
            break;
        }
        Ok(())
    }

    /// Reads the next line; `None` at the end, which it checks.
    fn line(&mut self) -> Result<Option<(String, OutputLine)>, MergeError> {
        let item = self
            .lines
            .next()
            .map_err(|error| self.fault_of_line(error.into()))?;
        if self.lines.framed {
            self.check_version(self.lines.version)?;
        }
        match item {
            None => Err(self.fault_of_all(MergeFault::Cut)),
            Some(Item::Line(text)) => {
                let line = self.parse(&text)?;
                Ok(Some((text, line)))
            }
            Some(Item::End(text)) => self.end(self.parse(&text)?).map(|()| None),
        }
    }

    fn parse<'t, T: Deserialize<'t>>(&self, text: &'t str) -> Result<T, MergeError> {
        serde_json::from_str(text)
            .map_err(|error| self.fault_of_line(MergeFault::Malformed(error.to_string())))
    }

    fn check_version(&self, version: Option<u32>) -> Result<(), MergeError> {
        let fault = match version {
            Some(JSON_VERSION) => return Ok(()),
            Some(version) if version > JSON_VERSION => MergeFault::Newer(version),
            _ => MergeFault::WithoutVersion,
        };
        Err(self.fault_of_all(fault))
    }

    /// Checks the last line against the lines before it.
    fn end(&mut self, end: End) -> Result<(), MergeError> {
        if !self.lines.framed {
            self.check_version(end.version)?;
        }
        let more = self.lines.next();
        let fault = match more.map_err(|error| self.fault_of_line(error.into()))? {
            Some(_) => Some(MergeFault::Longer),
            None if end.interrupted => Some(MergeFault::Interrupted),
            None if end.summary != self.counts => Some(MergeFault::Sum),
            None => None,
        };
        self.last = Some(end);
        match fault {
            Some(fault) => Err(self.fault_of_all(fault)),
            None => Ok(()),
        }
    }
}
