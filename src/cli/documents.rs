//! The main command: documents to GLBs.

use std::sync::Arc;

use super::Fatal;
use super::args::Documents;
use super::reporter::{InputKind, run_and_report};
use super::requested::RequestedNames;
use super::session::{self, Session};
use crate::io::discover;
use crate::run::batch::{self, PoseFilter, gltf_stem, is_document};

pub fn run(args: &Documents) -> Result<u8, Fatal> {
    session::run(&args.batch, &args.paths, |session| once(args, session))
}

fn once(args: &Documents, session: &mut Session) -> Result<u8, Fatal> {
    let mut options = args.batch.options()?;
    options.force &= session.is_first();
    let found = discover(&args.paths, &is_document, None)?;
    let (found, unreadable) = (found.found, found.unreadable);
    let none_found = found
        .is_empty()
        .then(|| "no *.rigy.yaml or *.rigy.yml found".to_owned());
    let poses = args.pose_filter();
    let work = batch::Documents::new(&found, &options, poses.clone(), args.positions)?;
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
            advice: |name| {
                let is_gltf = gltf_stem(name) != name;
                is_gltf
                    .then_some("Rigy documents are YAML; for glTF files there is `rigy-batch bake`")
            },
        },
        &args.paths,
        &unreadable,
        RequestedNames::new(ids, "no document has a pose"),
        session,
    )
}
