//! The `plan` command: how much work a run is, how to divide it, what it costs, and the list of its inputs.

mod args;
mod figures;
mod list;
mod text;

use std::path::{Path, PathBuf};

pub use args::Plan;

use super::args::{Command, Documents};
use super::bake_args::Bake;
use super::batch_args::Batch as BatchArgs;
use super::common_args::{Format, pose_filter};
use super::configuration::{self, Stop};
use super::inputs::{self, FileKind, WhenEmpty};
use super::{
    FAILED, Fatal, Output, SUCCESS, TRY_AGAIN, bake, print_findings, print_help, progress,
};
use crate::base::diag::Diagnostic;
use crate::glb::Style;
use crate::io::{Discovery, Found, IoError, ListedKind, Skips, len_for_estimate};
use crate::run::batch::{self, Bakes, Batch, Options, Work, path_number};
use crate::run::plan::{Chosen, Measurements, Strata, measure};
use figures::{Amount, Planned};
use list::ListTarget;

/// A run that is planned: the inputs that were found, and the options.
struct Run<'a> {
    args: &'a Plan,
    kind: ListedKind,
    options: Options,
    found: Vec<Found>,
}

/// Plans, prints the plan, and writes the list of inputs if that is asked for.
///
/// # Errors
/// If the run that is planned could not start, or the list cannot be written.
pub fn run(args: &Plan) -> Result<u8, Fatal> {
    // A task that is too short for any work is refused before the sample is measured.
    args.wanted().shards(0.0, 1, args.task())?;
    let planned = match configuration::parse(&args.run()) {
        Ok(planned) => planned,
        Err(Stop::Clap(help_or_error)) => return print_help(&help_or_error),
        Err(Stop::File(findings)) => {
            print_findings(&findings);
            return Ok(super::COULD_NOT_START);
        }
    };
    match planned.command {
        Some(Command::Bake(bake)) => of_bake(args, &bake),
        None => of_documents(args, &planned.documents),
        Some(_) => Err(
            "a plan is about documents, or with `--bake` about glTF files; leave the command out"
                .into(),
        ),
    }
}

fn of_documents(args: &Plan, run: &Documents) -> Result<u8, Fatal> {
    let target = ListTarget::of(args, &run.paths)?;
    let options = options(&run.batch, &run.paths, Some("glb"))?;
    let skips = run.batch.search.skips(Vec::new());
    let found = match search(&run.paths, FileKind::Document, &skips)? {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    let style = Style {
        with_instances: run.with_instances,
        double_sided: run.double_sided,
    };
    let work = |found: &[Found], options: &Options| {
        let poses = pose_filter(&run.poses);
        let work = batch::Documents::new(found, options, poses, &run.formats())?;
        Ok(work.styled(style).with_triangles_outward(run.flip_winding))
    };
    let kind = ListedKind::Documents;
    Run {
        args,
        kind,
        options,
        found,
    }
    .plan(work, target)
}

fn of_bake(args: &Plan, run: &Bake) -> Result<u8, Fatal> {
    run.check()?;
    let target = ListTarget::of(args, &run.paths)?;
    let options = options(&run.batch, &run.paths, run.output_ending())?;
    let skips = bake::skips(run);
    let found = match search(&run.paths, FileKind::Gltf, &skips)? {
        Ok(found) => found,
        Err(status) => return Ok(status),
    };
    let job = run.job()?;
    let work = |found: &[Found], options: &Options| Bakes::new(found, options, job.clone());
    let kind = ListedKind::Files;
    Run {
        args,
        kind,
        options,
        found,
    }
    .plan(work, target)
}

/// Returns the options of the run.
///
/// # Errors
/// If one of them makes no sense for a plan.
fn options(run: &BatchArgs, paths: &[PathBuf], ending: Option<&str>) -> Result<Options, Fatal> {
    let refused = [
        (run.shard.is_some(), "--shard"),
        (run.inputs_from.is_some(), "--inputs-from"),
        (run.watch, "--watch"),
        (super::streams::are_meant(run, paths), "-"),
    ];
    if let Some((_, name)) = refused.iter().find(|(is_given, _)| *is_given) {
        return Err(format!("a plan is about a whole run over files; leave `{name}` out").into());
    }
    Ok(run.options(paths, ending)?.dry_run(true))
}

/// Searches for the inputs. Directories that cannot be listed are told of, since a plan without them would be too low and a
/// list would lack their inputs; the exit status is returned then.
fn search(
    paths: &[PathBuf],
    kind: FileKind,
    skips: &Skips,
) -> Result<Result<Vec<Found>, u8>, Fatal> {
    let found = inputs::find(paths, kind, skips, WhenEmpty::Fail)?;
    let Discovery {
        found, unreadable, ..
    } = found;
    if unreadable.is_empty() {
        return Ok(Ok(found));
    }
    let findings: Vec<Diagnostic> = unreadable.iter().map(IoError::finding).collect();
    print_findings(&findings);
    let transient = findings.iter().any(|finding| finding.transient);
    Ok(Err(if transient { TRY_AGAIN } else { FAILED }))
}

impl Run<'_> {
    /// Plans the run; `work` prepares the work on some inputs.
    fn plan<W: Work>(
        self,
        work: impl Fn(&[Found], &Options) -> Result<W, IoError>,
        target: Option<ListTarget>,
    ) -> Result<u8, Fatal> {
        let Self {
            args,
            kind,
            options,
            found,
        } = self;
        let all = work(&found, &options)?;
        // Sorts the inputs, and compares the names of all outputs.
        let batch = Batch::new(found, options, all, Default::default())?;
        let (found, options) = (batch.inputs(), batch.options());
        let lens: Vec<u64> = found
            .iter()
            .map(|input| len_for_estimate(&input.path))
            .collect();
        let mut strata = Strata::new(args.sample as usize);
        for (number, (input, len)) in found.iter().zip(&lens).enumerate() {
            strata.add(number, *len, path_number(input.relative()));
        }
        let (count, bytes) = strata.totals();
        let chosen = strata.choose();
        let measured = measured(args.quiet, found, options, &chosen, work)?;
        let planned = Planned::new(args, kind, Amount { count, bytes }, &measured)?;
        if let Some(target) = &target {
            target.write(kind, found, &lens)?;
        }
        let mut out = Output::new();
        match args.format {
            Format::Json => out.json(&planned),
            Format::Human => text::print(&mut out, &planned),
        }
        Ok(if out.failed { FAILED } else { SUCCESS })
    }
}

/// Does the work on the chosen inputs.
fn measured<W: Work>(
    quiet: bool,
    found: &[Found],
    options: &Options,
    chosen: &[Chosen],
    work: impl Fn(&[Found], &Options) -> Result<W, IoError>,
) -> Result<Measurements, Fatal> {
    let numbers = chosen.iter().flat_map(|group| &group.sample);
    let sample: Vec<Found> = numbers.map(|number| found[*number].clone()).collect();
    let bar = progress(sample.len(), quiet);
    let work = work(&sample, options)?;
    let measured = measure(sample, options, work, || bar.inc(1))?;
    bar.finish_and_clear();
    let of = |path: &Path| measured.get(path).copied().unwrap_or_default();
    Ok(Measurements::new(chosen, |number| of(&found[number].path)))
}
