//! Results of commands in the form that several formats share.

use std::path::PathBuf;

use serde::Serialize;

use super::rule::Rule;
use crate::run::batch::{Outcome, OutputRecord, Placed, RecordMoment, Status};
use rigy_base::diag::{Diagnostic, Place, without_repeats};
use rigy_base::paths::Slashed;
use rigy_base::short::short_name;

/// An error or a warning at a place.
#[derive(Clone)]
pub struct Annotation {
    pub is_warning: bool,
    pub rule: Rule,
    /// The message, followed by advice if there is any.
    pub message: String,
    /// The same, followed by the places where the file was imported.
    pub sentence: String,
    pub spot: Option<Spot>,
    /// The places where the file was imported, the nearest first.
    pub importers: Vec<Spot>,
}

/// A file, or a part of it.
#[derive(Clone)]
pub struct Spot {
    pub file: PathBuf,
    /// The path inside the document; empty for the whole file.
    pub path: String,
    pub region: Option<Region>,
}

/// A part of a line. Lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    pub start_column: u32,
    /// One past the last character; at least `column`.
    pub end_column: u32,
}

/// The results about one input.
pub struct Group {
    /// The input as the user knows it.
    pub name: String,
    /// The results of its outputs, in order.
    pub cases: Vec<Case>,
    /// All annotations about the input, each once.
    pub annotations: Vec<Annotation>,
}

/// One result, such as an output.
pub struct Case {
    pub name: String,
    pub result: CaseResult,
    /// Its errors, then its warnings.
    pub annotations: Vec<Annotation>,
    pub seconds: Option<f64>,
}

/// The kind of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CaseResult {
    Passed,
    Failed,
    Skipped,
}

impl Spot {
    /// Returns the whole of a file.
    fn whole(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            path: String::new(),
            region: None,
        }
    }

    fn of_place(place: &Place) -> Self {
        let region = place.position.map(|(line, column)| {
            let len = place
                .excerpt
                .as_ref()
                .and_then(|excerpt| excerpt.line.get(excerpt.start..excerpt.end))
                .map_or(0, |text| text.chars().count());
            Region {
                start_line: line,
                start_column: column,
                end_column: column.saturating_add(u32::try_from(len).unwrap_or(u32::MAX)),
            }
        });
        Self {
            file: PathBuf::from(&place.file),
            path: place.path.clone(),
            region,
        }
    }
}

impl Annotation {
    /// Returns an error about a whole file.
    pub fn error(rule: Rule, file: impl Into<PathBuf>, message: String) -> Self {
        Self {
            is_warning: false,
            rule,
            sentence: message.clone(),
            message,
            spot: Some(Spot::whole(file)),
            importers: Vec::new(),
        }
    }

    /// Converts a diagnostic.
    fn of_diagnostic(diagnostic: &Diagnostic) -> Self {
        Self {
            is_warning: diagnostic.is_warning(),
            rule: Rule::of_diagnostic(diagnostic),
            message: diagnostic.advised(),
            sentence: diagnostic.sentence(),
            spot: diagnostic.place.as_deref().map(Spot::of_place),
            importers: diagnostic.importers.iter().map(Spot::of_place).collect(),
        }
    }

    /// Converts diagnostics, without those that repeat others about copies.
    pub fn of_diagnostics<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<Self> {
        without_repeats(diagnostics.into_iter().cloned().collect())
            .iter()
            .map(Self::of_diagnostic)
            .collect()
    }

    /// Returns the word for its level.
    pub fn level(&self) -> &'static str {
        if self.is_warning { "warning" } else { "error" }
    }

    /// Sets the exact name of the file where only its name as text is known. A name that is not UTF-8 is another one as text.
    fn set_exact_file(&mut self, exact: &std::path::Path, as_text: &str) {
        let spots = self.spot.iter_mut().chain(&mut self.importers);
        for spot in spots.filter(|spot| spot.file.as_os_str() == as_text) {
            spot.file = exact.to_owned();
        }
    }

    /// Returns the message after the path in the file, if it has a path and no line.
    pub fn message_with_path(&self, message: &str) -> String {
        match &self.spot {
            Some(spot) if spot.region.is_none() && !spot.path.is_empty() => {
                format!("`{}`: {message}", spot.path)
            }
            _ => message.to_owned(),
        }
    }
}

impl Case {
    /// Returns a result without a time. It has failed if one of the annotations is an error.
    pub fn of_annotations(name: String, annotations: Vec<Annotation>) -> Self {
        let is_failed = annotations.iter().any(|annotation| !annotation.is_warning);
        Self {
            name,
            result: if is_failed {
                CaseResult::Failed
            } else {
                CaseResult::Passed
            },
            annotations,
            seconds: None,
        }
    }
}

impl Group {
    /// Returns the results of an input of a batch: a case for each output.
    pub fn of_outcome(outcome: &Outcome, timings: bool) -> Self {
        let name = outcome.input.shown();
        let exact = |mut annotations: Vec<Annotation>| {
            for annotation in &mut annotations {
                annotation.set_exact_file(&outcome.input, &name);
            }
            annotations
        };
        let case = |(index, (record, placed)): (usize, (&OutputRecord, Placed))| {
            let all = placed.errors.into_iter().chain(placed.warnings);
            Case {
                name: case_name(record, &name),
                result: match record.status {
                    Status::Written | Status::Unchanged | Status::Removed => CaseResult::Passed,
                    Status::Failed => CaseResult::Failed,
                    Status::Skipped => CaseResult::Skipped,
                },
                annotations: exact(Annotation::of_diagnostics(all)),
                seconds: timings.then(|| outcome.seconds_of(index)),
            }
        };
        let records = outcome.records.iter().zip(outcome.placed());
        let all = outcome.warnings.iter().chain(&outcome.errors);
        Self {
            cases: records.enumerate().map(case).collect(),
            annotations: exact(Annotation::of_diagnostics(all)),
            name,
        }
    }

    /// Returns the result about one file.
    pub fn of_file(name: String, annotations: Vec<Annotation>) -> Self {
        let case = Case::of_annotations(name.clone(), annotations);
        Self::of_cases(name, vec![case])
    }

    /// Returns the results about an input, of which each annotation belongs to one case.
    pub fn of_cases(name: String, cases: Vec<Case>) -> Self {
        let annotations = cases.iter().flat_map(|case| case.annotations.clone());
        Self {
            name,
            annotations: annotations.collect(),
            cases,
        }
    }
}

/// Returns the name of an output: its path, else its pose or moment, else the name of the input.
fn case_name(record: &OutputRecord, input: &str) -> String {
    if let Some(path) = &record.path {
        return path.shown();
    }
    let moment = record.moment.as_ref().and_then(RecordMoment::in_words);
    let pose = record.pose.clone().or(moment);
    pose.map_or_else(|| input.to_owned(), |pose| short_name(&pose).into())
}
