//! The main job: documents to GLBs.

use super::args::Documents;
use super::teller::Teller;
use super::{Fatal, complain_of};
use crate::batch::{self, PoseFilter, is_document};
use crate::io::discover;

pub fn run(args: &Documents) -> Result<u8, Fatal> {
    let options = args.batch.options()?;
    let (found, unreadable) = discover(&args.paths, &is_document, None)?;
    let pool = args.batch.common.threads.pool()?;
    let work = batch::Documents::new(&found, &options, args.pose_filter(), args.positions)?;
    let batch = batch::Batch::new(found, options, work)?;
    let mut teller = Teller::new(&args.batch, "document", batch.len())?;
    if batch.is_empty() && unreadable.is_empty() && !args.batch.common.quiet {
        complain_of(&"no *.rigy.yaml or *.rigy.yml found");
    }
    teller.tell_unreadable(&unreadable);
    batch.run(&pool, |outcome| teller.tell(&outcome));
    match args.pose_filter() {
        PoseFilter::Ids(ids) => teller.finish(&ids, "no document has a pose"),
        _ => teller.finish(&[], ""),
    }
}
