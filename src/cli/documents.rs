//! The main command: documents to GLBs.

use std::cell::Cell;
use std::ffi::OsStr;
use std::sync::Arc;

use super::Fatal;
use super::args::Documents;
use super::common_args::{POSE_WORDS, pose_filter};
use super::expanded::Expansions;
use super::input_kind::InputKind;
use super::page::Shown;
use super::reporter::run_and_report;
use super::requested::RequestedNames;
use super::session::{self, Session};
use crate::glb::Style;
use crate::io::discover;
use crate::run::batch::{self, PoseFilter, document_stem, gltf_stem, is_document};

pub fn run(args: &Documents) -> Result<u8, Fatal> {
    session::run(&args.batch, &args.paths, |session| once(args, session))
}

fn once(args: &Documents, session: &mut Session) -> Result<u8, Fatal> {
    let mut options = args.batch.options(&args.paths, Some("glb"))?;
    options.force &= session.is_first();
    let (gltf_count, yaml_count) = (Cell::new(0), Cell::new(0));
    let is_input = |name: &OsStr| {
        let is_input = is_document(name);
        let is_gltf = gltf_stem(name) != name;
        let is_yaml = !is_input && document_stem(name) != name;
        gltf_count.set(gltf_count.get() + usize::from(is_gltf));
        yaml_count.set(yaml_count.get() + usize::from(is_yaml));
        is_input
    };
    let found = discover(&args.paths, &is_input, None)?;
    let (found, unreadable) = (found.found, found.unreadable);
    let none_found = || none_found(gltf_count.get(), yaml_count.get());
    let none_found = found.is_empty().then(none_found);
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
            none_found,
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

/// Returns the message that there is no input. It names other files that were seen, because they may be the ones meant.
fn none_found(gltf_count: usize, yaml_count: usize) -> String {
    let none = "no *.rigy.yaml or *.rigy.yml found";
    match (gltf_count, yaml_count) {
        (0, 0) => none.into(),
        (0, count) => format!(
            "{none}, but {count} other *.yaml or *.yml; name a file on the command line to process it"
        ),
        (count, _) => {
            format!(
                "{none}, but {count} *.glb, *.gltf or *.vrm; `rigy-batch bake` is for glTF files"
            )
        }
    }
}
