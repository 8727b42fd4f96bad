//! The main job: documents to GLBs.

use super::args::Documents;
use super::interrupt::Interrupt;
use super::teller::{Teller, Wanted};
use super::told::Told;
use super::{Fatal, complain_of};
use crate::batch::{self, PoseFilter, is_document};
use crate::io::discover;

pub fn run(args: &Documents) -> Result<u8, Fatal> {
    let options = args.batch.options()?;
    let (found, unreadable) = discover(&args.paths, &is_document, None)?;
    let is_empty = found.is_empty();
    let pool = args.batch.common.threads.pool()?;
    let poses = args.pose_filter();
    let work = batch::Documents::new(&found, &options, poses.clone(), args.positions)?;
    let batch = batch::Batch::new(found, options, work)?;
    let ids: &[String] = match &poses {
        PoseFilter::Ids(ids) => ids,
        _ => &[],
    };
    let wanted = Wanted::new(ids, "no document has a pose");
    let mut teller = Teller::new(
        &args.batch,
        "document",
        &batch,
        &args.paths,
        &unreadable,
        wanted,
    )?;
    if is_empty && unreadable.is_empty() && !args.batch.common.quiet {
        complain_of(&"no *.rigy.yaml or *.rigy.yml found");
    }
    let prepare = |outcome| Told::new(outcome, &args.batch);
    let interrupt = Interrupt::stops(batch.stop_flag())?;
    batch.run(&pool, prepare, |told| teller.tell(told));
    teller.finish(interrupt.has_come())
}
