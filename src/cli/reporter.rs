//! Runs a batch and reports its outcomes: diagnostics, JSON lines, the report file, the page, the summary and the exit status.

mod ending;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::iter::Peekable;
use std::path::PathBuf;
use std::time::Instant;
use std::vec::IntoIter;

use super::batch_args::Batch;
use super::expanded::Expansions;
use super::formats::{Format, OutcomeFormat, Stream};
use super::inputs::{InputKind, plural};
use super::interrupt::INTERRUPTED;
use super::messages::{message, print_message, print_note, print_stderr};
use super::output::Output;
use super::page::{ReportPage, Thumbnails};
use super::progress::progress_of;
use super::render;
use super::rendered::{Extras, Rendered, unreadable_directories};
use super::report::Report;
use super::requested::RequestedNames;
use super::run_context::RunContext;
use super::status::{FAILED, Result, SUCCESS, TRY_AGAIN, is_transient};
use super::streams::is_standard_output;
use super::summary::removed_files;
use super::warning_groups::WarningGroups;
use crate::io::IoError;
use crate::run::batch::{Ended, InputCounts, LastLine, Outcome, Shard, Summary, Timings, Work};
use rigy_base::diag::Code;
use rigy_base::paths::Slashed;

/// Writes outcomes as they come.
struct Reporter<'a> {
    args: &'a Batch,
    /// The word for an input: document or file.
    input: &'static str,
    bar: indicatif::ProgressBar,
    out: Output,
    format: &'static dyn Format,
    stream: Stream,
    report: Option<Report>,
    page: Option<ReportPage>,
    /// Number of inputs.
    count: usize,
    /// Number of inputs whose outcome has been reported.
    reported: usize,
    shard: Option<Shard>,
    /// Counts of all outcomes.
    summary: Summary,
    /// Counts of the outcomes that are printed: those that are new.
    printed: Summary,
    /// The inputs of all outcomes, and of those that are printed.
    inputs: InputCounts,
    printed_inputs: InputCounts,
    /// The warnings that are printed at the end.
    warnings: WarningGroups,
    /// The size of the first output that is for printing.
    size: Option<String>,
    /// The rules about the outputs of all inputs.
    rules: String,
    /// Text about errors that is printed at the end: older and newer.
    held: [String; 2],
    /// The codes of errors that are printed.
    error_codes: BTreeSet<Code>,
    start: Instant,
    timings: Timings,
    /// Directories that cannot be listed and have not been reported yet, in order.
    unreadable: Peekable<IntoIter<Rendered>>,
    requested: RequestedNames<'a>,
    context: RunContext<'a>,
    /// True if expanded documents, the output or rules go to standard output.
    output_is_taken: bool,
    /// Failures that belong to no input. Their messages have been printed.
    failures: Vec<String>,
    /// True if anything has failed for a reason that may pass.
    transient: bool,
    /// True if an expanded document was written, or would be.
    emission_changed: bool,
}

/// Twice these bytes of text about errors wait for the end of the run: a few screens.
const MOST_HELD: usize = 16 << 10;

/// Runs a batch and reports its outcomes. `paths` are the arguments, `unreadable` the directories below them that cannot
/// be listed. Returns the exit status.
///
/// # Errors
/// If the report or the page cannot be begun.
pub fn run_and_report(
    args: &Batch,
    batch: &crate::run::batch::Batch<impl Work>,
    kind: InputKind,
    paths: &[PathBuf],
    unreadable: &[IoError],
    requested: RequestedNames,
    context: RunContext,
) -> Result<u8> {
    let pool = context.pool.clone();
    let mut reporter = Reporter::new(
        args, kind.input, batch, paths, unreadable, requested, context,
    )?;
    let expansions = kind.expansions.as_ref();
    reporter.output_is_taken = expansions.is_some_and(Expansions::take_standard_output)
        || batch.options().output.held().is_some()
        || args.depfile.as_deref().is_some_and(is_standard_output);
    let head = reporter.format.head();
    reporter.print_for_people(&head);
    let most = args.model_len(batch.len());
    let page = reporter.page.as_ref().filter(|_| most > 0);
    let models =
        page.map(|page| page.models(batch.inputs(), batch.options(), kind.shown.clone(), most));
    let size = args.thumbnail_size(batch.len());
    let thumbnails = (size > 0).then(|| Thumbnails::new(size, !args.writes_nothing()));
    let extras = Extras {
        thumbnails: thumbnails.as_ref(),
        models: models.as_ref(),
    };
    let bar = reporter.bar.clone();
    let mut errors = batch.run(
        &pool,
        |mut outcome| {
            kind.advise(&mut outcome);
            let emitted = kind
                .expansions
                .as_ref()
                .map(|to| to.emit(&outcome))
                .unwrap_or_default();
            if extras.thumbnails.is_some() {
                bar.set_prefix(", drawing");
            }
            let rendered = Rendered::new(outcome, emitted, args, extras);
            bar.set_prefix("");
            rendered
        },
        |rendered| reporter.add(rendered),
    );
    let pruned = batch.prune();
    for path in &pruned.spared {
        print_message(&format!(
            "`{}` has no inputs now, so `--prune` leaves the outputs of earlier runs from there alone: it may not be mounted. Remove them by hand if they are to go",
            path.slashed()
        ));
    }
    if !args.common.quiet {
        note_leftovers(&batch.leftovers());
    }
    errors.extend(pruned.failures);
    errors.extend(kind.expansions.and_then(|to| to.finish().err()));
    reporter.finish(pruned.outcomes, &errors)
}

/// Says how many files of earlier runs this run has not made, by output root, and names the first of them, if there are some.
fn note_leftovers(left: &BTreeMap<PathBuf, Vec<PathBuf>>) {
    /// Most files that are named.
    const MOST: usize = 3;
    let place = match left.iter().collect::<Vec<_>>()[..] {
        [] => return,
        [(root, _)] if root.as_os_str().is_empty() => "`.`".to_owned(),
        [(root, _)] => format!("`{}`", root.slashed()),
        _ => format!("{} directories", left.len()),
    };
    let paths: Vec<&PathBuf> = left.values().flatten().collect();
    let count = paths.len();
    let mut first: Vec<String> = paths
        .iter()
        .take(MOST)
        .map(|path| format!("`{}`", render::printable(&path.shown())))
        .collect();
    if count > MOST {
        first.push("…".into());
    }
    let first = first.join(", ");
    let (files, them) = plural(
        count,
        "1 file of an earlier run is",
        "files of earlier runs are",
    );
    print_note(&format!(
        "{files} left in {place}: {first}; `--prune` removes {them}"
    ));
}

impl<'a> Reporter<'a> {
    /// Begins to report a batch whose inputs are called `input`. A directory that cannot be listed counts as a failed
    /// input.
    fn new(
        args: &'a Batch,
        input: &'static str,
        batch: &crate::run::batch::Batch<impl Work>,
        paths: &[PathBuf],
        unreadable: &[IoError],
        requested: RequestedNames<'a>,
        context: RunContext<'a>,
    ) -> Result<Self> {
        let (count, shard) = (batch.len(), batch.options().shard);
        let report = context
            .report
            .clone()
            .map(|target| Report::begin(target, args.sync))
            .transpose()?;
        let page = context
            .page
            .clone()
            .map(|target| ReportPage::begin(target, args.sync))
            .transpose()?;
        let unreadable = unreadable_directories(args, shard, paths, unreadable);
        Ok(Self {
            args,
            input,
            bar: progress_of(batch, args.common.quiet),
            out: Output::new(),
            format: args.common.format.format(),
            stream: Stream::default(),
            report,
            page,
            count,
            reported: 0,
            shard,
            summary: Summary::default(),
            printed: Summary::default(),
            inputs: InputCounts::default(),
            printed_inputs: InputCounts::default(),
            warnings: WarningGroups::default(),
            size: None,
            rules: String::new(),
            held: Default::default(),
            error_codes: BTreeSet::new(),
            start: Instant::now(),
            timings: Timings::default(),
            unreadable: unreadable.into_iter().peekable(),
            requested,
            context,
            output_is_taken: false,
            failures: Vec::new(),
            transient: false,
            emission_changed: false,
        })
    }

    /// Reports an input, after all directories that come before it and cannot be listed.
    fn add(&mut self, rendered: Rendered) {
        while let Some(first) = self
            .unreadable
            .next_if(|first| first.input < rendered.input)
        {
            self.write(first);
        }
        if self.args.timings {
            let input = rendered.input.shown();
            self.timings.add(&input, &rendered.times);
        }
        self.write(rendered);
        self.reported += 1;
        self.bar.inc(1);
        if self.inputs.failed > 0 {
            let failed = format!(", {} failed", self.inputs.failed);
            self.bar.set_message(failed);
        }
    }

    /// Writes one outcome to standard error, standard output and the report, as the options say.
    fn write(&mut self, rendered: Rendered) {
        let is_new = self.context.is_new(&rendered);
        self.summary.merge(&rendered.counts);
        self.transient |= rendered.transient;
        self.inputs.merge(&rendered.counted);
        if is_new {
            self.printed.merge(&rendered.counts);
            self.printed_inputs.merge(&rendered.counted);
            self.size = self.size.take().or(rendered.size);
            self.error_codes.extend(rendered.error_codes);
            for warning in rendered.warnings {
                self.warnings.add(warning, &rendered.input.shown());
            }
        }
        self.requested.add_input(rendered.names);
        if is_new {
            let (warnings, errors) = rendered.for_people.split_at(rendered.errors_at);
            if !warnings.is_empty() {
                self.bar.suspend(|| print_stderr(warnings));
            }
            self.hold(errors);
        }
        self.emission_changed |= rendered.emitted.is_written;
        let refused = rendered.rules.map(|rules| self.rules.extend(rules)).err();
        for error in rendered.emitted.error.into_iter().chain(refused) {
            self.hold(&message(&error));
            self.failures.push(error);
        }
        if let (true, Some(text)) = (is_new, &rendered.emitted.text) {
            self.bar.suspend(|| self.out.bytes(text.as_bytes()));
        }
        if !rendered.plan.is_empty() {
            self.bar
                .clone()
                .suspend(|| self.print_for_people(&rendered.plan));
        }
        if is_new && !rendered.printed.is_empty() {
            let separator = self.stream.before_item(self.format.separator());
            let text = match separator {
                "" => rendered.printed,
                separator => format!("{separator}{}", rendered.printed),
            };
            self.bar.suspend(|| self.out.bytes(text.as_bytes()));
        }
        if let Some(report) = &mut self.report {
            rendered.lines.iter().for_each(|line| report.line(line));
        }
        if let Some(page) = &mut self.page {
            rendered.page_rows.iter().for_each(|row| page.add(row));
            if let Some(file) = rendered.model {
                page.add_model(file);
            }
        }
    }

    /// Keeps text about errors for the end of the run. If there is too much, the older half of what has been kept is printed now.
    fn hold(&mut self, text: &str) {
        let [older, newer] = &mut self.held;
        if newer.len() + text.len() > MOST_HELD {
            self.bar.suspend(|| print_stderr(older));
            *older = std::mem::take(newer);
        }
        *newer += text;
    }

    /// Reports the outputs of earlier runs that were removed. For people, the names of the first are printed.
    fn add_removed(&mut self, removed: Vec<Outcome>) {
        let is_human = self.args.common.format == OutcomeFormat::Human;
        // A run that writes nothing names each of them as it names the other files.
        if is_human && !self.args.common.quiet && !self.args.writes_nothing() {
            let paths = removed
                .iter()
                .flat_map(|outcome| &outcome.records)
                .filter_map(|record| record.path.as_deref());
            self.print_for_people(&removed_files(paths));
        }
        for outcome in removed {
            self.write(Rendered::plain(outcome, self.args));
        }
    }

    /// Ends the report and the summary, and returns the exit status. `removed` are the outputs of earlier runs that were removed,
    /// `errors` those that belong to no input. If all inputs have been reported, a requested name that none of them has is an error.
    fn finish(mut self, removed: Vec<Outcome>, errors: &[IoError]) -> Result<u8> {
        while let Some(rendered) = self.unreadable.next() {
            self.write(rendered);
        }
        self.bar.finish_and_clear();
        print_stderr(&render::groups(&self.warnings));
        self.add_removed(removed);
        print_stderr(&self.held.concat());
        for error in errors {
            self.fail_with(error, error.to_string());
        }
        // An interruption after the last input has left nothing out. `--fail-fast` leaves inputs out, too.
        let partial = self.reported < self.count;
        let saw_all = self.shard.is_none() && !partial;
        let prints =
            self.context.always_ends() || self.printed.inputs > 0 || self.printed.removed > 0;
        if prints && saw_all {
            self.requested
                .missing()
                .into_iter()
                .for_each(|message| self.fail(message));
        }
        let last = LastLine {
            summary: Ended {
                counts: self.summary,
                timings: self.args.timings.then(|| self.timings.report()),
                seconds: None,
            },
            shard: self.shard.map(|shard| shard.to_string()),
            interrupted: partial,
            dry_run: self.args.writes_nothing(),
        };
        self.end_files(&last);
        if !partial && self.summary.failed == 0 && self.failures.is_empty() {
            self.write_rules();
        }
        if prints {
            self.print_end(last);
        }
        let mut failed = !self.failures.is_empty() || self.summary.failed > 0;
        failed |= self.args.check && (self.summary.changes() > 0 || self.emission_changed);
        failed |= partial;
        // The report may be complete although standard output is not.
        let interrupted = partial && self.context.interrupt.is_set() || self.out.unread;
        Ok(self.out.status(match failed {
            _ if interrupted => INTERRUPTED,
            _ if self.transient => TRY_AGAIN,
            true => FAILED,
            false => SUCCESS,
        }))
    }

    /// Prints and keeps the message of a failure that belongs to no input, and that this error has caused.
    fn fail_with(&mut self, error: &(dyn Error + 'static), message: String) {
        self.transient |= is_transient(error);
        self.fail(message);
    }

    /// Prints and keeps the message of a failure that belongs to no input.
    fn fail(&mut self, message: String) {
        print_message(&message);
        self.failures.push(message);
    }
}
