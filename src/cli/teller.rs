//! Telling people and machines how a batch goes.

use std::collections::BTreeSet;
use std::io::Write;

use super::args::{Batch, Format};
use super::{FAILED, Fatal, Output, SUCCESS, complain, complain_of, progress, render};
use crate::batch::{Outcome, Summary};
use crate::diag::{Category, Diagnostic, nearest};
use crate::io::{Draft, IoError};

/// Tells people and machines about outcomes as they come.
pub struct Teller<'a> {
    args: &'a Batch,
    /// What an input is called.
    input: &'static str,
    bar: indicatif::ProgressBar,
    out: Output,
    report: Option<Draft>,
    /// The first failure to write the report.
    report_error: Option<std::io::Error>,
    lines: usize,
    summary: Summary,
    /// Names in inputs that may have been asked for.
    seen: BTreeSet<String>,
}

impl<'a> Teller<'a> {
    /// Begins to tell of `count` inputs of a kind called `input`.
    pub fn new(args: &'a Batch, input: &'static str, count: usize) -> Result<Self, Fatal> {
        let draft = |path| Draft::beside(path, args.durability.into());
        let mut report = args.report.as_deref().map(draft).transpose()?;
        if let Some(report) = &mut report {
            report.write_all(b"{\"outputs\":[")?;
        }
        Ok(Self {
            args,
            input,
            bar: progress(count, args.common.quiet),
            out: Output::new(),
            report,
            report_error: None,
            lines: 0,
            summary: Summary::default(),
            seen: BTreeSet::new(),
        })
    }

    /// Directories whose inputs cannot even be listed count as failed inputs.
    pub fn tell_unreadable(&mut self, errors: &[IoError]) {
        for error in errors {
            let finding = Diagnostic::without_code(Category::ParseError, error.to_string());
            let name = error.path.display().to_string();
            let finding = finding.about_file(&name);
            self.tell(&Outcome::failed(&error.path, vec![finding]));
        }
    }

    /// One input is done.
    pub fn tell(&mut self, outcome: &Outcome) {
        self.summary.add(outcome);
        self.seen.extend(outcome.names.iter().cloned());
        let findings: Vec<&Diagnostic> = outcome.warnings.iter().chain(&outcome.errors).collect();
        if !findings.is_empty() {
            self.bar.suspend(|| complain(&render::render(&findings)));
        }
        let json = self.args.common.format == Format::Json;
        if json || self.report.is_some() {
            for line in outcome.lines() {
                if json {
                    self.bar.suspend(|| self.out.json(&line));
                }
                self.write_report(&line);
            }
        }
        self.bar.inc(1);
    }

    fn write_report(&mut self, line: &impl serde::Serialize) {
        let Some(report) = &mut self.report else {
            return;
        };
        let separator: &[u8] = if self.lines == 0 { b"\n" } else { b",\n" };
        self.lines += 1;
        let text = serde_json::to_vec(line).expect("reports are plain structs");
        let written = report
            .write_all(separator)
            .and_then(|()| report.write_all(&text));
        if let Err(error) = written {
            self.report_error.get_or_insert(error);
        }
    }

    /// All inputs are done. Names that were `wanted` and are in none of them are an error, which begins with what
    /// `missing` says.
    pub fn finish(mut self, wanted: &[String], missing: &str) -> Result<u8, Fatal> {
        self.bar.finish_and_clear();
        let mut failed = self.summary.failed > 0;
        for name in wanted.iter().filter(|name| !self.seen.contains(*name)) {
            let near = nearest(name, self.seen.iter().map(|name| &**name));
            let near = near.map(|near| format!("; did you mean `{near}`?"));
            complain_of(&format!("{missing} `{name}`{}", near.unwrap_or_default()));
            failed = true;
        }
        let summary = self.summary;
        match self.args.common.format {
            Format::Json => self.out.json(&LastLine { summary }),
            Format::Human if !self.args.common.quiet => {
                self.out
                    .line(&sentence(&summary, self.input, self.args.dry_run))
            }
            Format::Human => {}
        }
        if let Some(mut report) = self.report {
            let summary = serde_json::to_string(&summary).expect("reports are plain structs");
            let ended = writeln!(report, "\n],\"summary\":{summary}}}").map_err(Fatal::from);
            let kept = match self.report_error {
                Some(error) => Err(error.into()),
                None => ended.and_then(|()| report.commit().map_err(Fatal::from)),
            };
            if let Err(error) = kept {
                complain_of(&format!("the report could not be written: {error}"));
                failed = true;
            }
        }
        Ok(if failed { FAILED } else { SUCCESS })
    }
}

/// The last JSON line.
#[derive(serde::Serialize)]
struct LastLine {
    summary: Summary,
}

/// The summary as a person reads it.
fn sentence(summary: &Summary, input: &str, dry_run: bool) -> String {
    let plural =
        |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let verb = if dry_run { "to write" } else { "written" };
    let mut parts = vec![format!("{} {verb}", summary.written)];
    if summary.unchanged > 0 {
        parts.push(format!("{} unchanged", summary.unchanged));
    }
    if summary.failed > 0 {
        parts.push(format!("{} failed", summary.failed));
    }
    if summary.warnings > 0 {
        parts.push(plural(summary.warnings, "warning"));
    }
    format!("{}: {}", plural(summary.inputs, input), parts.join(", "))
}
