//! Skinned glTF files to plain meshes.

use super::bake_args::{Bake, SolverName};
use super::interrupt::Interrupt;
use super::teller::{Teller, Wanted};
use super::told::Told;
use super::{Fatal, complain_of};
use crate::bake::Moment;
use crate::batch::{self, BakeJob, Bakes, is_gltf_input};
use crate::io::discover;

pub fn run(args: &Bake) -> Result<u8, Fatal> {
    let options = args.batch.options()?;
    let (found, unreadable) = discover(&args.paths, &is_gltf_input, options.output.as_deref())?;
    let is_empty = found.is_empty();
    let pool = args.batch.common.threads.pool()?;
    let job = BakeJob {
        moment: Moment {
            animation: args.animation.clone(),
            time: args.time,
        },
        frames: args.frames,
        skinning: args.skinning(),
    };
    let work = Bakes::new(&found, &options, job)?;
    let batch = batch::Batch::new(found, options, work)?;
    let wanted = Wanted::new(&args.scale_local, "no file has a joint");
    let mut teller = Teller::new(
        &args.batch,
        "file",
        &batch,
        &args.paths,
        &unreadable,
        wanted,
    )?;
    if is_empty && unreadable.is_empty() && !args.batch.common.quiet {
        complain_of(&"no *.glb or *.gltf found");
    }
    if args.solver == SolverName::Lbs && args.speaks_of_scale() && !args.batch.common.quiet {
        complain_of(
            &"joint scale needs no treatment under `--solver lbs`: `--scale` and `--scale-local` change nothing",
        );
    }
    let prepare = |outcome| Told::new(outcome, &args.batch);
    let interrupt = Interrupt::stops(batch.stop_flag())?;
    batch.run(&pool, prepare, |told| teller.tell(told));
    teller.finish(interrupt.has_come())
}
