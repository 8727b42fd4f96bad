//! The `verify` command.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::args::Verify;
use super::common_args::Common;
use super::formats::{Annotation, Case, End, Group, OutcomeFormat, Rule, print_groups};
use super::output::Output;
use super::printer::{Listing, Table};
use super::progress::progress;
use super::render::printable;
use super::status::{FAILED, Result, SUCCESS, bail};
use crate::run::batch::JSON_VERSION;
use crate::run::conformance::{Manifest, Others, Suite, Test, Verdict, against, verdict, verify};
use rigy_base::paths::{Slashed, parent_of};

pub fn run(args: &Verify) -> Result<u8> {
    let (isa, limits) = (args.common.isa.or_best()?, args.limit.limits()?);
    let pool = args.common.threads.pool()?;
    let mut out = Output::new();
    let manifests: Vec<(&Path, Manifest)> = {
        args.manifests
            .iter()
            .map(PathBuf::as_path)
            .map(|path| Manifest::read(path).map(|manifest| (path, manifest)))
            .collect::<Result<_, _>>()?
    };
    let tests = || manifests.iter().flat_map(|(_, manifest)| &manifest.tests);
    if let Some(id) = args
        .only
        .iter()
        .find(|id| !tests().any(|test| test.id == **id))
    {
        bail!("no manifest has a test `{}`", printable(id));
    }
    let others = args.against.as_deref().map(Others::new).transpose()?;
    let annotated = args.common.format.of_groups();
    let mut groups: Vec<Group> = Vec::new();
    let (mut passed, mut total) = (0, 0);
    for (path, manifest) in &manifests {
        let tests: Vec<&Test> = manifest
            .tests
            .iter()
            .filter(|test| args.only.is_empty() || args.only.contains(&test.id))
            .collect();
        let suite = Suite::of(path, limits, isa)?;
        let bar = progress(tests.len(), args.common.quiet);
        let verdicts: Vec<Verdict> = pool.install(|| {
            tests
                .par_iter()
                .map(|test| match &others {
                    None => verify(test, &suite),
                    Some(others) => {
                        let compared = against(test, &suite, others);
                        verdict(test, &compared, args.tolerance)
                    }
                })
                .inspect(|_| bar.inc(1))
                .collect()
        });
        bar.finish_and_clear();
        match annotated {
            Some(_) => groups.push(group(path, &tests, &verdicts)),
            None => print(&mut out, &args.common, path, &verdicts),
        }
        passed += verdicts.iter().filter(|verdict| verdict.passed).count();
        total += verdicts.len();
    }
    let sentence = match others {
        Some(_) => format!("{passed} of {total} passed"),
        None => format!("{passed} of {total} passed ({isa})"),
    };
    match (args.common.format, annotated) {
        (OutcomeFormat::Json, _) => out.json(&LastLine {
            summary: Summary {
                tests: total,
                passed,
                failed: total - passed,
            },
            version: JSON_VERSION,
        }),
        (_, Some(format)) => {
            let end = End::of_sentence(&sentence, args.common.quiet);
            print_groups(&mut out, format, &groups, &end);
        }
        (_, None) if args.common.quiet => {}
        (_, None) => out.line(&sentence),
    }
    let good = passed == total;
    Ok(out.status(if good { SUCCESS } else { FAILED }))
}

/// The last JSON line.
#[derive(serde::Serialize)]
struct LastLine {
    summary: Summary,
    version: u32,
}

/// The counts of a whole run.
#[derive(serde::Serialize)]
struct Summary {
    tests: usize,
    passed: usize,
    failed: usize,
}

/// Returns the verdicts on a manifest in the form that formats for programs share.
fn group(manifest: &Path, tests: &[&Test], verdicts: &[Verdict]) -> Group {
    let directory = parent_of(manifest);
    let cases = tests
        .iter()
        .zip(verdicts)
        .map(|(test, verdict)| {
            let message = format!("{}: {}", verdict.id, verdict.detail);
            let file = directory.join(&test.input);
            let error = Annotation::error(Rule::Conformance, file, message);
            let errors = if verdict.passed { vec![] } else { vec![error] };
            Case::of_annotations(verdict.id.clone(), errors)
        })
        .collect();
    Group::of_cases(manifest.shown(), cases)
}

fn print(out: &mut Output, common: &Common, path: &Path, verdicts: &[Verdict]) {
    if common.format == OutcomeFormat::Json {
        verdicts.iter().for_each(|verdict| out.json(verdict));
        return;
    }
    let shown: Vec<&Verdict> = verdicts
        .iter()
        .filter(|v| !(common.quiet && v.passed))
        .collect();
    if common.quiet && shown.is_empty() {
        return;
    }
    let mut lines = Listing::new(None);
    if !common.quiet {
        lines.line(path.shown());
    }
    lines.list(
        Table::of(&shown)
            .text("", |verdict| if verdict.passed { "ok  " } else { "FAIL" })
            .text("", |verdict| &verdict.id)
            .text("", |verdict| &verdict.detail),
    );
    out.line(&lines.finish());
}
