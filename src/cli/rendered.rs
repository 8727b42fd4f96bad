//! The outcome of one input as text, rendered on the thread that processed it.

use std::path::PathBuf;

use super::batch_args::Batch;
use super::expanded::Emitted;
use super::formats::json_lines;
use super::page::{DataFile, Model, Models, thumbnail};
use super::{dry_run, render};
use crate::base::diag::Diagnostic;
use crate::io::IoError;
use crate::run::batch::{Outcome, OutputRecord, PageExtras, PageRow, Summary, Times};

/// An outcome as text, which only has to be written.
pub struct Rendered {
    pub input: PathBuf,
    /// Diagnostics for people; empty if standard output has them.
    pub for_people: String,
    /// The outcome in the format of standard output; empty if the format does not show it.
    pub printed: String,
    /// One JSON object for each output; empty if there is no report.
    pub lines: Vec<String>,
    /// With `-n` and `--check`, for people: a line for each output that says what would become of it.
    pub plan: String,
    /// One row for each output; empty if there is no report page.
    pub page_rows: Vec<PageRow>,
    /// The data file of the input's model, if it was to be made; or the failure to write it.
    pub model: Option<Result<DataFile, IoError>>,
    /// The numbers that the input adds to the summary.
    pub counts: Summary,
    /// Names in the input that a command line may request.
    pub names: Vec<String>,
    /// Times of the stages.
    pub times: Times,
    /// True if the cache had the outcome and nothing was processed.
    pub known: bool,
    /// True if an output or the expanded document has failed for a reason that may pass.
    pub transient: bool,
    /// The result of writing its expanded document, if that was asked for.
    pub emitted: Emitted,
}

/// The options of the report page for pictures and models of an input.
#[derive(Clone, Copy, Default)]
pub struct Extras<'a> {
    /// The greatest width and height of pictures in pixels; 0 for none.
    pub thumbnails: u16,
    /// The means to make models, if there are to be any.
    pub models: Option<&'a Models<'a>>,
}

impl Rendered {
    /// Renders an outcome; `emitted` is what became of its expanded document. Also returns about how many bytes of memory the
    /// result takes.
    pub fn new(
        outcome: Outcome,
        emitted: Emitted,
        args: &Batch,
        extras: Extras<'_>,
    ) -> (Self, usize) {
        let format = args.common.format.format();
        let findings: Vec<&Diagnostic> = outcome.warnings.iter().chain(&outcome.errors).collect();
        let for_people = match &*findings {
            [] => String::new(),
            _ if format.has_findings() => String::new(),
            findings => render::render(findings),
        };
        let printed = format.outcome(&outcome, args.timings);
        let lines = match args.report {
            Some(_) => json_lines(&outcome, args.timings),
            None => Vec::new(),
        };
        let plan = dry_run::lines(&outcome, args);
        let model = extras.models.map(|models| models.make(&outcome));
        let (model, failure) = match model.transpose() {
            Ok(model) => (model.flatten(), None),
            Err(error) => (None, Some(Err(error))),
        };
        let of_output = |index, record: &OutputRecord| PageExtras {
            thumbnail: thumbnail(record, extras.thumbnails),
            model: model.as_ref().map(|model| model.of_output(index)),
        };
        let page_rows = match args.html() {
            Some(_) => outcome.page_rows(args.timings, of_output),
            None => Vec::new(),
        };
        let file = model.and_then(Model::into_file);
        let mut counts = Summary::default();
        counts.add(&outcome);
        let in_page = page_rows.iter().flat_map(PageRow::texts);
        let texts = lines.iter().chain(&outcome.names).chain(in_page);
        let text = emitted.text.as_ref().map_or(0, String::len);
        let text = text + for_people.len() + printed.len() + plan.len();
        let len = 256 + text + texts.map(|text| 32 + text.len()).sum::<usize>();
        let rendered = Self {
            transient: outcome.has_transient_failure() || emitted.transient,
            input: outcome.input,
            for_people,
            printed,
            lines,
            plan,
            page_rows,
            model: failure.or(file.map(Ok)),
            counts,
            names: outcome.names,
            times: outcome.times,
            known: outcome.known,
            emitted,
        };
        (rendered, len)
    }

    /// Returns the text of the findings, wherever it goes; empty if there are none. It does not depend on times.
    pub fn findings(&self) -> &str {
        match self.for_people.is_empty() {
            true => &self.printed,
            false => &self.for_people,
        }
    }
}
