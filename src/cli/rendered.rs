//! The outcome of one input as text, rendered on the thread that processed it: findings, the lines of `-n` and `--check`, and a
//! directory that cannot be listed as an input that has failed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::batch_args::Batch;
use super::expanded::Emitted;
use super::formats::{OutcomeFormat, json_lines};
use super::page::{DataFile, Model, Models, Thumbnails};
use super::render::printable;
use super::{dependencies, render};
use crate::io::{IoError, exists};
use crate::run::batch::{
    Clock, InputCounts, Outcome, OutputRecord, PageExtras, PageRow, Shard, Stage, Status, Summary,
    Times,
};
use rigy_base::diag::{Code, Diagnostic, without_repeats};
use rigy_base::paths::Slashed;

/// An outcome as text, which only has to be written.
pub struct Rendered {
    pub input: PathBuf,
    /// Diagnostics for people, without those of `warnings`; empty if standard output has them.
    pub for_people: String,
    /// Where errors begin in this text.
    pub errors_at: usize,
    /// Warnings that people see at the end of the run, equal ones once.
    pub warnings: Vec<Diagnostic>,
    /// The codes of errors, each once.
    pub error_codes: BTreeSet<Code>,
    /// The outcome in the format of standard output; empty if the format does not show it.
    pub printed: String,
    /// One JSON object for each output; empty if there is no report.
    pub lines: Vec<String>,
    /// Rules about the outputs, if they are asked for; or the reason why there are none.
    pub rules: Result<Option<String>, String>,
    /// With `-n` and `--check`, for people: a line for each output that says what would become of it.
    pub plan: String,
    /// One row for each output; empty if there is no report page.
    pub page_rows: Vec<PageRow>,
    /// The data file of the input's model, if it was to be made; or the failure to write it.
    pub model: Option<Result<DataFile, IoError>>,
    /// The numbers that the input adds to the summary.
    pub counts: Summary,
    /// The input as one of those that were written, unchanged, failed or skipped.
    pub counted: InputCounts,
    /// Names in the input that a command line may request.
    pub names: Vec<String>,
    /// The size of the first output that is for printing, in words.
    pub size: Option<String>,
    /// Times of the stages.
    pub times: Times,
    /// True if the cache had the outcome and nothing was processed.
    pub known: bool,
    /// True if an output or the expanded document has failed for a reason that may pass.
    pub transient: bool,
    /// The result of writing its expanded document, if that was asked for.
    pub emitted: Emitted,
}

/// About how many bytes of memory a warning takes.
const WARNING_LEN: usize = 512;

/// The options of the report page for pictures and models of an input.
#[derive(Clone, Copy, Default)]
pub struct Extras<'a> {
    /// The means to draw pictures.
    pub thumbnails: Option<&'a Thumbnails>,
    /// The means to make models, if there are to be any.
    pub models: Option<&'a Models<'a>>,
}

impl Rendered {
    /// Renders an outcome; `emitted` is what became of its expanded document. Also returns about how many bytes of memory the
    /// result takes.
    pub fn new(
        mut outcome: Outcome,
        emitted: Emitted,
        args: &Batch,
        extras: Extras,
    ) -> (Self, usize) {
        let format = args.common.format.format();
        let error_codes = outcome
            .errors
            .iter()
            .filter_map(|error| error.code)
            .collect();
        let mut clock = Clock::start();
        let drawn = |record| extras.thumbnails.and_then(|pictures| pictures.of(record));
        let mut pictures: Vec<_> = outcome.records.iter().map(drawn).collect();
        if extras.thumbnails.is_some() {
            let times = clock.stop(Stage::Draw);
            outcome.times.add(Stage::Draw, times.total());
        }
        let printed = format.outcome(&outcome, args.timings);
        let lines = match args.report {
            Some(_) => json_lines(&outcome, args.timings),
            None => Vec::new(),
        };
        let configuration = args.source.loaded.as_ref().map(|loaded| &*loaded.file);
        let depfile = args.depfile.as_deref();
        let rules = depfile.map(|depfile| dependencies::rules(depfile, &outcome, configuration));
        let plan = planned_lines(&outcome, args);
        let model = extras.models.map(|models| models.make(&outcome));
        let (model, failure) = match model.transpose() {
            Ok(model) => (model.flatten(), None),
            Err(error) => (None, Some(Err(error))),
        };
        let of_output = |index: usize| PageExtras {
            thumbnail: pictures[index].take(),
            model: model.as_ref().map(|model| model.of_output(index)),
        };
        let page_rows = match args.html {
            Some(_) => outcome.page_rows(args.timings, of_output),
            None => Vec::new(),
        };
        let file = model.and_then(Model::into_file);
        let mut counts = Summary::default();
        counts.add(&outcome);
        let mut counted = InputCounts::default();
        counted.add(&outcome);
        let (mut for_people, mut errors_at, mut warnings) = Default::default();
        if !format.has_findings() {
            warnings = without_repeats(std::mem::take(&mut outcome.warnings));
            if args.verbose {
                for_people = render::all(&std::mem::take(&mut warnings));
            }
            errors_at = for_people.len();
            for_people += &render::render(&outcome.errors);
        }
        let in_page = page_rows.iter().flat_map(PageRow::texts);
        let texts = lines.iter().chain(&outcome.names).chain(in_page);
        let size = (outcome.records.iter()).find_map(|record| record.size.clone());
        let text = emitted.text.as_ref().map_or(0, String::len);
        let text = text + for_people.len() + printed.len() + plan.len();
        let kept = warnings.len() * WARNING_LEN;
        let len = 256 + text + kept + texts.map(|text| 32 + text.len()).sum::<usize>();
        let rendered = Self {
            transient: outcome.has_transient_failure() || emitted.transient,
            input: outcome.input,
            for_people,
            errors_at,
            warnings,
            error_codes,
            printed,
            lines,
            rules: rules.transpose(),
            plan,
            page_rows,
            model: failure.or(file.map(Ok)),
            counts,
            counted,
            names: outcome.names,
            size,
            times: outcome.times,
            known: outcome.known,
            emitted,
        };
        (rendered, len)
    }

    /// Renders an outcome alone.
    pub fn plain(outcome: Outcome, args: &Batch) -> Self {
        Self::new(outcome, Emitted::default(), args, Extras::default()).0
    }

    /// Returns the text of the findings, wherever it goes; empty if there are none. It does not depend on times.
    pub fn findings(&self) -> &str {
        if self.for_people.is_empty() {
            &self.printed
        } else {
            &self.for_people
        }
    }
}

/// Returns a line for each output of an input that would change, or each with `--verbose`, if people are to see what a run would do; else nothing.
fn planned_lines(outcome: &Outcome, args: &Batch) -> String {
    let is_human = args.common.format == OutcomeFormat::Human;
    if !args.writes_nothing() || !is_human || args.common.quiet {
        return String::new();
    }
    outcome
        .records
        .iter()
        .filter(|record| args.verbose || record.status != Status::Unchanged)
        .map(|record| line(record, &outcome.input))
        .collect()
}

/// Returns the line of an output: a word, then its path, or that of the input if the output is not known.
fn line(record: &OutputRecord, input: &Path) -> String {
    let path = record.path.as_deref();
    let word = match record.status {
        Status::Written if path.is_some_and(exists) => "replaced",
        Status::Written => "new",
        Status::Unchanged => "unchanged",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
        Status::Removed => "removed",
    };
    let path = path.unwrap_or(input).shown();
    format!("{word:<9}  {}\n", printable(&path))
}

/// Returns the outcomes of directories below the arguments `paths` that cannot be listed, in order. Only one shard reports a
/// directory, as only one processes an input.
pub fn unreadable_directories(
    args: &Batch,
    shard: Option<Shard>,
    paths: &[PathBuf],
    errors: &[IoError],
) -> Vec<Rendered> {
    let mut outcomes: Vec<Rendered> = errors
        .iter()
        .filter(|error| {
            let root = paths.iter().find(|root| error.path.starts_with(root));
            let below = root.and_then(|root| error.path.strip_prefix(root).ok());
            shard.is_none_or(|shard| shard.takes_path(below.unwrap_or(&error.path)))
        })
        .map(|error| {
            let outcome = Outcome::failed(&error.path, vec![error.finding()]);
            Rendered::plain(outcome, args)
        })
        .collect();
    outcomes.sort_by(|a, b| a.input.cmp(&b.input));
    outcomes
}
