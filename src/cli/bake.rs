//! The `bake` command: skinned glTF files to plain meshes.

mod passes;

use std::sync::Arc;

use super::bake_args::Bake;
use super::input_kind::InputKind;
use super::inputs::FileKind;
use super::page::Shown;
use super::reporter::run_and_report;
use super::requested::RequestedNames;
use super::session::{self, Session};
use super::streams::Streams;
use super::{Fatal, SUCCESS, print_message};
use crate::bake::gltf::MAX_RESOURCE_LEN;
use crate::io::{Discovery, Skips};
use crate::run::batch::{self, Bakes, is_document};

/// Bakes files, in as many passes as there are arguments: one for each table of the configuration file.
///
/// # Errors
/// If the first run cannot start.
pub fn run(passes: &[Bake]) -> Result<u8, Fatal> {
    let Some(first) = passes.first() else {
        return Ok(SUCCESS);
    };
    for pass in passes {
        pass.batch.refuse_urls()?;
    }
    let streams = match passes {
        [only] => {
            let output = (only.output_ending(), only.writes_text());
            Streams::open(&only.batch, &only.paths, output, MAX_RESOURCE_LEN)?
        }
        several => {
            passes::refuse_streams(several)?;
            Streams::default()
        }
    };
    let status = session::run(&first.batch, &first.paths, |session| {
        if passes.len() > 1 {
            passes::check(passes)?;
        }
        let mut status = SUCCESS;
        for (index, args) in passes.iter().enumerate() {
            session.pass = index;
            if passes.len() > 1 {
                passes::announce(args, index, session.is_first());
            }
            status = status.max(once(args, passes, session, &streams)?);
            let is_over = args.batch.fail_fast && status != SUCCESS;
            if session.interrupt.is_set() || is_over {
                break;
            }
        }
        Ok(status)
    })?;
    Ok(streams.finish(status))
}

/// Returns what the search of a pass leaves out: the outputs of all passes are no inputs.
pub fn skips(passes: &[Bake], pass: &Bake) -> Skips {
    pass.batch.search.skips(passes::output_directories(passes))
}

fn once(
    args: &Bake,
    passes: &[Bake],
    session: &mut Session,
    streams: &Streams,
) -> Result<u8, Fatal> {
    args.check()?;
    let options = args.batch.options(&args.paths, args.output_ending())?;
    let mut options = streams.options(options);
    options.force &= session.is_first();
    let when_empty = args.batch.when_empty(session.is_first());
    let skips = skips(passes, args);
    let Discovery {
        found,
        unreadable,
        left_out,
    } = match streams.found() {
        Some(found) => found,
        None => args.batch.find(
            &args.paths,
            FileKind::Gltf,
            &skips,
            when_empty,
            options.shard,
        )?,
    };
    args.batch
        .note_output_name(&args.paths, args.output_ending(), session.is_first());
    let prints_notes = session.is_first() && !args.batch.common.quiet;
    if let Some(directory) = left_out.as_ref().filter(|_| prints_notes) {
        let directory = directory.display();
        print_message(&format!(
            "`{directory}` is not searched for inputs, because outputs go there"
        ));
    }
    let job = args.job()?;
    let shown = Shown::Moments(Box::new(job.clone()));
    let work = Bakes::new(&found, &options, job)?.outputs_among_inputs(left_out.is_some());
    let stop = Arc::default();
    let _stopping = session.interrupt.stops(&stop)?;
    let batch = batch::Batch::new(found, options, work, stop)?;
    if prints_notes && args.skins_linearly_only() && args.sets_scale() {
        print_message(
            &"joint scale needs no treatment under `--solver lbs`: `--scale` and `--scale-local` change nothing",
        );
    }
    run_and_report(
        &args.batch,
        &batch,
        InputKind {
            input: "file",
            shown,
            advice: |name| {
                is_document(name)
                    .then_some("`bake` is for glTF files; `rigy-batch PATH…` compiles documents")
            },
            expansions: None,
        },
        &args.paths,
        &unreadable,
        RequestedNames::new(&args.scale_local, "no file has a joint"),
        session,
    )
}
