//! What is to be said of one input, made ready on the thread that has done it.

use std::path::PathBuf;

use super::batch_args::{Batch, Format};
use super::render;
use crate::base::diag::Diagnostic;
use crate::run::batch::{Outcome, Summary, Times};

/// An outcome as text: all that is left is to write it where it belongs.
pub struct Told {
    pub input: PathBuf,
    /// Diagnostics for people.
    pub findings: String,
    /// JSON, an object for each output, if anybody wants it.
    pub lines: Vec<String>,
    /// What the summary has to count.
    pub counts: Summary,
    /// Names in the input that a command line may ask for.
    pub names: Vec<String>,
    /// How long it took.
    pub times: Times,
    /// Whether nothing had to be done.
    pub known: bool,
}

impl Told {
    /// Makes an outcome ready, and says about how many bytes that is.
    pub fn new(outcome: Outcome, args: &Batch) -> (Self, usize) {
        let findings: Vec<&Diagnostic> = outcome.warnings.iter().chain(&outcome.errors).collect();
        let findings = match &*findings {
            [] => String::new(),
            findings => render::render(findings),
        };
        let lines = match args.common.format == Format::Json || args.report.is_some() {
            true => outcome.lines(args.timings),
            false => Vec::new(),
        };
        let json = |line| serde_json::to_string(line).expect("reports are plain structs");
        let lines: Vec<String> = lines.iter().map(json).collect();
        let mut counts = Summary::default();
        counts.add(&outcome);
        let texts = lines.iter().chain(&outcome.names);
        let len = 256 + findings.len() + texts.map(|text| 32 + text.len()).sum::<usize>();
        let told = Self {
            input: outcome.input,
            findings,
            lines,
            counts,
            names: outcome.names,
            times: outcome.times,
            known: outcome.known,
        };
        (told, len)
    }
}
