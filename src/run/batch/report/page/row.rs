//! One output in the data of a report page.

use serde::Serialize;

use super::script::script_json;
use crate::run::batch::outcome::{Outcome, OutputRecord, Placed, RecordMoment};
use rigy_base::diag::{Category, Code, Diagnostic, Place};
use rigy_base::maps::HashMap;
use rigy_base::paths::Slashed;
use rigy_base::short::short_name;

/// The longest part of a message in the table of messages, in characters.
const MESSAGE_LEN: usize = 160;

/// The texts of one output, each in a form that [`script_json`] returns.
#[derive(Debug)]
pub struct PageRow {
    /// A JSON array: the first fields of `row` in `docs/src/reference/schemas/page.json`, up to `codes`.
    pub fields: String,
    /// The messages of errors, then of warnings, each once.
    pub messages: Vec<PageMessage>,
    /// A JSON object: `findings` of that schema; `None` if there are none.
    pub findings: Option<String>,
    /// A JSON string with the URL of a picture; `None` if there is no picture.
    pub thumbnail: Option<String>,
    /// A JSON object: a [`PageModel`]; `None` if models were not to be made, or the output has failed.
    pub model: Option<String>,
}

/// A message of findings about an output.
#[derive(Debug)]
pub struct PageMessage {
    /// True for errors, warnings that count as errors included.
    pub is_error: bool,
    /// The code, or the category of findings without one.
    pub code: &'static str,
    /// The code, if there is one.
    pub explained: Option<Code>,
    /// The beginning of the message.
    pub text: String,
    /// The number of such findings, without an error that is repeated for an output without one of its own.
    pub times: usize,
}

/// The facts about an output that a page has and its JSON line has not.
#[derive(Debug)]
pub struct PageExtras {
    /// The URL of a picture.
    pub thumbnail: Option<String>,
    /// The model for the viewer.
    pub model: Option<PageModel>,
}

/// The model of an output's input, which the viewer shows as the output has it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum PageModel {
    /// There is a data file.
    Scene {
        /// Sixteen hexadecimal digits, which are part of the name of the data file.
        scene: String,
        /// The length of the data file in bytes.
        bytes: u64,
        /// The parts of the viewer's address besides the scene: a pose or a time, as names and values.
        view: Vec<(&'static str, String)>,
    },
    /// There is none.
    None {
        /// The reason, a sentence.
        note: String,
    },
}

impl PageRow {
    /// Returns its texts.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        let more = [&self.findings, &self.thumbnail, &self.model];
        let messages = self.messages.iter().map(|message| &message.text);
        std::iter::once(&self.fields)
            .chain(more.into_iter().flatten())
            .chain(messages)
    }
}

/// The findings of a row.
#[derive(Serialize)]
struct Findings<'a> {
    errors: Vec<PageFinding<'a>>,
    warnings: Vec<PageFinding<'a>>,
}

/// A [`Diagnostic`] as the page reads it: `finding` of the schema.
#[derive(Debug, Serialize)]
pub struct PageFinding<'a> {
    category: Category,
    code: Option<Code>,
    message: &'a str,
    help: Option<&'a str>,
    place: Option<&'a Place>,
    importers: &'a [Place],
    promoted: bool,
}

impl<'a> PageFinding<'a> {
    fn all(findings: &[&'a Diagnostic]) -> Vec<Self> {
        findings
            .iter()
            .map(|finding| Self {
                category: finding.category,
                code: finding.code,
                message: &finding.message,
                help: finding.help.as_deref(),
                place: finding.place.as_deref(),
                importers: &finding.importers,
                promoted: finding.promoted,
            })
            .collect()
    }
}

impl Outcome {
    /// Returns one row for each output, in the order of the outputs, with times if `timings` is true. `extras` is called with
    /// the index of each output.
    pub fn page_rows(
        &self,
        timings: bool,
        mut extras: impl FnMut(usize) -> PageExtras,
    ) -> Vec<PageRow> {
        let row = |(index, (record, placed)): (usize, (&OutputRecord, Placed))| {
            let (errors, warnings) = (&placed.errors, &placed.warnings);
            let input = self.input.shown();
            let output = record.path.as_ref().map(|path| path.shown());
            let PageExtras { thumbnail, model } = extras(index);
            let moment = record.moment.as_ref().and_then(RecordMoment::in_words);
            let pose = record.pose.as_deref().or(moment.as_deref());
            let fields = script_json(&(
                input,
                pose.map(short_name),
                output,
                record.status,
                &record.sha256,
                record.bytes,
                timings.then(|| self.seconds_of(index)),
                errors.len(),
                warnings.len(),
                codes(errors.iter().chain(warnings)),
            ));
            let findings = Findings {
                errors: PageFinding::all(errors),
                warnings: PageFinding::all(warnings),
            };
            let has_findings = !errors.is_empty() || !warnings.is_empty();
            let findings = has_findings.then(|| script_json(&findings));
            PageRow {
                fields,
                messages: messages(&placed),
                findings,
                thumbnail: thumbnail.map(|url| script_json(&url)),
                model: model.map(|model| script_json(&model)),
            }
        };
        self.records
            .iter()
            .zip(self.placed())
            .enumerate()
            .map(row)
            .collect()
    }
}

/// Returns the codes of findings, or their categories where they have none, each once.
fn codes<'a>(findings: impl Iterator<Item = &'a &'a Diagnostic>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for finding in findings {
        let name = name(finding);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the messages of findings, each once. Errors that are repeated count for another output.
fn messages(placed: &Placed) -> Vec<PageMessage> {
    let mut messages: Vec<PageMessage> = Vec::new();
    let mut numbers = HashMap::default();
    let errors = placed.errors.iter().map(|error| (true, error));
    let warnings = placed.warnings.iter().map(|warning| (false, warning));
    for (is_error, finding) in errors.chain(warnings) {
        let code = name(finding);
        let text = beginning(&finding.message);
        let number = *numbers
            .entry((is_error, code, text))
            .or_insert(messages.len());
        if number == messages.len() {
            messages.push(PageMessage {
                is_error,
                code,
                explained: finding.code,
                text: text.to_owned(),
                times: 0,
            });
        }
        messages[number].times += usize::from(!is_error || !placed.is_repeated);
    }
    messages
}

/// Returns the code of a finding, or its category if it has none.
fn name(finding: &Diagnostic) -> &'static str {
    finding.code.map_or(finding.category.name(), Code::name)
}

/// Returns a text, cut to [`MESSAGE_LEN`] characters.
fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(MESSAGE_LEN);
    end.map_or(text, |(end, _)| &text[..end])
}
