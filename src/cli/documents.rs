//! The main job: documents to GLBs.

use std::sync::Arc;

use super::Fatal;
use super::args::Documents;
use super::teller::{Kind, tell_all};
use super::wanted::Wanted;
use super::watch::{self, Rounds};
use crate::io::discover;
use crate::run::batch::{self, PoseFilter, gltf_stem, is_document};

pub fn run(args: &Documents) -> Result<u8, Fatal> {
    watch::run(&args.batch, &args.paths, |rounds| once(args, rounds))
}

fn once(args: &Documents, rounds: &mut Rounds) -> Result<u8, Fatal> {
    let mut options = args.batch.options()?;
    options.force &= rounds.is_first();
    let found = discover(&args.paths, &is_document, None)?;
    let (found, unreadable) = (found.found, found.unreadable);
    let none_found = found
        .is_empty()
        .then(|| "no *.rigy.yaml or *.rigy.yml found".to_owned());
    let poses = args.pose_filter();
    let work = batch::Documents::new(&found, &options, poses.clone(), args.positions)?;
    let stop = Arc::default();
    let _stopping = rounds.interrupt.stops(&stop)?;
    let batch = batch::Batch::new(found, options, work, stop)?;
    let ids: &[String] = match &poses {
        PoseFilter::Ids(ids) => ids,
        _ => &[],
    };
    tell_all(
        &args.batch,
        &batch,
        Kind {
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
        Wanted::new(ids, "no document has a pose"),
        rounds,
    )
}
