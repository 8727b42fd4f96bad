//! The `bake` command: skinned glTF files to plain meshes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::bake_args::Bake;
use super::inputs::{FileKind, InputKind, shown_len};
use super::messages::print_note;
use super::page::Shown;
use super::reporter::run_and_report;
use super::requested::RequestedNames;
use super::run_context::RunContext;
use super::status::Result;
use super::streams::Streams;
use super::watch::Told;
use crate::bake::Scale;
use crate::io::{Discovery, Skips, is_dir};
use crate::run::batch::{self, Bakes, OutputPlace, is_document};
use rigy_base::paths::Slashed;
use rigy_gltf::MAX_RESOURCE_LEN;
use rigy_language::model::Solver;

/// Bakes files.
///
/// # Errors
/// If the run cannot start.
pub fn run(args: &Bake, told: Option<&mut Told>) -> Result<u8> {
    args.batch.refuse_urls()?;
    let endings = args.output_endings();
    let place = args.batch.output_place(&args.paths, &endings)?;
    args.batch.refuse_two_on_standard_output(&place, &None)?;
    let output = (args.output_ending(&place), args.writes_text(&place));
    let streams = Streams::open(&args.batch, &args.paths, place, output, MAX_RESOURCE_LEN)?;
    let context = RunContext::begin(&args.batch, told)?;
    let status = once(args, context, &streams)?;
    Ok(streams.finish(status))
}

/// Returns what the search leaves out: where outputs go, those that the configuration file names for documents included.
fn skips(args: &Bake, output: &OutputPlace) -> Skips {
    let loaded = args.batch.source.loaded.as_ref();
    let of_documents = loaded.and_then(|loaded| loaded.documents_output());
    let outputs = output
        .directory()
        .map(Path::to_owned)
        .into_iter()
        .chain(of_documents);
    args.batch.search.skips(outputs.collect())
}

fn once(args: &Bake, context: RunContext, streams: &Streams) -> Result<u8> {
    let job = args.job(&streams.output)?;
    let mut options = streams.options(&args.batch, &args.paths)?;
    let skips = skips(args, &options.output);
    let Discovery {
        found,
        unreadable,
        left_out,
    } = match streams.found() {
        Some(found) => found,
        None => args
            .batch
            .find(&args.paths, FileKind::Gltf, &skips, options.shard)?,
    };
    let prints_notes = !args.batch.common.quiet;
    if let Some(directory) = left_out.as_ref().filter(|_| prints_notes) {
        let directory = directory.slashed();
        print_note(&format!(
            "`{directory}` is not searched for inputs, because outputs go there"
        ));
    }
    if options.output.directory().is_some() {
        // Files in these directories that no run has written belong to the user and are kept.
        let searched = args.paths.iter().filter(|path| is_dir(path)).cloned();
        options.keeping = searched.chain(left_out).collect();
    }
    let solver = job.skinning.solver;
    let shown = Shown::Moments(Box::new(job.clone()));
    let work = Bakes::new(&found, &options, job)?;
    let shared_len = work.shared_len();
    let stop = Arc::default();
    let _stopping = context.interrupt.stops(&stop)?;
    let batch = batch::Batch::new(found, options, work, stop)?;
    let options = &args.options;
    let sets_scale = options
        .joint_scale
        .is_some_and(|scale| scale != Scale::Global)
        || !options.local_scale_joints.is_empty()
        || options.two_stage;
    if prints_notes && solver == Solver::Lbs && sets_scale {
        print_note(
            "joint scale needs no treatment under `--solver lbs`: `--joint-scale` and `--local-scale-joints` change nothing",
        );
    }
    let status = run_and_report(
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
        RequestedNames::new(&options.local_scale_joints, "no file has a joint"),
        context,
    )?;
    let saved = shared_len.load(Ordering::Relaxed);
    if prints_notes && saved > 0 {
        print_note(&format!(
            "the frames share their images, which are files beside them and take {} less so; `--textures embed` puts them into \
             each frame",
            shown_len(saved)
        ));
    }
    Ok(status)
}
