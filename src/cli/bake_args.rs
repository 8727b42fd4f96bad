//! The arguments of `bake`.

use std::path::PathBuf;

use super::batch_args::Batch;
use super::places::place;
use crate::run::batch::BakeOptions;

/// Bake skinned glTF files into plain meshes
///
/// For each input `stem.glb`, `stem.gltf` or `stem.vrm`, writes one GLB: vertices as they stand at the requested time, with skins,
/// morph targets and animations applied and removed, and everything else as it was. With `-o DIR` the output is
/// `DIR/stem.glb`, without it `stem.baked.glb` beside the input. With `--frames` the names end in a number: `stem.0000.glb`
/// or `stem.baked.0000.glb`; with several animations they contain its name: `stem.Run.glb`, `stem.Run.0000.glb`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch bake models/ -o out/                   as the nodes are stored\n  \
rigy-batch bake fox.glb --animation Run --time 0.5",
    after_long_help = "Examples:\n  rigy-batch bake models/ -o out/                         as the nodes are stored\n  \
rigy-batch bake fox.glb --animation Run --time 0.5      half a second into an animation\n  \
rigy-batch bake fox.glb --animation Run --frames @24    all of it, one file for each frame\n  \
rigy-batch bake fox.glb --animation all --frames @24    the same for each animation\n  \
rigy-batch bake fox.glb --animation Run --as morph      one file that plays\n  \
rigy-batch bake models/ -o out/ --solver dqs            dual quaternions instead of linear blending\n\n\
Exit status: 0 all good, 1 some input failed (with --check: or an output would change), 2 could not start, 75 failed for a reason that may pass (disk full, no memory, a network file system), 130 interrupted."
)]
pub struct Bake {
    /// Directories to search for *.glb, *.gltf and *.vrm, or files
    ///
    /// Hidden directories are skipped and links are not followed. In directories, files that are named like outputs
    /// (stem.baked.glb, stem.baked.Run.0000.glb, and the same with .gltf or .vrm) are skipped. A file that is named here may have any
    /// name. `-` is one file on standard input, which stands alone and takes `-o FILE` or `-o -`; what it refers to is relative to
    /// `--root`, or else to the current directory. A pipe is read likewise. `file://` URLs are paths.
    #[arg(required_unless_present = "inputs_from", value_name = "PATH", value_parser = place(), help_heading = None)]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub options: BakeOptions,

    #[command(flatten)]
    pub batch: Batch,
}
