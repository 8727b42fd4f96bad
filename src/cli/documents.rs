//! The main command: documents to GLBs.

use std::sync::Arc;

use super::Fatal;
use super::args::Documents;
use super::common_args::{POSE_WORDS, pose_filter};
use super::expanded::Expansions;
use super::input_kind::InputKind;
use super::inputs::{self, FileKind};
use super::page::Shown;
use super::reporter::run_and_report;
use super::requested::RequestedNames;
use super::session::{self, Session};
use crate::glb::Style;
use crate::run::batch::{self, PoseFilter, gltf_stem};

pub fn run(args: &Documents) -> Result<u8, Fatal> {
    session::run(&args.batch, &args.paths, |session| once(args, session))
}

fn once(args: &Documents, session: &mut Session) -> Result<u8, Fatal> {
    let mut options = args.batch.options(&args.paths, Some("glb"))?;
    options.force &= session.is_first();
    let when_empty = args.batch.when_empty(session.is_first());
    let found = inputs::find(
        &args.paths,
        FileKind::Document,
        &args.batch.search.skips([]),
        when_empty,
    )?;
    let (found, unreadable) = (found.found, found.unreadable);
    args.batch
        .note_output_name(&args.paths, Some("glb"), session.is_first());
    let poses = pose_filter(&args.poses);
    let expansions = Expansions::new(args, &found, &options)?;
    let takes_output = expansions
        .as_ref()
        .is_some_and(Expansions::take_standard_output);
    if takes_output {
        args.batch.refuse_beside_text(session.report())?;
    }
    let style = Style {
        with_instances: args.with_instances,
        double_sided: args.double_sided,
    };
    let work = batch::Documents::new(&found, &options, poses.clone(), &args.formats())?
        .styled(style)
        .with_triangles_outward(args.flip_winding);
    let stop = Arc::default();
    let _stopping = session.interrupt.stops(&stop)?;
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
        session,
    )
}
