//! Skinned glTF files to plain meshes.

use super::bake_args::{Bake, SolverName};
use super::teller::Teller;
use super::{Fatal, complain_of};
use crate::bake::Moment;
use crate::batch::{self, BakeJob, Bakes, is_gltf_input};
use crate::io::discover;

pub fn run(args: &Bake) -> Result<u8, Fatal> {
    let options = args.batch.options()?;
    let (found, unreadable) = discover(&args.paths, &is_gltf_input, options.output.as_deref())?;
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
    let mut teller = Teller::new(&args.batch, "file", batch.len())?;
    if batch.is_empty() && unreadable.is_empty() && !args.batch.common.quiet {
        complain_of(&"no *.glb or *.gltf found");
    }
    if args.solver == SolverName::Lbs && args.speaks_of_scale() && !args.batch.common.quiet {
        complain_of(
            &"joint scale needs no treatment under `--solver lbs`: `--scale` and `--scale-local` change nothing",
        );
    }
    teller.tell_unreadable(&unreadable);
    batch.run(&pool, |outcome| teller.tell(&outcome));
    teller.finish(&args.scale_local, "no file has a joint")
}
