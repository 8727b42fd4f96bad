//! The main job: documents to GLBs.

use std::collections::BTreeSet;
use std::io::Write;

use super::args::{Documents, Format};
use super::{FAILED, Fatal, Output, SUCCESS, complain, complain_of, progress, render};
use crate::batch::{Batch, Options, Outcome, PoseFilter, Summary, document_suffixes};
use crate::diag::{Category, Diagnostic, nearest};
use crate::io::{IoError, Staged, discover};

pub fn run(args: &Documents) -> Result<u8, Fatal> {
    let common = &args.common;
    let (found, unreadable) = discover(&args.paths, document_suffixes())?;
    let options = Options {
        poses: args.pose_filter(),
        output: args.output.clone(),
        root: args.root.clone(),
        force: args.force,
        dry_run: args.dry_run,
        fail_fast: args.fail_fast,
        positions: args.positions,
        warnings: args.warning_policy(),
        hash: common.format == Format::Json || args.report.is_some(),
        map: !common.no_mmap,
        isa: common.isa()?,
    };
    let pool = common.threads.pool()?;
    let batch = Batch::new(found, options)?;
    let mut teller = Teller::new(args, batch.len())?;
    if batch.is_empty() && unreadable.is_empty() && !common.quiet {
        complain_of(&"no *.rigy.yaml or *.rigy.yml found");
    }
    for error in &unreadable {
        teller.tell(&unreadable_directory(error));
    }
    batch.run(&pool, |outcome| teller.tell(&outcome));
    teller.finish(&args.pose_filter())
}

/// A directory whose documents cannot even be listed counts as a failed input.
fn unreadable_directory(error: &IoError) -> Outcome {
    let finding = Diagnostic::without_code(Category::ParseError, error.to_string());
    let name = error.path.display().to_string();
    Outcome::failed(&error.path, vec![finding.about_file(&name)])
}

/// Tells people and machines about outcomes as they come.
struct Teller<'a> {
    args: &'a Documents,
    bar: indicatif::ProgressBar,
    out: Output,
    report: Option<Staged>,
    /// The first failure to write the report.
    report_error: Option<std::io::Error>,
    lines: usize,
    summary: Summary,
    seen_poses: BTreeSet<String>,
}

impl<'a> Teller<'a> {
    fn new(args: &'a Documents, count: usize) -> Result<Self, Fatal> {
        let mut report = args.report.as_deref().map(Staged::beside).transpose()?;
        if let Some(report) = &mut report {
            report.write_all(b"{\"outputs\":[")?;
        }
        Ok(Self {
            args,
            bar: progress(count, args.common.quiet),
            out: Output::new(),
            report,
            report_error: None,
            lines: 0,
            summary: Summary::default(),
            seen_poses: BTreeSet::new(),
        })
    }

    fn tell(&mut self, outcome: &Outcome) {
        self.summary.add(outcome);
        self.seen_poses.extend(outcome.pose_ids.iter().cloned());
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

    fn finish(mut self, poses: &PoseFilter) -> Result<u8, Fatal> {
        self.bar.finish_and_clear();
        let mut failed = self.summary.failed > 0;
        if let PoseFilter::Ids(ids) = poses {
            for id in ids.iter().filter(|id| !self.seen_poses.contains(*id)) {
                let seen = self.seen_poses.iter().map(|id| &**id);
                let near = nearest(id, seen).map(|near| format!("; did you mean `{near}`?"));
                let near = near.unwrap_or_default();
                complain_of(&format!("no document has a pose `{id}`{near}"));
                failed = true;
            }
        }
        let summary = self.summary;
        match self.args.common.format {
            Format::Json => self.out.json(&LastLine { summary }),
            Format::Human if !self.args.common.quiet => {
                self.out.line(&sentence(&summary, self.args.dry_run))
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
fn sentence(summary: &Summary, dry_run: bool) -> String {
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
    format!(
        "{}: {}",
        plural(summary.inputs, "document"),
        parts.join(", ")
    )
}
