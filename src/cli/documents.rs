//! The main command: documents to GLBs.

use std::path::Path;
use std::sync::Arc;

use super::args::Documents;
use super::common_args::{POSE_WORDS, pose_filter};
use super::expanded::Expansions;
use super::inputs::{FileKind, InputKind};
use super::named::named;
use super::page::Shown;
use super::places::refuse_url;
use super::reporter::run_and_report;
use super::requested::RequestedNames;
use super::run_context::RunContext;
use super::status::{Result, bail};
use super::streams::Streams;
use super::watch::Told;
use crate::glb::Style;
use crate::run::batch::{self, PoseFilter, gltf_stem};
use rigy_export::Format;

pub fn run(args: &Documents, told: Option<&mut Told>) -> Result<u8> {
    let expanded = args.emit_expanded.as_deref();
    refuse_url("--emit-expanded", expanded)?;
    if let Some(directory) = expanded.filter(|path| *path != Path::new("-")) {
        named("--emit-expanded", directory, &[])?;
    }
    args.batch.refuse_urls()?;
    let place = args.batch.output_place(&args.paths, &["glb"]);
    let place = place.map_err(|message| with_exports(message, args.batch.output.as_deref()))?;
    args.batch
        .refuse_two_on_standard_output(&place, &args.emit_expanded)?;
    let output = (Some("glb"), false);
    let limit = args.batch.limit.limits()?.bytes;
    let streams = Streams::open(&args.batch, &args.paths, place, output, limit)?;
    let context = RunContext::begin(&args.batch, told)?;
    let status = once(args, context, &streams)?;
    Ok(streams.finish(status))
}

/// Says what makes files of other tools, if the name after `-o` is one of these.
fn with_exports(message: String, output: Option<&Path>) -> String {
    let ending = output.and_then(Path::extension).unwrap_or_default();
    if !Format::ALL.iter().any(|format| ending == format.name()) {
        return message;
    }
    format!(
        "{message}; documents become GLBs, of which `rigy-batch bake FILE.glb -o FILE.{}` makes one",
        ending.display()
    )
}

/// Returns the poses that are baked. Standard output takes the rest pose, or the one pose that is named.
fn poses(args: &Documents, streams: &Streams) -> Result<PoseFilter> {
    let poses = pose_filter(&args.poses);
    if streams.output.held().is_none() {
        return Ok(poses);
    }
    if args.positions {
        bail!(
            "`--positions` does not go with `-o -`, which writes one file; name a directory after `-o`"
        );
    }
    match poses {
        PoseFilter::Ids(ids) if ids.len() > 1 => bail!(
            "`-o -` writes one output to standard output; name one pose after `--poses`, or a directory after `-o`"
        ),
        PoseFilter::Ids(ids) => Ok(PoseFilter::Ids(ids)),
        _ => Ok(PoseFilter::None),
    }
}

fn once(args: &Documents, context: RunContext, streams: &Streams) -> Result<u8> {
    let options = streams.options(&args.batch, &args.paths)?;
    let skips = args.batch.search.skips(Vec::new());
    let found = match streams.found() {
        Some(found) => found,
        None => args
            .batch
            .find(&args.paths, FileKind::Document, &skips, options.shard)?,
    };
    let (found, unreadable) = (found.found, found.unreadable);
    let poses = poses(args, streams)?;
    let expansions = Expansions::new(args, &found, &options)?;
    let style = Style {
        with_instances: args.with_instances,
        double_sided: args.double_sided,
    };
    let work = batch::Documents::new(&found, &options, poses.clone(), &args.formats())?
        .styled(style)
        .with_triangles_outward(args.outward);
    let stop = Arc::default();
    let _stopping = context.interrupt.stops(&stop)?;
    let batch = batch::Batch::new(found, options, work, stop)?;
    let ids: &[String] = match &poses {
        PoseFilter::Ids(ids) => ids,
        _ => &[],
    };
    run_and_report(
        &args.batch,
        &batch,
        InputKind {
            input: "document",
            shown: Shown::Poses,
            advice: |name| {
                let is_gltf = gltf_stem(name) != name;
                is_gltf
                    .then_some("Rigy documents are YAML; for glTF files there is `rigy-batch bake`")
            },
            expansions,
        },
        &args.paths,
        &unreadable,
        RequestedNames::new(ids, "no document has a pose").with_words(&POSE_WORDS),
        context,
    )
}
