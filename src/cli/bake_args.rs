//! What can be typed after `bake`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::batch_args::Batch;
use crate::bake::Skinning;
use crate::bake::gltf::JointScale;
use crate::language::model::Solver;
use crate::run::batch::Frames;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "For each input stem.glb or stem.gltf, writes one GLB: vertices as they stand at the time asked for, skins, \
morph targets and animations applied and removed, everything else as it was. With -o DIR it is DIR/stem.glb, without \
it stem.baked.glb beside the input; with --frames, stem.0000.glb or stem.baked.0000.glb and so on. In \
directories, files with the names of such outputs (stem.baked.glb, stem.baked.0000.glb, and the same with .gltf) are \
skipped, whoever has made them; named outright, they are baked.\n\n\
Examples:\n  rigy-batch bake models/ -o out/                         as the nodes are stored\n  \
rigy-batch bake fox.glb --animation Run --time 0.5      half a second into an animation\n  \
rigy-batch bake fox.glb --animation 2 --frames 0..47@24 two seconds of it, a file a frame\n  \
rigy-batch bake models/ -o out/ --solver dqs            dual quaternions instead of linear blending\n\n\
Exit status: 0 all good, 1 some input failed, 2 could not start, 130 interrupted."
)]
pub struct Bake {
    /// Directories to search for *.glb and *.gltf (hidden directories and files named *.baked.* are skipped, links not
    /// followed), or files of any name
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// How vertices follow their joints: linear blending or dual quaternions
    #[arg(long, value_enum, default_value_t = SolverName::Lbs)]
    pub solver: SolverName,

    /// Animation to sample, by name or by number from 0 [default: 0 if there is a time, else none]
    #[arg(long, value_name = "NAME|INDEX")]
    pub animation: Option<String>,

    /// When to sample it, in seconds [default: 0 if there is an animation]
    #[arg(long, value_name = "SECONDS", value_parser = finite, allow_negative_numbers = true)]
    pub time: Option<f64>,

    /// One file a frame: frames A to B, both included, of which number i is at i / FPS seconds
    #[arg(long, value_name = "A..B@FPS", value_parser = Frames::parse, conflicts_with = "time")]
    pub frames: Option<Frames>,

    /// Joint scale under dual quaternions: it reaches all that hangs on a joint, stays with the joint, or is an error.
    /// With `local`, the bind pose keeps its own scale, and a root joint's scale does not move the joint itself
    #[arg(long, value_enum, default_value_t = Scale::Global)]
    pub scale: Scale,

    /// Joints whose scale stays with them, by name; that of all others reaches what hangs on them
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "scale"
    )]
    pub scale_local: Vec<String>,

    #[command(flatten)]
    pub batch: Batch,
}

/// A solver, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolverName {
    Lbs,
    Dqs,
}

/// What becomes of joint scale, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scale {
    Global,
    Local,
    Reject,
}

/// Reads a number that is finite.
fn finite(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| number.is_finite());
    number.ok_or_else(|| "not a number of seconds".into())
}

impl Bake {
    /// How vertices follow their joints.
    pub fn skinning(&self) -> Skinning {
        let scale = match self.scale {
            _ if !self.scale_local.is_empty() => {
                JointScale::LocalFor(self.scale_local.iter().cloned().collect())
            }
            Scale::Global => JointScale::Global,
            Scale::Local => JointScale::Local,
            Scale::Reject => JointScale::Reject,
        };
        let solver = match self.solver {
            SolverName::Lbs => Solver::Lbs,
            SolverName::Dqs => Solver::Dqs,
        };
        Skinning { solver, scale }
    }

    /// Whether anything but the default is asked of joint scale.
    pub fn speaks_of_scale(&self) -> bool {
        self.scale != Scale::Global || !self.scale_local.is_empty()
    }
}
